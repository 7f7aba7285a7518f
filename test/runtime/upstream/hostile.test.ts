/** APIs that misbehave: each is an error with words, or an answer that still helps, and never a crash or a hang. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import type { HttpBinding, SecuritySchemeBinding } from '../../../templates/runtime/contract/bindings.ts';
import { toToolResult } from '../../../templates/runtime/upstream/tool-result.ts';
import { call, headerOf, rawServer, refusal, type Received } from './loopback.ts';

const get: HttpBinding = { kind: 'http', method: 'GET', path: '/', parameters: [] };
const ok = (body: string, headers = ''): string =>
  `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const json = 'Content-Type: application/json\r\n';
const text = 'Content-Type: text/plain\r\n';

test('hangs before the answer', async () => {
  const upstream = await rawServer(() => undefined);
  const error = await refusal(call(upstream.url, get, {}, { limits: { timeoutMs: 60 } }));
  await upstream.close();
  expect(error.code).toBe('timeout');
  expect(error.message).toContain('0.06 seconds');
});

test('hangs in the middle of the answer', async () => {
  const upstream = await rawServer(() => 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc');
  const error = await refusal(call(upstream.url, get, {}, { limits: { timeoutMs: 60 } }));
  await upstream.close();
  expect(error.code).toBe('timeout');
});

test.each<[string, string, RegExp]>([
  ['resets', '', /closed the connection/],
  ['breaks off in the headers', 'HTTP/1.1 200 OK\r\nContent-', /closed the connection/],
  ['breaks off in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', /closed the connection/],
  [
    'breaks off in a chunk',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
    /closed the connection/,
  ],
  ['is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', /not valid HTTP/],
  ['has endless headers', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`, /not valid HTTP/],
  [
    'names two lengths',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    /not valid HTTP/,
  ],
  ['switches protocols', 'HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', /switched protocols/],
  ['says gzip and is not', ok('no gzip', 'Content-Encoding: gzip\r\n'), /could not be read \(Z_DATA_ERROR\)/],
  ['has an unknown coding', ok('x', 'Content-Encoding: zstd-9\r\n'), /could not be read/],
])('%s', async (_, reply, want) => {
  const upstream = await rawServer((_request, socket) => {
    socket.end(reply);
    return undefined;
  });
  const error = await refusal(call(upstream.url, get, {}, { limits: { retries: 0 } }));
  await upstream.close();
  expect(error.code).toBe('network');
  expect(error.message).toMatch(want);
  expect(error.message).toContain(upstream.url);
});

test.each<{ what: string; name?: string; ownServer?: boolean; want: RegExp }>([
  { what: 'the API', want: /refuses connections.*\(API_BASE_URL\)/ },
  { what: 'one of several', name: 'RAIL', want: /refuses connections.*\(API_BASE_URL_RAIL\)/ },
  {
    what: 'a server of an operation’s own',
    name: 'RAIL',
    ownServer: true,
    want: /refuses connections.*\(API_BASE_URL_RAIL_127_0_0_1_\d+\)/,
  },
])('nobody listens at $what, and its own variable is named', async ({ name, ownServer = false, want }) => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const binding = ownServer ? { ...get, servers: [{ url }] } : get;
  const api = name === undefined ? {} : { name };
  const error = await refusal(call(ownServer ? '' : url, binding, {}, { api, limits: { retries: 0 } }));
  expect(error.message).toMatch(want);
});

test('a redirect to nowhere names the variable of its API', async () => {
  const upstream = await rawServer(
    () => 'HTTP/1.1 302 Found\r\nLocation: file:///x\r\nContent-Length: 0\r\n\r\n',
  );
  const error = await refusal(call(upstream.url, get, {}, { api: { name: 'RAIL' } }));
  await upstream.close();
  expect(error.message).toContain('check API_BASE_URL_RAIL.');
});

test('more bytes than the length says are nobody’s answer', async () => {
  const upstream = await rawServer(() => `${ok('abc', text)}HTTP/1.1 200 OK\r\n\r\ngarbage`);
  const first = await call(upstream.url, get);
  const second = await call(upstream.url, get);
  await upstream.close();
  expect([first.body, second.body]).toEqual(Array(2).fill({ kind: 'text', text: 'abc' }));
});

test('an endless body is cut, and the connection ends', async () => {
  let isClosed: () => void;
  const closed = new Promise<void>((resolve) => (isClosed = resolve));
  const upstream = await rawServer((_request, socket) => {
    socket.on('close', () => {
      isClosed();
    });
    socket.write(`HTTP/1.1 200 OK\r\n${text}\r\n`);
    const more = (): void => {
      if (!socket.destroyed) socket.write('x'.repeat(1000), () => setImmediate(more));
    };
    more();
    return undefined;
  });
  const answer = await call(upstream.url, get, {}, { limits: { responseBytes: 5000 } });
  await closed;
  await upstream.close();
  expect(answer.truncated).toBe(true);
  expect(answer.body).toEqual({ kind: 'text', text: 'x'.repeat(5000) });
});

test('a decompression bomb is cut', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000, 'x'));
  const head = `HTTP/1.1 200 OK\r\n${text}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
  const upstream = await rawServer(() => Buffer.concat([Buffer.from(head), bomb]));
  const answer = await call(upstream.url, get, {}, { limits: { responseBytes: 4000 } });
  await upstream.close();
  expect([answer.truncated, answer.body.kind === 'text' && answer.body.text.length]).toEqual([true, 4000]);
});

test.each([
  ['gzip', gzipSync('hällo')],
  ['br', brotliCompressSync('hällo')],
  ['deflate', deflateSync('hällo')],
  ['gzip, br', brotliCompressSync(gzipSync('hällo'))],
  ['identity', Buffer.from('hällo')],
])('%s is undone', async (coding, body) => {
  const head = `HTTP/1.1 200 OK\r\n${text}Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const upstream = await rawServer(() => Buffer.concat([Buffer.from(head), body]));
  const answer = await call(upstream.url, get);
  await upstream.close();
  expect(answer.body).toEqual({ kind: 'text', text: 'hällo' });
});

test('a compressed answer without a body', async () => {
  const upstream = await rawServer(() => 'HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n');
  const answer = await call(upstream.url, get);
  await upstream.close();
  expect(answer.body).toEqual({ kind: 'none' });
});

const redirect = (location: string, status = 302): string =>
  `HTTP/1.1 ${status} Moved\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;

test('redirects without end', async () => {
  const upstream = await rawServer((_request, _socket, index) => redirect(`/${index + 1}`));
  const error = await refusal(call(upstream.url, get));
  await upstream.close();
  expect(error.code).toBe('redirect');
  expect(error.message).toContain('more than 5 times');
  expect(upstream.requests).toHaveLength(6);
});

test.each(['file:///etc/passwd', 'javascript:alert(1)', 'http://'])('a redirect to %s', async (location) => {
  const upstream = await rawServer(() => redirect(location));
  const error = await refusal(call(upstream.url, get));
  await upstream.close();
  expect(error.code).toBe('redirect');
  expect(upstream.requests).toHaveLength(1);
});

const securitySchemes: Record<string, SecuritySchemeBinding> = {
  key: { type: 'apiKey', in: 'query', name: 'key', env: { key: 'KEY' } },
  token: { type: 'bearer', env: { token: 'TOKEN' } },
  sid: { type: 'apiKey', in: 'cookie', name: 'sid', env: { key: 'SID' } },
};
const secured = {
  api: { securitySchemes, security: [{ key: [], token: [], sid: [] }] },
  settings: { env: { KEY: 'key-secret', TOKEN: 'token-secret', SID: 'sid-secret' } },
};

function everything(received: Received | undefined): string {
  return [received?.line, ...(received?.headers ?? [])].join('\n');
}

test('a redirect to another origin carries no credential and no other header of ours', async () => {
  const other = await rawServer(() => ok('{}', json));
  const upstream = await rawServer(() => redirect(`${other.url}/taken`));
  const parameters = [{ argument: 'x', name: 'X-Private', in: 'header' as const }];
  const answer = await call(upstream.url, { parameters }, { x: 'mine' }, secured);
  await upstream.close();
  await other.close();
  expect(answer.status).toBe(200);
  expect(everything(upstream.requests[0])).toContain('token-secret');
  expect(other.requests.map((one) => one.line)).toEqual(['GET /taken HTTP/1.1']);
  expect(everything(other.requests[0])).not.toMatch(/secret|X-Private/);
});

test('a redirect at the same origin keeps header and cookie credentials', async () => {
  const upstream = await rawServer((_request, _socket, index) =>
    index === 0 ? redirect('b?c=1') : ok('{}', json),
  );
  await call(upstream.url, { path: '/a/x' }, {}, secured);
  await upstream.close();
  expect(upstream.requests[1]?.line).toBe('GET /a/b?c=1 HTTP/1.1');
  expect(everything(upstream.requests[1])).toMatch(
    /token-secret[\s\S]*sid-secret|sid-secret[\s\S]*token-secret/,
  );
});

const body = { kind: 'json' as const, mediaType: 'application/json', argument: 'body' };

test.each([
  [303, ['POST /', 'GET /next'], 200],
  [307, ['POST /', 'POST /next'], 200],
  [308, ['POST /', 'POST /next'], 200],
  [301, ['POST /'], 301],
  [302, ['POST /'], 302],
])('POST and %i at the same origin', async (status, lines, want) => {
  const upstream = await rawServer((_r, _s, index) =>
    index === 0 ? redirect('/next', status) : ok('{}', json),
  );
  const answer = await call(upstream.url, { method: 'POST', body }, { body: 1 });
  await upstream.close();
  expect(upstream.requests.map((one) => one.line.replace(' HTTP/1.1', ''))).toEqual(lines);
  expect(answer.status).toBe(want);
  if (lines[1]?.startsWith('GET') === true)
    expect(headerOf(upstream.requests[1], 'Content-Type')).toBeUndefined();
});

test('a body never goes to another origin', async () => {
  const other = await rawServer();
  const upstream = await rawServer(() => redirect(other.url, 307));
  const answer = await call(upstream.url, { method: 'POST', body }, { body: 'private' });
  await upstream.close();
  await other.close();
  expect(answer.status).toBe(307);
  expect(toToolResult(answer, get).isError).toBe(true);
  expect(other.requests).toEqual([]);
});

const unavailable = (headers = ''): string => `HTTP/1.1 503 Down\r\n${headers}Content-Length: 0\r\n\r\n`;

test.each([
  ['GET', 3],
  ['PUT', 3],
  ['DELETE', 3],
  ['OPTIONS', 3],
  ['TRACE', 3],
  ['POST', 1],
  ['PATCH', 1],
])('%s and 503: %i requests', async (method, want) => {
  const upstream = await rawServer(() => unavailable());
  const answer = await call(upstream.url, { method });
  await upstream.close();
  expect([answer.status, upstream.requests.length]).toEqual([503, want]);
});

test.each([
  [500, 1],
  [502, 3],
  [504, 3],
  [429, 1],
])('GET and %i: %i requests', async (status, want) => {
  const upstream = await rawServer(() => unavailable().replace('503', String(status)));
  const answer = await call(upstream.url, get);
  await upstream.close();
  expect([answer.status, upstream.requests.length]).toEqual([status, want]);
});

test.each([
  ['Retry-After: 0\r\n', 3],
  ['Retry-After: 3600\r\n', 1],
  [`Retry-After: ${new Date(Date.now() + 3_600_000).toUTCString()}\r\n`, 1],
])('503 with %j: %i requests', async (header, want) => {
  const upstream = await rawServer(() => unavailable(header));
  const answer = await call(upstream.url, get);
  await upstream.close();
  expect(upstream.requests).toHaveLength(want);
  expect(toToolResult(answer, get).isError).toBe(true);
});

test.each([
  ['', 1],
  ['Retry-After: 0\r\n', 3],
])('429 with %j: %i requests', async (header, want) => {
  const upstream = await rawServer(() => `HTTP/1.1 429 Slow\r\n${header}Content-Length: 0\r\n\r\n`);
  await call(upstream.url, get);
  await upstream.close();
  expect(upstream.requests).toHaveLength(want);
});

test('a passing failure is not the caller’s business', async () => {
  const upstream = await rawServer((_request, socket, index) => {
    if (index === 0) socket.destroy();
    else return index === 1 ? unavailable() : ok('{"a":1}', json);
    return undefined;
  });
  const answer = await call(upstream.url, get);
  await upstream.close();
  expect(answer.body).toEqual({ kind: 'json', value: { a: 1 } });
});

test('the caller’s signal ends a call under way', async () => {
  const controller = new AbortController();
  const upstream = await rawServer(() => {
    controller.abort();
    return undefined;
  });
  const error = await refusal(call(upstream.url, get, {}, { signal: controller.signal }));
  await upstream.close();
  expect(error.code).toBe('aborted');
});

test('an aborted caller sends nothing', async () => {
  const upstream = await rawServer();
  const error = await refusal(call(upstream.url, get, {}, { signal: AbortSignal.abort() }));
  await upstream.close();
  expect([error.code, upstream.requests]).toEqual(['aborted', []]);
});
