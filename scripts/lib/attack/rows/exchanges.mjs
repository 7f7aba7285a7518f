/** Token endpoints that lie, and callers who would use what was got for others: nothing of it reaches the API. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { FormEndpoint } from '../form-endpoint.mjs';
import { openGuarded } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { callOf, outcomeOf, sendModern } from '../session.mjs';

/** @import { Guarded } from '../guarded-server.mjs' */
/** @import { Issuer } from '../issuer.mjs' */

export const family = 'exchanges';

export async function open(folder) {
  const endpoint = await FormEndpoint.open('/token');
  const audit = path.join(folder, 'audit.jsonl');
  const guarded = await openGuarded(folder, {
    args: ['--audit', audit, '--audit-arguments', 'full'],
    env: {
      MCP_AUTH_EXCHANGE_URI: endpoint.url,
      MCP_AUTH_EXCHANGE_CLIENT_ID: 'attacked',
      MCP_AUTH_EXCHANGE_CLIENT_SECRET: 'a secret of the client',
      MCP_AUTH_EXCHANGE_AUDIENCE: 'api',
      BEARER_TOKEN_USER: 'a token of the server',
    },
  });
  return {
    ...guarded,
    endpoint,
    audit,
    close: async () => {
      await guarded.close();
      await endpoint.close();
    },
  };
}

const type = 'urn:ietf:params:oauth:token-type:access_token';

/** A good answer, but for what is given. */
function issued(token, rest = {}) {
  const good = { access_token: token, issued_token_type: type, token_type: 'Bearer', expires_in: 600 };
  return { body: JSON.stringify({ ...good, ...rest }) };
}

/** @type {[name: string, answer: (token: string) => { status?: number, headers?: object, body: string }][]} */
const lies = [
  ['the caller’s own token', (token) => issued(token)],
  ['the caller’s own token behind another word', (token) => issued(`x.${token}`)],
  ['a header in the token', () => issued('t\r\nX-Evil: 1')],
  ['a header in the token, written as UTF-8', () => issued('t嘊嘍X-Evil: 1')],
  ['a token with a blank', () => issued('t, Basic x')],
  ['a list of tokens', () => issued(['t'])],
  ['no token', () => issued(undefined)],
  ['an empty token', () => issued('')],
  ['a refresh token', () => issued('t', { issued_token_type: type.replace('access', 'refresh') })],
  ['an id token', () => issued('t', { issued_token_type: type.replace('access_token', 'id_token') })],
  ['a token of no type', () => issued('t', { issued_token_type: undefined })],
  ['a token that is not to be borne', () => issued('t', { token_type: 'N_A' })],
  ['a token with a proof', () => issued('t', { token_type: 'DPoP' })],
  ['members of every object', () => issued(undefined, { ['__proto__']: { access_token: 't' } })],
  ['a success of another status', () => ({ status: 201, ...issued('t') })],
  ['a redirect to the API', () => ({ status: 307, headers: { location: 'http://127.0.0.1:1/' }, body: '' })],
  ['an error with a token', () => ({ status: 400, ...issued('t', { error: 'invalid_grant' }) })],
  ['words in place of JSON', () => ({ body: 'access_token=t&token_type=Bearer' })],
  ['more than anyone reads', () => ({ body: `{"access_token":"${'t'.repeat(2_000_000)}"}` })],
];

/** Callers after alice, whose token the API was sent. @type {[name: string, claims: object][]} */
const others = [
  ['another subject', { sub: 'mallory' }],
  ['a subject in capitals', { sub: 'ALICE' }],
  ['a subject that ends its text', { sub: 'alice","x' }],
  ['fewer scopes', { scope: 'base' }],
  ['another client', { client_id: 'other' }],
  ['another tenant', { tenant: 'other' }],
];

/** Callers who are not alice of the first issuer. @type {[name: string, claims: object, issuerOf: (issuers: Issuer[]) => Issuer][]} */
const strangers = [
  ['another subject', { sub: 'mallory' }, ([first]) => first],
  ['a subject in capitals', { sub: 'ALICE' }, ([first]) => first],
  ['the same subject of another issuer', {}, ([, second]) => second],
];

const mine = (url, token) => sendModern(url, callOf('mine', {}), bearer(token));

/** Where a caller could have its own token sent to the API. @type {[tool: string, args: (token: string) => object][]} */
const places = [
  ['simple', (id) => ({ id })],
  ['list', (id) => ({ ids: ['a', id] })],
  ['search', (q) => ({ q })],
  ['search', (token) => ({ q: `Bearer ${token}, and more` })],
  ['traced', (token) => ({ 'X-Trace': token })],
  ['traced', (token) => ({ 'X-Trace': `Bearer ${token}` })],
  ['kept', (sid) => ({ sid })],
  ['store', (name) => ({ name })],
];

