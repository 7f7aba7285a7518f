/** Texts that keep a server busy that tries its patterns step by step: those of a document, and its own. */
import { patterns } from '../document.mjs';
import { ask, callOf, outcomeOf } from '../session.mjs';

export const family = 'regular expressions';

/** Characters; squared, they are more steps than there is patience for. */
const LENGTH = 300_000;

const long = (part) => part.repeat(LENGTH / part.length);

/** @type {[name: string, send: (target: any) => Promise<import('../session.mjs').Answer>, want: string][]} */
const own = [
  ['a URI of a template', read(`mcp://x/files/${'a.'.repeat(LENGTH / 2)}`), '200 -32002'],
  ['a URI of braces', read('{'.repeat(LENGTH)), '200 -32002'],
  ['a name of a tool', call(long('a-')), '200 -32602'],
  ['a cursor', request('tools/list', { cursor: long('A=') }), '200 -32602'],
  ['a level', request('logging/setLevel', { level: long('info ') }), '200 -32602'],
  ['an Accept of blanks', head({ accept: `text/html${' '.repeat(12_000)};q=x` }), '406 -32600'],
  ['an Accept of weights', head({ accept: ';q=0.1'.repeat(2_000) }), '406 -32600'],
  ['a type of blanks', head({ 'content-type': `application/json;${' '.repeat(12_000)}x` }), '400 -32600'],
  ['a type of quotes', head({ 'content-type': `application/json;a="${'\\'.repeat(12_000)}` }), '400 -32600'],
  ['a session of blanks', head({ 'mcp-session-id': `a${' '.repeat(12_000)}b` }), '404 -32600'],
  ['a revision of digits', head({ 'mcp-protocol-version': '2025-'.repeat(2_000) }), '400 -32600'],
  ['an Origin of points', head({ origin: `http://${'a.'.repeat(6_000)}` }), '403 -32600'],
  ['a Host of points', head({ host: 'a.'.repeat(6_000) }), '403 -32600'],
];

export const rows = [
  ...patterns.map(([pattern, part], at) => ({
    name: `a text for ${pattern}`,
    want: 'tool error',
    attack: ({ session }) => tried(session(), `t${at}`, `${long(part)}!`),
  })),
  ...own.map(([name, send, want]) => ({
    name,
    want,
    attack: async (target) => outcomeOf(await send(target)),
  })),
];

async function tried(session, name, value) {
  return outcomeOf(await session.send(callOf('matched', { [name]: value })));
}

function request(method, params) {
  return ({ session }) => session().send({ jsonrpc: '2.0', id: 1, method, params });
}

function read(uri) {
  return request('resources/read', { uri });
}

function call(name) {
  return ({ session }) => session().send(callOf(name, {}));
}

function head(headers) {
  const body = JSON.stringify(callOf('touch', {}));
  return ({ url }) => ask(url, { body, headers });
}
