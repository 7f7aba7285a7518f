/**
 * Tokens that their issuer is asked about (RFC 7662): revoked, narrowed or given to others between two requests; and answers that
 * do not say that a token is good.
 */
import { goodOf, openAsking, said } from '../asking-server.mjs';
import { refusalOf } from '../guarded-server.mjs';
import { bearer, seconds } from '../issuer.mjs';
import { ask, callOf, sendModern, Session } from '../session.mjs';
import { taskOf } from '../task.mjs';
import { closeCode } from '../wire.mjs';

/** @import { FormAnswer } from '../form-endpoint.mjs' */
/** @import { Issuer } from '../issuer.mjs' */

/** @import { Asking } from '../asking-server.mjs' */

export const family = 'tokens that are asked about';

export const open = openAsking;

const minute = 60_000;
/** As docs/oauth.md says: what is known of a token counts so long. */
const KNOWN_MS = 30_000;

const touch = callOf('touch', {});
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const gone = { active: false };

/** A token of which the issuer says that it is good, and from the second question on something else. @param {Asking} target */
async function changing(target, then) {
  await target.ahead(minute);
  const token = `opaque-${Math.random()}`;
  const answers = [goodOf(target), { ...goodOf(target), ...then }];
  target.asked.answer = () => said(answers.length > 1 ? answers.shift() : answers[0]);
  return token;
}

/** Changes of a token, each with the refusal that follows. @type {[name: string, then: object, refusal: string][]} */
const changes = [
  ['was revoked', gone, '401 invalid_token'],
  ['lost its scopes', { scope: '' }, '403 insufficient_scope'],
  ['lost one of them', { scope: 'base' }, '403 insufficient_scope'],
  ['is for others now', { aud: 'https://other.test' }, '401 invalid_token'],
  ['is of another issuer now', { iss: 'https://evil.test' }, '401 invalid_token'],
];

/** Changes of a token while something it opened is still open. @type {[name: string, then: object | ((issuers: Issuer[]) => object)][]} */
const ends = [
  ['was revoked', gone],
  ['lost a scope', { scope: 'base' }],
  ['stands for another subject now', { sub: 'mallory' }],
  ['is of another issuer now', (issuers) => ({ iss: issuers[1].url })],
];

/** Streams and sockets that a token opens. @type {Record<string, (target: Asking, session: Session, own: Record<string, string>) => Promise<string>>} */
const lasting = {
  'events at /mcp': async ({ url }, { id }, own) => ofEnd(await get(url, { 'mcp-session-id': id, ...own })),
  'events at /sse': async ({ url }, _, own) => ofEnd(await get(new URL('/sse', url), own)),
  'a WebSocket': ({ url }, _, { authorization }) =>
    closeCode(url, { fields: [`authorization: ${authorization}`] }),
  'a subscription': async ({ url }, _, own) => {
    const params = { notifications: { toolsListChanged: true } };
    return ofEnd(await sendModern(url, { ...list, method: 'subscriptions/listen', params }, own));
  },
};

const get = (url, headers) => ask(url, { method: 'GET', headers });
const ofEnd = ({ status, isWhole }) => `${status}, ${isWhole ? 'ended by the server' : 'broken off'}`;

const ALL_ENDED = '200, ended by the server; 200, ended by the server; 1008; 200, ended by the server';

/** Outcome of every open stream and socket. @param {Asking} target @param {Session} session @param {Record<string, string>} own */
async function heldBy(target, session, own) {
  return (await Promise.all(Object.values(lasting).map((hold) => hold(target, session, own)))).join('; ');
}

