/**
 * Tokens that are bound to a key by DPoP (RFC 9449), with proofs that are not what they should be: each is good but for what its
 * row says. Nonces are required, so that each row also holds where they are not.
 */
import { createHmac, hash } from 'node:crypto';
import { request } from 'node:http';
import { SignJWT, calculateJwkThumbprint, exportJWK } from 'jose';

import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { AUDIENCE, base64url, bearer, newKey, seconds } from '../issuer.mjs';
import { ask, callOf, initialize, sendModern } from '../session.mjs';

export const family = 'proofs of keys';

const REFUSED = '401 invalid_dpop_proof';
const NO_TOKEN = '401 invalid_token';
const NO_NONCE = '401 use_dpop_nonce';
const touch = callOf('touch', {});
const body = JSON.stringify(initialize);

let made = 0;

/** A client with a key of its own. */
class Prover {
  static async open() {
    const prover = new Prover();
    const { publicJwk, privateKey } = await newKey('of a client');
    const { kty, crv, x, y } = publicJwk;
    Object.assign(prover, { jwk: { kty, crv, x, y }, privateKey, private: await exportJWK(privateKey) });
    prover.jkt = await calculateJwkThumbprint(prover.jwk);
    return prover;
  }

  claims(token, more = {}) {
    const [jti, ath] = [`proof ${(made += 1)}`, hash('sha256', token, 'base64url')];
    return { jti, ath, htm: 'POST', htu: AUDIENCE, iat: seconds(0), ...more };
  }

  proof(token, claims = {}, header = {}) {
    return new SignJWT(this.claims(token, claims))
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: this.jwk, ...header })
      .sign(this.privateKey);
  }
}

export async function open(folder) {
  const guarded = await openGuarded(folder, {
    env: { MCP_AUTH_DPOP: 'allowed', MCP_AUTH_DPOP_NONCE: 'required', MCP_NODES: '1' },
  });
  const [prover, other] = await Promise.all([Prover.open(), Prover.open()]);
  const token = await guarded.issuer.token({ cnf: { jkt: prover.jkt } });
  const { headers } = await sendModern(guarded.url, touch);
  return { ...guarded, prover, other, token, nonce: headers['dpop-nonce'] };
}

/** A call with the bound token and this proof. */
async function call({ url, token }, proof, more = {}) {
  const headers = { authorization: `DPoP ${token}`, dpop: proof, ...more };
  return refusalOf(await sendModern(url, touch, headers));
}

/** A call by a proof that is good but for these claims and headers. */
async function wrong(target, claims = {}, header = {}) {
  const { prover, token, nonce } = target;
  return call(target, await prover.proof(token, { nonce, ...claims }, header));
}

/** Text that is signed by nobody, or by the public key as a shared secret. */
function unsigned({ prover, token, nonce }, alg) {
  const header = base64url(JSON.stringify({ typ: 'dpop+jwt', alg, jwk: prover.jwk }));
  return `${header}.${base64url(JSON.stringify(prover.claims(token, { nonce })))}`;
}

const claims = [
  ['for another method', { htm: 'GET' }],
  ['for no method', { htm: undefined }],
  ['for another path', { htu: 'https://mcp.test/ws' }],
  ['for another host', { htu: 'https://evil.test/mcp' }],
  ['for another port', { htu: 'https://mcp.test:8443/mcp' }],
  ['for http', { htu: 'http://mcp.test/mcp' }],
  ['for a path above', { htu: 'https://mcp.test/mcp/..' }],
  ['for a URL with a user', { htu: 'https://x@mcp.test/mcp' }],
  ['for no URL', { htu: undefined }],
  ['for another token', { ath: hash('sha256', 'another', 'base64url') }],
  ['for no token', { ath: undefined }],
  ['from long ago', { iat: seconds(-3_600) }],
  ['from the future', { iat: seconds(100_000) }],
  ['from no time', { iat: undefined }],
  ['from a time that is text', { iat: String(seconds(0)) }],
  ['without an identifier', { jti: undefined }],
  ['with a number as identifier', { jti: 1 }],
];

