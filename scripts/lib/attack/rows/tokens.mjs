/** Tokens that must not count: forged, too old, too young, for others, of others, and sent where none belongs. */
import { SignJWT } from 'jose';

import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { AUDIENCE, bearer, newKey, seconds } from '../issuer.mjs';
import { ask, callOf, initialize, sendModern } from '../session.mjs';

export const family = 'tokens';

export const open = openGuarded;

const json = (part) => JSON.parse(Buffer.from(part, 'base64url').toString());
const base64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const REFUSED = '401 invalid_token';

/** A good token, one of its parts replaced. */
async function forged(issuer, at, make) {
  const parts = (await issuer.token()).split('.');
  return parts.map((part, index) => (index === at ? make(part) : part)).join('.');
}

/** With another header: `undefined` leaves a member out. */
const headed = (more) => (i) => forged(i, 0, (part) => base64({ ...json(part), ...more }));

/** Without a signature, but for `end`. */
const unsigned = (alg, end = '') => {
  return async (i) => {
    const [, payload] = (await i.token()).split('.');
    return `${base64({ alg, typ: 'at+jwt' })}.${payload}.${end}`;
  };
};

/** Signed by a public key as if it were a secret. */
function confused(alg, secretOf = ({ key }) => JSON.stringify(key.publicJwk)) {
  return async (issuer) => {
    const secret = new TextEncoder().encode(await secretOf(issuer));
    return new SignJWT({ iss: issuer.url, aud: AUDIENCE, sub: 'alice', exp: seconds(60) })
      .setProtectedHeader({ alg, kid: issuer.key.kid, typ: 'at+jwt' })
      .sign(secret);
  };
}

/** Signed by a stranger, with a header that says where the stranger's key is. */
const bringing = (headerOf) => async (i) => {
  const stranger = await newKey('stranger');
  return i.token({}, headerOf(stranger.publicJwk, i), stranger);
};

const claiming = (claims) => (i) => i.token(typeof claims === 'function' ? claims(i) : claims);

/** @type {[name: string, make: (issuer: any, issuers: any[]) => string | Promise<string>][]} */
const bad = [
  ['text', () => 'hello'],
  ['two points', () => '..'],
  ['an encrypted token', () => 'a.b.c.d.e'],
  ['signed by a stranger', async (i) => i.token({}, {}, { ...(await newKey('x')), kid: 'first' })],
  ['signed by another issuer that counts', (i, [, other]) => i.token({}, {}, other.key)],
  ['of another issuer that counts, signed by the first', (i, [, other]) => i.token({ iss: other.url })],
  ['another payload', (i) => forged(i, 1, (part) => base64({ ...json(part), sub: 'root' }))],
  ['a signature of zeros', (i) => forged(i, 2, () => 'A'.repeat(86))],
  ['an empty signature', (i) => forged(i, 2, () => '')],
  ['a signature cut short', (i) => forged(i, 2, (part) => part.slice(0, -4))],
  ['a signature and more', (i) => forged(i, 2, (part) => `${part}AAAA`)],
  ['a payload that is no JSON', (i) => forged(i, 1, () => 'AAAA')],
  ['a payload that is a list', (i) => forged(i, 1, () => base64([]))],
  ['a payload of prototypes', (i) => forged(i, 1, () => base64(JSON.parse('{"__proto__":{"iss":"x"}}')))],
  ['alg none', unsigned('none')],
  ['alg None', unsigned('None')],
  ['alg nOnE, and a signature', unsigned('nOnE', 'AAAA')],
  ['no alg', unsigned(undefined)],
  ['alg a list', unsigned(['ES256'])],
  ['HS256 by the public key', confused('HS256')],
  ['HS512 by the public key', confused('HS512')],
  ['HS256 by an empty key', confused('HS256', () => '\0')],
  ['HS256 by the address of the keys', confused('HS256', ({ url }) => `${url}/jwks`)],
  ['RS256 for a key of a curve', headed({ alg: 'RS256' })],
  ['ES384 for a key of ES256', headed({ alg: 'ES384' })],
  ['an unknown kid', (i) => i.token({}, { kid: 'other' })],
  ['a kid that is a path', (i) => i.token({}, { kid: '../../../../dev/null' })],
  ['a kid that is a statement', (i) => i.token({}, { kid: "first' UNION SELECT 'x" })],
  ['a kid that is a command', (i) => i.token({}, { kid: 'first|/bin/true' })],
  ['a kid that is a URL', (i) => i.token({}, { kid: `${i.url}/evil` })],
  ['a kid of an object', (i) => i.token({}, { kid: '__proto__' })],
  ['a kid with a NUL', (i) => i.token({}, { kid: 'first\0' })],
  ['a kid that is a number', headed({ kid: 1 })],
  ['a key in jwk', bringing((jwk) => ({ jwk }))],
  ['a key in jwk, with a kid of the issuer', bringing((jwk) => ({ jwk, kid: 'first' }))],
  ['a key behind jku', bringing((_, i) => ({ jku: `${i.url}/evil` }))],
  [
    'a key behind jku, with a kid of the issuer',
    bringing((_, i) => ({ jku: `${i.url}/evil`, kid: 'first' })),
  ],
  ['a certificate behind x5u', bringing((_, i) => ({ x5u: `${i.url}/evil` }))],
  ['a certificate in x5c', bringing(() => ({ x5c: ['AAAA'] }))],
  ['critical headers', headed({ crit: ['exp'], exp: 1 })],
  ['a payload that is not encoded', headed({ crit: ['b64'], b64: false })],
  ['type JWT', (i) => i.token({}, { typ: 'JWT' })],
  ['no type', (i) => i.token({}, { typ: undefined })],
  ['a type that is a number', headed({ typ: 7 })],
  ['an ID token', (i) => i.token({ aud: 'client', nonce: 'n' }, { typ: 'JWT' })],
  ['a logout token', (i) => i.token({}, { typ: 'logout+jwt' })],
  ['expired', claiming(() => ({ exp: seconds(-6) }))],
  ['expired long ago', claiming({ exp: 1 })],
  ['never expiring', claiming({ exp: undefined })],
  ['not valid yet', claiming(() => ({ nbf: seconds(30) }))],
  ['issued in the future', claiming(() => ({ iat: seconds(30) }))],
  ['no audience', claiming({ aud: undefined })],
  ['another audience', claiming({ aud: 'https://other.test/mcp' })],
  ['other audiences', claiming({ aud: ['https://other.test', 'client'] })],
  ['the API as audience', claiming({ aud: 'http://127.0.0.1:1/v1' })],
  ['an audience with a slash', claiming({ aud: `${AUDIENCE}/` })],
  ['an audience that begins alike', claiming({ aud: `${AUDIENCE}.evil.test` })],
  ['an audience in capitals', claiming({ aud: AUDIENCE.toUpperCase() })],
  ['the origin alone as audience', claiming({ aud: 'https://mcp.test' })],
  ['another issuer', claiming({ iss: 'https://evil.test' })],
  ['the issuer with a slash', claiming(({ url }) => ({ iss: `${url}/` }))],
  ['the issuer in a list', claiming(({ url }) => ({ iss: [url] }))],
  ['no issuer', claiming({ iss: undefined })],
  ['no subject', claiming({ sub: undefined })],
  ['an empty subject', claiming({ sub: '' })],
];

