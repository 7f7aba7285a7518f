import { BlockList } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describeTooLong } from '../../../templates/runtime/transports/stdio.ts';
import { expect, test } from 'vitest';
import { Session } from '../../../templates/runtime/core/session.ts';
import { DEFAULT_LIMITS } from '../../../templates/runtime/contract/feature.ts';
import { LEGACY_REVISIONS } from '../../../templates/runtime/protocol/revisions.ts';
import { HttpSession } from '../../../templates/runtime/transports/http/endpoint.ts';
import { SessionStore } from '../../../templates/runtime/transports/http/session-store.ts';
import { hello } from '../core/harness.ts';
import { call, error, ping, start } from './http-harness.ts';

test('an initialize that fails opens none', async () => {
  const { post, sessions } = await start();
  const { status, headers, json } = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
  expect([status, headers['mcp-session-id'], json().error?.code]).toEqual([200, undefined, -32602]);
  expect(sessions.size).toBe(0);
});

test.each([
  ['not JSON', '{"jsonrpc"', error(-32700, 'The message is not JSON.')],
  ['nothing', '', error(-32700, 'The message is not JSON.')],
  ['no message', '{"id":7}', error(-32600, '`jsonrpc` must be "2.0".', 7)],
  ['a null id', { ...ping, id: null }, error(-32600, '`id` must be a string or an integer.')],
  ['null', 'null', error(-32600, 'A message is a JSON object.')],
])('a body that is %s is 400, session or not', async (_, body, want) => {
  const { post, open } = await start();
  for (const session of [{}, await open()]) {
    const { status, json } = await post(body, session);
    expect([status, json()]).toEqual([400, want]);
  }
});

test('a body that is not UTF-8 is 400, and a byte order mark is none of the message', async () => {
  const { url } = await start();
  const post = async (body: Uint8Array<ArrayBuffer>): Promise<[number, unknown]> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body });
    return [response.status, await response.json()];
  };
  const opening = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: hello('2025-11-25'),
  });
  expect(await post(Buffer.from(opening.replace('initialize', 'ü'), 'latin1'))).toEqual([
    400,
    error(-32700, 'The message is not UTF-8.'),
  ]);
  const [status] = await post(Buffer.from(`\uFEFF${opening}`));
  expect(status).toBe(200);
});

test('a large integer keeps its digits', async () => {
  const seen: unknown[] = [];
  const prepare = (args: Record<string, unknown>): Record<string, unknown> => {
    seen.push(args);
    return args;
  };
  const { post, open } = await start({ tool: { prepare } });
  const call = '"method":"tools/call","params":{"name":"x","arguments":{"id":9007199254740993}}';
  await post(`{"jsonrpc":"2.0","id":2,${call}}`, await open());
  expect(seen).toEqual([{ id: 9007199254740993n }]);
});

test('a body in gzip is 415, whatever its bytes', async () => {
  const { url } = await start();
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers,
    body: gzipSync(JSON.stringify(ping)),
  });
  expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'identity']);
});

test('a session that nobody used for long is gone', async () => {
  let now = 0;
  const store = new SessionStore({ sessions: 2, sessionsPerClient: 2, sessionIdleMs: 1_000 }, () => now);
  const [first, second] = ['a', 'b'].map((party) =>
    store.open(new HttpSession(new Session(), DEFAULT_LIMITS), party),
  );
  expect(store.makeRoom('a')).toBe(false);
  now = 600;
  expect(store.findAndTouch(first ?? '')).toBeDefined();
  now = 1_200;
  expect(store.findAndTouch(second ?? '')).toBeUndefined();
  expect(store.findAndTouch(first ?? '')).toBeDefined();
  expect(store.makeRoom('a')).toBe(true);
});

test('no more sessions are opened than the limit', async () => {
  const { post, open } = await start({ limits: { sessions: 1 } });
  const session = await open();
  const { status, headers } = await post({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: hello('2025-11-25'),
  });
  expect([status, headers['retry-after']]).toEqual([503, '60']);
  expect((await post(ping, session)).status).toBe(200);
});

