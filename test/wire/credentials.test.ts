// The credentials that a request carries though no `security` demands them, and those that no scheme describes.
import { afterEach, expect, test } from 'vitest';
import { compile } from '../../src/index.ts';
import { type Served, serveDocument } from './serve-document.ts';

const schemes = {
  Auth: { type: 'http', scheme: 'bearer' },
  Key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  Token: { type: 'http', scheme: 'basic' },
  Query: { type: 'apiKey', in: 'query', name: 'token' },
};
const responses = { 200: { description: 'd' } };
const header = (name: string, rest: object = {}) => ({
  name,
  in: 'header',
  schema: { type: 'string' },
  ...rest,
});

/** One operation, `get`; `own` are its members. */
function documentOf(own: object, rest: object = {}, declared: object = schemes): object {
  return {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    servers: [{ url: 'https://api.example' }],
    components: { securitySchemes: declared },
    ...rest,
    paths: { '/a': { get: { operationId: 'get', responses, ...own } } },
  };
}

const ENV = {
  BEARER_TOKEN_AUTH: 'bearer-secret',
  API_KEY_KEY: 'key-secret',
  BASIC_USERNAME_TOKEN: 'user',
  BASIC_PASSWORD_TOKEN: 'password',
  API_KEY_QUERY: 'query-secret',
};

let served: Served | undefined;
afterEach(() => served?.close());

async function sentBy(document: object, env: Record<string, string>, args: object = {}): Promise<string> {
  served = await serveDocument(document, undefined, { env });
  const { sent, words } = await served.call('get', args);
  return sent[0] ?? words;
}

/** What the query holds, then headers in the order of their names, in which they may be sent in any. */
function listed(sent: string): string[] {
  const [line = '', ...fields] = sent.split(/\r?\n/);
  const headers = fields.filter((field) => /^(?:authorization|x-|api-key)/i.test(field));
  const [query] = /\?\S*/.exec(line) ?? [];
  return [query ?? [], headers.sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))].flat();
}

test.each<[what: string, own: object, rest: object, env: Record<string, string>, want: string[]]>([
  [
    'the line break at the end of a file of a secret is left out',
    { security: [{ Key: [], Token: [] }] },
    {},
    { API_KEY_KEY: 'key-secret\n', BASIC_USERNAME_TOKEN: 'user\r\n', BASIC_PASSWORD_TOKEN: 'password\n' },
    [`Authorization: Basic ${btoa('user:password')}`, 'X-Key: key-secret'],
  ],
  [
    'nothing says security: each that is set, one per place, in order',
    {},
    {},
    ENV,
    ['?token=query-secret', 'Authorization: Bearer bearer-secret', 'X-Key: key-secret'],
  ],
  ['only those that are set', {}, {}, { API_KEY_KEY: 'key-secret' }, ['X-Key: key-secret']],
  ['the operation says none', { security: [] }, {}, ENV, []],
  ['the root says none', {}, { security: [] }, ENV, []],
  ['the operation demands one', { security: [{ Key: [] }] }, {}, ENV, ['X-Key: key-secret']],
  [
    'a server elsewhere, where nothing demands it',
    { servers: [{ url: 'https://cdn.example' }] },
    {},
    ENV,
    [],
  ],
  [
    'an own server at the same origin',
    { servers: [{ url: 'https://api.example/v2' }] },
    {},
    { API_KEY_KEY: 'key-secret' },
    ['X-Key: key-secret'],
  ],
])('undemanded credentials: %s', async (_what, own, rest, env, want) => {
  expect(listed(await sentBy(documentOf(own, rest), env))).toEqual(want);
});

test.each<[what: string, own: object, declared: object, env: Record<string, string>, want: string[]]>([
  [
    'a key of a scheme is no argument, beside one that is demanded',
    { security: [{ Auth: [] }], parameters: [{ name: 'token', in: 'query', required: true, schema: {} }] },
    schemes,
    ENV,
    ['?token=query-secret', 'Authorization: Bearer bearer-secret'],
  ],
  [
    'a header of a key without a scheme',
    { parameters: [header('X-API-Key', { required: true })] },
    {},
    { HEADER_X_API_KEY: 'header-secret' },
    ['X-Api-Key: header-secret'],
  ],
  [
    'Authorization without a scheme',
    { parameters: [header('Authorization')] },
    {},
    { HEADER_AUTHORIZATION: 'Token abcdef' },
    ['Authorization: Token abcdef'],
  ],
])('parameters: %s', async (_what, own, declared, env, want) => {
  const document = documentOf(own, {}, declared);
  expect(listed(await sentBy(document, env))).toEqual(want);
  expect(served?.tools[0]?.inputSchema).toMatchObject({ properties: {} });
  expect(served?.tools[0]?.inputSchema.required).toBeUndefined();
});

