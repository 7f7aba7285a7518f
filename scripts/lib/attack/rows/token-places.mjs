/** Tokens where none belongs, and requests without a good one at every door of a server. */
import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { bearer, seconds } from '../issuer.mjs';
import { ask, callOf, initialize, sendModern, Session } from '../session.mjs';
import { ssePlace } from '../sse-place.mjs';

/** @import { Answer } from '../session.mjs' */
/** @import { Guarded } from '../guarded-server.mjs' */
/** @import { Issuer } from '../issuer.mjs' */

export const family = 'places of tokens';

export const open = openGuarded;

const REFUSED = '401 invalid_token';

const body = JSON.stringify(initialize);
const touch = callOf('touch', {});
const TOKENS = [
  'access_token=TOKEN',
  '%61ccess_token=TOKEN',
  'a=b&access_token=TOKEN',
  'access_token=x&access_token=TOKEN',
];

/** @type {[name: string, send: (target: Guarded, token: string) => Promise<Answer>, want: string][]} */
const misplaced = [
  ['nowhere', ({ url }) => ask(url, { body }), '401'],
  [
    'with another scheme',
    ({ url }, t) => ask(url, { body, headers: { authorization: `Token ${t}` } }),
    '401',
  ],
  ['as a password', ({ url }, t) => ask(url, { body, headers: basic(t) }), '401'],
  ['without a scheme', ({ url }, t) => ask(url, { body, headers: { authorization: t } }), '401'],
  ['after nothing', ({ url }) => ask(url, { body, headers: { authorization: 'Bearer ' } }), REFUSED],
  ['twice in a field', ({ url }, t) => ask(url, { body, headers: bearer(`${t}, Bearer ${t}`) }), REFUSED],
  ['twice', ({ url }, t) => ask(url, { body, headers: bearer(`${t} ${t}`) }), REFUSED],
  ['in quotes', ({ url }, t) => ask(url, { body, headers: bearer(`"${t}"`) }), REFUSED],
  ['in a cookie', ({ url }, t) => ask(url, { body, headers: { cookie: `access_token=${t}` } }), '401'],
  ['in X-Access-Token', ({ url }, t) => ask(url, { body, headers: { 'x-access-token': t } }), '401'],
  [
    'in Proxy-Authorization',
    ({ url }, t) => ask(url, { body, headers: { 'proxy-authorization': `Bearer ${t}` } }),
    '401',
  ],
  [
    'in the parameters of a call',
    ({ url }, t) => sendModern(url, callOf('touch', {}, { access_token: t, authorization: `Bearer ${t}` })),
    '401',
  ],
  ...TOKENS.flatMap((query) => [
    [
      `in the query: ${query}`,
      ({ url }, t) => ask(withQuery(url, query, t), { body }),
      '400 invalid_request',
    ],
    [
      `in the query: ${query}, beside a good one`,
      ({ url }, t) => ask(withQuery(url, query, t), { body, headers: bearer(t) }),
      '400 invalid_request',
    ],
  ]),
];

const upgrade = {
  upgrade: 'websocket',
  connection: 'upgrade',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};

/** @type {[name: string, enter: (target: Guarded, headers: Record<string, string>) => Promise<Answer>][]} */
const doors = [
  [
    'GET of events',
    ({ url, session }, own) =>
      ask(url, { method: 'GET', headers: { 'mcp-session-id': session().id, ...own } }),
  ],
  [
    'DELETE',
    async ({ url, session }, own) => {
      const { id } = await Session.open(url, session().own);
      return ask(url, { method: 'DELETE', headers: { 'mcp-session-id': id, ...own } });
    },
  ],
  [
    'POST in a session',
    ({ url, session }, own) =>
      ask(url, { body: JSON.stringify(touch), headers: { 'mcp-session-id': session().id, ...own } }),
  ],
  ['HTTP+SSE', ({ url }, own) => ask(new URL('/sse', url), { method: 'GET', headers: own })],
  [
    'messages of HTTP+SSE',
    async ({ url, session }, own) =>
      ask(await ssePlace(url, session().own), { body: JSON.stringify(touch), headers: own }),
  ],
  [
    'WebSocket',
    ({ url }, own) => ask(new URL('/ws', url), { method: 'GET', headers: { ...upgrade, ...own } }),
  ],
];

/** @type {[name: string, ownOf: (issuer: Issuer) => Promise<Record<string, string>>, want: string][]} */
const keys = [
  ['no token', async () => ({}), '401'],
  ['a forged token', async (i) => bearer((await i.token()).replace(/[^.]*$/, 'A'.repeat(86))), REFUSED],
  ['an expired token', async (i) => bearer(await i.token({ exp: seconds(-60) })), REFUSED],
  ['a token for others', async (i) => bearer(await i.token({ aud: 'https://other.test' })), REFUSED],
];

export const rows = [
  ...misplaced.map(([name, send, want]) => ({
    name: `a good token, sent ${name}`,
    want,
    attack: async (target) => refusalOf(await send(target, await target.issuer.token())),
  })),
  ...doors.flatMap(([door, enter]) =>
    keys.map(([name, ownOf, want]) => ({
      name: `${door}: ${name}`,
      want,
      attack: async (target) => refusalOf(await enter(target, await ownOf(target.issuer))),
    })),
  ),
];

function basic(token) {
  return { authorization: `Basic ${Buffer.from(`alice:${token}`).toString('base64')}` };
}

function withQuery(url, query, token) {
  return new URL(`?${query.replace('TOKEN', token)}`, url);
}
