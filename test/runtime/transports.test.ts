// What clients meet at the HTTP endpoint and on stdio: each row is a request, and what must come of it.
import { request } from 'node:http';
import { PassThrough, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import type { Feature, MethodCall } from '../../templates/runtime/feature.ts';
import type { Session } from '../../templates/runtime/session.ts';
import { serveStdio } from '../../templates/runtime/run.ts';
import type { Context } from '../../templates/runtime/types.ts';
import {
  call,
  callHead,
  failure,
  type Fields,
  gate,
  hello,
  meta,
  META,
  MODERN,
  modern,
  modernCall,
  modernHead,
  ping,
  ready,
  start,
} from './client.ts';
import { makeServer, resetLimits } from './core.ts';

afterAll(resetLimits);

const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const done = (id: unknown = 2) => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text: 'done' }] },
});
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

/** A feature that hands each request to `see`: the way to a session from outside. */
const watch = (see: (call: MethodCall) => void): Feature => ({
  name: 'watch',
  aroundRequest: (methodCall, next) => {
    see(methodCall);
    return next(methodCall);
  },
});

// Legacy: what is refused, and how.

test.each<[string, string, Fields, unknown, number, (number | undefined)?, unknown?]>([
  ['PUT', 'PUT', {}, call, 405, -32600],
  ['no type', 'POST', { 'content-type': undefined }, call, 415, -32600],
  ['a type that looks alike', 'POST', { 'content-type': 'application/json-seq' }, call, 415, -32600],
  ['a compressed body', 'POST', { 'content-encoding': 'gzip' }, gzipSync('{}'), 415, -32600],
  ['a charset', 'POST', { 'content-type': 'Application/JSON; charset=utf-8' }, call, 200, undefined, 2],
  ['no accept, which means any', 'POST', { accept: undefined }, call, 200, undefined, 2],
  ['JSON only', 'POST', { accept: 'application/json' }, call, 406, -32600],
  ['weights', 'POST', { accept: 'Text/Event-Stream;q=0.5, application/*;q=0.001' }, call, 200, undefined, 2],
  ['no JSON', 'POST', {}, '{"jsonrpc"', 400, -32700],
  ['no UTF-8', 'POST', {}, Buffer.from('{"id":"\xfc"}', 'latin1'), 400, -32700],
  ['a byte order mark', 'POST', {}, `\uFEFF${JSON.stringify(call)}`, 200, undefined, 2],
  ['no message', 'POST', {}, '{"id":7}', 400, -32600, 7],
  ['a null id', 'POST', {}, { ...ping, id: null }, 400, -32600],
  ['no session', 'POST', { 'mcp-session-id': undefined }, call, 400, -32600, 2],
  ['an unknown session', 'POST', { 'mcp-session-id': 'none' }, call, 404, -32600, 2],
  ['a second initialize', 'POST', {}, hello(), 200, -32600, 'open'],
  ['another legacy version', 'POST', { 'mcp-protocol-version': '2025-06-18' }, call, 200, undefined, 2],
  ['a version between', 'POST', { 'mcp-protocol-version': '2026-01-01' }, call, 400, -32600, 2],
  ['GET of JSON', 'GET', { accept: 'application/json' }, '', 406, -32600],
  ['GET without session', 'GET', { 'mcp-session-id': undefined }, '', 400, -32600],
  ['GET of the modern era', 'GET', { 'mcp-protocol-version': MODERN }, '', 405, -32600],
])('%s', async (_, method, headers, body, status, code, id) => {
  const { open, send, counted } = await start();
  const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const answer = await send(method, '/mcp', { ...types, ...(await open()), ...headers }, text);
  expect([answer.status, answer.json.error?.code, answer.json.id]).toEqual([status, code, id]);
  expect(counted.calls).toBe(status === 200 && code === undefined ? 1 : 0);
  expect(answer.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  });
  if (status === 405) expect(answer.headers.allow).toMatch(/^(GET, POST, DELETE|POST), OPTIONS$/);
  if (headers['content-encoding'] === 'gzip') expect(answer.headers['accept-encoding']).toBe('identity');
});

test.each(LEGACY)('%s: a session opens, answers, takes notifications and ends', async (revision) => {
  const { open, post, send, listen, counted } = await start();
  const [session, other] = [await open(revision), await open(revision)];
  expect(session['mcp-session-id']).toMatch(/^[\x21-\x7e]{22,}$/);
  expect((await post(call, session)).json).toEqual(done());
  for (const message of [
    ready,
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'nobody' } },
    { jsonrpc: '2.0', method: 'tools/call', params: { name: 'x' } },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } },
  ])
    expect(await post(message, session)).toMatchObject({ status: 202, text: '' });
  expect(await send('DELETE', '/mcp', session)).toMatchObject({ status: 204, text: '' });
  expect((await post(call, session)).status).toBe(404);
  expect((await listen(session)).status).toBe(404);
  expect((await post(call, other)).status).toBe(200);
  expect(counted.calls).toBe(2);
});

test('an initialize that fails opens no session', async () => {
  const { post } = await start();
  const { status, headers, json } = await post({ ...hello(), params: {} });
  expect([status, headers['mcp-session-id'], json.error?.code]).toEqual([200, undefined, -32602]);
});

test.each<[string, string, unknown[], number, unknown]>([
  ['two calls', '2025-03-26', [call, { ...call, id: 3 }], 200, [done(2), done(3)]],
  ['no request', '2025-03-26', [ready, { jsonrpc: '2.0', id: 1, result: {} }], 202, undefined],
  ['a call and what is none', '2025-03-26', [call, 1], 200, [2, undefined]],
  ['nothing', '2025-03-26', [], 400, -32600],
  ['an initialize', '2025-03-26', [hello(), call], 400, -32600],
  ['a modern request', '2025-03-26', [modernCall], 400, -32600],
  ['too many', '2025-03-26', Array.from({ length: 101 }, () => ping), 400, -32600],
  ['a newer revision', '2025-06-18', [call], 400, -32600],
])('a batch of %s in %s', async (_, revision, batch, status, want) => {
  const { open, post } = await start();
  const answer = await post(batch, await open(revision));
  const json = answer.json as unknown;
  const ids = (values: unknown) => (values as { id?: unknown }[]).map(({ id }) => id);
  const seen = Array.isArray(json) ? (batch.includes(1) ? ids(json) : json) : answer.json.error?.code;
  expect([answer.status, seen]).toEqual([status, want]);
});

