// WebSocket over a real socket: the handshake, frames good and bad, and a session.
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { onTestFinished, expect, test, vi } from 'vitest';
import {
  begin,
  close,
  closeBody,
  frame,
  HOSTILE,
  last,
  more,
  ping,
  readServerFrames,
  type ServerFrame,
  text,
} from './websocket-frames.ts';
import type { Feature } from '../../templates/runtime/feature.ts';
import type { Context } from '../../templates/runtime/types.ts';
import { call, type Fields, hello, modern, ready } from './client.ts';
import { makeServer } from './core.ts';
import { type HttpParts, listen, serve } from './http.ts';

// The key and its answer are those of RFC 6455, section 1.3.
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const good = {
  upgrade: 'websocket',
  connection: 'Upgrade',
  'sec-websocket-key': KEY,
  'sec-websocket-version': '13',
};

async function open(
  headers: Fields = {},
  parts: HttpParts = {},
  line: { method?: string; path?: string; version?: string } = {},
) {
  const rules = { allowedOrigins: ['https://app.example'], ...parts.rules };
  const served = await serve({ ...parts, rules, flags: { ws: true } }, []);
  const enter = async () => openSocket(Number(new URL(served.url).port), headers, line);
  return { ...served, ...(await enter()), enter };
}

async function openSocket(port: number, headers: Fields, { method = 'GET', path = '/ws', version = '1.1' }) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => (bytes = Buffer.concat([bytes, chunk]))).on('error', () => undefined);
  const fields = Object.entries({ host: `127.0.0.1:${port}`, ...good, ...headers })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/${version}\r\n${fields.join('')}\r\n`);
  await expect.poll(() => bytes.includes('\r\n\r\n')).toBe(true);
  const end = (): number => bytes.indexOf('\r\n\r\n') + 4;
  const head = bytes.subarray(0, end()).toString().toLowerCase();
  const frames = (): ServerFrame[] => readServerFrames(bytes.subarray(end()));
  return { socket, head, status: Number(head.split(' ')[1]), frames };
}

const messages = (frames: ServerFrame[]): { id?: unknown; method?: string; result?: unknown }[] =>
  frames
    .filter(({ opcode }) => opcode === 1)
    .map(({ payload }) => JSON.parse(payload.toString()) as { id?: unknown });

const codeOf = (frames: ServerFrame[]): number | undefined =>
  frames.find(({ opcode }) => opcode === 8)?.payload.readUInt16BE(0);

test.each<[string, Fields, string | undefined]>([
  ['the subprotocol among others', { 'sec-websocket-protocol': 'chat.v2,  mcp , x' }, 'mcp'],
  ['extensions, which are left out', { 'sec-websocket-extensions': 'permessage-deflate' }, undefined],
  ['tokens among others, in another case', { upgrade: 'h2c, WebSocket', connection: 'a,UPGRADE' }, undefined],
  ['a length of nothing', { 'content-length': '0' }, undefined],
])('accepts %s', async (_, headers, protocol) => {
  const { status, head } = await open(headers);
  expect(status).toBe(101);
  expect(head).toContain('sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=');
  expect(/sec-websocket-protocol: (.*)\r/.exec(head)?.[1]).toBe(protocol);
  expect(head).not.toContain('extensions');
});

test.each<[string, Fields, number]>([
  ['a foreign origin', { origin: 'https://evil.example' }, 403],
  ['a foreign host', { host: 'evil.example' }, 403],
  ['an upgrade that only begins like it', { upgrade: 'websocket2' }, 426],
  ['an older version', { 'sec-websocket-version': '8' }, 426],
  ['no key', { 'sec-websocket-key': undefined }, 400],
  ['two keys', { 'sec-websocket-key': `${KEY}, ${KEY}` }, 400],
  ['other subprotocols alone', { 'sec-websocket-protocol': 'chat, superchat' }, 400],
  ['a gap in the subprotocols', { 'sec-websocket-protocol': 'mcp,,chat' }, 400],
  ['a body', { 'content-length': '5' }, 400],
])('refuses %s', async (_, headers, status) => {
  expect((await open(headers)).status).toBe(status);
});

test.each([
  ['POST', { method: 'POST' }, 405],
  ['another path', { path: '/nothing' }, 404],
  ['a query', { path: '/ws?x=/mcp' }, 101],
])('the request line: %s', async (_, line, status) => {
  expect((await open({}, {}, line)).status).toBe(status);
});

test('a caller without a token is refused, and one too many', async () => {
  const guard: Feature = {
    name: 'guard',
    admit: ({ request }) => {
      if (request.headers.authorization === 'Bearer t') return { subject: 'alice' };
      throw Object.assign(new Error('no'), {});
    },
  };
  expect((await open({}, { features: [guard] })).status).toBe(500);
  expect((await open({ authorization: 'Bearer t' }, { features: [guard] })).status).toBe(101);
  expect((await open({}, { limits: { sessions: 0 } })).status).toBe(429);
});

test('plain requests for the path are told to upgrade', async () => {
  const { url } = await serve({ flags: { ws: true } }, []);
  const answer = await fetch(`${url}/ws`);
  expect([answer.status, answer.headers.get('upgrade')]).toEqual([426, 'websocket']);
});

test.each(HOSTILE)('%s closes with %i', async (name, code, hostile) => {
  const { socket, frames } = await open({}, { limits: { bodyBytes: 70_000 } });
  const many = /too many/.test(name)
    ? [begin(''), ...Array.from({ length: 10_000 }, () => more(''))]
    : hostile;
  const closed = once(socket, 'close');
  for (const part of many) socket.write(part);
  await closed;
  expect(codeOf(frames())).toBe(code);
});

test.each<[string, Uint8Array, Uint8Array]>([
  ['without a code', close(), closeBody()],
  ['with one', close(1000, 'bye'), closeBody(1000)],
  ['with one of its own', close(4999), closeBody(4999)],
])('a client closes %s', async (_, sent, want) => {
  const { socket, frames } = await open();
  const ended = once(socket, 'end');
  socket.write(sent);
  await ended;
  expect(frames()).toEqual([{ opcode: 8, payload: Buffer.from(want) }]);
});

const say = (socket: Socket, message: object): boolean => socket.write(text(JSON.stringify(message)));
const tool = (handler: (args: object, context: Context) => unknown) => ({
  handlers: { extraTools: [{ name: 'x', inputSchema: { type: 'object' }, handler }] },
});

async function openSession(parts: HttpParts) {
  const client = await open({}, parts);
  say(client.socket, hello());
  say(client.socket, ready);
  await expect.poll(() => messages(client.frames()).length).toBe(1);
  return client;
}

test('messages come cut anywhere, in fragments with a ping between, and go out', async () => {
  const parts = tool(async (_, { log }) => log('info', 'told').then(() => 'done'));
  const { socket, frames } = await openSession(parts);
  const body = JSON.stringify(call);
  const bytes = Buffer.concat([
    begin(body.slice(0, 9)),
    ping('p'),
    more(body.slice(9, 20)),
    last(body.slice(20)),
  ]);
  for (const byte of bytes) socket.write(Buffer.of(byte));
  await expect.poll(() => messages(frames()).length).toBe(3);
  expect(messages(frames())).toMatchObject([
    { id: 'open', result: { protocolVersion: '2025-11-25' } },
    { method: 'notifications/message', params: { data: 'told' } },
    { id: 2, result: { content: [{ text: 'done' }] } },
  ]);
  expect(
    frames()
      .find(({ opcode }) => opcode === 10)
      ?.payload.toString(),
  ).toBe('p');
});

test.each([1, 125, 126, 65_535, 65_536, 1_000_000])('an answer of %i characters goes out', async (length) => {
  const { socket, frames } = await openSession(tool(() => 'x'.repeat(length)));
  say(socket, call);
  await expect
    .poll(() => messages(frames()).at(-1))
    .toMatchObject({ id: 2, result: { content: [{ text: 'x'.repeat(length) }] } });
});

test('a session ends with its socket, and its work with it', async () => {
  let isAborted = false;
  const parts = tool(
    (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve((isAborted = true)))),
  );
  const { socket, frames } = await openSession(parts);
  say(socket, call);
  say(socket, { jsonrpc: '2.0', id: 3, method: 'ping' });
  await expect.poll(() => messages(frames()).length).toBe(2);
  socket.destroy();
  await expect.poll(() => isAborted).toBe(true);
});

test('a client that reads nothing is not read from, and loses nothing', async () => {
  const { socket, frames } = await openSession({
    ...tool(() => 'x'.repeat(100_000)),
    limits: { unreadMs: 60_000 },
  });
  socket.pause();
  for (let id = 10; id < 40; id++) say(socket, { ...call, id });
  socket.resume();
  await expect.poll(() => messages(frames()).length).toBe(31);
});

test('many unfinished messages of all clients together are bounded, and the one that was closed counts no more', async () => {
  const { socket, frames, enter } = await open({}, { limits: { heldBytes: 1_000, shortBytes: 0 } });
  socket.write(frame({ payload: 'x'.repeat(2_000), isFinal: false }));
  await expect.poll(() => codeOf(frames())).toBe(1013);
  const other = await enter();
  const message = JSON.stringify({ jsonrpc: '2.0', id: 'x'.repeat(800), method: 'ping' });
  other.socket.write(begin(message));
  await turn();
  other.socket.write(last(''));
  await expect.poll(() => messages(other.frames()).length).toBe(1);
});

test('2026-07-28 is spoken, with subscriptions that end with the server', async () => {
  const { socket, frames, handle, server } = await open(
    {},
    tool(() => 'done'),
  );
  say(socket, modern('subscriptions/listen', { notifications: {} }, 1));
  say(socket, modern('tools/call', { name: 'x' }, 2));
  await expect.poll(() => messages(frames()).length).toBe(2);
  server.beginStopping();
  handle.stop();
  await expect.poll(() => codeOf(frames())).toBe(1001);
  expect(messages(frames()).slice(2)).toMatchObject([
    { method: 'notifications/cancelled', params: { requestId: 1 } },
    { id: 1, result: { resultType: 'complete' } },
  ]);
});

// In this process, so that a socket gets its chunks as they are cut.

async function openPair() {
  const { listener } = await serve({ flags: { ws: true } }, []);
  return async () => {
    const [client, socket] = duplexPair();
    const request = new IncomingMessage(new Socket());
    const headers = { host: 'localhost', ...good };
    let bytes = Buffer.alloc(0);
    client.on('data', (chunk: Buffer) => (bytes = Buffer.concat([bytes, chunk])));
    const head = { method: 'GET', url: '/ws', httpVersion: '1.1', headers };
    listener.emit('upgrade', Object.assign(request, head), socket, Buffer.alloc(0));
    await expect.poll(() => bytes.includes('\r\n\r\n')).toBe(true);
    const frames = (): ServerFrame[] => readServerFrames(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4));
    return { client, socket, frames };
  };
}

test('whatever comes, the connection ends with its client, and the server does not fail', async () => {
  const enter = await openPair();
  const frameLike = fc
    .record({
      isFinal: fc.boolean(),
      reserved: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1),
      opcode: fc.constantFrom(0, 0, 1, 1, 2, 8, 9, 10, 11),
      payload: fc.uint8Array({ maxLength: 130 }),
    })
    .map(frame);
  const parts = fc.array(fc.oneof(frameLike, fc.uint8Array({ maxLength: 200 })), { maxLength: 10 });
  const property = fc.asyncProperty(parts, async (chunks) => {
    const { client, socket, frames } = await enter();
    const closed = once(socket, 'close');
    for (const chunk of chunks) if (chunk.length > 0) client.write(chunk);
    client.end();
    await closed;
    const closing = frames().find(({ opcode, payload }) => opcode === 8 && payload.length > 0);
    // The server failed.
    expect(closing?.payload.readUInt16BE(0)).not.toBe(1011);
  });
  await fc.assert(property, { numRuns: 300 });
});

test('a silent client is pinged, then given up', async () => {
  const enter = await openPair();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { socket, frames } = await enter();
  for (let pings = 1; pings <= 2; pings++) {
    await vi.advanceTimersByTimeAsync(30_000);
    await turn();
    expect([frames().map(({ opcode }) => opcode), socket.destroyed]).toEqual([Array(pings).fill(9), false]);
  }
  await vi.advanceTimersByTimeAsync(30_000);
  expect(socket.destroyed).toBe(true);
});

test('other upgrades are ignored, as if they were not asked for', async () => {
  const server = makeServer({ env: { PORT: '0' }, flags: { transport: 'http', ws: true } }, []);
  const { port, host } = new URL(await listen(server));
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answered = '';
  socket.on('data', (chunk: Buffer) => (answered += chunk.toString()));
  const body = JSON.stringify(hello());
  const head = {
    host,
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': String(body.length),
  };
  const fields = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  // The second request shows that the connection goes on.
  socket.write(
    `POST /mcp HTTP/1.1\r\n${fields.join('')}\r\n${body}GET /livez HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
  );
  await expect.poll(() => answered.match(/HTTP\/1\.1 200/g)?.length).toBe(2);
  expect(answered).toContain('"protocolVersion":"2025-11-25"');
});