/** Parts of the token in arguments that the tool does not have: it is called by none, and each stands in the audit log. @type {[how: string, args: (parts: string[]) => object][]} */
const splits = [
  ['two arguments', ([first, second]) => ({ first, second })],
  ['the name of an argument and its value', ([first, second]) => ({ [first]: second })],
  ['two items of a list', (parts) => ({ parts })],
];

/** @param {string} token */
function halves(token) {
  const middle = Math.floor(token.length / 2);
  return [token.slice(0, middle), token.slice(middle)];
}

/** @param {Guarded & { audit: string }} target the answer to a call with its own token, and what of the token is written down */
async function tokenSent({ url, endpoint, issuer, audit }, tool, argsOf, at) {
  endpoint.answer = () => issued(`token-for-${at}`);
  const subject = `sender-${at}`;
  const token = await issuer.token({ sub: subject });
  const answer = await sendModern(url, callOf(tool, argsOf(token)), bearer(token));
  // Lines are written a moment later.
  let lines = [];
  while (lines.length === 0) {
    await setTimeout(5);
    lines = (await readFile(audit, 'utf8')).split('\n').filter((line) => line.includes(`"${subject}"`));
  }
  const shown = answer.text + lines.join();
  // Any of it that is long enough to tell.
  const told = Array.from(token, (_, start) => token.slice(start, start + 20)).some(
    (part, start) => start > 100 && part.length === 20 && shown.includes(part),
  );
  return `${outcomeOf(answer)}, ${told ? 'told' : 'not told'}`;
}

export const rows = [
  ...places.map(([tool, argsOf], at) => ({
    name: `the token of the caller in an argument: ${tool} ${JSON.stringify(argsOf('<token>'))}`,
    want: 'tool error, not told',
    attack: (target) => tokenSent(target, tool, argsOf, at),
  })),
  ...splits.map(([how, argsOf], at) => ({
    name: `the token of the caller, split over ${how}`,
    want: 'tool error, not told',
    attack: (target) => tokenSent(target, 'search', (token) => argsOf(halves(token)), `split-${at}`),
  })),
  ...lies.map(([name, answer]) => ({
    name: `for an answer, ${name}`,
    want: 'tool error',
    attack: async ({ url, endpoint, issuer }) => {
      endpoint.answer = (form) => answer(form.get('subject_token') ?? '');
      return outcomeOf(await mine(url, await issuer.token({ sub: name })));
    },
  })),
  ...others.map(([name, claims]) => ({
    name: `what alice was given, by ${name}`,
    want: 'refused',
    reaches: { upstream: 1 },
    attack: async ({ url, endpoint, issuer, upstream }) => {
      const own = { scope: 'base admin', client_id: 'first', tenant: 'first', row: name };
      endpoint.answer = () => issued('token-of-alice');
      await mine(url, await issuer.token(own));
      endpoint.answer = () => ({ status: 400, body: '{"error":"invalid_grant"}' });
      const answer = await mine(url, await issuer.token({ ...own, ...claims }));
      const sent = upstream.requests.filter((each) => each.includes('token-of-alice')).length;
      return outcomeOf(answer) === 'tool error' && sent > 0 ? 'refused' : `let through, sent ${sent}`;
    },
  })),
  ...strangers.map(([name, claims, issuerOf]) => ({
    name: `the token that alice was given, given to ${name}`,
    want: 'tool error, sent once',
    reaches: { upstream: 1 },
    attack: async (target) => {
      const { url, endpoint, issuers, upstream } = target;
      const token = `token-of-alice-${Math.random()}`;
      endpoint.answer = () => issued(token);
      await mine(url, await issuers[0].token({ row: name }));
      const answer = await mine(url, await issuerOf(issuers).token({ row: name, ...claims }));
      return `${outcomeOf(answer)}, ${sentBy(upstream, token)}`;
    },
  })),
  {
    name: 'one token for twenty callers at one time',
    want: '19 of 20: tool error, sent once',
    reaches: { upstream: 1 },
    attack: async ({ url, endpoint, issuer, upstream }) => {
      const token = `token-of-one-${Math.random()}`;
      endpoint.answer = () => issued(token);
      const call = async (_, at) => mine(url, await issuer.token({ sub: `one-of-twenty-${at}` }));
      const outcomes = (await Promise.all(Array.from({ length: 20 }, call))).map(outcomeOf);
      const refused = outcomes.filter((each) => each === 'tool error').length;
      return `${refused} of 20: tool error, ${sentBy(upstream, token)}`;
    },
  },
];

/** How often the API was sent a token. */
function sentBy({ requests }, token) {
  const sent = requests.filter((each) => each.includes(token)).length;
  return sent === 1 ? 'sent once' : `sent ${sent} times`;
}
