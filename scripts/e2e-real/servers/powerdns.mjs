/** PowerDNS: Swagger 2.0 that it serves itself, to those who have the key; names that end with a dot. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { textOf } from '../answer.mjs';
import { direct } from '../direct.mjs';
import { freePort } from '../../lib/free-port.mjs';
import { start } from '../../lib/start.mjs';
import { programCalled } from './debian.mjs';

const KEY = 'a key for this run';
const server = { server_id: 'localhost' };
const zone = { ...server, zone_id: 'example.org.' };
const at = '/api/v1/servers/localhost/zones/example.org.';

/** The addresses that PowerDNS holds for a name. */
async function addresses(ask, name) {
  const { rrsets } = (await ask(at)).json;
  const found = rrsets.filter((one) => one.name === name && one.type === 'A');
  return found.flatMap(({ records }) => records.map(({ content }) => content));
}

const change = (name, content) => ({
  rrsets: [
    {
      name,
      type: 'A',
      ttl: 300,
      changetype: content === undefined ? 'DELETE' : 'REPLACE',
      records: content === undefined ? [] : [{ content, disabled: false }],
    },
  ],
});

export const powerdns = {
  name: 'powerdns',
  program: 'PowerDNS 4.7 of Debian',
  install: async () =>
    programCalled('pdns_server') === undefined ? 'apt-get install pdns-server pdns-backend-lmdb' : undefined,
  start: async (folder) => {
    const [dns, http] = [await freePort(), await freePort()];
    const settings = {
      'config-dir': folder,
      'socket-dir': folder,
      launch: 'lmdb',
      'lmdb-filename': path.join(folder, 'zones.lmdb'),
      'local-address': '127.0.0.1',
      'local-port': dns,
      webserver: 'yes',
      'webserver-address': '127.0.0.1',
      'webserver-port': http,
      api: 'yes',
      'api-key': KEY,
      daemon: 'no',
      guardian: 'no',
      'disable-syslog': 'yes',
      'write-pid': 'no',
      'security-poll-suffix': '',
    };
    const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
    const url = `http://127.0.0.1:${http}`;
    const env = { PATH: process.env.PATH ?? '' };
    const ready = /Done launching threads/;
    const command = programCalled('pdns_server');
    const running = await start({ command, args: ['--no-config', ...args], cwd: folder, env, ready, url });
    const headers = { 'X-API-Key': KEY };
    // Served only to who has the key, which the compiler does not take.
    const document = path.join(folder, 'powerdns.yaml');
    writeFileSync(document, (await direct(`${url}/api/docs`, { headers })).body);
    return {
      ...running,
      document,
      headers,
      env: { API_BASE_URL: `${url}/api/v1`, API_KEY_APIKEYHEADER: KEY },
    };
  },
  steps: {
    create: async ({ call, ask }) => {
      const wanted = { kind: 'Native', name: 'example.org.', nameservers: ['ns1.example.org.'] };
      const { structuredContent } = await call('createZone', { ...server, ...wanted });
      assert.equal(structuredContent.id, 'example.org.');
      assert.equal((await ask(at)).json.kind, 'Native');
    },
    'update: add records': async ({ call, ask }) => {
      await call('patchZone', { ...zone, ...change('www.example.org.', '192.0.2.1') });
      assert.deepEqual(await addresses(ask, 'www.example.org.'), ['192.0.2.1']);
    },
    read: async ({ call, ask }) => {
      const { structuredContent } = await call('listZone', zone);
      assert.deepEqual(structuredContent, (await ask(at)).json);
    },
    'read as text': async ({ call }) => {
      assert.match(
        textOf(await call('axfrExportZone', zone)),
        /www\.example\.org\.\\t300\\tIN\\tA\\t192\.0\.2\.1/,
      );
    },
    'update: remove records': async ({ call, ask }) => {
      await call('patchZone', { ...zone, ...change('www.example.org.') });
      assert.deepEqual(await addresses(ask, 'www.example.org.'), []);
    },
    'refuse what the API refuses': async ({ refused }) => {
      const words = await refused('patchZone', { ...zone, ...change('www.example.net.', '192.0.2.1') });
      assert.match(words, /422/);
      assert.match(words, /not in zone|out of zone/i);
      assert.ok(!words.includes(KEY));
    },
    delete: async ({ call, ask }) => {
      await call('deleteZone', zone);
      assert.equal((await ask(at)).status, 404);
    },
  },
};
