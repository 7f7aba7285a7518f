/** Tokens that must not count, each good but for what it is named after; good ones where none belongs; and bad ones at each door. */
import { readFileSync } from 'node:fs';
import { importPKCS8, SignJWT } from 'jose';

import { inRepository } from '../../repository.mjs';
import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { AUDIENCE, bearer, newKey, seconds } from '../issuer.mjs';
import { ANY_SUBJECT, ANY_TOKEN, never, removal, STAYS_OPEN } from '../prove/check.mjs';
import { ask, callOf, initialize, sendModern, Session, ssePlace } from '../session.mjs';
import { UPGRADE } from '../wire.mjs';

export const family = 'tokens';

export const open = openGuarded;

const REFUSED = '401 invalid_token';

/** Signed by a public key as if it were a secret. */
async function confused(issuer) {
  const secret = new TextEncoder().encode(JSON.stringify(issuer.key.publicJwk));
  return new SignJWT({ iss: issuer.url, aud: AUDIENCE, sub: 'alice', exp: seconds(60) })
    .setProtectedHeader({ alg: 'HS256', kid: issuer.key.kid, typ: 'at+jwt' })
    .sign(secret);
}

/** Well signed by a stranger, with a header that says where the stranger's key is; and there it is. */
async function behindUrl(issuer) {
  const stranger = await newKey('stranger');
  issuer.lure = JSON.stringify({ keys: [stranger.publicJwk] });
  return issuer.token({}, { jku: `${issuer.url}/evil`, kid: 'first' }, stranger);
}

/** The same, by a certificate. */
const certified = (headerOf) => async (i) => {
  const read = (file) => readFileSync(inRepository('test/support/tls', file), 'utf8');
  const certificate = read('client.pem');
  i.lure = certificate;
  const key = {
    alg: 'ES256',
    kid: 'stranger',
    privateKey: await importPKCS8(read('client-key.pem'), 'ES256'),
  };
  return i.token({}, headerOf(certificate.replace(/-----.*-----|\s/g, ''), i), key);
};

const bad = [
  ['signed by a stranger', async (i) => i.token({}, {}, { ...(await newKey('x')), kid: 'first' })],
  ['signed by another issuer that counts', (i, [, other]) => i.token({}, {}, other.key)],
  ['with alg none, and a signature', (i) => i.signed({ alg: 'none', kid: i.key.kid, typ: 'at+jwt' })],
  ['by HS256, with the public key as secret', confused],
  ['with a key behind jku', behindUrl],
  ['with a certificate behind x5u', certified((_, i) => ({ x5u: `${i.url}/evil`, kid: 'first' }))],
  ['with a certificate in x5c', certified((der) => ({ x5c: [der], kid: 'first' }))],
  ['that has expired', (i) => i.token({ exp: seconds(-6) })],
  ['for another audience', (i) => i.token({ aud: 'https://other.test/mcp' })],
  ['of another issuer', (i) => i.token({ iss: 'https://evil.test' })],
  ['that is bound to a key', (i) => i.token({ cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } })],
];

const body = JSON.stringify(initialize);
const touch = callOf('touch', {});

/** How a call is refused, unless what its token points to was looked at. */
async function unlured({ url, issuer, issuers }, make) {
  const answer = await sendModern(url, touch, bearer(await make(issuer, issuers)));
  const lured = issuers.some(({ asked }) => asked.includes('/evil'));
  return lured ? 'fetched what the token named' : refusalOf(answer);
}

const misplaced = [
  [
    'with another scheme',
    ({ url }, t) => ask(url, { body, headers: { authorization: `Token ${t}` } }),
    '401',
  ],
  ['twice in a field', ({ url }, t) => ask(url, { body, headers: bearer(`${t}, Bearer ${t}`) }), REFUSED],
  ['in a cookie', ({ url }, t) => ask(url, { body, headers: { cookie: `access_token=${t}` } }), '401'],
  [
    'in the query, beside a good one',
    ({ url }, t) => ask(new URL(`?%61ccess_token=${t}`, url), { body, headers: bearer(t) }),
    '400 invalid_request',
  ],
];

const upgrade = Object.fromEntries(UPGRADE.slice(2).map((field) => field.split(': ')));

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

export const rows = [
  {
    name: 'a good token, that the others differ from',
    want: '200',
    isControl: true,
    reaches: { handlers: 1 },
    attack: (target) => unlured(target, (i) => i.token()),
  },
  ...bad.map(([name, make]) => ({
    name: `a token ${name}`,
    want: REFUSED,
    attack: (target) => unlured(target, make),
  })),
  ...misplaced.map(([name, send, want]) => ({
    name: `a good token, sent ${name}`,
    want,
    attack: async (target) => refusalOf(await send(target, await target.issuer.token())),
  })),
  ...doors.map(([door, enter]) => ({
    name: `${door}: an expired token`,
    want: REFUSED,
    attack: async (target) =>
      refusalOf(await enter(target, bearer(await target.issuer.token({ exp: seconds(-60) })))),
  })),
  {
    name: 'a tool that needs more than the token allows',
    want: '403 insufficient_scope',
    attack: async ({ url, issuer }) =>
      refusalOf(await sendModern(url, callOf('admin', {}), bearer(await issuer.token()))),
  },
];

const ANY_SIGNATURE = ['await verifySignature(token, keys, alg)', 'decodeJwt(token)'];
const KEYS = 'const { keys, until } = await keySet.keys();';

export const checks = [
  removal(/signed by/, ANY_SIGNATURE),
  removal(/alg none|HS256/, never('!ALGORITHMS.includes(alg)'), ANY_SIGNATURE),
  {
    ...removal(/behind jku/, [
      KEYS,
      `const { jku } = decodeProtectedHeader(token);
     const { createLocalJWKSet } = await import("jose");
     const { keys, until } = jku === undefined ? await keySet.keys() : { keys: createLocalJWKSet(await (await fetch(jku)).json()), until: Infinity };`,
    ]),
    admits: /got fetched what the token named/,
  },
  removal(/a certificate/, [
    KEYS,
    `const { x5c, x5u } = decodeProtectedHeader(token);
     const { importX509 } = await import("jose");
     const pem = x5c === undefined ? x5u && await (await fetch(x5u)).text() : \`-----BEGIN CERTIFICATE-----\\n\${x5c[0]}\\n-----END CERTIFICATE-----\`;
     const { keys, until } = pem === undefined ? await keySet.keys() : { keys: await importX509(pem, alg), until: Infinity };`,
  ]),
  removal(/that has expired/, never('isTime(exp) && now >= exp + tolerance')),
  removal(/another audience/, never('!named.some((audience) => accepted.has(normalize(audience)))')),
  removal(/of another issuer$/, [
    'const keySet = keySets.get(issuer);',
    'const keySet = keySets.get(issuer) ?? [...keySets.values()][0];',
  ]),
  removal(/bound to a key/, never('cnf !== undefined')),
  removal(
    /another scheme/,
    ['/^(?:bearer|dpop)\\b/i.exec', '/^\\w+/i.exec'],
    ['/^(bearer|dpop) +(', '/^(\\w+) +('],
  ),
  removal(/twice in a field/, ['=*) *$/i;', '=*)/i;']),
  removal(/in a cookie/, ANY_TOKEN),
  removal(/in the query/, never("new URLSearchParams(url.split('?')[1]).has('access_token')")),
  { ...removal(/: an expired token/, ANY_TOKEN, ...ANY_SUBJECT), admits: STAYS_OPEN },
  removal(/needs more/, ['this.#scopes.missing(auth.scopes, needs)', 'undefined']),
];
