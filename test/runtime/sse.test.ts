// HTTP+SSE, the transport of 2024-11-05, for every legacy revision.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { ElicitRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { call, failure, type Fields, hello, modernCall, ping, ready } from './client.ts';
import { start as startHttp, type StartParts } from './client.ts';

async function start(parts: StartParts = {}) {
  const server = await startHttp({ flags: { sse: true }, ...parts });
  const connect = async () => {
    const stream = await server.listen({}, '/sse');
    return { stream, endpoint: (await stream.next())?.data ?? '' };
  };
  const say = (endpoint: string, message: unknown, headers: Fields = {}) =>
    server.send(
      'POST',
      endpoint,
      { 'content-type': 'application/json', ...headers },
      typeof message === 'string' ? message : JSON.stringify(message),
    );
  const open = async (revision = '2024-11-05') => {
    const { stream, endpoint } = await connect();
    await say(endpoint, hello(revision));
    const opened = await stream.message();
    await say(endpoint, ready);
    return { stream, endpoint, opened };
  };
  return { ...server, connect, say, open, openStreamable: server.open };
}

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('a session of %s', async (revision) => {
  const { open, say } = await start({ handler: ({ log }) => log('info', 'a\nb').then(() => 'done') });
  const { stream, endpoint, opened } = await open(revision);
  expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  expect(opened).toMatchObject({ id: 'open', result: { protocolVersion: revision } });
  expect(await say(endpoint, call)).toMatchObject({ status: 202, text: '' });
  expect([await stream.message(), await stream.message()]).toEqual([
    { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'a\nb' } },
    { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'done' }] } },
  ]);
  expect(stream.seen.text).not.toMatch(/^(?:id|retry):/m);
});

test('the first event names the place to post to, under an id that nobody can guess', async () => {
  const { listen, connect } = await start();
  expect(await (await listen({}, '/sse')).next()).toEqual({
    event: 'endpoint',
    data: expect.stringMatching(/^\/messages\?sessionId=[\w-]{22,}$/) as string,
  });
  expect((await connect()).endpoint).not.toBe((await connect()).endpoint);
});

test.each<[string, unknown, Fields, number, number]>([
  ['that is not JSON', '{', {}, 400, -32700],
  ['of another type', call, { 'content-type': 'text/plain' }, 415, -32600],
  ['of a version that is not supported', call, { 'mcp-protocol-version': '2020-01-01' }, 400, -32600],
  ['to a foreign host', call, { host: 'evil.example' }, 403, -32600],
  ['over the limit', { ...call, x: 'x'.repeat(1_000) }, {}, 413, -32600],
])('a POST %s is refused', async (_, message, headers, status, code) => {
  const { open, say, counted } = await start({ limits: { bodyBytes: 500 } });
  const answer = await say((await open()).endpoint, message, headers);
  expect([answer.status, answer.json.error?.code, counted.calls]).toEqual([status, code, 0]);
});

test('a request of 2026-07-28 is answered on the stream: an HTTP error would end a client that probes', async () => {
  const { open, say, counted } = await start();
  const { stream, endpoint } = await open();
  expect(await say(endpoint, modernCall)).toMatchObject({ status: 202, text: '' });
  expect(await stream.message()).toEqual(failure(-32601, expect.stringContaining('initialize'), 7));
  expect(counted.calls).toBe(0);
});

test('a POST to no session, or to one of the other transport, is refused', async () => {
  const { say, counted, openStreamable, post, open } = await start();
  const other = (await openStreamable())['mcp-session-id'];
  const refusals = [
    await say('/messages', call),
    await say('/messages?sessionId=none', call),
    await say(`/messages?sessionId=${other}`, call),
    await post(call, { 'mcp-session-id': (await open()).endpoint.split('=')[1] }),
  ];
  expect([refusals.map(({ status }) => status), counted.calls]).toEqual([[400, 404, 404, 404], 0]);
});

test.each<[string, string, Fields, number]>([
  ['GET', '/sse', { origin: 'https://evil.example' }, 403],
  ['GET', '/sse', { host: 'evil.example' }, 403],
  ['POST', '/sse', {}, 405],
  ['GET', '/messages', {}, 405],
])('%s %s with %j: %i', async (method, path, headers, status) => {
  const { send, connect } = await start({ limits: { sessions: 1 } });
  expect((await send(method, path, headers)).status).toBe(status);
  // It took no place of a session.
  expect((await connect()).endpoint).not.toBe('');
});

test('without being asked for, the transport is not served', async () => {
  const { send } = await startHttp();
  expect((await send('GET', '/sse', {})).status).toBe(404);
});

test('the session ends with its stream, and the work with it', async () => {
  let isAborted = false;
  const { open, say, counted } = await start({
    handler: ({ signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve((isAborted = true)))),
  });
  const { stream, endpoint } = await open();
  await say(endpoint, call);
  await expect.poll(() => counted.calls).toBe(1);
  stream.response.destroy();
  await expect.poll(() => isAborted).toBe(true);
  expect((await say(endpoint, ping)).status).toBe(404);
});

test('sessions and calls over the limits are refused', async () => {
  const { connect, send } = await start({ limits: { sessions: 1 } });
  await connect();
  const { status, headers } = await send('GET', '/sse', {});
  expect([status, headers['retry-after']]).toEqual([429, '60']);
  const { open, say, counted } = await start({ callsPerMinute: 2 });
  const { stream, endpoint } = await open();
  await say(endpoint, call);
  expect((await say(endpoint, { ...call, id: 3 })).status).toBe(202);
  await stream.message();
  expect(await stream.message()).toEqual(failure(-32603, 'Too many calls. Try again in 30 seconds.', 3));
  expect(counted.calls).toBe(1);
});

test('the official client calls, is told and is asked', async () => {
  const { url } = await start({
    handler: async ({ log, elicit }) => {
      await log('info', 'working');
      const { action } = await elicit('Sure?', { type: 'object', properties: {} });
      return action;
    },
  });
  const told: unknown[] = [];
  const client = new Client({ name: 'client', version: '0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    told.push(params.data);
  });
  await client.connect(new SSEClientTransport(new URL(`${url}/sse`)));
  expect((await client.callTool({ name: 'x' })).content).toEqual([{ type: 'text', text: 'decline' }]);
  expect(told).toEqual(['working']);
  await client.close();
});
