/**
 * Tokens that are bound to a key of their client (DPoP, RFC 9449; mutual TLS, RFC 8705), and tokens of other kinds: none counts as
 * a bearer token, whoever says what it is, and at no door. Each is good but for that.
 */
import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';

import { FormEndpoint } from '../form-endpoint.mjs';
import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { AUDIENCE, bearer } from '../issuer.mjs';
import { ask, callOf, initialize, outcomeOf, sendModern } from '../session.mjs';
import { closeCode } from '../wire.mjs';

/** @import { Guarded } from '../guarded-server.mjs' */

export const family = 'sender-constrained tokens';

const REFUSED = '401 invalid_token';
const minute = 60_000;
const body = JSON.stringify(initialize);
const touch = callOf('touch', {});

const thumbprint = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I';

/** A confirmation (RFC 7800) that is understood elsewhere, or by nobody. @type {[name: string, cnf: unknown][]} */
const confirmations = [
  ['a key of DPoP (jkt)', { jkt: thumbprint }],
  ['a certificate (x5t#S256)', { 'x5t#S256': thumbprint }],
  ['a key itself (jwk)', { jwk: { kty: 'EC', crv: 'P-256', x: thumbprint, y: thumbprint } }],
  ['the name of a key (kid)', { kid: 'first' }],
  ['the address of a key (jku)', { jku: 'https://id.test/keys' }],
  ['nothing that is known', { other: 1 }],
  ['no member', {}],
  ['null', null],
  ['a list', [{ jkt: thumbprint }]],
  ['a text', thumbprint],
  ['an empty text', ''],
  ['no', false],
  ['a number', 0],
];

const type = 'urn:ietf:params:oauth:token-type:access_token';

/** Claims that make a token no bearer access token. @type {[name: string, claims: object][]} */
const kinds = [
  ['a refresh token (token_type)', { token_type: 'refresh_token' }],
  ['a token with a proof (token_type)', { token_type: 'DPoP' }],
  ['a token of no use by itself (token_type)', { token_type: 'N_A' }],
  ['a token with a code (token_type)', { token_type: 'mac' }],
  ['a token type of null', { token_type: null }],
  ['a token type that is empty', { token_type: '' }],
  ['a token type in a list', { token_type: ['Bearer'] }],
  ['a token type that is a number', { token_type: 1 }],
  ['a token type that begins alike', { token_type: 'Bearer DPoP' }],
  ['a refresh token (token_use)', { token_use: 'refresh_token' }],
  ['an ID token (token_use)', { token_use: 'id' }],
  ['a refresh token (typ)', { typ: 'Refresh' }],
  ['a token that lasts offline (typ)', { typ: 'Offline' }],
  ['an ID token (typ)', { typ: 'ID' }],
  ['a token with a proof (typ)', { typ: 'DPoP' }],
];

/** By `verifyToken`: the rest of the token is what it answers. */
const members = `  verifyToken: (token) =>
    token.startsWith('own.') ? JSON.parse(Buffer.from(token.slice(4), 'base64url').toString()) : undefined,
`;

export async function open(folder) {
  const [asked, exchange] = await Promise.all([
    FormEndpoint.open('/introspect'),
    FormEndpoint.open('/token'),
  ]);
  const guarded = await openGuarded(folder, {
    members,
    env: {
      MCP_AUTH_INTROSPECTION_URI: asked.url,
      MCP_AUTH_CLIENT_ID: 'attacked',
      MCP_AUTH_CLIENT_SECRET: 'a secret of the client',
      MCP_AUTH_EXCHANGE_URI: exchange.url,
      MCP_AUTH_EXCHANGE_CLIENT_ID: 'attacked',
      MCP_AUTH_EXCHANGE_CLIENT_SECRET: 'another secret of the client',
      MCP_AUTH_EXCHANGE_AUDIENCE: 'api',
    },
  });
  return {
    ...guarded,
    asked,
    exchange,
    close: async () => {
      await guarded.close();
      await Promise.all([asked.close(), exchange.close()]);
    },
  };
}

const say = (claims) => ({ body: JSON.stringify(claims) });
const goodOf = ({ issuer: { url: iss } }) => ({
  active: true,
  iss,
  aud: AUDIENCE,
  sub: 'alice',
  scope: 'base',
});

/** A token that its issuer is asked about. @param {Guarded} target */
function opaque(target, claims) {
  target.asked.answer = () => say({ ...goodOf(target), ...claims });
  return `opaque-${Math.random()}`;
}

/** A token that the project's own code takes. */
function own(more, claims = {}) {
  const auth = {
    issuer: 'own',
    subject: 'alice',
    scopes: ['base'],
    expiresAt: 253402300799,
    claims,
    ...more,
  };
  return `own.${Buffer.from(JSON.stringify(auth)).toString('base64url')}`;
}

/** Ways to a token that says `claims`. @type {[name: string, tokenOf: (target: Guarded, claims: object) => string | Promise<string>][]} */
const ways = [
  ['a JWT', ({ issuer }, claims) => issuer.token(claims)],
  ['a token that is asked about', opaque],
];

const call = async (target, token) => refusalOf(await sendModern(target.url, touch, bearer(token)));

