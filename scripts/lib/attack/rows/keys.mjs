/** Keys that are gone, changed, or not the issuer's to give; and issuers that are away or lie about themselves. */
import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { bearer, newKey } from '../issuer.mjs';
import { callOf, sendModern } from '../session.mjs';

/** @import { Guarded } from '../guarded-server.mjs' */
/** @import { Issuer, Key } from '../issuer.mjs' */

export const family = 'keys of issuers';

const OTHER = 'is not of the issuer';
const INSECURE = 'has a jwks_uri that is no https URL';

/**
 * Metadata of an issuer, and what the log says of it. Its keys are served wherever they can be.
 * @type {[name: string, lie: (issuer: Issuer) => Record<string, unknown>, told: string][]}
 */
const lies = [
  ['it is another issuer', () => ({ issuer: 'https://evil.test' }), OTHER],
  ['it is no issuer', () => ({ issuer: undefined }), OTHER],
  ['it is many issuers', ({ url }) => ({ issuer: [url] }), OTHER],
  ['it is the issuer with a slash', ({ url }) => ({ issuer: `${url}/` }), OTHER],
  // To connect to no address is to connect to this machine: it answers, and is no name of this machine.
  [
    'its keys are at http, elsewhere',
    ({ url }) => ({ jwks_uri: at(url, { hostname: '0.0.0.0' }) }),
    INSECURE,
  ],
  ['its keys are in a file', () => ({ jwks_uri: 'file:///etc/passwd' }), INSECURE],
  [
    'its keys are in its words',
    ({ keys }) => ({ jwks_uri: `data:application/json,${JSON.stringify({ keys })}` }),
    INSECURE,
  ],
  [
    'its keys need a password',
    ({ url }) => ({ jwks_uri: at(url, { username: 'u', password: 'p' }) }),
    INSECURE,
  ],
  ['its keys are behind a fragment', ({ url }) => ({ jwks_uri: at(url, { hash: 'keys' }) }), INSECURE],
  [
    'its keys are where metadata of clouds are',
    () => ({ jwks_uri: 'http://169.254.169.254/jwks' }),
    INSECURE,
  ],
  ['its keys are nowhere', () => ({ jwks_uri: undefined }), 'names no keys'],
];

/** Where the keys of an issuer are, written in another way. */
function at(url, parts) {
  return Object.assign(new URL('/jwks', url), parts).href;
}

/** Documents in the place of the issuer's keys. @type {[name: string, keys: (key: Key) => unknown, want?: string][]} */
const sets = [
  ['a key of another kind', () => [{ kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'first' }]],
  ['a key to encrypt with', ({ publicJwk }) => [{ ...publicJwk, use: 'enc' }]],
  ['a key to sign with alone', ({ publicJwk }) => [{ ...publicJwk, key_ops: ['sign'] }]],
  ['a key for another algorithm', ({ publicJwk }) => [{ ...publicJwk, alg: 'ES384' }]],
  ['a key off its curve', ({ publicJwk }) => [{ ...publicJwk, x: publicJwk.y, y: publicJwk.x }]],
  ['no keys', () => []],
  ['a text', () => 'keys', '401 invalid_token'],
  ['a list of nothing', () => [null], '503'],
];

const minute = 60_000;
const REFUSED = '401 invalid_token';

/** Elliptic curves alone count: what an issuer signs with another key is refused, though the key is told. */
export const open = (folder) =>
  openGuarded(folder, {
    lies: [...lies.map(([, lie]) => lie), ...sets.map(() => undefined)],
    env: { MCP_AUTH_ALGORITHMS: 'ES256' },
  });

/** @param {Guarded} target how the call is answered, once `words` were said of it and no keys were fetched */
async function told(target, issuer, words) {
  const before = target.said().length;
  const refusal = await tried(target, issuer);
  await target.untilSaid(words, before);
  return fetchesOf(issuer) === 0 ? refusal : 'fetched its keys';
}

/** A call by a token that a key of the issuer has signed, which stands among its keys beside the first. */
async function signedBy(target, key, jwk = key.publicJwk) {
  const { issuer } = target;
  const old = issuer.keys;
  issuer.keys = [...old, jwk];
  await target.ahead(11 * minute);
  const refusal = await tried(target, issuer, {}, key);
  issuer.keys = old;
  await target.ahead(11 * minute);
  return refusal;
}

