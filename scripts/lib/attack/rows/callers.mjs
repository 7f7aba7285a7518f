/** Callers with good tokens, after what belongs to others: sessions, streams, tasks, states, scopes. */
import { createHmac } from 'node:crypto';
import { get } from 'node:http';

import { openGuarded, refusalOf, STATE_SECRET } from '../guarded-server.mjs';
import { bearer, seconds } from '../issuer.mjs';
import { ask, callOf, messageOf, outcomeOf, sendModern, Session } from '../session.mjs';
import { closeCode } from '../wire.mjs';

export const family = 'callers';

export const open = openGuarded;

const touch = callOf('touch', {});

/** Who is not alice of the first issuer, however alike. @type {[who: string, tokenOf: (target: any) => Promise<string>][]} */
const others = [
  ['another subject', ({ issuer }) => issuer.token({ sub: 'mallory' })],
  ['the same subject of another issuer', ({ issuers: [, other] }) => other.token()],
  ['a subject in capitals', ({ issuer }) => issuer.token({ sub: 'ALICE' })],
  ['a subject with a blank', ({ issuer }) => issuer.token({ sub: 'alice ' })],
  ['a subject that holds the issuer', ({ issuer }) => issuer.token({ sub: `${issuer.url} alice` })],
];

/** @type {[name: string, steal: (target: any, victim: Session, own: Record<string, string>) => Promise<string>, want: string][]} */
const thefts = [
  ['a call in the session', async (_, victim, own) => refusalOf(await victim.send(touch, own)), '404'],
  [
    'the events of the session',
    async ({ url }, { id }, own) => stolen(url, 'GET', { 'mcp-session-id': id, ...own }),
    '404',
  ],
  [
    'the events of the session from their beginning',
    async ({ url }, { id }, own) =>
      stolen(url, 'GET', { 'mcp-session-id': id, 'last-event-id': '0-0', ...own }),
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
      await victim.send(callOf('steps', {}));
      const { id } = await Session.open(url, own);
      return stolen(url, 'GET', { 'mcp-session-id': id, 'last-event-id': '1-1', ...own });
    },
    '400',
  ],
  [
    'a message to a session of HTTP+SSE',
    async ({ url }, victim, own) => {
      const place = await sseOf(url, victim.own);
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
  ...['ask', 'pay'].map((tool) => [
    `the state of a question of ${tool}`,
    async ({ url }, victim, own) => goOn(url, tool, await stateOf(url, tool, victim.own), own),
    '200 -32602',
  ]),
];

/** Of a call of alice: well signed, and still none to go on with. @type {[name: string, tool: string, change: (state: any, target: any) => object][]} */
const states = [
  ['that expired just now', 'ask', (state) => ({ ...state, expires: Date.now() - 1 })],
  ['that expired long ago', 'ask', (state) => ({ ...state, expires: 0 })],
  ['that never expires', 'ask', (state) => ({ ...state, expires: undefined })],
  ['that expires in words', 'ask', (state) => ({ ...state, expires: 'never' })],
  ['of another subject', 'ask', (state) => ({ ...state, subject: 'mallory' })],
  ['of nobody', 'ask', (state) => ({ ...state, subject: null })],
  ['of another method', 'ask', (state) => ({ ...state, method: 'prompts/get' })],
  ['of other parameters', 'ask', (state) => ({ ...state, params: 'A'.repeat(43) })],
  ['that counts once, of another process', 'pay', (state) => ({ ...state, process: 'another' })],
  ['that counts once, of no process', 'pay', (state) => ({ ...state, process: undefined })],
];

/** @type {[name: string, claims: object][]} tokens that allow less than the tool `admin` needs */
const scopes = [
  ['no scope', { scope: undefined }],
  ['another scope', { scope: 'base' }],
  ['a scope that begins alike', { scope: 'administrator' }],
  ['a scope that ends alike', { scope: 'not:admin' }],
  ['a scope in capitals', { scope: 'ADMIN' }],
  ['a scope behind a comma', { scope: 'base,admin' }],
  ['a scope behind a tab', { scope: 'base\tadmin' }],
  ['a scope in quotes', { scope: '"admin"' }],
  ['a scope within a list within a list', { scope: undefined, scp: [['admin']] }],
  ['a scope as a name', { scope: undefined, scp: { admin: true } }],
  ['a claim that is none of scopes', { roles: ['admin'], permissions: ['admin'], groups: 'admin' }],
];

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

export const rows = [
  ...thefts.flatMap(([what, steal, want]) =>
    others.map(([who, tokenOf]) => ({
      name: `${what}, by ${who}`,
      want,
      attack: async (target) => steal(target, await target.as({}), bearer(await tokenOf(target))),
    })),
  ),
  ...states.map(([what, tool, change]) => ({
    name: `a state ${what}`,
    want: '200 -32602',
    attack: async (target) => {
      const own = bearer(await target.issuer.token());
      const state = await stateOf(target.url, tool, own);
      return goOn(target.url, tool, signedAnew(state, change), own);
    },
  })),
  {
    name: 'a state that counts once, twice',
    want: '200, 200 -32602',
    reaches: { handlers: 1 },
    attack: async ({ url, issuer }) => {
      const own = bearer(await issuer.token());
      const state = await stateOf(url, 'pay', own);
      return `${await goOn(url, 'pay', state, own)}, ${await goOn(url, 'pay', state, own)}`;
    },
  },
  {
    name: 'a state that counts once, twenty times at one time',
    want: '1 of 20',
    reaches: { handlers: 1 },
    attack: async ({ url, issuer }) => {
      const own = bearer(await issuer.token());
      const state = await stateOf(url, 'pay', own);
      const answers = await Promise.all(Array.from({ length: 20 }, () => goOn(url, 'pay', state, own)));
      return `${answers.filter((each) => each === '200').length} of 20`;
    },
  },
  {
    name: 'an answer that counts once, to what was not asked',
    want: 'input_required',
    attack: async ({ url, issuer }) => {
      const own = bearer(await issuer.token());
      return messageOf(await sendModern(url, callOf('pay', {}, answers), own)).result.resultType;
    },
  },
  ...scopes.flatMap(([name, claims]) => [
    {
      name: `a tool that needs more, in a session: ${name}`,
      want: '403 insufficient_scope',
      attack: async (target) => refusalOf(await (await target.as(claims)).send(callOf('admin', {}))),
    },
    {
      name: `a tool that needs more, in 2026-07-28: ${name}`,
      want: '403 insufficient_scope',
      attack: async ({ url, issuer }) =>
        refusalOf(await sendModern(url, callOf('admin', {}), bearer(await issuer.token(claims)))),
    },
  ]),
  {
    name: 'a session of a token that allowed more, by one that does not',
    want: '403 insufficient_scope',
    attack: async (target) => {
      const session = await target.as({ scope: 'base admin' });
      return refusalOf(await session.send(callOf('admin', {}), bearer(await target.issuer.token())));
    },
  },
  ...['tasks/get', 'tasks/result', 'tasks/cancel'].map((method) => ({
    name: `${method} of a task of a token that allowed more, by one that does not`,
    want: '403 insufficient_scope',
    reaches: { handlers: 1 },
    attack: async (target) => {
      const params = { taskId: await taskOf(await target.as({ scope: 'base admin' }), 'admin') };
      return refusalOf(await (await target.as({})).send({ jsonrpc: '2.0', id: 1, method, params }));
    },
  })),
  {
    name: 'the list of tasks of a token that allowed more, by one that does not',
    want: '200, without it',
    reaches: { handlers: 1 },
    attack: async (target) => {
      const task = await taskOf(await target.as({ scope: 'base admin' }), 'admin');
      return listed(await target.as({}), task);
    },
  },
  {
    name: 'a batch with a call that needs more',
    want: '400',
    attack: async (target) => {
      const session = await target.as({});
      return refusalOf(await session.send([ping, callOf('admin', {})]));
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
    want: '1008',
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

async function taskOf(session, tool = 'slow') {
  const answer = await session.send(callOf(tool, {}, { task: { ttl: 60_000 } }));
  return messageOf(answer).result.task.taskId;
}

/** Whether a task is in the list that a session gets. */
async function listed(session, task) {
  const answer = await session.send({ jsonrpc: '2.0', id: 1, method: 'tasks/list' });
  return `${outcomeOf(answer)}, ${answer.text.includes(task) ? 'with it' : 'without it'}`;
}

const answers = { inputResponses: { sure: { action: 'accept', content: { sure: true } } } };

async function stateOf(url, tool, own) {
  return messageOf(await sendModern(url, callOf(tool, {}), own)).result.requestState;
}

async function goOn(url, tool, requestState, own) {
  return outcomeOf(await sendModern(url, callOf(tool, {}, { ...answers, requestState }), own));
}

/** As by someone who knows the server's secret, so that what it says is what it is judged by. */
function signedAnew(state, change) {
  const said = JSON.parse(Buffer.from(state.split('.')[0], 'base64url').toString());
  const payload = Buffer.from(JSON.stringify(change(said))).toString('base64url');
  return `${payload}.${createHmac('sha256', STATE_SECRET).update(payload).digest('base64url')}`;
}

/** Where messages to a session of HTTP+SSE go, whose stream stays open until its server goes. */
function sseOf(url, headers) {
  return new Promise((resolve, reject) => {
    const opened = get(new URL('/sse', url), { headers, agent: false }, (response) => {
      response.on('error', () => undefined);
      response.once('data', (data) => resolve(new URL(/data: (\S+)/.exec(String(data))?.[1] ?? '', url)));
    });
    opened.on('error', reject);
  });
}
