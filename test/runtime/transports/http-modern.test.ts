// The modern era over Streamable HTTP: one POST stands alone. Which refusal comes first, and what its status is.
import { expect, test } from 'vitest';
import { error, gate, start } from './http-harness.ts';

const VERSION = '2026-07-28';
const KEY = 'io.modelcontextprotocol/';
const meta = { [`${KEY}protocolVersion`]: VERSION, [`${KEY}clientCapabilities`]: {} };

const ask = (method: string, params: object = {}, id: unknown = 7) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: meta },
});
const call = ask('tools/call', { name: 'x' });
const headersOf = (method: string, name?: string) => ({
  'mcp-protocol-version': VERSION,
  'mcp-method': method,
  'mcp-name': name,
});
const callHeaders = headersOf('tools/call', 'x');

test.each(['none', 'alive'])('a session id (%s) is not looked at, nor echoed', async (kind) => {
  const { post, open } = await start();
  const session = kind === 'alive' ? await open() : { 'mcp-session-id': 'none' };
  const { status, headers } = await post(call, { ...callHeaders, ...session });
  expect([status, headers['mcp-session-id']]).toEqual([200, undefined]);
});

const noCapabilities = { ...call, params: { name: 'x', _meta: { [`${KEY}protocolVersion`]: VERSION } } };
const newer = {
  ...call,
  params: { name: 'x', _meta: { ...meta, [`${KEY}protocolVersion`]: '2099-01-01' } },
};

test.each<[string, unknown, Record<string, string | undefined>, number, number, unknown]>([
  ['from a foreign origin', call, { origin: 'https://evil.example' }, 403, -32600, undefined],
  ['from the origin null', call, { origin: 'null' }, 403, -32600, undefined],
  ['to a foreign host', call, { host: 'evil.example' }, 403, -32600, undefined],
  ['over the size', { ...call, x: 'x'.repeat(1_000) }, {}, 413, -32600, undefined],
  ['of another type', call, { 'content-type': 'text/plain' }, 415, -32600, undefined],
  ['that takes no stream', call, { accept: 'application/json' }, 406, -32600, undefined],
  ['that takes no JSON', call, { accept: 'text/event-stream' }, 406, -32600, undefined],
  ['that is not JSON', '{', {}, 400, -32700, undefined],
  ['that is no message', { ...call, jsonrpc: '1.0' }, {}, 400, -32600, 7],
  ['whose id is null', { ...call, id: null }, {}, 400, -32600, undefined],
  ['of a batch', [call], {}, 400, -32600, undefined],
  ['of a response', { jsonrpc: '2.0', id: 1, result: {} }, {}, 400, -32600, undefined],
  ['without metadata', { ...call, params: { name: 'x' } }, {}, 400, -32602, 7],
  ['without capabilities', noCapabilities, {}, 400, -32602, 7],
  ['without a version header', call, { 'mcp-protocol-version': undefined }, 400, -32020, 7],
  ['of another version header', call, { 'mcp-protocol-version': '2025-11-25' }, 400, -32020, 7],
  ['without a method header', call, { 'mcp-method': undefined }, 400, -32020, 7],
  ['of another method header', call, { 'mcp-method': 'Tools/Call' }, 400, -32020, 7],
  ['without a name header', call, { 'mcp-name': undefined }, 400, -32020, 7],
  ['of another name header', call, { 'mcp-name': 'y' }, 400, -32020, 7],
  ['whose name header is given twice', call, { 'mcp-name': 'x, x' }, 400, -32020, 7],
  ['of an unknown version', newer, { 'mcp-protocol-version': '2099-01-01' }, 400, -32022, 7],
  ['of an unknown method', ask('x'), headersOf('x'), 404, -32601, 7],
  ['of a method that is no more', ask('ping'), headersOf('ping'), 404, -32601, 7],
  ['to initialize', ask('initialize'), headersOf('initialize'), 404, -32601, 7],
  ['of what is not declared', ask('prompts/list'), headersOf('prompts/list'), 404, -32601, 7],
  ['of an unknown tool', ask('tools/call', { name: 'y' }), headersOf('tools/call', 'y'), 200, -32602, 7],
  ['of bad parameters', ask('tools/list', { cursor: 'x' }), headersOf('tools/list'), 200, -32602, 7],
])('a POST %s is refused', async (_, message, headers, want, code, id) => {
  const { post, counted } = await start({ limits: { bodyBytes: 900 } });
  const answer = await post(message, { ...callHeaders, ...headers });
  const { error: refusal, ...rest } = answer.json();
  expect([answer.status, refusal?.code, rest]).toEqual([
    want,
    code,
    { jsonrpc: '2.0', ...(id === undefined ? {} : { id }) },
  ]);
  expect(counted.calls).toBe(0);
});