test('x-mcp.argument keeps the argument; a header of another name is always one', async () => {
  const kept = { 'x-mcp': { argument: true } };
  const parameters = [
    header('X-Api-Key', kept),
    header('X-Tenant'),
    { ...header('token', kept), in: 'query' },
  ];
  const args = { 'X-Api-Key': 'mine', 'X-Tenant': 'acme', token: 'ours' };
  const sent = await sentBy(documentOf({ parameters }, {}, { Query: schemes.Query }), {}, args);
  expect(listed(sent)).toEqual(['?token=ours', 'X-Api-Key: mine', 'X-Tenant: acme']);
});

test.each<[what: string, own: object, env: Record<string, string>, args: object, want: string[]]>([
  ['lines', {}, { API_HEADERS: 'X-A: one\nX-B:two ' }, {}, ['X-A: one', 'X-B: two']],
  [
    'an argument loses',
    { parameters: [header('X-A')] },
    { API_HEADERS: 'X-A: one' },
    { 'X-A': 'argument' },
    ['X-A: one'],
  ],
  [
    'a scheme wins',
    { security: [{ Auth: [] }] },
    { API_HEADERS: 'Authorization: Token x', BEARER_TOKEN_AUTH: 'bearer-secret' },
    {},
    ['Authorization: Bearer bearer-secret'],
  ],
  [
    'it meets the scheme that is not set',
    { security: [{ Auth: [], Key: [] }] },
    { API_HEADERS: 'Authorization: Token x', API_KEY_KEY: 'key-secret' },
    {},
    ['Authorization: Token x', 'X-Key: key-secret'],
  ],
  [
    'another server of an operation has its own',
    { servers: [{ url: 'https://cdn.example' }] },
    { API_HEADERS: 'X-A: one', API_HEADERS_CDN_EXAMPLE: 'X-B: two' },
    {},
    ['X-A: one'],
  ],
])('API_HEADERS: %s', async (_what, own, env, args, want) => {
  expect(listed(await sentBy(documentOf(own), env, args))).toEqual(want);
});

test('a header that does not meet the scheme is no reason to send', async () => {
  const document = documentOf({ security: [{ Auth: [] }] });
  expect(await sentBy(document, { API_HEADERS: 'X-A: one' })).toContain('Nothing was sent');
});

test.each<[what: string, own: object, declared: object, env: Record<string, string>, want: string]>([
  [
    'undemanded, none set',
    {},
    { Key: schemes.Key },
    {},
    'Check API_KEY_KEY (Key) in the environment of this MCP server.',
  ],
  [
    'headers were refused',
    {},
    {},
    { API_HEADERS: 'X-Api-Key: header-secret' },
    'Check API_HEADERS in the environment',
  ],
])('401 says what could be set: %s', async (_what, own, declared, env, want) => {
  const body = JSON.stringify({ seen: Object.values(env).join(' ') });
  const answer = () =>
    `HTTP/1.1 401 No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  served = await serveDocument(documentOf(own, {}, declared), answer, { env });
  const { words, text } = await served.call('get', {});
  expect(words).toContain(want);
  expect(text).not.toMatch(/(?:key|header)-secret/);
});

test.each<[name: string, document: object]>([
  ['credentials-if-set', documentOf({})],
  ['parameter-is-credential', documentOf({ parameters: [{ ...header('token'), in: 'query' }] })],
])('compiling says %s', async (name, document) => {
  const stdin = (): Promise<Buffer> => Promise.resolve(Buffer.from(JSON.stringify(document)));
  const { diagnostics } = await compile({ source: '-', stdin });
  expect(diagnostics.map((diagnostic) => diagnostic.name)).toContain(name);
});
