/** Tokens that must not count, each good but for what it is named after: forged, too old, too young, for others, of others. */
import { readFileSync } from 'node:fs';
import { importPKCS8, SignJWT } from 'jose';

import { inRepository } from '../../repository.mjs';
import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { AUDIENCE, base64url, bearer, newKey, seconds, signatureOf } from '../issuer.mjs';
import { ask, callOf, initialize, sendModern } from '../session.mjs';

/** @import { Answer } from '../session.mjs' */
/** @import { Guarded } from '../guarded-server.mjs' */
/** @import { Issuer } from '../issuer.mjs' */

export const family = 'tokens';

export const open = openGuarded;

const json = (part) => JSON.parse(Buffer.from(part, 'base64url').toString());
const REFUSED = '401 invalid_token';

/** A good token, one of its parts replaced. */
async function forged(issuer, at, make) {
  const parts = (await issuer.token()).split('.');
  return parts.map((part, index) => (index === at ? make(part) : part)).join('.');
}

/** With a header that says something else, signed by the issuer as it stands: `undefined` leaves a member out. */
const headed = (more) => (i) => i.signed({ alg: 'ES256', kid: i.key.kid, typ: 'at+jwt', ...more });

/** With a payload that says something else, signed by the issuer as it stands. */
const holding = (payload) => (i) => i.signed({ alg: 'ES256', kid: i.key.kid, typ: 'at+jwt' }, payload(i));

/** Without a signature. */
const unsigned = (alg) => async (i) => {
  const [, payload] = (await i.token()).split('.');
  return `${base64url(JSON.stringify({ alg, typ: 'at+jwt' }))}.${payload}.`;
};

/** Signed by a public key as if it were a secret. */
function confused(alg, secretOf = ({ key }) => JSON.stringify(key.publicJwk)) {
  return async (issuer) => {
    const secret = new TextEncoder().encode(secretOf(issuer));
    return new SignJWT({ iss: issuer.url, aud: AUDIENCE, sub: 'alice', exp: seconds(60) })
      .setProtectedHeader({ alg, kid: issuer.key.kid, typ: 'at+jwt' })
      .sign(secret);
  };
}

/** Well signed by a stranger, with a header that says where the stranger's key is; and there it is. */
const bringing = (headerOf) => async (i) => {
  const stranger = await newKey('stranger');
  i.lure = JSON.stringify({ keys: [stranger.publicJwk] });
  return i.token({}, headerOf(stranger.publicJwk, i), stranger);
};

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

/** The payload stands in the token as it is (RFC 7797). */
function unencoded(i) {
  const header = { alg: 'ES256', kid: i.key.kid, typ: 'at+jwt', crit: ['b64'], b64: false };
  const text = `${base64url(JSON.stringify(header))}.${JSON.stringify(i.claims())}`;
  return `${text}.${signatureOf(text, i.key.privateKey)}`;
}

const claiming = (claims) => (i) => i.token(typeof claims === 'function' ? claims(i) : claims);