test.each(['PUT', 'HEAD', 'PATCH'])('%s is 405', async (method) => {
  const { send } = await start();
  const answer = await send(method, '/mcp', { accept: 'text/event-stream' });
  expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, POST, DELETE, OPTIONS']);
});

test('another path is 404, and /healthz answers', async () => {
  const { send } = await start();
  expect((await send('POST', '/', {})).status).toBe(404);
  expect(await send('GET', '/healthz', { host: 'pod.example' })).toMatchObject({
    status: 200,
    text: '{"status":"ok"}',
  });
  expect((await send('POST', '/healthz', {})).status).toBe(405);
});

test.each<[string, Record<string, string | undefined>, number]>([
  ['no type', { 'content-type': undefined }, 415],
  ['a text', { 'content-type': 'text/plain' }, 415],
  ['a compressed body', { 'content-encoding': 'gzip' }, 415],
  ['a body compressed twice', { 'content-encoding': 'identity, br' }, 415],
  ['a type that only looks alike', { 'content-type': 'application/json-seq' }, 415],
  ['a charset', { 'content-type': 'Application/JSON; charset=utf-8' }, 200],
  ['no accept', { accept: undefined }, 406],
  ['json only', { accept: 'application/json' }, 406],
  ['events only', { accept: 'text/event-stream' }, 406],
  ['anything', { accept: '*/*' }, 200],
  ['events that are not wanted', { accept: 'application/json, text/event-stream;q=0' }, 406],
  ['anything but events', { accept: '*/*, text/event-stream; q=0.000' }, 406],
  ['a weight that is small', { accept: 'application/json, text/event-stream;q=0.001' }, 200],
  ['weights and cases', { accept: 'Text/Event-Stream;q=0.5, application/*' }, 200],
])('a POST with %s', async (_, headers, want) => {
  const { post, open, counted } = await start();
  const { status } = await post(call, { ...(await open()), ...headers });
  expect([status, counted.calls]).toEqual([want, want === 200 ? 1 : 0]);
});

test.each([
  ['2025-06-18', 200],
  ['2024-11-05', 200],
  ['2026-01-01', 400],
  ['newest', 400],
])('the version header %s is %i', async (version, want) => {
  const { post, open, counted } = await start();
  const { status, json } = await post(call, { ...(await open()), 'mcp-protocol-version': version });
  expect([status, counted.calls]).toEqual([want, want === 200 ? 1 : 0]);
  if (want === 400) {
    expect(json()).toEqual(error(-32600, `The protocol version "${version}" is not supported.`, 2));
  }
});

test('on an address of the network any host is served, but no foreign page', async () => {
  const { post, open } = await start({ rules: { host: '0.0.0.0', allowedOrigins: [] } });
  const session = await open();
  expect((await post(ping, { ...session, host: 'mcp.example' })).status).toBe(200);
  expect((await post(ping, { ...session, origin: 'http://localhost' })).status).toBe(403);
});

test('a web client of an allowed origin may ask first', async () => {
  const { send } = await start();
  const { status, headers } = await send('OPTIONS', '/mcp', { origin: 'http://localhost:6274' });
  expect(status).toBe(204);
  expect(headers['access-control-allow-headers']).toContain('Mcp-Session-Id');
  expect((await send('OPTIONS', '/mcp', { origin: 'https://evil.example' })).status).toBe(403);
});

test.each([
  ['said', (body: string) => ({ 'content-length': String(Buffer.byteLength(body)) })],
  ['not said', () => ({ 'transfer-encoding': 'chunked' })],
])('a body over the limit is 413, its length %s', async (_, lengthOf) => {
  const { post, open, counted } = await start({ limits: { bodyBytes: 500 } });
  const session = await open();
  const body = JSON.stringify({ ...call, params: { name: 'x', arguments: { a: 'x'.repeat(1_000) } } });
  const { status, json } = await post(body, { ...session, ...lengthOf(body) });
  expect([status, json()]).toEqual([413, error(-32600, describeTooLong(500))]);
  expect(counted.calls).toBe(0);
  expect((await post(call, session)).status).toBe(200);
});

