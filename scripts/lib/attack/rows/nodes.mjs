/** Two nodes that share a Redis: what one has taken, the other gives to nobody; and what a stranger wrote there harms nobody. */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { programCalled } from '../../../e2e-real/servers/debian.mjs';
import { startRedis } from '../../nodes/redis.mjs';
import { run } from '../../run.mjs';
import { openGuarded } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { ANY_TASK, never, removal } from '../prove/check.mjs';
import { goOn, listed, outcomeOf, Session, stateOf, taskOf } from '../session.mjs';

export const family = 'nodes';

const PREFIX = 'attacked';

export async function open(folder) {
  const redis = await startRedis(folder);
  const env = { MCP_REDIS_URL: redis.url, MCP_REDIS_PREFIX: PREFIX, MCP_NODES: '2' };
  const one = await openGuarded(folder, { env, features: ['redis'] });
  const other = await openGuarded(folder, { env, like: one });
  return {
    ...one,
    other,
    write: (...args) => run('redis-cli', ['-p', String(redis.port), ...args]),
    witness: async () => {
      const [first, second] = [await one.witness(), await other.witness()];
      return Object.fromEntries(Object.entries(first).map(([what, count]) => [what, count + second[what]]));
    },
    close: async () => {
      await Promise.all([other.close(), one.close()]);
      await redis.kill();
    },
  };
}

export const rows = [
  {
    name: 'a state that counts once, on one node and then on the other',
    want: '200, 200 -32602',
    reaches: { handlers: 1 },
    attack: async ({ url, issuer, other }) => {
      const own = bearer(await issuer.token());
      const state = await stateOf(url, 'pay', own);
      return `${await goOn(other.url, 'pay', state, own)}, ${await goOn(url, 'pay', state, own)}`;
    },
  },
  {
    name: 'a state that counts once, twenty times at one time on both nodes',
    want: '1 of 20',
    reaches: { handlers: 1 },
    attack: async ({ url, issuer, other }) => {
      const own = bearer(await issuer.token());
      const state = await stateOf(url, 'pay', own);
      const places = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? url : other.url));
      const answers = await Promise.all(places.map((place) => goOn(place, 'pay', state, own)));
      return `${answers.filter((each) => each === '200').length} of 20`;
    },
  },
  ...['tasks/get', 'tasks/result', 'tasks/cancel'].map((method) => ({
    name: `${method} of another subject's task, on the other node`,
    want: '200 -32602',
    attack: async (target) => {
      const params = { taskId: await taskOf(await target.as({ sub: 'alice' })) };
      const mallory = await sessionOn(target.other, target, 'mallory');
      return outcomeOf(await mallory.send({ jsonrpc: '2.0', id: 1, method, params }));
    },
  })),
  {
    name: 'the list of tasks, on the other node, of another subject',
    want: '200, without it',
    attack: async (target) => {
      const task = await taskOf(await target.as({ sub: 'alice' }));
      return listed(await sessionOn(target.other, target, 'mallory'), task);
    },
  },
  {
    name: 'a task in Redis that is in a status that there is not',
    want: '200 -32602',
    attack: async (target) => {
      const taskId = await taskOf(await target.as({ sub: 'alice' }));
      const key = nameOf('task', taskId);
      // Its end would be written over what is planted.
      let stdout = '';
      while (!stdout.startsWith('ended')) {
        await setTimeout(50);
        ({ stdout } = await target.write('get', key));
      }
      const task = stdout.trim().replace(/"status":"\w+"/, '"status":"constructor"');
      await target.write('set', key, task, 'px', '60000');
      const alice = await sessionOn(target.other, target, 'alice');
      return outcomeOf(await alice.send({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId } }));
    },
  },
];

/** Set where there is no Redis. */
export const lacks =
  programCalled('redis-server') === undefined ? 'redis-server (apt-get install redis-server)' : undefined;

async function sessionOn({ url }, { issuer }, sub) {
  return Session.open(url, bearer(await issuer.token({ sub })));
}

/** As the server names it. */
export function nameOf(kind, key) {
  const hash = createHash('sha256').update(key).digest('base64url').slice(0, 32);
  return `${PREFIX}:${kind}:${hash}`;
}

export const checks = [
  removal(/^a state that counts once/, ["'NX', ", '']),
  removal(/^tasks\//, ANY_TASK),
  { ...removal(/^the list of tasks/, ['`subject ${subject}`', '`subject`']), admits: /, with it$/ },
  removal(/^a task in Redis/, never("!STATUSES.includes(String(json['status']))")),
];
