/** Price of metrics, and trace ids on their road to the API. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { freePort } from '../../free-port.mjs';
import { startHttpLoad } from '../../bench-runtime/http-load.mjs';
import { compileAdd } from '../../bench-runtime/project.mjs';
import { WARM_UP } from '../../bench-runtime/turns-of-loads.mjs';
import { compareWork } from '../compare-work.mjs';
import { RawModern, RawSession, resultOf } from '../raw-client.mjs';
import { withWorld } from '../world.mjs';

const IN_FLIGHT = 64;

/** @type {import('../scenarios.mjs').Run} */
export async function metrics(task) {
  await compareSpeeds(task);
  await followTraces(task);
}

async function compareSpeeds({ folder, figures, size }) {
  const startOf = async (name, options, env) => {
    const below = path.join(folder, name);
    await mkdir(below);
    const main = await compileAdd(below, undefined, options);
    const args = [main, '--transport', 'http', '--port', '0', '--rate-limit', 'off'];
    return () => startHttpLoad(args, { inFlight: IN_FLIGHT, env });
  };
  const port = String(await freePort());
  const on = await startOf('on', ['--feature', 'metrics'], { MCP_METRICS_PORT: port });
  const off = await startOf('off', [], {});
  let counted = 0;
  const work = await compareWork({ on, off }, size, async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    counted += mostOf(await answer.text());
  });
  figures.atLeast(work.line('metrics', 'on', 'off', 0.97));
  const called = size.sets * (WARM_UP + size.rounds * size.calls);
  figures.atLeast({ what: 'calls that /metrics counts', figure: counted, limit: called, unit: String });
}

/** The largest counter of calls. */
function mostOf(text) {
  const counts = [...text.matchAll(/^\w*calls_total(?:\{[^}]*\})? (\d+)/gm)].map(([, count]) =>
    Number(count),
  );
  return Math.max(0, ...counts);
}

/** Where a client puts its trace id. */
const places = {
  header: (trace) => ({ headers: { traceparent: trace } }),
  _meta: (trace) => ({ meta: { traceparent: trace } }),
  'both, _meta wins': (trace) => ({
    meta: { traceparent: trace },
    headers: { traceparent: traceOf(999_999) },
  }),
};

async function followTraces(task) {
  const { figures, size } = task;
  await withWorld(task, { count: 1, features: ['traces'] }, async ({ api, fleet }) => {
    const session = await RawSession.open(fleet.url);
    const modern = new RawModern(fleet.url);
    for (const [place, settings] of Object.entries(places)) {
      let arrived = 0;
      for (let number = 1; number <= size.traces; number++) {
        const id = `${place} ${number}`;
        const { headers, meta } = settings(traceOf(number));
        const called =
          number % 2 === 0
            ? modern.call('work', { id }, {}, { headers, meta })
            : session.exchange({
                message: session.request('tools/call', { name: 'work', arguments: { id }, _meta: meta }),
                headers,
              });
        if (resultOf(await called) === undefined) continue;
        if (traceIdOf(api.traces.get(id)) === traceIdOf(traceOf(number))) arrived++;
      }
      const unit = (value) => `${value} of ${size.traces}`;
      figures.atLeast({
        what: `trace ids at the API, from ${place}`,
        figure: arrived,
        limit: size.traces,
        unit,
      });
    }
  });
}

/** A sampled `traceparent` (W3C Trace Context, section 3.2). */
function traceOf(number) {
  return `00-${number.toString(16).padStart(32, 'a')}-${'b'.repeat(16)}-01`;
}

function traceIdOf(traceparent = '') {
  return traceparent.split('-')[1];
}
