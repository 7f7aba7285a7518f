import { allFeatures as features } from '../../../templates/runtime/all-features.ts';
import { expect, test } from 'vitest';
import { UsageError } from '../../../templates/runtime/contract/feature.ts';
import { parseSettings } from '../../../templates/runtime/main/settings.ts';

test.each([
  ['https://app.example', ['https://app.example']],
  ['HTTPS://App.Example:443/', ['https://app.example']],
  ['http://[0:0:0:0:0:0:0:1]:5173', ['http://[::1]:5173']],
  [' https://a.example ,,http://b.example:8080', ['https://a.example', 'http://b.example:8080']],
  ['vscode-webview://abc', ['vscode-webview://abc']],
  ['', []],
])('MCP_ALLOWED_ORIGINS=%j is read as browsers write origins', async (value, want) => {
  const { allowedOrigins } = await parseSettings(new Map(), { MCP_ALLOWED_ORIGINS: value }, { features });
  expect(allowedOrigins).toEqual(want);
});

test.each([
  ['::1', '::1'],
  ['[::1]', '::1'],
  ['localhost', 'localhost'],
])('--host %s binds %s', async (value, want) => {
  const flags = new Map([
    ['transport', ['http']],
    ['host', [value]],
  ]);
  expect((await parseSettings(flags, {}, { features })).host).toBe(want);
});

const http: [string, string[]][] = [['transport', ['http']]];

test.each<[string[] | undefined, string | undefined, string[]]>([
  [undefined, undefined, []],
  [undefined, '', []],
  [['X-Tenant', 'x-request-id', 'X-TENANT'], undefined, ['x-tenant', 'x-request-id']],
  [undefined, ' X-Tenant ,traceparent, ', ['x-tenant', 'traceparent']],
  [['Accept-Language'], 'X-Tenant', ['accept-language']],
  // what only looks like those that are refused
  [
    ['X-Authorization', 'X-Mcp-Name', 'Hostname', 'Proxied'],
    undefined,
    ['x-authorization', 'x-mcp-name', 'hostname', 'proxied'],
  ],
])('--pass-header %j and MCP_PASS_HEADERS=%s let through %j', async (flag, variable, want) => {
  const flags = new Map(flag === undefined ? http : [...http, ['pass-header', flag]]);
  expect(
    (await parseSettings(flags, { MCP_PASS_HEADERS: variable }, { features })).http?.passHeaders,
  ).toEqual(want);
});

test.each([
  ['Authorization', 'proves who calls this server'],
  ['aUTHORIZATION', 'proves who calls this server'],
  ['DPoP', 'proves who calls this server'],
  ['Cookie', 'cookies are of this server'],
  ['Proxy-Authorization', 'between a client and its proxy'],
  ['Proxy-Connection', 'between a client and its proxy'],
  ['Host', 'belongs to one connection'],
  ['Connection', 'belongs to one connection'],
  ['Keep-Alive', 'belongs to one connection'],
  ['TE', 'belongs to one connection'],
  ['Trailer', 'belongs to one connection'],
  ['Transfer-Encoding', 'belongs to one connection'],
  ['Upgrade', 'belongs to one connection'],
  ['Accept-Encoding', 'belongs to one connection'],
  ['Content-Type', 'describes the body of the MCP message'],
  ['Content-Length', 'describes the body of the MCP message'],
  ['Mcp-Session-Id', 'is of the protocol'],
  ['MCP-Protocol-Version', 'is of the protocol'],
  ['Sec-WebSocket-Key', 'is of the protocol'],
  ['X Tenant', 'is no name of a header'],
  ['X-Tenant: 1', 'is no name of a header'],
])('%s is not let through', async (name, reason) => {
  await expect(
    parseSettings(new Map([...http, ['pass-header', ['X-A', name]]]), {}, { features }),
  ).rejects.toThrow(`--pass-header can't be ${name}: `);
  await expect(
    parseSettings(new Map(http), { MCP_PASS_HEADERS: `X-A,${name}` }, { features }),
  ).rejects.toThrow(reason);
});