/** @type {[name: string, make: (issuer: Issuer, issuers: Issuer[]) => string | Promise<string>][]} */
const bad = [
  ['text', () => 'hello'],
  ['two points', () => '..'],
  ['an encrypted token', () => 'a.b.c.d.e'],
  ['signed by a stranger', async (i) => i.token({}, {}, { ...(await newKey('x')), kid: 'first' })],
  ['signed by another issuer that counts', (i, [, other]) => i.token({}, {}, other.key)],
  ['of another issuer that counts, signed by the first', (i, [, other]) => i.token({ iss: other.url })],
  [
    'another payload',
    (i) => forged(i, 1, (part) => base64url(JSON.stringify({ ...json(part), sub: 'root' }))),
  ],
  ['a signature of zeros', (i) => forged(i, 2, () => 'A'.repeat(86))],
  ['an empty signature', (i) => forged(i, 2, () => '')],
  ['a signature cut short', (i) => forged(i, 2, (part) => part.slice(0, -4))],
  ['a signature and more', (i) => forged(i, 2, (part) => `${part}AAAA`)],
  ['a payload that is no JSON', holding((i) => JSON.stringify(i.claims()).slice(1))],
  ['a payload that is a list', holding((i) => JSON.stringify([i.claims()]))],
  ['a payload of prototypes', holding((i) => `{"__proto__":${JSON.stringify(i.claims())}}`)],
  ['alg none', unsigned('none')],
  ['alg None', unsigned('None')],
  ['alg none, and a signature', headed({ alg: 'none' })],
  ['alg nOnE, and a signature', headed({ alg: 'nOnE' })],
  ['no alg', headed({ alg: undefined })],
  ['alg a list', headed({ alg: ['ES256'] })],
  ['alg in small letters', headed({ alg: 'es256' })],
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
  ['a kid that is a URL', bringing((_, i) => ({ kid: `${i.url}/evil` }))],
  ['a kid of an object', (i) => i.token({}, { kid: '__proto__' })],
  ['a kid with a NUL', (i) => i.token({}, { kid: 'first\0' })],
  ['a key in jwk', bringing((jwk) => ({ jwk }))],
  ['a key in jwk, with a kid of the issuer', bringing((jwk) => ({ jwk, kid: 'first' }))],
  ['a key behind jku', bringing((_, i) => ({ jku: `${i.url}/evil` }))],
  [
    'a key behind jku, with a kid of the issuer',
    bringing((_, i) => ({ jku: `${i.url}/evil`, kid: 'first' })),
  ],
  ['a certificate behind x5u', certified((_, i) => ({ x5u: `${i.url}/evil` }))],
  [
    'a certificate behind x5u, with a kid of the issuer',
    certified((_, i) => ({ x5u: `${i.url}/evil`, kid: 'first' })),
  ],
  ['a certificate in x5c', certified((der) => ({ x5c: [der] }))],
  ['a certificate in x5c, with a kid of the issuer', certified((der) => ({ x5c: [der], kid: 'first' }))],
  ['critical headers', headed({ crit: ['exp'], exp: 1 })],
  ['critical headers that are known elsewhere', headed({ crit: ['b64'], b64: true })],
  ['critical headers of none', headed({ crit: [] })],
  ['a payload that is not encoded', unencoded],
  ['type JWT', (i) => i.token({}, { typ: 'JWT' })],
  ['no type', (i) => i.token({}, { typ: undefined })],
  ['a type that is a number', headed({ typ: 7 })],
  ['a type in a list', headed({ typ: ['at+jwt', 'JWT'] })],
  ['an ID token', (i) => i.token({ aud: 'client', nonce: 'n' }, { typ: 'JWT' })],
  ['a logout token', (i) => i.token({}, { typ: 'logout+jwt' })],
  ['expired', claiming(() => ({ exp: seconds(-6) }))],
  ['expired long ago', claiming({ exp: 1 })],
  ['never expiring', claiming({ exp: undefined })],
  ['expiring in words', holding((i) => JSON.stringify({ ...i.claims(), exp: '9999999999' }))],
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
  [
    'an audience within a list within a list',
    holding((i) => JSON.stringify({ ...i.claims(), aud: [[AUDIENCE]] })),
  ],
  ['another issuer', claiming({ iss: 'https://evil.test' })],
  ['the issuer with a slash', claiming(({ url }) => ({ iss: `${url}/` }))],
  ['the issuer in a list', holding((i) => JSON.stringify({ ...i.claims(), iss: [i.url] }))],
  ['no issuer', claiming({ iss: undefined })],
  ['no subject', claiming({ sub: undefined })],
  ['an empty subject', claiming({ sub: '' })],
  ['a subject that is a number', holding((i) => JSON.stringify({ ...i.claims(), sub: 1 }))],
];

const body = JSON.stringify(initialize);
const touch = callOf('touch', {});

/**
 * How it was refused, unless what its token points to was looked at.
 * @param {Guarded} target @param {(headers: Record<string, string>) => Promise<Answer>} send
 * @param {(typeof bad)[number][1]} make
 */
async function unlured(target, send, make) {
  const answer = await send(bearer(await make(target.issuer, target.issuers)));
  const lured = target.issuers.some(({ asked }) => asked.includes('/evil'));
  return lured ? 'fetched what the token named' : refusalOf(answer);
}

export const rows = [
  {
    name: 'a good one, that the others differ from',
    want: '200',
    reaches: { handlers: 1 },
    attack: (target) => unlured(target, (own) => sendModern(target.url, touch, own), headed({})),
  },
  ...bad.flatMap(([name, make]) => [
    {
      name: `initialize: ${name}`,
      want: REFUSED,
      attack: (target) => unlured(target, (headers) => ask(target.url, { body, headers }), make),
    },
    {
      name: `a call of 2026-07-28: ${name}`,
      want: REFUSED,
      attack: (target) => unlured(target, (own) => sendModern(target.url, touch, own), make),
    },
  ]),
];