// Modern: one POST stands alone.

const noCapabilities = {
  ...modernCall,
  params: { name: 'x', _meta: { [`${META}protocolVersion`]: MODERN } },
};
const newer = {
  ...modernCall,
  params: { name: 'x', _meta: { ...meta, [`${META}protocolVersion`]: '2099-01-01' } },
};

test.each<[string, unknown, Fields, number, number | undefined, unknown]>([
  ['with an unknown session', modernCall, { 'mcp-session-id': 'none' }, 200, undefined, 7],
  ['over the size', { ...modernCall, x: 'x'.repeat(1_000) }, {}, 413, -32600, undefined],
  ['that is no message', { ...modernCall, jsonrpc: '1.0' }, {}, 400, -32600, 7],
  ['of a response', { jsonrpc: '2.0', id: 1, result: {} }, {}, 400, -32600, undefined],
  ['without metadata', { ...modernCall, params: { name: 'x' } }, {}, 400, -32602, 7],
  ['without capabilities', noCapabilities, {}, 400, -32602, 7],
  ['of an unknown version', newer, { 'mcp-protocol-version': '2099-01-01' }, 400, -32022, 7],
  [
    'of an unknown version, by its header alone',
    { ...modernCall, params: { name: 'x' } },
    { 'mcp-protocol-version': '2099-01-01' },
    ...([400, -32022, 7] as const),
  ],
  ['of an unknown method', modern('x'), modernHead('x'), 404, -32601, 7],
  ['of a method that is no more', modern('ping'), modernHead('ping'), 404, -32601, 7],
  ['of what is not declared', modern('prompts/list'), modernHead('prompts/list'), 404, -32601, 7],
])('a modern POST %s', async (_, message, headers, status, code, id) => {
  const { post, counted } = await start({ limits: { bodyBytes: 900 } });
  const answer = await post(message, { ...callHead, ...headers });
  expect([answer.status, answer.json.error?.code, answer.json.id]).toEqual([status, code, id]);
  expect(answer.headers['mcp-session-id']).toBeUndefined();
  expect(counted.calls).toBe(code === undefined ? 1 : 0);
});

test('each refusal comes before the next', async () => {
  const { post } = await start();
  for (const [message, headers, want] of [
    ['{', { origin: 'null', 'content-type': 'text/plain', accept: 'x/y' }, 403],
    ['{', { 'content-type': 'text/plain', accept: 'x/y' }, 415],
    ['{', { accept: 'x/y' }, 406],
    ['{', {}, -32700],
    [{ ...newer, jsonrpc: '1.0', params: {} }, { 'mcp-method': 'y' }, -32600],
    [{ ...newer, method: 'y', params: {} }, {}, -32602],
    [{ ...newer, method: 'y' }, {}, -32020],
    [{ ...newer, method: 'y' }, { 'mcp-method': 'y', 'mcp-protocol-version': '2099-01-01' }, -32022],
    [{ ...modernCall, method: 'y' }, { 'mcp-method': 'y' }, -32601],
  ] as [object | string, Fields, number][]) {
    const { status, json } = await post(message, { ...callHead, ...headers });
    expect(want < 0 ? json.error?.code : status).toBe(want);
  }
});

test.each<[string, object, Fields, number]>([
  ['named by its header', {}, { 'mcp-protocol-version': MODERN }, 202],
  ['named by its metadata', { _meta: meta }, {}, 202],
  ['of no era', {}, {}, 400],
])('a notification %s cancels nothing', async (_, params, headers, status) => {
  const { open, opened } = gate();
  const { post, counted } = await start({
    handler: ({ signal }) => opened.then(() => String(signal.aborted)),
  });
  const answer = post(modernCall, callHead);
  await expect.poll(() => counted.calls).toBe(1);
  const cancelled = {
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { ...params, requestId: 7 },
  };
  expect((await post(cancelled, headers)).status).toBe(status);
  open();
  expect((await answer).json.result).toMatchObject({ content: [{ text: 'false' }] });
});

// Headers of 2026-07-28 against the body.

const encoded = (text: string, encoding: BufferEncoding = 'base64') =>
  `=?base64?${Buffer.from(text).toString(encoding)}?=`;
const MISSING = /^The header `[\w-]+` is missing\.$/;
const OTHER = /does not say what the body says\.$/;
const GARBLED = /is not encoded as it must be\.$/;

test.each<[object, Fields, RegExp | undefined]>([
  [{}, { 'Mcp-Name': '  x\t' }, undefined],
  [{}, { 'Mcp-Name': encoded('x') }, undefined],
  [{}, { 'Mcp-Param-Unknown': 'y' }, undefined],
  [{}, { 'MCP-Protocol-Version': undefined }, MISSING],
  [{}, { 'MCP-Protocol-Version': '2025-11-25' }, OTHER],
  [{}, { 'Mcp-Method': undefined }, MISSING],
  [{}, { 'Mcp-Method': 'Tools/Call' }, OTHER],
  [{}, { 'Mcp-Name': undefined }, MISSING],
  [{}, { 'Mcp-Name': '=?base64?eA?=' }, GARBLED],
  [{}, { 'Mcp-Name': '=?base64?e*==?=' }, GARBLED],
  [{}, { 'Mcp-Name': '=?base64?/w==?=' }, GARBLED],
  [{}, { 'Mcp-Name': 'x\u00a0' }, GARBLED],
  [{ region: 'eu' }, { 'Mcp-Param-Region': 'eu' }, undefined],
  [{ region: '' }, { 'Mcp-Param-Region': encoded('') }, undefined],
  [{ region: 'Ålesund' }, { 'mcp-param-region': encoded('Ålesund') }, undefined],
  [{ region: encoded('x') }, { 'Mcp-Param-Region': encoded(encoded('x')) }, undefined],
  [{ count: 42 }, { 'Mcp-Param-Count': '42.0' }, undefined],
  [{ deep: { er: 'x' } }, { 'Mcp-Param-Deeper': 'x' }, undefined],
  [{ region: 'eu' }, {}, MISSING],
  [{ region: 'eu' }, { 'Mcp-Param-Region': 'EU' }, OTHER],
  [{ region: 'Ålesund' }, { 'Mcp-Param-Region': 'Ålesund' }, GARBLED],
  [{ region: '?>?>' }, { 'Mcp-Param-Region': encoded('?>?>', 'base64url') }, GARBLED],
  [{ count: 42 }, { 'Mcp-Param-Count': '0x2a' }, OTHER],
  [{ fast: true }, { 'Mcp-Param-Fast': '1' }, OTHER],
])('the arguments %j with %j', async (args, headers, refusal) => {
  const mirrored = (type: unknown, name: string) => ({ type, 'x-mcp-header': name });
  const properties = {
    region: mirrored('string', 'Region'),
    count: mirrored('integer', 'Count'),
    fast: mirrored('boolean', 'Fast'),
    deep: { type: 'object', properties: { er: mirrored(['string', 'null'], 'Deeper') } },
    free: { type: 'string' },
  };
  const { post, counted } = await start({ inputSchema: { type: 'object', properties } });
  const head = { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'x', ...headers };
  const { status, json } = await post(modern('tools/call', { name: 'x', arguments: args }), head);
  expect([status, json.error?.code]).toEqual(refusal === undefined ? [200, undefined] : [400, -32020]);
  expect(json.error?.message ?? '').toMatch(refusal ?? /^$/);
  expect(counted.calls).toBe(refusal === undefined ? 1 : 0);
});

