/** Keys that are gone, changed, or not the issuer's to give; and issuers that are away or lie about themselves. */
import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { bearer, newKey } from '../issuer.mjs';
import { callOf, sendModern } from '../session.mjs';

export const family = 'keys of issuers';

/** What an issuer says of itself. */
const lies = [
  ['it is another issuer', { issuer: 'https://evil.test' }],
  ['it is no issuer', { issuer: undefined }],
  ['it is many issuers', { issuer: ['https://evil.test'] }],
  ['its keys are at http, elsewhere', { jwks_uri: 'http://evil.test/jwks' }],
  ['its keys are in a file', { jwks_uri: 'file:///etc/passwd' }],
  ['its keys are in its words', { jwks_uri: 'data:application/json,{"keys":[]}' }],
  ['its keys need a password', { jwks_uri: 'https://u:p@evil.test/jwks' }],
  ['its keys are where metadata of clouds are', { jwks_uri: 'http://169.254.169.254/jwks' }],
  ['its keys are nowhere', { jwks_uri: undefined }],
];

/** @type {[name: string, keys: (key: any) => unknown, want?: string][]} what stands where its keys should */
const sets = [
  ['a secret', () => [{ kty: 'oct', k: 'c2VjcmV0', kid: 'first' }]],
  ['a key of another kind', () => [{ kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'first' }]],
  ['a key to encrypt with', ({ publicJwk }) => [{ ...publicJwk, use: 'enc' }]],
  ['a key for another algorithm', ({ publicJwk }) => [{ ...publicJwk, alg: 'ES384' }]],
  ['a key off its curve', ({ publicJwk }) => [{ ...publicJwk, x: publicJwk.y, y: publicJwk.x }]],
  ['no keys', () => []],
  ['a text', () => 'keys', '401 invalid_token'],
  ['a list of nothing', () => [null], '503'],
];

const minute = 60_000;
const REFUSED = '401 invalid_token';

export const open = (folder) =>
  openGuarded(folder, { lies: [...lies.map(([, lie]) => lie), ...sets.map(() => ({}))] });

/** How a call is answered that brings a token of `issuer`. */
async function tried({ url }, issuer, claims = {}, key = issuer.key) {
  const token = await issuer.token({ jti: String(Math.random()), ...claims }, {}, key);
  return refusalOf(await sendModern(url, callOf('touch', {}), bearer(token)));
}

export const rows = [
  ...lies.map(([name], at) => ({
    name: `an issuer that says ${name}`,
    want: '503',
    attack: (target) => tried(target, target.issuers[1 + at]),
  })),
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
    ['an unknown key', 11, () => newKey('x'), REFUSED],
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
