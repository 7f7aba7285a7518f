/** etcd's gateway: Swagger 2.0 made of protocol buffers, keys and values as base64, 64-bit numbers as text, a token as API key. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

import { direct } from '../direct.mjs';
import { freePort } from '../../lib/free-port.mjs';
import { start } from '../../lib/start.mjs';
import { programCalled } from './debian.mjs';

const base64 = (text) => Buffer.from(text).toString('base64');
const KEY = base64('pets/1');
const END = base64('pets0');

/** The package's own document: etcd does not serve it. */
function documentOf(program) {
  const docs = '../share/doc/etcd-server/dev-guide/apispec/swagger/rpc.swagger.json.gz';
  return path.join(path.dirname(realpathSync(program)), docs);
}

/** Makes a user who may do everything, and lets in nobody else from then on. */
async function closeDoors(url) {
  const say = (path, json) => direct(`${url}/v3/auth/${path}`, { method: 'POST', json });
  const user = { name: 'root', password: 'a password for this run' };
  await say('user/add', user);
  await say('user/grant', { user: user.name, role: 'root' });
  await say('enable', {});
  return (await say('authenticate', user)).json.token;
}

const values = ({ kvs = [] }) =>
  kvs.map(({ key, value }) => [key, value].map((text) => Buffer.from(text, 'base64').toString()));

/** Keys and values in etcd under `pets/`. */
const held = async (ask) =>
  values((await ask('/v3/kv/range', { method: 'POST', json: { key: KEY, range_end: END } })).json);

export const etcd = {
  name: 'etcd',
  program: 'etcd 3.4 of Debian',
  install: async () => {
    const program = programCalled('etcd');
    if (program === undefined) return 'apt-get install etcd-server';
    return existsSync(documentOf(program)) ? undefined : 'its package is installed without documentation';
  },
  start: async (folder) => {
    const program = programCalled('etcd');
    const [clients, peers] = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`);
    const document = path.join(folder, 'rpc.swagger.json');
    writeFileSync(document, gunzipSync(readFileSync(documentOf(program))));
    const urls = ['--listen-client-urls', clients, '--advertise-client-urls', clients];
    const peerUrls = ['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers];
    const args = ['--data-dir', path.join(folder, 'data'), ...urls, ...peerUrls];
    const cluster = ['--initial-cluster', `default=${peers}`];
    const ready = /serving insecure client requests on/;
    const env = { PATH: process.env.PATH ?? '' };
    const running = await start({
      command: program,
      args: [...args, ...cluster],
      cwd: folder,
      env,
      ready,
      url: clients,
    });
    const token = await closeDoors(clients);
    const headers = { Authorization: token };
    return { ...running, document, headers, env: { API_BASE_URL: clients, API_KEY_APIKEY: token } };
  },
  steps: {
    create: async ({ call, ask }) => {
      await call('Put', { key: KEY, value: base64('Minka') });
      assert.deepEqual(await held(ask), [['pets/1', 'Minka']]);
    },
    read: async ({ call }) => {
      const { structuredContent } = await call('Range', { key: KEY });
      assert.deepEqual(values(structuredContent), [['pets/1', 'Minka']]);
    },
    update: async ({ call, ask }) => {
      const { structuredContent } = await call('Put', { key: KEY, value: base64('Luna'), prev_kv: true });
      assert.deepEqual(values({ kvs: [structuredContent.prev_kv] }), [['pets/1', 'Minka']]);
      assert.deepEqual(await held(ask), [['pets/1', 'Luna']]);
    },
    'create in a transaction': async ({ call, ask }) => {
      const { structuredContent } = await call('Txn', {
        compare: [{ key: KEY, target: 'VALUE', result: 'EQUAL', value: base64('Luna') }],
        success: [{ request_put: { key: base64('pets/2'), value: base64('Kiki') } }],
      });
      assert.equal(structuredContent.succeeded, true);
      assert.deepEqual(await held(ask), [
        ['pets/1', 'Luna'],
        ['pets/2', 'Kiki'],
      ]);
    },
    list: async ({ call, ask }) => {
      const { structuredContent } = await call('Range', { key: KEY, range_end: END, limit: '10' });
      assert.deepEqual(values(structuredContent), await held(ask));
    },
    'count in 64 bits': async ({ call }) => {
      const { structuredContent } = await call('LeaseGrant', { TTL: '600', ID: '9007199254740993' });
      assert.equal(structuredContent.ID, '9007199254740993');
      const { structuredContent: left } = await call('LeaseTimeToLive', { ID: '9007199254740993' });
      assert.equal(left.grantedTTL, '600');
      await call('LeaseRevoke', { ID: '9007199254740993' });
    },
    'read what is gone': async ({ refused }) => {
      assert.match(await refused('LeaseRevoke', { ID: '9007199254740993' }), /lease not found/);
    },
    delete: async ({ call, ask }) => {
      const { structuredContent } = await call('DeleteRange', { key: KEY, range_end: END });
      assert.equal(structuredContent.deleted, '2');
      assert.deepEqual(await held(ask), []);
    },
  },
};
