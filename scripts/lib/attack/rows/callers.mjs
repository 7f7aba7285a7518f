/** Callers with good tokens, after what belongs to others: sessions, streams, tasks, states. */
import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { bearer, seconds } from '../issuer.mjs';
import {
  ANY_STATE,
  ANY_STREAM,
  ANY_SUBJECT,
  ANY_TASK,
  CHECKED_ONCE,
  removal,
  STAYS_OPEN,
} from '../prove/check.mjs';
import {
  ask,
  callOf,
  eventsOf,
  goOn,
  listed,
  outcomeOf,
  ping,
  Session,
  ssePlace,
  stateOf,
  taskOf,
} from '../session.mjs';
import { closeCode } from '../wire.mjs';

export const family = 'callers';

export const open = openGuarded;

const touch = callOf('touch', {});

/**
 * What mallory tries with what is alice's. @type {[name: string, steal: (target: Guarded, victim: Session, own:
 * Record<string, string>) => Promise<string>, want: string][]}
 */
const thefts = [
  ['a call in the session', async (_, victim, own) => refusalOf(await victim.send(touch, own)), '404'],
  [
    'the events of the session',
    async ({ url }, { id }, own) => stolen(url, 'GET', { 'mcp-session-id': id, ...own }),
    '404',
  ],
  [
    'the end of the session',
    async ({ url }, victim, own) => {
      const refusal = await stolen(url, 'DELETE', { 'mcp-session-id': victim.id, ...own });
      return `${refusal}, and it goes on: ${outcomeOf(await victim.send(ping))}`;
    },
    '404, and it goes on: 200',
  ],
  [
    'an event of a stream of the session, in a session of its own',
    async ({ url }, victim, own) => {
      const { text } = await victim.send(callOf('steps', {}));
      const [, event] = /^id: (.+)$/m.exec(text) ?? [];
      if (event === undefined) throw new Error(`The stream has no ids of events:\n${text}`);
      const { id } = await Session.open(url, own);
      const headers = { 'mcp-session-id': id, 'last-event-id': event, ...own };
      return eventsOf(await ask(url, { method: 'GET', headers }));
    },
    '400',
  ],
  [
    'a message to a session of HTTP+SSE',
    async ({ url }, victim, own) => {
      const place = await ssePlace(url, victim.own);
      return refusalOf(await ask(place, { body: JSON.stringify(touch), headers: own }));
    },
    '404',
  ],
  ...['tasks/get', 'tasks/result', 'tasks/cancel'].map((method) => [
    `${method} of a task`,
    async ({ url }, victim, own) => {
      const params = { taskId: await taskOf(victim) };
      return outcomeOf(await (await Session.open(url, own)).send({ jsonrpc: '2.0', id: 1, method, params }));
    },
    '200 -32602',
  ]),
  [
    'the list of tasks',
    async ({ url }, victim, own) => {
      const task = await taskOf(victim);
      return listed(await Session.open(url, own), task);
    },
    '200, without it',
  ],
  [
    'the state of a question',
    async ({ url }, victim, own) => goOn(url, 'ask', await stateOf(url, 'ask', victim.own), own),
    '200 -32602',
  ],
];

export const rows = [
  ...thefts.map(([what, steal, want]) => ({
    name: `${what}, by another subject`,
    want,
    attack: async (target) =>
      steal(target, await target.as({}), bearer(await target.issuer.token({ sub: 'mallory' }))),
  })),
  {
    name: 'a call in the session, by the same subject of another issuer',
    want: '404',
    attack: async (target) => {
      const [, other] = target.issuers;
      return refusalOf(await (await target.as({})).send(touch, bearer(await other.token())));
    },
  },
  ...['/mcp', '/sse'].map((path) => ({
    name: `events at ${path} after the token has expired`,
    want: '200, and ended by the server',
    attack: async (target) => {
      const own = bearer(await expiring(target));
      const headers = { 'mcp-session-id': (await target.as({})).id, ...own };
      const { status, isWhole } = await ask(new URL(path, target.url), { method: 'GET', headers });
      return `${status}, and ${isWhole ? 'ended by the server' : 'broken off'}`;
    },
  })),
  {
    name: 'a WebSocket after the token has expired',
    want: '1001',
    attack: async (target) => {
      const token = await expiring(target);
      return closeCode(target.url, { fields: [`authorization: Bearer ${token}`] });
    },
  },
];

/** Taken for its tolerance, and over at once. */
function expiring({ issuer }) {
  return issuer.token({ exp: seconds(-2) });
}

async function stolen(url, method, headers) {
  return refusalOf(await ask(url, { method, headers }));
}

export const checks = [
  {
    ...removal(/^(?:a call in|the events of|the end of|a message to)/, ...ANY_SUBJECT),
    // Its events are streamed to another caller, or it was ended.
    admits: /wanted 404.*got (?:failed: no answer|204)/,
  },
  removal(/^tasks\//, ANY_TASK),
  {
    ...removal(/^the list of tasks/, ['owner.subject === subject && (subject', '(subject']),
    admits: /, with it$/,
  },
  removal(/^the state of/, ANY_STATE),
  removal(/^an event of a stream/, ANY_STREAM),
  { ...removal(/after the token has expired/, CHECKED_ONCE), admits: STAYS_OPEN },
];
