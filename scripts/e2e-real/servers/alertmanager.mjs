/** Prometheus's Alertmanager: a Go server, Swagger 2.0 whose base path ends with a slash, lists of filters, errors as JSON texts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { answerIn } from '../answer.mjs';
import { freePort } from '../../lib/free-port.mjs';
import { start } from '../../lib/start.mjs';
import { programCalled } from './debian.mjs';

/** Its package has no document: that of the same version comes from the corpus. */
const DOCUMENT = 'alertmanager-0.25.yaml';

/** Two receivers. None is told anything. */
const configuration = `
route:
  receiver: everybody
  group_by: [alertname]
  group_wait: 10ms
  group_interval: 1s
  routes:
    - receiver: night-shift
      matchers: ['team="night"']
receivers:
  - name: everybody
  - name: night-shift
`;

const AN_HOUR = 3_600_000;
const inHours = (hours) => new Date(Date.now() + hours * AN_HOUR).toISOString();

/** Alerts that Alertmanager holds for a run, by name. */
async function held(ask, run) {
  const filter = encodeURIComponent(`run="${run}"`);
  const { json } = await ask(`/api/v2/alerts?filter=${filter}`);
  return json;
}
const named = (alerts) => alerts.map(({ labels }) => labels.alertname).toSorted();
const silenceHeld = async (ask, id) => (await ask(`/api/v2/silence/${id}`)).json;

export const alertmanager = {
  name: 'alertmanager',
  program: 'Alertmanager 0.25 of Debian',
  install: async ({ corpus }) => {
    if (programCalled('prometheus-alertmanager') === undefined)
      return 'apt-get install prometheus-alertmanager';
    if (corpus !== undefined && existsSync(path.join(corpus, DOCUMENT))) return undefined;
    return `it does not ship its document: --corpus <folder> with ${DOCUMENT}`;
  },
  start: async (folder, { corpus }) => {
    const file = path.join(folder, 'alertmanager.yml');
    writeFileSync(file, configuration);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const settings = {
      'config.file': file,
      'storage.path': path.join(folder, 'data'),
      'web.listen-address': `127.0.0.1:${port}`,
      'cluster.listen-address': '',
    };
    const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
    const command = programCalled('prometheus-alertmanager');
    const env = { PATH: process.env.PATH ?? '' };
    const running = await start({ command, args, cwd: folder, env, ready: /Listening on|address=127/, url });
    const document = path.join(corpus, DOCUMENT);
    return { ...running, document, env: { API_BASE_URL: `${url}/api/v2` } };
  },
  steps: {
    'create alerts': async ({ call, ask, kept }) => {
      kept.run = randomUUID();
      const alert = (alertname, severity, more = {}) => ({
        labels: { alertname, severity, run: kept.run, ...more },
        annotations: { summary: 'Größer & höher? a "quoted" /slash/' },
        generatorURL: 'http://127.0.0.1:1/graph?g0.expr=a%3Eb',
      });
      const body = [
        alert('Disk', 'critical', { team: 'night' }),
        alert('Fan', 'warning'),
        alert('Ünï', 'info', { team: 'day' }),
      ];
      await call('postAlerts', { body });
      const alerts = await held(ask, kept.run);
      assert.deepEqual(named(alerts), ['Disk', 'Fan', 'Ünï']);
      assert.equal(alerts[0].annotations.summary, body[0].annotations.summary);
      assert.equal(alerts[0].generatorURL, body[0].generatorURL);
    },
    'list alerts': async ({ call, ask, kept }) => {
      const alerts = await held(ask, kept.run);
      const answer = answerIn(await call('getAlerts', { filter: [`run="${kept.run}"`] }));
      assert.deepEqual(answer.result, alerts);
    },
    'refuse a filter that is none': async ({ refused }) => {
      assert.match(await refused('getAlerts', { filter: ['a=~"("'] }), /400[^]*missing closing/);
    },
    'create a silence': async ({ call, ask, kept }) => {
      kept.silence = {
        matchers: [
          { name: 'run', value: kept.run, isRegex: false, isEqual: true },
          { name: 'alertname', value: 'D.*', isRegex: true, isEqual: true },
        ],
        startsAt: inHours(0),
        endsAt: inHours(1),
        createdBy: 'Zoë',
        comment: 'Nothing to worry about',
      };
      const answer = answerIn(await call('postSilences', kept.silence));
      kept.id = answer.silenceID;
      const silence = await silenceHeld(ask, kept.id);
      assert.deepEqual(silence.matchers, kept.silence.matchers);
      assert.equal(silence.createdBy, 'Zoë');
    },
    'end the silence': async ({ call, ask, kept }) => {
      await call('deleteSilence', { silenceID: kept.id });
      assert.equal((await silenceHeld(ask, kept.id)).status.state, 'expired');
    },
    'end alerts': async ({ call, ask, kept }) => {
      const body = (await held(ask, kept.run)).map(({ labels }) => ({ labels, endsAt: inHours(-0.01) }));
      await call('postAlerts', { body });
      assert.deepEqual(await held(ask, kept.run), []);
    },
  },
};