const body = JSON.stringify(initialize);
const touch = callOf('touch', {});
const TOKENS = [
  'access_token=TOKEN',
  '%61ccess_token=TOKEN',
  'a=b&access_token=TOKEN',
  'access_token=x&access_token=TOKEN',
];

/** @type {[name: string, send: (target: any, token: string) => Promise<import('../session.mjs').Answer>, want: string][]} */
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
    'in a form',
    ({ url }, t) =>
      ask(url, {
        body: `access_token=${t}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
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

/** @type {[name: string, enter: (target: any, headers: Record<string, string>) => Promise<import('../session.mjs').Answer>][]} */
const doors = [
  [
    'GET of events',
    ({ url, session }, own) =>
      ask(url, { method: 'GET', headers: { 'mcp-session-id': session().id, ...own } }),
  ],
  [
    'DELETE',
    ({ url, session }, own) =>
      ask(url, { method: 'DELETE', headers: { 'mcp-session-id': session().id, ...own } }),
  ],
  [
    'POST in a session',
    ({ url, session }, own) =>
      ask(url, { body: JSON.stringify(touch), headers: { 'mcp-session-id': session().id, ...own } }),
  ],
  ['HTTP+SSE', ({ url }, own) => ask(new URL('/sse', url), { method: 'GET', headers: own })],
  [
    'messages of HTTP+SSE',
    ({ url }, own) => ask(new URL('/messages?sessionId=x', url), { body, headers: own }),
  ],
  [
    'WebSocket',
    ({ url }, own) => ask(new URL('/ws', url), { method: 'GET', headers: { ...upgrade, ...own } }),
  ],
  ['HEAD', ({ url }, own) => ask(url, { method: 'HEAD', headers: own })],
];

/** @type {[name: string, ownOf: (issuer: any) => Promise<Record<string, string>>, want: string][]} */
const keys = [
  ['no token', async () => ({}), '401'],
  ['a forged token', async (i) => bearer(await forged(i, 2, () => 'A'.repeat(86))), REFUSED],
  ['an expired token', async (i) => bearer(await i.token({ exp: seconds(-60) })), REFUSED],
  ['a token for others', async (i) => bearer(await i.token({ aud: 'https://other.test' })), REFUSED],
];

/** Whatever its token points to was not looked at. */
async function unlured(target, work) {
  const answer = await work();
  const lured = target.issuers.some(({ asked }) => asked.includes('/evil'));
  return lured ? 'fetched a key that the token brought' : refusalOf(answer);
}

export const rows = [
  ...bad.flatMap(([name, make]) => [
    {
      name: `initialize: ${name}`,
      want: REFUSED,
      attack: (target) =>
        unlured(target, async () =>
          ask(target.url, { body, headers: bearer(await make(target.issuer, target.issuers)) }),
        ),
    },
    {
      name: `a call of 2026-07-28: ${name}`,
      want: REFUSED,
      attack: (target) =>
        unlured(target, async () =>
          sendModern(target.url, touch, bearer(await make(target.issuer, target.issuers))),
        ),
    },
  ]),
  ...misplaced.map(([name, send, want]) => ({
    name: `a good token, sent ${name}`,
    want,
    attack: async (target) => refusalOf(await send(target, await target.issuer.token())),
  })),
  ...doors.flatMap(([door, enter]) =>
    keys.map(([name, ownOf, want]) => ({
      name: `${door}: ${name}`,
      want: door === 'HEAD' ? '405' : want,
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