test('legacy requests need none of these headers, whatever they say', async () => {
  const { post, open } = await start();
  const headers = { ...(await open()), 'Mcp-Method': 'else', 'Mcp-Name': 'else' };
  expect((await post(call, headers)).status).toBe(200);
});

// Hosts, origins and heads.

const rows = (status: number, ...values: string[]) =>
  values.map((value): [string, number] => [value, status]);

test.each<[string, number]>([
  ...rows(200, '[::1]:3000', '127.0.0.1', '127.9.9.9:3000'),
  ...rows(200, 'LocalHost', 'localhost:8080', 'app.example', 'APP.example:443', 'served.example:1'),
  ...rows(403, '[::2]:3000', '[::ffff:192.168.1.7]:3000', '::1', '[::1', '[::1]3000', 'evil.example:3000'),
  ...rows(403, 'localhost.evil.example', '192.168.1.7', 'localhost:port', '[::FFFF:127.0.0.1]:3000'),
  ...rows(403, 'evil.example@localhost:3000', 'localhost/evil', 'localhost#evil'),
  ...rows(400, 'localhost, evil.example'),
])('on a loopback address the host %j is %i', async (host, status) => {
  for (const bound of ['127.0.0.1', '::1', 'localhost']) {
    const rules = { host: bound, allowedOrigins: ['https://app.example'], allowedHosts: ['served.example'] };
    const { post } = await start({ rules });
    expect((await post(modernCall, { ...callHead, host })).status, bound).toBe(status);
  }
});

test.each<[string, number]>([
  ...rows(200, 'http://[::1]:3000', 'http://localhost:5173'),
  ...rows(200, 'HTTP://LOCALHOST:5173', 'https://127.0.0.1', 'https://app.example', 'vscode-webview://abc'),
  ...rows(
    403,
    'https://app.example:8443',
    'http://app.example',
    'https://sub.app.example',
    'http://[::2]:3000',
  ),
  ...rows(403, 'http://localhost.evil.example', 'http://localhost@evil.example', 'http://x@localhost'),
  ...rows(
    403,
    'http://@localhost',
    'http://localhost/',
    'http://localhost:5173/evil',
    'http://localhost?evil',
  ),
  ...rows(403, 'http://localhost#evil', 'http:localhost', 'http:\\\\localhost', 'http://localhost.'),
  ...rows(403, 'http://loc\talhost', 'ftp://localhost', 'ws://localhost', 'file://', 'null', 'localhost', ''),
  ...rows(403, 'http://localhost, http://localhost', 'vscode-webview://abcd'),
  ...rows(200, 'app://Desk'),
])('on a loopback address the origin %j is %i', async (origin, status) => {
  const allowedOrigins = ['https://app.example', 'vscode-webview://abc', 'app://desk'];
  const { post } = await start({ rules: { host: '127.0.0.1', allowedOrigins } });
  const { status: answered, headers } = await post(modernCall, { ...callHead, origin });
  expect(answered).toBe(status);
  expect(headers['access-control-allow-origin']).toBe(status === 200 ? origin : undefined);
});

test.each<[string, Fields, number]>([
  ['any host', { host: 'server.example:3000' }, 200],
  ['an allowed origin', { host: 'server.example', origin: 'https://app.example' }, 200],
  ['an allowed page of another site', { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }, 200],
  ['a local origin', { host: 'server.example', origin: 'http://localhost:5173' }, 403],
  ['an image of another site', { 'sec-fetch-site': 'same-origin, Cross-Site' }, 403],
  [
    'a foreign origin that says it is near',
    { origin: 'https://e.example', 'sec-fetch-site': 'same-origin' },
    403,
  ],
  ['a page of the same origin', { 'sec-fetch-site': 'same-origin' }, 200],
])('on a public address, %s', async (_, headers, status) => {
  for (const bound of [
    '0.0.0.0',
    '::',
    '192.168.1.7',
    '::ffff:192.168.1.7',
    'fe80::1',
    'localhost.example',
  ]) {
    const { post } = await start({ rules: { host: bound, allowedOrigins: ['https://app.example'] } });
    expect((await post(modernCall, { ...callHead, ...headers })).status, bound).toBe(status);
  }
});

test('hosts that are named shut others out on a public address', async () => {
  const { post } = await start({ rules: { host: '0.0.0.0', allowedHosts: ['a.example'] } });
  expect((await post(modernCall, { ...callHead, host: 'A.example:1' })).status).toBe(200);
  expect((await post(modernCall, { ...callHead, host: 'b.example' })).status).toBe(403);
});