/** How a call is answered that brings a token of `issuer`. */
async function tried({ url }, issuer, claims = {}, key = issuer.key) {
  const token = await issuer.token({ jti: String(Math.random()), ...claims }, {}, key);
  return refusalOf(await sendModern(url, callOf('touch', {}), bearer(token)));
}

export const rows = [
  ...lies.map(([name, , words], at) => ({
    name: `an issuer that says ${name}`,
    want: '503',
    attack: (target) => told(target, target.issuers[1 + at], words),
  })),
  {
    name: 'a key for an algorithm that does not count here',
    want: REFUSED,
    attack: async (target) => signedBy(target, await newKey('rsa', 'RS256')),
  },
  {
    name: 'a secret that is told',
    want: REFUSED,
    attack: async (target) => {
      const privateKey = new TextEncoder().encode('a secret that everyone knows, of 32 bytes');
      const k = Buffer.from(privateKey).toString('base64url');
      const jwk = { kty: 'oct', k, kid: 'secret', alg: 'HS256' };
      return signedBy(target, { kid: 'secret', alg: 'HS256', privateKey }, jwk);
    },
  },
  ...sets.map(([name, keys, want = REFUSED], at) => ({
    name: `an issuer whose keys are ${name}`,
    want,
    attack: (target) => {
      const issuer = target.issuers[1 + lies.length + at];
      issuer.keys = keys(issuer.key);
      return tried(target, issuer);
    },
  })),
  {
    name: 'fifty made-up names of keys',
    want: `${REFUSED}, and no key was asked for`,
    attack: async (target) => {
      const before = fetchesOf(target.issuer);
      const keys = await Promise.all(Array.from({ length: 50 }, (_, at) => newKey(`made-up-${at}`)));
      const answers = await Promise.all(keys.map((key) => tried(target, target.issuer, {}, key)));
      const asked = fetchesOf(target.issuer) - before;
      return `${[...new Set(answers)].join()}, and ${asked === 0 ? 'no key was' : `keys were ${asked} times`} asked for`;
    },
  },
  {
    name: 'fifty made-up names of keys, after a while',
    want: `${REFUSED}, and keys were 1 times asked for`,
    attack: async (target) => {
      await target.ahead(minute);
      const before = fetchesOf(target.issuer);
      const keys = await Promise.all(Array.from({ length: 50 }, (_, at) => newKey(`made-up-${at}`)));
      const answers = await Promise.all(keys.map((key) => tried(target, target.issuer, {}, key)));
      return `${[...new Set(answers)].join()}, and keys were ${fetchesOf(target.issuer) - before} times asked for`;
    },
  },
  {
    name: 'a key that was taken back, by a token that was good',
    want: REFUSED,
    attack: async (target) => {
      const { issuer, url } = target;
      const old = issuer.keys;
      const own = bearer(await issuer.token({ jti: 'kept' }));
      const good = refusalOf(await sendModern(url, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, own));
      if (good !== '200') return `not admitted before: ${good}`;
      issuer.keys = [(await newKey('second')).publicJwk];
      await target.ahead(11 * minute);
      const refusal = refusalOf(await sendModern(url, callOf('touch', {}), own));
      issuer.keys = old;
      await target.ahead(11 * minute);
      return refusal;
    },
  },
  {
    name: 'another key under the same name',
    want: REFUSED,
    attack: async (target) => {
      const { issuer } = target;
      const old = issuer.keys;
      issuer.keys = [(await newKey('first')).publicJwk];
      await target.ahead(11 * minute);
      const refusal = await tried(target, issuer);
      issuer.keys = old;
      await target.ahead(11 * minute);
      return refusal;
    },
  },
  ...[
    ['an unknown key', 11, () => newKey('x'), '503'],
    ['a good token, longer than keys count on', 80, ({ key }) => key, '503'],
  ].map(([name, minutes, keyOf, want]) => ({
    name: `while the issuer is away: ${name}`,
    want,
    attack: async (target) => {
      const { issuer } = target;
      issuer.isDown = true;
      await target.ahead(minutes * minute);
      const refusal = await tried(target, issuer, {}, await keyOf(issuer));
      issuer.isDown = false;
      await target.ahead(minute);
      return refusal;
    },
  })),
];

function fetchesOf({ asked }) {
  return asked.filter((path) => path === '/jwks').length;
}