test.each<[string[], string | undefined, boolean]>([
  [[], undefined, false],
  [[], '', false],
  [[], '0', false],
  [[], '1', true],
  [['mock'], undefined, true],
  [['mock'], '0', true],
])('with %j and MCP_MOCK=%s, mock mode is %s', async (names, variable, want) => {
  const flags = new Map(names.map((name) => [name, []]));
  expect((await parseSettings(flags, { MCP_MOCK: variable }, { features })).mock).toBe(want);
});

test.each([
  ['Host: a', 'the header Host: the HTTP client sets it alone'],
  ['content-length: 1', 'the header content-length: the HTTP client'],
  ['X-A: 1\nConnection: close', 'the header Connection: the HTTP client'],
  ['Transfer-Encoding: chunked', 'the header Transfer-Encoding: the HTTP client'],
  ['TE: trailers', 'the header TE: the HTTP client'],
  ['{"Upgrade": "h2c"}', 'the header Upgrade: the HTTP client'],
  ['Proxy-Authorization: a-secret', 'the header Proxy-Authorization: the HTTP client'],
  ['X-A: a-secret\r\nX-B: b', 'the header X-A: its value has a carriage return, NUL or another control'],
  ['{"X-A": "a-secret\\u0000"}', 'the header X-A: its value has a carriage return, NUL'],
  ['{"X-A": "a-secret\\nX-B: b"}', 'the header X-A: its value has a carriage return, NUL'],
  ['X-A: a-secret\nx-a: b', 'the header x-a: it is there twice'],
  ['X-A: b\na-secret', 'must have lines such as "Name: value", but line 2 is none'],
  ['a secret: b', 'must have lines such as "Name: value", but line 1 is none'],
  ['{"X-A": a-secret}', 'must be a JSON object of header names and texts, but is no JSON'],
  ['{"X-A": 1}', 'but X-A is no text'],
  ['{"a secret": "b"}', 'but has a member that is no header name'],
])('API_HEADERS=%j is refused without its values', async (value, problem) => {
  for (const name of ['API_HEADERS', 'API_HEADERS_PETS']) {
    const refused = parseSettings(new Map(), { [name]: value }, { features });
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(problem);
    await expect(refused).rejects.not.toThrow(/a.secret/);
  }
});

test.each<[Record<string, string>, object]>([
  [{}, {}],
  [{ API_TIMEOUT_MS: '', API_RESPONSE_BYTES: '', API_RESULT_CHARACTERS: '' }, {}],
  [
    { API_TIMEOUT_MS: '300000', API_RESPONSE_BYTES: '52428800', API_RESULT_CHARACTERS: '2000' },
    { timeoutMs: 300_000, responseBytes: 52_428_800, resultCharacters: 2_000 },
  ],
  [
    { API_FILE_BYTES: '8', API_STREAM_ITEMS: '9', API_STREAM_MS: '10' },
    { fileBytes: 8, streamItems: 9, streamMs: 10 },
  ],
  [{ API_TIMEOUT_MS: '2147483647' }, { timeoutMs: 2_147_483_647 }],
  [{ API_CONCURRENCY: '4' }, { concurrency: 4 }],
])('%j bounds the calls of the API by %j', async (env, want) => {
  expect((await parseSettings(new Map(), env, { features })).upstreamLimits).toEqual(want);
});

test.each([
  ['API_TIMEOUT_MS', '0', '1 to 2147483647'],
  // Node's timers take it for 1 ms.
  ['API_TIMEOUT_MS', '2147483648', '1 to 2147483647'],
  ['API_TIMEOUT_MS', '60s', '1 to 2147483647'],
  ['API_RESPONSE_BYTES', '10 MiB', '1 to 268435456'],
  ['API_RESPONSE_BYTES', '268435457', '1 to 268435456'],
  ['API_RESULT_CHARACTERS', '-1', '1 to 50000000'],
  ['API_CONCURRENCY', '0', '1 to 10000'],
  ['API_RESULT_CHARACTERS', '50000001', '1 to 50000000'],
])('%s=%s is refused', async (name, value, range) => {
  await expect(parseSettings(new Map(), { [name]: value }, { features })).rejects.toThrow(
    `${name} must be a whole number, ${range}, not ${value}.`,
  );
});