test('a page of an allowed origin may ask first, send what it needs and read the headers', async () => {
  const { send, post } = await start();
  const origin = 'http://localhost:6274';
  const asked = 'mcp-param-region, X-Other';
  const preflight = await send('OPTIONS', '/mcp', { origin, 'access-control-request-headers': asked });
  expect([preflight.status, preflight.headers]).toMatchObject([
    204,
    {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers':
        'Accept, Authorization, Content-Type, DPoP, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Mcp-Session-Id, mcp-param-region, X-Other',
    },
  ]);
  const { headers } = await post(modernCall, { ...callHead, origin });
  expect(headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-expose-headers':
      'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, DPoP-Nonce, Retry-After',
    vary: 'Origin',
  });
  const headed = await send('OPTIONS', '/mcp', { origin, 'access-control-request-headers': 'a, é' });
  expect(headed.headers['access-control-allow-headers']).not.toContain('é');
  const foreign = await send('OPTIONS', '/mcp', { origin: 'https://evil.example' });
  expect([foreign.status, foreign.headers['access-control-allow-headers']]).toEqual([403, undefined]);
});

test('probes answer whatever the host, and readiness ends first', async () => {
  const { send, server } = await start();
  const host = 'pod.example';
  expect(await send('GET', '/healthz', { host })).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  expect(await send('GET', '/readyz', { host })).toMatchObject({ status: 200, text: '{"status":"ready"}' });
  expect(await send('HEAD', '/livez', { host })).toMatchObject({ status: 200, text: '' });
  expect((await send('POST', '/readyz', {})).status).toBe(405);
  server.beginStopping();
  expect(await send('GET', '/readyz', { host })).toMatchObject({
    status: 503,
    text: '{"status":"draining"}',
  });
  expect((await send('GET', '/livez', { host })).status).toBe(200);
});

// Streams.

test.each(LEGACY)('%s: what must be sent first opens a stream of events', async (revision) => {
  const { stream, open } = await start({
    handler: async ({ log }) => {
      await log('info', 'line\nbreak');
      return 'done';
    },
  });
  const { status, headers, seen, messages } = await stream(call, await open(revision));
  expect([status, headers]).toMatchObject([
    200,
    {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    },
  ]);
  await expect.poll(() => seen.isOver).toBe(true);
  expect(seen.isWhole).toBe(true);
  expect(messages()).toMatchObject([{ params: { data: 'line\nbreak' } }, done()]);
  expect(seen.text).toMatch(
    /^(?:id: 1-0\nretry: 1000\ndata: \n\n)?(?:event: message\nid: .+\ndata: .+\n\n){2}$/,
  );
});

