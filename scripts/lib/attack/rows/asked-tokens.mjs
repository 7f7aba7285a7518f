/**
 * Tokens that their issuer is asked about (RFC 7662), revoked, narrowed or given to others while what they opened is
 * open.
 */
import { goodOf, openAsking, refusalOf, said } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { CHECKED_ONCE, never, removal, STAYS_OPEN } from '../prove/check.mjs';
import { ask, callOf, sendModern, Session } from '../session.mjs';
import { closeCode } from '../wire.mjs';

export const family = 'tokens that are asked about';

export const open = openAsking;

const minute = 60_000;
/** As docs/reference/oauth.md says: what is known of a token counts so long. */
const KNOWN_MS = 30_000;

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const gone = { active: false };

/** A token of which the issuer says that it is good, and from the second question on something else. */
async function changing(target, then) {
  await target.ahead(minute);
  const answers = [goodOf(target), { ...goodOf(target), ...then }];
  target.asked.answer = () => said(answers.length > 1 ? answers.shift() : answers[0]);
  return `opaque-${Math.random()}`;
}

/**
 * Changes of a token while something it opened is still open. @type {[name: string, then: object | ((issuers:
 * Issuer[]) => object)][]}
 */
const ends = [
  ['was revoked', gone],
  ['lost a scope', { scope: 'base' }],
  ['stands for another subject now', { sub: 'mallory' }],
  ['is of another issuer now', (issuers) => ({ iss: issuers[1].url })],
];

/**
 * Streams and sockets that a token opens. @type {Record<string, (target: Asking, session: Session, own:
 * Record<string, string>) => Promise<string>>}
 */
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

const ALL_ENDED = '200, ended by the server; 200, ended by the server; 1001; 200, ended by the server';

/** Outcome of every open stream and socket. */
async function heldBy(target, session, own) {
  return (await Promise.all(Object.values(lasting).map((hold) => hold(target, session, own)))).join('; ');
}

export const rows = [
  {
    name: 'a call in its session by a token that stands for another subject now',
    want: '404',
    attack: async (target) => {
      const session = await Session.open(target.url, bearer(await changing(target, { sub: 'mallory' })));
      await target.ahead(KNOWN_MS);
      return refusalOf(await session.send(callOf('touch', {})));
    },
  },
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
];

export const checks = [
  removal(/in its session/, [
    'checkClaims(claims, iss, checks), now() + AUTH_LIMITS.introspectionMs',
    'checkClaims(claims, iss, checks), Infinity',
  ]),
  { ...removal(/^events .* (?:was revoked|has expired)/, CHECKED_ONCE), admits: STAYS_OPEN },
  {
    ...removal(/^events .* (?:lost|stands|is of)/, never('!grantsAsMuch(again.auth, caller.auth)')),
    admits: STAYS_OPEN,
  },
];
