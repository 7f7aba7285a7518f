// Headers that an operator adds to requests of the API: of API_HEADERS, and those of the client that are passed on.
import { expect, test } from 'vitest';
import type { HttpBinding, SecurityScheme } from '../../templates/runtime/types.ts';
import { openApi, startApi } from './api.ts';
import { type Fields, makeHttpClient, modern, modernHead } from './client.ts';
import { serve } from './http.ts';

test.each([
  ['X-A: 1\nConnection: close', 2],
  ['Proxy-Authorization: a-secret', 1],
  ['X-A: a-secret\r\nX-B: b', 1],
  ['X-A: a-secret\u0000', 1],
  ['X-A: a-secret\nx-a: b', 2],
  ['a secret: b', 1],
])('a server with the API_HEADERS %j does not start', async (text, number) => {
  for (const name of ['API_HEADERS', 'API_HEADERS_OTHER']) {
    const { server } = await openApi({ env: { [name]: text } });
    const { message } = await server.start().then(
      () => new Error('It started.'),
      (thrown: unknown) => thrown as Error,
    );
    expect(message).toMatch(
      new RegExp(`^${name} must be lines "Name: value", .*: line ${number} can't be sent.$`),
    );
    expect(message).not.toContain('secret');
  }
});

const key: SecurityScheme = { type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'KEY' } };
const tenant = { argument: 'tenant', name: 'X-Tenant', in: 'header' } as const;
const flags = { 'pass-header': ['X-Tenant', 'x-key'] };

interface Parts {
  args?: object;
  env?: Record<string, string>;
  flags?: Record<string, string[]>;
  security?: HttpBinding['security'];
}

/** A call over HTTP with these headers: the request of the API, or the text of the refusal. */
async function pass(headers: Fields, { args = {}, security, ...parts }: Parts) {
  const api = await startApi(({ headers: received }) => ({ body: `seen: ${received['x-key'] ?? ''}` }));
  const work = { kind: 'http', method: 'GET', path: '/', parameters: [tenant], security };
  const { url } = await serve(
    {
      catalog: { tools: [{ name: 'x', inputSchema: { type: 'object' } }] },
      bindings: {
        upstream: { servers: [{ url: api.url }], securitySchemes: { key } },
        tools: { x: { do: work } },
      },
      flags,
      ...parts,
    },
    [],
  );
  const message = modern('tools/call', { name: 'x', arguments: args });
  const { text } = await makeHttpClient(url).post(message, { ...modernHead('tools/call', 'x'), ...headers });
  return { text, sent: api.requests[0]?.headers ?? {} };
}

test.each<[string, Fields, Parts, object]>([
  ['it goes on', { 'x-tenant': 'a b' }, {}, { 'x-tenant': 'a b' }],
  [
    'no other goes on',
    { 'x-other': 'no', cookie: 'sid=1', authorization: 'Bearer b' },
    {},
    { 'x-other': undefined, cookie: undefined, authorization: undefined },
  ],
  [
    'by a variable',
    { 'x-request-id': 'a' },
    { flags: {}, env: { MCP_PASS_HEADERS: ' X-Request-Id ,X-B, ' } },
    { 'x-request-id': 'a' },
  ],
  ['the flag wins', { 'x-b': 'a' }, { env: { MCP_PASS_HEADERS: 'X-B' } }, { 'x-b': undefined }],
  ['it replaces an argument', { 'x-tenant': 'a' }, { args: { tenant: 'mine' } }, { 'x-tenant': 'a' }],
  [
    'it replaces API_HEADERS',
    { 'x-tenant': 'a' },
    { env: { API_HEADERS: 'X-Tenant: b' } },
    { 'x-tenant': 'a' },
  ],
  ['the server’s key', {}, { env: { KEY: 'ours' }, security: [{ key: [] }] }, { 'x-key': 'ours' }],
  [
    'the client’s key before the server’s',
    { 'x-key': 'theirs' },
    { env: { KEY: 'ours' }, security: [{ key: [] }] },
    { 'x-key': 'theirs' },
  ],
])('a header of the client that is passed on: %s', async (_, headers, parts, want) => {
  const { sent } = await pass(headers, parts);
  expect(Object.fromEntries(Object.keys(want).map((name) => [name, sent[name]]))).toEqual(want);
});

test('a key of the client is shown to nobody, and without one nothing is sent', async () => {
  const parts = { security: [{ key: [] }] };
  expect((await pass({ 'x-key': 'their-secret' }, parts)).text).toContain('seen: [redacted]');
  const { text, sent } = await pass({}, parts);
  expect(text).toContain('Nothing was sent');
  expect(sent).toEqual({});
});

test.each([
  ...['Authorization', 'aUTHORIZATION', 'DPoP', 'Cookie', 'Proxy-Authorization', 'Proxy-Connection', 'Host'],
  ...['Connection', 'Keep-Alive', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'Accept-Encoding'],
  ...['Content-Type', 'Content-Length', 'Mcp-Session-Id', 'MCP-Protocol-Version', 'Sec-WebSocket-Key'],
  ...['X Tenant', 'X-Tenant: 1'],
])('a server that would pass on %s does not start', async (name) => {
  const byFlag = await openApi({ flags: { 'pass-header': ['X-A', name] } });
  await expect(byFlag.server.start()).rejects.toThrow(`--pass-header can't be ${name}: `);
  const byVariable = await openApi({ env: { MCP_PASS_HEADERS: `X-A,${name}` } });
  await expect(byVariable.server.start()).rejects.toThrow(`MCP_PASS_HEADERS can't be ${name}: `);
});