test('each message goes on one stream, and the last GET has what belongs to no call', async () => {
  const { open: release, opened } = gate();
  const sessions: Session[] = [];
  const { stream, listen, open, post } = await start({
    features: [watch(({ session }) => void sessions.push(session))],
    handler: async ({ log, meta: own }) => {
      await log('info', own?.['of']);
      await opened;
      return 'done';
    },
  });
  const head = await open();
  await post(ping, head);
  const push = (uri: string) =>
    sessions[0]?.push({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
  const first = await listen(head);
  expect([first.status, first.headers['content-type']]).toEqual([200, 'text/event-stream']);
  const calls = await Promise.all(
    ['a', 'b'].map((of) => stream({ ...call, id: of, params: { name: 'x', _meta: { of } } }, head)),
  );
  push('a:first');
  await expect.poll(() => first.messages().length).toBe(1);
  const second = await listen(head);
  await expect.poll(() => first.seen.isOver).toBe(true);
  push('a:second');
  await expect.poll(() => second.messages().length).toBe(1);
  release();
  for (const [index, of] of ['a', 'b'].entries()) {
    await expect.poll(() => calls[index]?.seen.isOver).toBe(true);
    expect(calls[index]?.messages()).toMatchObject([{ params: { data: of } }, done(of)]);
  }
  expect(first.messages().map(({ params }) => params)).toEqual([{ uri: 'a:first' }]);
  expect(second.messages().map(({ params }) => params)).toEqual([{ uri: 'a:second' }]);
});

test('DELETE ends the stream of its session, and cancels what is at work', async () => {
  const aborted: boolean[] = [];
  const { listen, open, send, stream, counted } = await start({
    handler: async ({ signal }) => {
      await untilAborted(signal);
      aborted.push(signal.aborted);
    },
  });
  const session = await open();
  const heard = await listen(session);
  const working = stream(call, session);
  await expect.poll(() => counted.calls).toBe(1);
  expect((await send('DELETE', '/mcp', session)).status).toBe(204);
  expect([await heard.rest(), heard.seen.isWhole, aborted]).toEqual([expect.anything(), true, [true]]);
  expect((await (await working).rest()).filter(({ data }) => data)).toEqual([]);
});

test('open streams are kept alive by comments', async () => {
  const { open: release, opened } = gate();
  const { listen, stream, open } = await start({
    limits: { keepAliveMs: 5 },
    handler: async ({ log }) => {
      await log('info', 'first');
      await opened;
    },
  });
  const session = await open();
  for (const { seen } of [await listen(session), await stream(call, session)])
    await expect.poll(() => seen.text).toContain('\n\n:\n\n'.slice(2));
  release();
});

test('a silent call becomes a stream with comments, and its answer comes last', async () => {
  const { open: release, opened } = gate();
  const { stream, open } = await start({ limits: { keepAliveMs: 5 }, handler: () => opened });
  const { response, seen, messages } = await stream(call, await open());
  await expect.poll(() => seen.text).toContain(':\n\n:\n\n');
  expect(response.headers['content-type']).toBe('text/event-stream');
  const batch = await stream([{ ...call, id: 3 }], await open('2025-03-26'));
  await expect.poll(() => batch.seen.text).toContain(':\n\n:\n\n');
  release();
  await expect.poll(() => messages().length).toBe(1);
});

test('a slow reader holds up the one who writes, and gets everything in order', async () => {
  let written = 0;
  const { stream, open } = await start({
    limits: { logsPerSecond: 1_000 },
    handler: async ({ log }) => {
      for (; written < 300; written++) await log('info', 'x'.repeat(100_000));
    },
  });
  const { response, seen, messages } = await stream(call, await open());
  response.pause();
  let before = -1;
  await expect.poll(() => written === before || void (before = written), { interval: 100 }).toBe(true);
  expect(before).toBeLessThan(300);
  response.resume();
  await expect.poll(() => seen.isOver).toBe(true);
  expect(messages().length).toBe(301);
});

test('a client that reads its GET too slowly is cut off', async () => {
  const sessions: Session[] = [];
  const { listen, open, post } = await start({
    limits: { streamBytes: 200_000 },
    features: [watch(({ session }) => void sessions.push(session))],
  });
  const head = await open();
  await post(ping, head);
  const { response, seen } = await listen(head);
  response.pause();
  for (let count = 0; count < 300; count++) {
    const params = { uri: `a:${count}${'x'.repeat(100_000)}` };
    sessions[0]?.push({ jsonrpc: '2.0', method: 'notifications/resources/updated', params });
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.resume();
  await expect.poll(() => seen.isOver).toBe(true);
  expect(seen.isWhole).toBe(false);
});

test.each([
  ['before anything was sent', false],
  ['in the middle of the stream', true],
])('a modern client that goes away %s cancels its call, and no other', async (_, logs) => {
  const { open: release, opened } = gate();
  const aborted: boolean[] = [];
  const { stream, post, counted } = await start({
    handler: async ({ log, signal }) => {
      if (logs) await log('info', 1);
      await Promise.race([opened, untilAborted(signal)]);
      aborted.push(signal.aborted);
      return 'done';
    },
  });
  const logging = { ...modernCall, params: { name: 'x', _meta: { ...meta, [`${META}logLevel`]: 'info' } } };
  const other = post(logging, callHead);
  await expect.poll(() => counted.calls).toBe(1);
  const leaving = new AbortController();
  const left = stream(logging, callHead, leaving.signal);
  if (logs) await left;
  await expect.poll(() => counted.calls).toBe(2);
  leaving.abort();
  if (!logs) await expect(left).rejects.toThrow();
  await expect.poll(() => aborted).toEqual([true]);
  release();
  expect((await other).status).toBe(200);
});

// Limits.

test.each<[string, Fields]>([
  ['said', { 'content-length': '1100' }],
  ['not said', { 'transfer-encoding': 'chunked' }],
])('a body over the limit is 413, its length %s', async (_, headers) => {
  const { post, open, counted } = await start({ limits: { bodyBytes: 500 } });
  const session = await open();
  const answer = await post(JSON.stringify(call).padEnd(1_100), { ...session, ...headers });
  expect([answer.status, answer.headers.connection, counted.calls]).toEqual([413, 'close', 0]);
  expect((await post(call, session)).status).toBe(200);
});

test('new bodies are refused while others wait for too many bytes, and the oldest stay', async () => {
  const { post, url, requests } = await start({ limits: { heldBytes: 2_000, shortBytes: 0 } });
  const head = { 'content-type': 'application/json', accept: '*/*', ...callHead };
  const text = JSON.stringify(modernCall).padEnd(1_800);
  const body = request(`${url}/mcp`, { method: 'POST', headers: head, agent: false });
  const slow = new Promise((resolve) =>
    body.once('response', (response) => resolve(response.resume().statusCode)),
  );
  body.write(text.slice(0, 1_700));
  await expect.poll(() => requests.length).toBe(1);
  await sleep(20);
  const refused = await post(JSON.stringify(modernCall).padEnd(1_000), callHead);
  expect([refused.status, refused.headers['retry-after'], refused.headers.connection]).toEqual([
    503,
    '1',
    'close',
  ]);
  body.end(text.slice(1_700));
  expect(await slow).toBe(200);
  expect((await post(modernCall, callHead)).status).toBe(200);
});

test('a body counts until its request is answered', async () => {
  const { open: release, opened } = gate();
  const { post, counted } = await start({
    limits: { heldBytes: 2_000, shortBytes: 0 },
    handler: () => opened.then(() => 'done'),
  });
  const slow = post(JSON.stringify(modernCall).padEnd(1_800), callHead);
  await expect.poll(() => counted.calls).toBe(1);
  const list = () => post(JSON.stringify(modern('tools/list')).padEnd(1_000), modernHead('tools/list'));
  expect((await list()).status).toBe(503);
  release();
  expect((await slow).status).toBe(200);
  await expect.poll(async () => (await list()).status).toBe(200);
});

test('an answer that its client does not read is given up', async () => {
  const { stream, post } = await start({
    limits: { heldBytes: 1_000_000, unreadMs: 200 },
    handler: () => 'x'.repeat(8_000_000),
  });
  const { response, seen } = await stream(modernCall, callHead);
  response.pause();
  const list = async () => (await post(modern('tools/list'), modernHead('tools/list'))).status;
  await expect.poll(list).toBe(503);
  await expect.poll(list).toBe(200);
  response.resume();
  await expect.poll(() => seen.isOver).toBe(true);
  expect(seen.isWhole).toBe(false);
});

test.each<[string, (context: Context) => unknown, Fields, object]>([
  ['a result', () => 'x'.repeat(2_000), callHead, modernCall],
  [
    'a result on a stream',
    async ({ log }) => (await log('info', 'a'), 'x'.repeat(2_000)),
    callHead,
    modernCall,
  ],
])('over HTTP, too, %s over the limit says so', async (_, handler, head, message) => {
  const level = { ...meta, [`${META}logLevel`]: 'info' };
  const { post } = await start({ limits: { writtenBytes: 1_000 }, handler });
  const params = { name: 'x', _meta: level };
  expect((await post({ ...message, params }, head)).text).toContain('longer than 1000 bytes');
});

// How many of them one client may have: http-sessions.test.ts.
test('opening a session counts as a call', async () => {
  const { open, post } = await start({ callsPerMinute: 1 });
  await open();
  expect([(await post(hello())).status, (await post(hello())).status]).toEqual([429, 429]);
});

test('a session that nobody uses for long makes room for the next', async () => {
  const { post, open, listen } = await start({ limits: { sessionIdleMs: 100 } });
  const [idle, listening] = [await open(), await open()];
  await listen(listening);
  await sleep(150);
  await open();
  expect((await post(ping, listening)).status).toBe(200);
  expect((await post(ping, idle)).status).toBe(404);
});

test('a session is idle from the end of its stream', async () => {
  const { post, open, listen } = await start({ limits: { sessionIdleMs: 400 } });
  const session = await open();
  const { response } = await listen(session);
  await sleep(450);
  response.destroy();
  await sleep(50);
  await open();
  expect((await post(ping, session)).status).toBe(200);
});

test('calls that ignore the end of their client count until they end', async () => {
  const { open: release, opened } = gate();
  const { stream, post, counted } = await start({ handler: () => opened, limits: { sessions: 2 } });
  for (const count of [1, 2]) {
    const leaving = new AbortController();
    const left = stream(modernCall, callHead, leaving.signal);
    await expect.poll(() => counted.calls).toBe(count);
    leaving.abort();
    await expect(left).rejects.toThrow();
  }
  expect((await post(modern('server/discover'), modernHead('server/discover'))).status).toBe(429);
  release();
  await expect
    .poll(async () => (await post(modern('server/discover'), modernHead('server/discover'))).status)
    .toBe(200);
});

test('calls over the limit are 429, in whichever session or batch of their client', async () => {
  const { post, open, counted } = await start({ callsPerMinute: 5 });
  const [session, other] = [await open('2025-03-26'), await open()];
  const batch = await post(
    [1, 2, 3, 4].map((id) => ({ ...call, id })),
    session,
  );
  const codes = (batch.json as unknown as { error?: { code: number } }[]).map(({ error }) => error?.code);
  expect([batch.status, codes]).toEqual([200, [undefined, undefined, undefined, -32603]]);
  for (const [message, head] of [
    [call, other],
    [modernCall, callHead],
  ] as [object, Fields][]) {
    const { status, headers, json } = await post(message, head);
    expect([status, headers['retry-after'], json.error]).toEqual([
      429,
      '12',
      { code: -32603, message: 'Too many calls. Try again in 12 seconds.' },
    ]);
  }
  expect(counted.calls).toBe(3);
});

test.each(['2025-03-26', '2025-11-25'])(
  '%s: over the limit, a client may still answer what it is asked, and cancel',
  async (revision) => {
    const { post, stream } = await start({ callsPerMinute: 2, handler: ({ roots }) => roots() });
    const message = hello(revision);
    const opened = await post({ ...message, params: { ...message.params, capabilities: { roots: {} } } });
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    await post(ready, session);
    const asking = await stream(call, session);
    const question = await asking.message();
    expect(question).toMatchObject({ method: 'roots/list' });
    expect((await post({ ...call, id: 3 }, session)).status).toBe(429);
    const answer = { jsonrpc: '2.0', id: question?.['id'], result: { roots: [] } };
    const answered = await post(revision === '2025-03-26' ? [answer] : answer, session);
    expect(answered).toMatchObject({ status: 202, text: '' });
    expect(await asking.message()).toMatchObject({ result: { content: [{ text: '[]' }] } });
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
    expect((await post(cancel, session)).status).toBe(202);
  },
);

test('requests that stand alone are bounded by address, with its sessions', async () => {
  const { open: release, opened } = gate();
  const { post, stream, counted } = await start({ limits: { sessionsPerClient: 2 }, handler: () => opened });
  const listening = modern('subscriptions/listen', { notifications: {} });
  const subscription = await stream(listening, modernHead('subscriptions/listen'));
  const answer = post(modernCall, callHead);
  await expect.poll(() => counted.calls).toBe(1);
  const refused = await post({ ...modernCall, id: 8 }, callHead);
  expect([
    refused.status,
    refused.headers['retry-after'],
    refused.json.id,
    refused.json.error?.message,
  ]).toEqual([429, '60', 8, 'Too many sessions or requests are open. Try again in 60 seconds.']);
  subscription.response.destroy();
  release();
  await answer;
  await expect.poll(async () => (await post(modernCall, callHead)).status).toBe(200);
});

test('a subscription over the limit is 429, and opens no stream', async () => {
  const { post, stream } = await start({ limits: { subscriptions: 1 } });
  const listening = modern('subscriptions/listen', { notifications: {} });
  const head = modernHead('subscriptions/listen');
  const { response, messages } = await stream(listening, head);
  await expect.poll(() => messages().length).toBe(1);
  const { status, headers, json } = await post(listening, head);
  expect([status, headers['retry-after'], json.error?.code]).toEqual([429, '60', -32603]);
  response.destroy();
  await expect.poll(async () => (await stream(listening, head)).status).toBe(200);
});

test.each<[string, string]>([
  ['', '127.0.0.1'],
  ['203.0.113.5', '203.0.113.5'],
  ['127.0.0.1, 203.0.113.5', '203.0.113.5'],
  ['198.51.100.1, 203.0.113.5, 10.0.0.2,10.0.0.3', '203.0.113.5'],
  ['203.0.113.5, unknown', '127.0.0.1'],
  ['203.0.113.5:8080', '127.0.0.1'],
  [`${'198.51.100.1,'.repeat(50)}${'10.0.0.2,'.repeat(30)}10.0.0.3`, '10.0.0.2'],
  [' ::ffff:203.0.113.5 ', '203.0.113.5'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
])('behind proxies %j is counted as %s', async (forwarded, want) => {
  for (const [trusted, client] of [
    ['10.0.0.0/8, 127.0.0.1', want],
    ['', '127.0.0.1'],
  ] as const) {
    let seen = '';
    const { post, server } = await start({
      env: { MCP_TRUSTED_PROXIES: trusted },
      features: [watch(({ session }) => void (seen = session.client))],
    });
    await server.start();
    await post(modernCall, { ...callHead, 'x-forwarded-for': forwarded || undefined });
    expect(seen).toBe(client);
  }
});

test.each([
  [-1, 404],
  [0, 404],
  [1, 414],
])('a target with %i bytes more than the limit is %i', async (more, want) => {
  const { send } = await start({ limits: { targetBytes: 100 } });
  expect((await send('GET', `/${'x'.repeat(99 + more)}`, {})).status).toBe(want);
});

// Callers and further routes, which features bring.

test('a caller has sessions of his own, and is refused before the body is read', async () => {
  const { RpcError } = await import('../../templates/runtime/json-rpc.ts');
  const admit: Feature['admit'] = ({ request }) => {
    const subject = request.headers.authorization;
    if (subject === undefined)
      throw new RpcError(-32600, 'Who are you?', { status: 401, headers: { 'www-authenticate': 'Bearer' } });
    return { subject };
  };
  const open: NonNullable<Feature['routes']> = [
    { path: '/open', isOpen: true, handle: ({ response }) => void response.end('open') },
    { path: '/closed', handle: ({ response }) => void response.end('closed') },
  ];
  const it = await start({ features: [{ name: 'auth', admit, routes: open }] });
  const refused = await it.post('{');
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  const [ann, bob] = [{ authorization: 'ann' }, { authorization: 'bob' }];
  const session = await it.open(undefined, ann);
  for (const method of ['POST', 'GET', 'DELETE'])
    expect(
      (
        await it.begin(
          method,
          '/mcp',
          { ...session, ...bob, accept: '*/*', 'content-type': 'application/json' },
          method === 'POST' ? JSON.stringify(call) : undefined,
        )
      ).resume().statusCode,
    ).toBe(404);
  expect((await it.post(call, { ...session, ...ann })).status).toBe(200);
  const page = { origin: 'https://evil.example' };
  expect(await it.send('GET', '/open', page)).toMatchObject({
    status: 200,
    text: 'open',
    headers: { 'access-control-allow-origin': '*' },
  });
  expect((await it.send('GET', '/open', { host: 'evil.example' })).status).toBe(403);
  expect((await it.send('GET', '/closed', { ...page, ...ann })).status).toBe(403);
  expect((await it.send('GET', '/closed', {})).status).toBe(401);
  expect(await it.send('GET', '/closed', ann)).toMatchObject({ status: 200, text: 'closed' });
});

test('a failure of the server is 500, reported, and not told', async () => {
  const admit = (): never => {
    throw new Error('secret');
  };
  const { post, reported } = await start({ features: [{ name: 'auth', admit }] });
  const { status, text } = await post(call);
  expect([status, text]).toEqual([
    500,
    '{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error."}}',
  ]);
  expect(String(reported)).toBe('Error: secret');
});

test('a stopping server opens nothing new, ends what waits and finishes what is at work', async () => {
  const { open: release, opened } = gate();
  const { post, open, listen, stream, server, handle, counted } = await start({
    handler: () => opened.then(() => 'done'),
  });
  const session = await open();
  const [heard, subscription] = [
    await listen(session),
    await stream(modern('subscriptions/listen', { notifications: {} }), modernHead('subscriptions/listen')),
  ];
  const answer = post(call, session);
  await expect.poll(() => counted.calls).toBe(1);
  server.beginStopping();
  handle.stop();
  await expect.poll(() => [heard.seen.isWhole, subscription.seen.isWhole]).toEqual([true, true]);
  expect(subscription.messages()).toMatchObject([
    { method: 'notifications/subscriptions/acknowledged' },
    { id: 7 },
  ]);
  expect((await listen(session)).status).toBe(503);
  expect((await post(hello())).status).toBe(503);
  expect((await post({ ...call, id: 3 }, session)).status).toBe(503);
  release();
  expect((await answer).json).toEqual(done());
});

// stdio.

interface Message {
  id?: unknown;
  method?: string;
  params?: object;
  result?: object;
  error?: { code: number; message: string };
}

function startStdio(
  handler: (context: Context, args: object) => unknown = () => 'done',
  { outputBytes = 1e6, limits = {}, description = '', isOpen = true } = {},
) {
  const tool = {
    name: 'x',
    description,
    inputSchema: { type: 'object' },
    handler: (args: object, context: Context) => handler(context, args),
  };
  const server = makeServer(
    { handlers: { extraTools: [tool] }, limits: { lineBytes: 1_000, stdioDrainMs: 5_000, ...limits } },
    [],
  );
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: outputBytes });
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const served = serveStdio(server, { input, output, write: output.write.bind(output) }, stopped);
  const write = (...messages: unknown[]) =>
    messages.forEach((message) =>
      input.write(
        typeof message === 'string' || message instanceof Uint8Array
          ? message
          : `${JSON.stringify(message)}\n`,
      ),
    );
  if (isOpen) write(hello(), ready);
  const received: Message[] = [];
  /** All that came so far, without the answer to `initialize`. */
  const messages = (): Message[] => {
    const lines = String(output.read() ?? '').split('\n');
    received.push(...lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Message));
    return received.filter(({ id }) => id !== 'open');
  };
  const end = async (): Promise<Message[]> => {
    input.end();
    await served;
    return messages();
  };
  return { input, output, served, stop, write, messages, end };
}

const pong = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} });
const tooLong = expect.stringContaining('longer than 1000 bytes') as string;
const long = (id: unknown) => `${JSON.stringify({ ...ping, id, params: { text: 'x'.repeat(1_000) } })}\n`;

