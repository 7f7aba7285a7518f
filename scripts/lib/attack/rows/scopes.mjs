/** Callers whose tokens allow less than what they ask for needs. */
import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { ask, callOf, initialize, ping, sendModern } from '../session.mjs';
import { ssePlace } from '../sse-place.mjs';
import { listed, taskOf } from '../task.mjs';

export const family = 'scopes';

export const open = openGuarded;

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

/** An `initialize` of a revision that has batches. */
const opening = JSON.stringify({
  ...initialize,
  params: { ...initialize.params, protocolVersion: '2025-03-26' },
});

/** Messages posted over HTTP+SSE. @type {[name: string, message: object, opener: object, poster: object][]} */
const posted = [
  [
    'a call by a token that reaches further than its stream',
    callOf('admin', {}),
    {},
    { scope: 'base admin' },
  ],
  ['any call by a token that reaches further', callOf('touch', {}), {}, { scope: 'base more' }],
  ['a ping by a token that reaches further', ping, { scope: undefined }, {}],
  ['a batch by a token that reaches further', [ping, callOf('touch', {})], {}, { scope: 'base admin' }],
  ['a call that neither token reaches', callOf('admin', {}), {}, {}],
  ['a call that the token of the stream alone reaches', callOf('admin', {}), { scope: 'base admin' }, {}],
  ['a batch of such calls', [callOf('admin', {})], { scope: 'base admin' }, {}],
];

export const rows = [
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
  ...posted.map(([name, message, opener, poster]) => ({
    name: `HTTP+SSE: ${name}`,
    want: '403 insufficient_scope',
    attack: async ({ url, issuer }) => {
      const first = bearer(await issuer.token(opener));
      const place = await ssePlace(url, first);
      await ask(place, { body: opening, headers: first });
      const own = bearer(await issuer.token(poster));
      return refusalOf(await ask(place, { body: JSON.stringify(message), headers: own }));
    },
  })),
];