/** Answers that call no token good. @type {[name: string, answer: (good: object, target: Asking) => FormAnswer, want?: string][]} */
const answers = [
  ['that it is active in words', (good) => said({ ...good, active: 'true' })],
  ['that it is active by a number', (good) => said({ ...good, active: 1 })],
  ['nothing of its being active', (good) => said({ ...good, active: undefined })],
  ['that a member of every object is active', (good) => ({ body: `{"__proto__":${JSON.stringify(good)}}` })],
  ['another audience', (good) => said({ ...good, aud: 'https://other.test' })],
  ['no audience', (good) => said({ ...good, aud: undefined })],
  ['another issuer', (good) => said({ ...good, iss: 'https://evil.test' })],
  ['no issuer, of several', (good) => said({ ...good, iss: undefined })],
  ['issuers in a list', (good) => said({ ...good, iss: [good.iss] })],
  ['no subject', (good) => said({ ...good, sub: undefined })],
  ['a subject that is a number', (good) => said({ ...good, sub: 1 })],
  ['an expiry that is over', (good) => said({ ...good, exp: seconds(-3_600) })],
  ['an expiry in words', (good) => said({ ...good, exp: '9999999999' })],
  ['a time that is to come', (good) => said({ ...good, nbf: seconds(86_400) })],
  ['good claims by 400', (good) => ({ status: 400, ...said(good) })],
  ['good claims by 201', (good) => ({ status: 201, ...said(good) }), '503'],
  ['good claims by 500', (good) => ({ status: 500, ...said(good) }), '503'],
  ['good claims by 401', (good) => ({ status: 401, ...said(good) }), '503'],
  ['good claims in a list', (good) => said([good]), '503'],
  ['words in place of JSON', () => ({ body: 'active=true' }), '503'],
  ['more than anyone reads', (good) => said({ ...good, more: 'x'.repeat(2_000_000) }), '503'],
  [
    'that somebody else knows',
    (_, { stranger }) => ({ status: 307, headers: { location: stranger.url }, body: '' }),
    '503',
  ],
];

export const rows = [
  ...changes.map(([name, then, want]) => ({
    name: `a token that ${name}`,
    want: `200, then ${want}`,
    attack: async (target) => {
      const own = bearer(await changing(target, then));
      const before = refusalOf(await sendModern(target.url, list, own));
      await target.ahead(KNOWN_MS);
      return `${before}, then ${refusalOf(await sendModern(target.url, callOf('admin', {}), own))}`;
    },
  })),
  ...changes.map(([name, then, want]) => ({
    name: `a call in its session by a token that ${name}`,
    want,
    attack: async (target) => {
      const session = await Session.open(target.url, bearer(await changing(target, then)));
      await target.ahead(KNOWN_MS);
      return refusalOf(await session.send(callOf('admin', {})));
    },
  })),
  {
    name: 'a call in its session by a token that stands for another subject now',
    want: '404',
    attack: async (target) => {
      const session = await Session.open(target.url, bearer(await changing(target, { sub: 'mallory' })));
      await target.ahead(KNOWN_MS);
      return refusalOf(await session.send(touch));
    },
  },
  ...['tasks/get', 'tasks/result', 'tasks/cancel'].map((method) => ({
    name: `${method} of its task by a token that lost its scope`,
    want: '403 insufficient_scope',
    reaches: { handlers: 1 },
    attack: async (target) => {
      const session = await Session.open(target.url, bearer(await changing(target, { scope: 'base' })));
      const params = { taskId: await taskOf(session, 'admin') };
      await target.ahead(KNOWN_MS);
      return refusalOf(await session.send({ jsonrpc: '2.0', id: 1, method, params }));
    },
  })),
  ...ends.map(([name, then]) => ({
    name: `${Object.keys(lasting).join(', ')} of a token that ${name}`,
    want: ALL_ENDED,
    attack: async (target) => {
      const token = await changing(target, typeof then === 'function' ? then(target.issuers) : then);
      const session = await Session.open(target.url, bearer(token));
      // The token is checked again in a moment: clocks that wait for it continue.
      await target.ahead(KNOWN_MS - 2_000);
      return heldBy(target, session, bearer(token));
    },
  })),
  {
    name: `${Object.keys(lasting).join(', ')} of a token that has expired, while nobody can be asked`,
    want: ALL_ENDED,
    attack: async (target) => {
      await target.ahead(minute);
      // Taken for its tolerance, and over in a moment.
      const good = said({ ...goodOf(target), exp: Math.floor(target.now() / 1000) - 2 });
      const answers = [good];
      target.asked.answer = () => answers.shift() ?? { status: 500, body: '{}' };
      const own = bearer(`opaque-${Math.random()}`);
      return heldBy(target, await Session.open(target.url, own), own);
    },
  },
  ...answers.map(([name, answer, want = '401 invalid_token']) => ({
    name: `an answer that says ${name}`,
    want,
    attack: async (target) => {
      await target.ahead(minute);
      target.asked.answer = () => answer(goodOf(target), target);
      return refusalOf(await sendModern(target.url, touch, bearer(`opaque-${Math.random()}`)));
    },
  })),
];