test.each<[string, unknown[], object[]]>([
  ['blank lines and CRLF', ['\n\r\n  \n', `${JSON.stringify(ping)}\r\n`], [pong(1)]],
  ['a line in parts', [JSON.stringify(ping).slice(0, 5), JSON.stringify(ping).slice(5), '\n'], [pong(1)]],
  ['no break at the end', [JSON.stringify(ping)], [pong(1)]],
  [
    'a character byte by byte',
    [...Buffer.from(`${JSON.stringify({ ...ping, id: 'äß€😀\u2028' })}\n`)].map((byte) =>
      Uint8Array.of(byte),
    ),
    [pong('äß€😀\u2028')],
  ],
  ['a byte order mark', [`\uFEFF${JSON.stringify(ping)}\n`], [pong(1)]],
  ['no JSON', ['{"jsonrpc": broken\n', ping], [failure(-32700, 'The message is not JSON.'), pong(1)]],
  [
    'no UTF-8',
    [Buffer.from('{"id":"\xff"}\n', 'latin1'), ping],
    [failure(-32700, 'The message is not UTF-8.'), pong(1)],
  ],
  [
    'a batch of another revision',
    [[ping]],
    [failure(-32600, 'Only 2025-03-26 has batches, of 1 to 100 messages that need its session.')],
  ],
  ['a line that is too long', [long(9), ping], [failure(-32600, tooLong), pong(1)]],
  ['two of them', [long(8) + long(9)], [failure(-32600, tooLong), failure(-32600, tooLong)]],
  ['a modern request', [modern('tools/list', {}, 3)], [{ id: 3, result: { resultType: 'complete' } }]],
])('on stdio: %s', async (_, chunks, want) => {
  const { write, end } = startStdio();
  write(...chunks);
  const messages = await end();
  expect(messages).toHaveLength(want.length);
  for (const message of want)
    expect(messages).toContainEqual(
      expect.objectContaining(
        'result' in message && 'resultType' in (message.result as object)
          ? { id: 3, result: expect.objectContaining(message.result as object) as object }
          : message,
      ),
    );
});