test('each refusal comes before the next', async () => {
  const { post } = await start();
  const steps: [object | string, Record<string, string | undefined>, number][] = [
    ['{', { origin: 'null', 'content-type': 'text/plain', accept: 'x/y' }, 403],
    ['{', { 'content-type': 'text/plain', accept: 'x/y' }, 415],
    ['{', { accept: 'x/y' }, 406],
    ['{', {}, -32700],
    [{ ...newer, jsonrpc: '1.0', params: {} }, { 'mcp-method': 'y' }, -32600],
    [{ ...newer, method: 'y', params: {} }, {}, -32602],
    [{ ...newer, method: 'y' }, {}, -32020],
    [{ ...newer, method: 'y' }, { 'mcp-method': 'y', 'mcp-protocol-version': '2099-01-01' }, -32022],
    [{ ...call, method: 'y' }, { 'mcp-method': 'y' }, -32601],
  ];
  for (const [message, headers, want] of steps) {
    const { status, json } = await post(message, { ...callHeaders, ...headers });
    expect(want < 0 ? json().error?.code : status).toBe(want);
  }
});

test.each([
  ['named by its header', {}, { 'mcp-protocol-version': VERSION }, 202],
  ['named by its metadata', { _meta: meta }, {}, 202],
  ['of no era', {}, {}, 400],
])('a notification %s', async (_, params, headers, want) => {
  const { post } = await start();
  const { status, text } = await post(
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { ...params, requestId: 7 } },
    headers,
  );
  expect(status).toBe(want);
  if (want === 202) expect(text).toBe('');
});

const told = { ...call, params: { ...call.params, _meta: { ...meta, [`${KEY}logLevel`]: 'info' } } };

test.each([
  ['before anything was sent', false],
  ['in the middle of the stream', true],
])('a client that goes away %s cancels its call, and no other', async (_, logs) => {
  const { open: release, opened } = gate();
  const aborted: boolean[] = [];
  const { stream, post, counted } = await start({
    handler: async ({ log, signal }) => {
      if (logs) await log('info', 1);
      await Promise.race([opened, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
      aborted.push(signal.aborted);
      return 'done';
    },
  });
  const other = post(told, callHeaders);
  await expect.poll(() => counted.calls).toBe(1);
  const leaving = new AbortController();
  const left = stream(told, callHeaders, leaving.signal);
  if (logs) await (await left).next();
  await expect.poll(() => counted.calls).toBe(2);
  leaving.abort();
  if (!logs) await expect(left).rejects.toThrow();
  await expect.poll(() => aborted).toEqual([true]);
  release();
  expect((await other).status).toBe(200);
  expect(aborted).toEqual([true, false]);
});

test('notifications/cancelled cancels nothing', async () => {
  const { open: release, opened } = gate();
  let isAborted: boolean | undefined;
  const { post, counted } = await start({
    handler: async ({ signal }) => {
      await opened;
      isAborted = signal.aborted;
    },
  });
  const answer = post(call, callHeaders);
  await expect.poll(() => counted.calls).toBe(1);
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
  await post(cancelled, { 'mcp-protocol-version': VERSION });
  release();
  expect([(await answer).status, isAborted]).toEqual([200, false]);
});

const listening = ask('subscriptions/listen', { notifications: { toolsListChanged: true } });

test('a subscription stays open, and ends with its client', async () => {
  const { stream, server } = await start({ limits: { keepAliveMs: 5 } });
  const { message, headers, response, next, text } = await stream(
    listening,
    headersOf('subscriptions/listen'),
  );
  expect(headers['content-type']).toBe('text/event-stream');
  expect(await message()).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { _meta: { [`${KEY}subscriptionId`]: 7 } },
  });
  void next();
  await expect.poll(text).toContain('\n\n:\n\n');
  expect(server.state.subscriptions?.size).toBe(1);
  response.destroy();
  await expect.poll(() => server.state.subscriptions?.size).toBe(0);
});