test('calls over the limit are 429, in whichever session of their client', async () => {
  const { post, open, counted } = await start({ callsPerMinute: 2 });
  const [session, other] = [await open(), await open()];
  await post(call, session);
  await post(call, session);
  const { status, headers, json } = await post(call, session);
  expect([status, headers['retry-after'], json()]).toEqual([
    429,
    '30',
    error(-32603, 'Too many calls. Try again in 30 seconds.', 2),
  ]);
  expect(counted.calls).toBe(2);
  expect((await post(call, other)).status).toBe(429);
});

test('calls are counted by the address that a trusted proxy names', async () => {
  const proxies = new BlockList();
  proxies.addAddress('127.0.0.1');
  const { post, open } = await start({ callsPerMinute: 1, proxies });
  const from = async (address: string, forged = '') => {
    const via = { 'x-forwarded-for': `${forged}${address}` };
    return (await post(call, { ...(await open('2025-11-25', {}, via)), ...via })).status;
  };
  expect(await from('203.0.113.1')).toBe(200);
  expect(await from('203.0.113.2')).toBe(200);
  expect(await from('203.0.113.1', '203.0.113.9, ')).toBe(429);
});

test('nobody else is believed', async () => {
  const { post, open } = await start({ callsPerMinute: 1 });
  const from = async (address: string) =>
    (await post(call, { ...(await open()), 'x-forwarded-for': address })).status;
  expect([await from('203.0.113.1'), await from('203.0.113.2')]).toEqual([200, 429]);
});

test.each(LEGACY_REVISIONS)(
  '%s: over the limit, work under way still hears of answers and of its end',
  async (revision) => {
    const { post, open, stream } = await start({
      callsPerMinute: 1,
      handler: ({ roots }) => roots(),
    });
    const session = await open(revision, { roots: {} });
    const asking = await stream(call, session);
    expect(await asking.message()).toMatchObject({ method: 'roots/list', id: 1 });
    expect((await post({ ...call, id: 3 }, session)).status).toBe(429);
    const answer = { jsonrpc: '2.0', id: 1, result: { roots: [] } };
    const messages = revision === '2025-03-26' ? [answer] : answer;
    const { status, text } = await post(messages, session);
    expect([status, text]).toEqual([202, '']);
    expect(await asking.message()).toMatchObject({ result: { content: [{ text: '[]' }] } });
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
    expect((await post(cancel, session)).status).toBe(202);
  },
);

test('a batch cannot get around the limit', async () => {
  const { post, open, counted } = await start({ callsPerMinute: 2 });
  const batch = [1, 2, 3, 4].map((id) => ({ ...call, id }));
  const { status, json } = await post(batch, await open('2025-03-26'));
  const answers = json() as unknown as { error?: { code: number } }[];
  expect([status, answers.map((each) => each.error?.code)]).toEqual([
    200,
    [undefined, undefined, -32603, -32603],
  ]);
  expect(counted.calls).toBe(2);
});

test('a client that goes away cancels nothing', async () => {
  let finished = 0;
  const { open, counted, url } = await start({
    handler: ({ signal }) =>
      new Promise((resolve) => setTimeout(resolve, 50)).then(() => (finished += signal.aborted ? 0 : 1)),
  });
  const session = await open();
  const controller = new AbortController();
  const gone = fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: '*/*', ...session },
    body: JSON.stringify(call),
    signal: controller.signal,
  });
  await expect.poll(() => counted.calls).toBe(1);
  controller.abort();
  await expect(gone).rejects.toThrow();
  await expect.poll(() => finished).toBe(1);
});

test('closing waits for what is under way', async () => {
  const { post, open, counted, listener } = await start({
    handler: () => new Promise((resolve) => setTimeout(() => resolve('late'), 50)),
  });
  const session = await open();
  const answer = post(call, session);
  await expect.poll(() => counted.calls).toBe(1);
  await listener.close();
  expect((await answer).json().result).toEqual({ content: [{ type: 'text', text: 'late' }] });
  await expect(post(ping, session)).rejects.toThrow();
});