test('messages are answered as they can be, and what was begun is finished when the input ends', async () => {
  const { write, end } = startStdio(() => sleep(20, 'done'));
  write(call, ping);
  expect((await end()).map(({ id }) => id)).toEqual([1, 2]);
});

test('work that takes too long is aborted after the input has ended, unanswered', async () => {
  let seen = '';
  const it = startStdio(
    ({ signal }) => {
      seen = 'at work';
      signal.addEventListener('abort', () => (seen = 'aborted'));
      return new Promise(() => undefined);
    },
    { limits: { stdioDrainMs: 50 } },
  );
  it.write(call);
  await expect.poll(() => seen).toBe('at work');
  expect(await it.end()).toEqual([]);
  expect(seen).toBe('aborted');
});

test('asked to stop, it begins no more work, and finishes what is under way', async () => {
  const { open: release, opened } = gate();
  let calls = 0;
  const { write, served, stop, messages } = startStdio(
    () => {
      calls++;
      return opened.then(() => 'done');
    },
    { isOpen: false },
  );
  write(hello('2025-03-26'), ready, call);
  await expect.poll(() => calls).toBe(1);
  stop();
  await sleep(5);
  write({ ...call, id: 3 }, ready, [{ ...call, id: 4 }]);
  await expect
    .poll(messages)
    .toEqual([failure(-32603, 'The server is stopping.', 3), failure(-32603, 'The server is stopping.')]);
  release();
  await served;
  expect([messages().at(-1), calls]).toEqual([done(), 1]);
});