/** Doors, each of which a good token opens. @type {[name: string, enter: (target: Guarded, own: Record<string, string>) => Promise<string>][]} */
const doors = [
  ['initialize', async ({ url }, own) => refusalOf(await ask(url, { body, headers: own }))],
  ['a call in a session', async (target, own) => refusalOf(await inSession(target, own, 'POST', list))],
  ['DELETE of a session', async (target, own) => refusalOf(await inSession(target, own, 'DELETE'))],
  ['events of a session', async (target, own) => headOf(target.url, await sessionOf(target, own))],
  ['HTTP+SSE', ({ url }, own) => headOf(new URL('/sse', url), own)],
  ['WebSocket', ({ url }, own) => headOf(new URL('/ws', url), { ...upgrade, ...own })],
];

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const upgrade = {
  ...{ upgrade: 'websocket', connection: 'upgrade', 'sec-websocket-version': '13' },
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};

/** With the headers of a session of its subject, which was opened by a good token. */
async function sessionOf({ as }, own) {
  const { id } = await as({ sub: 'alice' });
  return { 'mcp-session-id': id, ...own };
}

async function inSession(target, own, method, message) {
  return ask(target.url, { method, body: message, headers: await sessionOf(target, own) });
}

/** How a stream is answered, which does not end by itself. */
function headOf(url, headers) {
  return new Promise((resolve, reject) => {
    const tell = (response, socket = response) => {
      resolve(refusalOf({ status: response.statusCode, headers: response.headers }));
      socket.destroy();
    };
    const fields = { accept: 'text/event-stream', ...headers };
    request(url, { headers: fields, agent: false }, tell).on('upgrade', tell).on('error', reject).end();
  });
}

export const rows = [
  ...ways.map(([way, tokenOf]) => ({
    name: `${way} that says that it is a bearer token, which the others differ from`,
    want: '200',
    reaches: { handlers: 1 },
    attack: async (target) => call(target, await tokenOf(target, { token_type: 'bearer', typ: 'Bearer' })),
  })),
  ...ways.flatMap(([way, tokenOf]) => [
    ...confirmations.map(([name, cnf]) => ({
      name: `${way} that is bound to ${name}`,
      want: REFUSED,
      attack: async (target) => call(target, await tokenOf(target, { cnf })),
    })),
    ...kinds.map(([name, claims]) => ({
      name: `${way}: ${name}`,
      want: REFUSED,
      attack: async (target) => call(target, await tokenOf(target, claims)),
    })),
  ]),
  ...doors.map(([door, enter]) => ({
    name: `${door}: a JWT that is bound to a key`,
    want: REFUSED,
    attack: async (target) => enter(target, bearer(await target.issuer.token({ cnf: { jkt: thumbprint } }))),
  })),
  ...[
    ['in the claims', own({}, { cnf: { jkt: thumbprint } })],
    ['beside the claims', own({ cnf: { 'x5t#S256': thumbprint } })],
    ['by nothing, in the claims', own({}, { cnf: null })],
    ['by its type, in the claims', own({}, { token_type: 'DPoP' })],
    ['by its type', own({ token_type: 'refresh_token' })],
  ].map(([how, token]) => ({
    name: `a token of own code, bound ${how}`,
    want: REFUSED,
    attack: (target) => call(target, token),
  })),
  ...['DPoP', 'dpop', 'DPOP'].map((scheme) => ({
    name: `a token that is bound, by the scheme ${scheme}, with a proof`,
    want: REFUSED,
    attack: async ({ url, issuer }) => {
      const token = await issuer.token({ cnf: { jkt: thumbprint } });
      return refusalOf(await sendModern(url, touch, { authorization: `${scheme} ${token}`, dpop: 'a.b.c' }));
    },
  })),
  {
    name: 'a good token, by the scheme DPoP',
    want: REFUSED,
    attack: async ({ url, issuer }) =>
      refusalOf(await sendModern(url, touch, { authorization: `DPoP ${await issuer.token()}` })),
  },
  {
    name: 'a token that is bound to a key by the second question',
    want: `200, then ${REFUSED}`,
    reaches: { handlers: 1 },
    attack: async (target) => {
      const token = opaque(target, {});
      const before = await call(target, token);
      target.asked.answer = () => say({ ...goodOf(target), cnf: { jkt: thumbprint } });
      await target.ahead(minute);
      return `${before}, then ${await call(target, token)}`;
    },
  },
  {
    name: 'a WebSocket of a token that is bound to a key by the second question',
    want: '1008',
    reaches: { handlers: 1 },
    attack: async (target) => {
      const token = opaque(target, {});
      await call(target, token);
      target.asked.answer = () => say({ ...goodOf(target), cnf: { jkt: thumbprint } });
      // The token is checked again in a moment: the clock that waits for it continues.
      await target.ahead(28_000);
      const closed = closeCode(target.url, { fields: [`authorization: Bearer ${token}`] });
      return Promise.race([closed, setTimeout(8_000, '101, open still', { ref: false })]);
    },
  },
  ...confirmations.slice(0, 8).map(([name, cnf]) => ({
    name: `a token for the API that is bound to ${name}`,
    want: 'tool error',
    attack: async ({ url, issuer, exchange }) => {
      // One of its own for each row: a token that somebody else was given is refused for that.
      const token = `t-${Math.random()}`;
      const issued = { access_token: token, issued_token_type: type, token_type: 'Bearer', cnf };
      exchange.answer = () => say(issued);
      const own = bearer(await issuer.token({ sub: `on-behalf-${name}` }));
      return outcomeOf(await sendModern(url, callOf('mine', {}), own));
    },
  })),
];