const headers = [
  ['of another type', { typ: 'JWT' }],
  ['of the type of tokens', { typ: 'at+jwt' }],
  ['without a key', { jwk: undefined }],
  ['with a shared key', { jwk: { kty: 'oct', k: 'AAAA' } }],
  ['with a list of keys', { jwk: [] }],
];

/** Doors, and the method that each is opened by. @type {[name: string, enter: (target: any, own: Record<string, string>) => Promise<string>, htm: string, htu: string][]} */
const doors = [
  [
    'initialize',
    async ({ url }, own) => refusalOf(await ask(url, { body, headers: own })),
    'POST',
    'https://mcp.test/mcp',
  ],
  ['HTTP+SSE', ({ url }, own) => headOf(new URL('/sse', url), own), 'GET', 'https://mcp.test/sse'],
  [
    'WebSocket',
    ({ url }, own) => headOf(new URL('/ws', url), { ...upgrade, ...own }),
    'GET',
    'wss://mcp.test/ws',
  ],
];

const upgrade = {
  ...{ upgrade: 'websocket', connection: 'upgrade', 'sec-websocket-version': '13' },
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};

/** How a stream is answered, which does not end by itself. */
function headOf(url, given) {
  return new Promise((resolve, reject) => {
    const tell = (response, socket = response) => {
      resolve(refusalOf({ status: response.statusCode, headers: response.headers }));
      socket.destroy();
    };
    const fields = { accept: 'text/event-stream', ...given };
    request(url, { headers: fields, agent: false }, tell).on('upgrade', tell).on('error', reject).end();
  });
}