test('asked to stop, it still takes what the work under way has asked the client for', async () => {
  const { write, served, stop, messages } = startStdio(({ roots }) => roots(), { isOpen: false });
  const message = hello();
  write({ ...message, params: { ...message.params, capabilities: { roots: {} } } }, ready, call);
  const question = () => messages().find(({ method }) => method === 'roots/list');
  await expect.poll(question).toBeDefined();
  stop();
  await sleep(5);
  write({ jsonrpc: '2.0', id: question()?.id, result: { roots: [{ uri: 'file:///a' }] } });
  await served;
  expect(messages().at(-1)).toMatchObject({
    id: 2,
    result: { content: [{ text: '[{"uri":"file:///a"}]' }] },
  });
});

test.each(['the input ends', 'it is asked to stop'])(
  'when %s a subscription ends with its result',
  async (reason) => {
    const it = startStdio(undefined, { limits: { stdioDrainMs: 60_000 } });
    it.write(modern('subscriptions/listen', { notifications: {} }, 1));
    await expect.poll(() => it.messages().length).toBe(1);
    if (reason === 'the input ends') it.input.end();
    else it.stop();
    await it.served;
    const tag = { _meta: { [`${META}subscriptionId`]: 1 } };
    expect(it.messages()).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: tag },
      { method: 'notifications/cancelled', params: { requestId: 1 } },
      { id: 1, result: { resultType: 'complete', ...tag } },
    ]);
  },
);

test('while the output is full nothing is read', async () => {
  const { write, input, output, served } = startStdio(() => 'x'.repeat(1_000), { outputBytes: 500 });
  for (let id = 1; id <= 5; id++) write({ ...call, id });
  await expect.poll(() => input.isPaused()).toBe(true);
  write({ ...ping, id: 6 });
  let text = '';
  output.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await expect.poll(() => text).toContain('"id":6');
  expect(input.isPaused()).toBe(false);
  input.end();
  await served;
});

test('it ends when nobody reads its output any more', async () => {
  const { output, served } = startStdio();
  output.on('error', () => undefined).destroy(new Error('EPIPE'));
  await served;
});

test('messages of one turn of the event loop leave in one write', async () => {
  const writes: string[] = [];
  const output = new Writable({ write: (_chunk, _encoding, next) => next() });
  const input = new PassThrough();
  const write = (text: string) => writes.push(text) > 0;
  const served = serveStdio(makeServer({}, []), { input, output, write }, new Promise(() => undefined));
  input.end([hello(), ping, { ...ping, id: 2 }].map((message) => `${JSON.stringify(message)}\n`).join(''));
  await served;
  expect(writes.map((text) => text.split('\n').length - 1)).toEqual([3]);
});

test.each<[string, (context: Context) => unknown, unknown, unknown]>([
  [
    'a result',
    () => ({ content: [{ type: 'text', text: 'ü'.repeat(500) }], structuredContent: { a: 1 } }),
    call,
    { id: 2, result: { content: [{ type: 'text', text: tooLong }], isError: true } },
  ],
  [
    'a list',
    () => 1,
    { ...call, method: 'tools/list' },
    { id: 2, error: { code: -32603, message: tooLong } },
  ],
  [
    'a log line',
    async ({ log }) => log('info', 'ü'.repeat(500)),
    call,
    { id: 2, result: { content: [{ type: 'text', text: tooLong }], isError: true } },
  ],
])(
  '%s over the limit says so in its place, and the next message is answered',
  async (_, handler, message, want) => {
    const { write, end } = startStdio(handler, {
      limits: { writtenBytes: 1_000 },
      description: 'x'.repeat(1_000),
    });
    write(message, ping);
    const messages = await end();
    expect(messages).toContainEqual({ jsonrpc: '2.0', ...(want as object) });
    expect(messages).toContainEqual(pong(1));
  },
);

test('a batch runs one call at a time, and what finds no room says so', async () => {
  let atWork = 0;
  const { write, end } = startStdio(
    async () => {
      if (++atWork > 1) throw new Error('Two at a time.');
      await sleep(5);
      atWork--;
      return 'x'.repeat(700);
    },
    { limits: { writtenBytes: 1_500, refusalBytes: 100 }, isOpen: false },
  );
  write(hello('2025-03-26'), ready, [call, { ...call, id: 3 }, ping]);
  const [batch] = (await end()) as unknown as Message[][];
  const texts = batch?.map(({ id, result }) => [id, JSON.stringify(result).slice(0, 60)]);
  expect(texts).toEqual([
    [2, expect.stringContaining('xxx')],
    [3, expect.stringContaining('The answer was left out')],
    [1, '{}'],
  ]);
});

test('a session that has ended runs no more of its batch', async () => {
  let session: Session | undefined;
  const { post, open, counted } = await start({
    handler: () => session?.end(),
    features: [watch((methodCall) => void (session = methodCall.session))],
  });
  await post([call, { ...call, id: 3 }, { ...call, id: 4 }], await open('2025-03-26'));
  expect(counted.calls).toBe(1);
});