test('calls over the limit are 429, by address', async () => {
  const { post, counted } = await start({ callsPerMinute: 2 });
  await post(call, callHeaders);
  await post(call, callHeaders);
  const { status, headers, json } = await post(call, callHeaders);
  expect([status, headers['retry-after'], json()]).toEqual([
    429,
    '30',
    error(-32603, 'Too many calls. Try again in 30 seconds.', 7),
  ]);
  expect(counted.calls).toBe(2);
});

test('calls that are at work at once share the limit', async () => {
  const { open: release, opened } = gate();
  const { post, counted } = await start({ callsPerMinute: 2, handler: () => opened });
  const answers = [1, 2, 3, 4].map((id) => post({ ...call, id }, callHeaders));
  await expect.poll(() => counted.calls).toBe(2);
  release();
  const all = await Promise.all(answers);
  expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
  // Whichever of the two counts refused them.
  const waits = all.filter(({ status }) => status === 429).map(({ headers }) => headers['retry-after']);
  expect(waits).toEqual(['30', '30']);
});

test('requests at work at once are bounded by address, and an ended one makes room', async () => {
  const { open: release, opened } = gate();
  const { post, stream, counted } = await start({
    limits: { requestsPerAddress: 2 },
    handler: () => opened,
  });
  const subscription = await stream(listening, headersOf('subscriptions/listen'));
  await subscription.message();
  const working = post(call, callHeaders);
  await expect.poll(() => counted.calls).toBe(1);
  const { status, headers, json } = await post({ ...call, id: 8 }, callHeaders);
  const refusal = error(-32603, '2 requests of your address are at work already. Try again in 1 second.', 8);
  expect([status, headers['retry-after'], json()]).toEqual([429, '1', refusal]);
  expect(counted.calls).toBe(1);
  release();
  expect((await working).status).toBe(200);
  expect((await post(call, callHeaders)).status).toBe(200);
  subscription.response.destroy();
});

test('a request whose client has gone counts for as long as it is worked at', async () => {
  const { open: release, opened } = gate();
  const { post, stream, counted } = await start({
    limits: { requestsPerAddress: 1 },
    handler: () => opened,
  });
  const leaving = new AbortController();
  const left = stream(call, callHeaders, leaving.signal);
  await expect.poll(() => counted.calls).toBe(1);
  leaving.abort();
  await expect(left).rejects.toThrow();
  expect((await post(call, callHeaders)).status).toBe(429);
  release();
  await expect.poll(async () => (await post(call, callHeaders)).status).toBe(200);
});

test('too many subscriptions, and when to try again', async () => {
  const { post, stream } = await start({ limits: { subscriptions: 1 } });
  const { message, response } = await stream(listening, headersOf('subscriptions/listen'));
  await message();
  const { status, headers, json } = await post(listening, headersOf('subscriptions/listen'));
  expect([status, headers['retry-after'], json().error?.code]).toEqual([429, '60', -32603]);
  response.destroy();
});

test.each(['GET', 'DELETE'])('%s is of sessions: 405 for who names the modern era', async (method) => {
  const { send } = await start();
  const { status, headers, text } = await send(method, '/mcp', { 'mcp-protocol-version': VERSION });
  expect([status, headers['allow']]).toEqual([405, 'POST, OPTIONS']);
  expect(text).toContain('2026-07-28 has POST alone here');
});

test('a web client may send what the modern era needs, and what it asks for', async () => {
  const { send } = await start();
  const { headers } = await send('OPTIONS', '/mcp', {
    origin: 'http://localhost:6274',
    'access-control-request-headers': 'mcp-param-region, x-tenant, mcp-param-é, Mcp-Param-A.b,mcp-param-',
  });
  const allowed = String(headers['access-control-allow-headers']).split(', ');
  expect(allowed).toEqual(
    expect.arrayContaining(['Mcp-Method', 'Mcp-Name', 'MCP-Protocol-Version', 'mcp-param-region']),
  );
  const asked = allowed.filter((name) => /param|x-/i.test(name));
  expect(asked).toEqual(['mcp-param-region', 'x-tenant', 'Mcp-Param-A.b', 'mcp-param-']);
});