export const rows = [
  {
    name: 'a good proof, which the others differ from',
    want: '200',
    reaches: { handlers: 1 },
    attack: (target) => wrong(target),
  },
  {
    name: 'a proof that was used before',
    want: `200, then ${REFUSED}, ${REFUSED}`,
    reaches: { handlers: 1 },
    attack: async (target) => {
      const proof = await target.prover.proof(target.token, { nonce: target.nonce });
      const told = [await call(target, proof), await call(target, proof)];
      const another = await target.issuer.token({ cnf: { jkt: target.prover.jkt }, scope: 'base more' });
      return `${told[0]}, then ${told[1]}, ${await call({ ...target, token: another }, proof)}`;
    },
  },
  {
    name: 'a proof that was used before, twenty times at once',
    want: '1 of 20',
    reaches: { handlers: 1 },
    attack: async (target) => {
      const proof = await target.prover.proof(target.token, { nonce: target.nonce });
      const told = await Promise.all(Array.from({ length: 20 }, async () => call(target, proof)));
      return `${told.filter((each) => each === '200').length} of ${told.length}`;
    },
  },
  ...claims.map(([name, more]) => ({
    name: `a proof ${name}`,
    want: REFUSED,
    attack: (target) => wrong(target, more),
  })),
  ...headers.map(([name, more]) => ({
    name: `a proof ${name}`,
    want: REFUSED,
    attack: (target) => wrong(target, {}, more),
  })),
  {
    name: 'a proof with its private key',
    want: REFUSED,
    attack: (target) => wrong(target, {}, { jwk: target.prover.private }),
  },
  {
    name: 'a proof of another key',
    want: NO_TOKEN,
    attack: async (target) => call(target, await target.other.proof(target.token, { nonce: target.nonce })),
  },
  {
    name: 'a proof that is signed by another key than it names',
    want: REFUSED,
    attack: async (target) => {
      const { other, prover, token, nonce } = target;
      return call(target, await other.proof(token, { nonce }, { jwk: prover.jwk }));
    },
  },
  {
    name: 'a proof with the algorithm none',
    want: REFUSED,
    attack: (target) => call(target, `${unsigned(target, 'none')}.`),
  },
  {
    name: 'a proof with the algorithm none, and a signature',
    want: REFUSED,
    attack: (target) => call(target, `${unsigned(target, 'none')}.AAAA`),
  },
  {
    name: 'a proof by HS256, with the public key as secret',
    want: REFUSED,
    attack: (target) => {
      const text = unsigned(target, 'HS256');
      const by = createHmac('sha256', JSON.stringify(target.prover.jwk)).update(text);
      return call(target, `${text}.${by.digest('base64url')}`);
    },
  },
  {
    name: 'two headers DPoP',
    want: REFUSED,
    attack: async (target) => {
      const { prover, token, nonce } = target;
      return call(target, await Promise.all([1, 2].map(() => prover.proof(token, { nonce }))));
    },
  },
  { name: 'no header DPoP', want: REFUSED, attack: (target) => call(target, undefined) },
  { name: 'a bound token by Bearer', want: NO_TOKEN, attack: asBearer },
  {
    name: 'a bound token by Bearer, after it was good by DPoP',
    want: `200, then ${NO_TOKEN}`,
    reaches: { handlers: 1 },
    attack: async (target) => `${await wrong(target)}, then ${await asBearer(target)}`,
  },
  {
    name: 'a plain token by DPoP',
    want: NO_TOKEN,
    attack: async (target) => {
      const token = await target.issuer.token();
      return call({ ...target, token }, await target.prover.proof(token, { nonce: target.nonce }));
    },
  },
  ...[
    ['without a nonce', () => undefined],
    ['with a made-up nonce', () => 'A'.repeat(30)],
    ['with a nonce of another key', ({ nonce }) => `${nonce.slice(0, 8)}${'A'.repeat(22)}`],
    ['with a nonce of another time', ({ nonce }) => `${nonce.slice(0, 7)}_${nonce.slice(8)}`],
  ].map(([name, nonceOf]) => ({
    name: `a proof ${name}`,
    want: NO_NONCE,
    attack: (target) => wrong(target, { nonce: nonceOf(target) }),
  })),
  {
    name: '`Host` of the URL that the proof is for',
    want: REFUSED,
    attack: async (target) => {
      const { prover, token, nonce } = target;
      const proof = await prover.proof(token, { nonce, htu: 'http://localhost/mcp' });
      return call(target, proof, { host: 'localhost', 'x-forwarded-host': 'localhost' });
    },
  },
  ...doors.map(([door, enter]) => ({
    name: `${door}: a bound token without a proof`,
    want: REFUSED,
    attack: (target) => enter(target, { authorization: `DPoP ${target.token}` }),
  })),
  ...doors.map(([door, enter, htm]) => ({
    name: `${door}: a proof for another door`,
    want: REFUSED,
    attack: async (target) => {
      const { prover, token, nonce } = target;
      const elsewhere = doors.find(([name]) => name !== door);
      const proof = await prover.proof(token, { nonce, htm, htu: elsewhere?.[3] });
      return enter(target, { authorization: `DPoP ${token}`, dpop: proof });
    },
  })),
  {
    name: 'a call in the session of a bound token, without a proof',
    want: REFUSED,
    attack: async ({ url, token, prover, nonce }) => {
      const own = { authorization: `DPoP ${token}` };
      const opened = await ask(url, {
        body,
        headers: { ...own, dpop: await prover.proof(token, { nonce }) },
      });
      const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
      const session = { 'mcp-session-id': opened.headers['mcp-session-id'] };
      return refusalOf(await ask(url, { body: list, headers: { ...own, ...session } }));
    },
  },
  {
    name: 'a nonce that has expired',
    want: NO_NONCE,
    attack: async (target) => {
      await target.ahead(310_000);
      return wrong(target, { iat: seconds(310) });
    },
  },
];

async function asBearer({ url, token, prover, nonce }) {
  const headers = { ...bearer(token), dpop: await prover.proof(token, { nonce }) };
  return refusalOf(await sendModern(url, touch, headers));
}
