import { type Duplex, duplexPair } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocketConnection } from '../../../templates/runtime/transports/websocket/connection.ts';
import {
  begin,
  close,
  CLOSE,
  closeBody,
  frame,
  HOSTILE,
  last,
  more,
  ping,
  PING,
  pong,
  PONG,
  readServerFrames,
  type ServerFrame,
  SMALL_LIMITS,
  TEXT,
  text,
} from './websocket-harness.ts';

// Streams go on by themselves; only what waits for time waits for the test.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const limits = { ...SMALL_LIMITS, pingIntervalMs: 1_000, unansweredPings: 2, closeTimeoutMs: 500 };

interface StartOptions {
  head?: Uint8Array;
  receive?: (text: string, connection: WebSocketConnection) => void;
  /** Bytes that may wait for the client. */
  outputBytes?: number;
}

function start({ head = new Uint8Array(), receive, outputBytes = 100_000 }: StartOptions = {}) {
  const [client, socket] = duplexPair({ highWaterMark: outputBytes });
  const texts: string[] = [];
  const connection: WebSocketConnection = new WebSocketConnection(socket, head, {
    limits,
    receive: (value) => {
      texts.push(value);
      receive?.(value, connection);
    },
  });
  const write = async (...frames: Uint8Array[]) => {
    client.write(Buffer.concat(frames));
    await settle();
  };
  /** The client ends, and reads what is left for it. */
  const end = async (bytes: Uint8Array = Buffer.alloc(0)) => {
    client.end(bytes);
    const rest: Buffer[] = await client.toArray();
    return { rest: readServerFrames(Buffer.concat(rest)), closure: await connection.closed };
  };
  return { client, socket, texts, connection, write, end, frames: () => readServerFrames(readAll(client)) };
}

/** Lets everything happen that needs no time. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await turn();
}

function readAll(client: Duplex): Buffer {
  const chunks: Buffer[] = [];
  for (let chunk = client.read(); chunk !== null; chunk = client.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const LOST = { code: 1006, reason: '', isClean: false };
const closeFrame = (code?: number, reason?: string): ServerFrame => ({
  opcode: CLOSE,
  payload: Buffer.from(closeBody(code, reason)),
});
const textFrame = (payload: string): ServerFrame => ({ opcode: TEXT, payload: Buffer.from(payload) });
const pongFrame = (payload: string): ServerFrame => ({ opcode: PONG, payload: Buffer.from(payload) });

/** Whether the promise has settled. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  await settle();
  return Promise.race([promise.then(() => true), turn(false)]);
}

test('messages come in as they were sent, and go out', async () => {
  const { connection, texts, write, frames } = start();
  await write(text('{"a":1}'), begin('"ä'), ping('x'), last('"'));
  // As many fragments as may be.
  await write(begin('1'), more('2'), more('3'), more('4'), last('5'));
  expect(texts).toEqual(['{"a":1}', '"ä"', '12345']);
  expect(connection.send('"é😀"')).toBeUndefined();
  expect(frames()).toEqual([pongFrame('x'), textFrame('"é😀"')]);
});

test.each([0, 125, 126, 65_535, 65_536, 1_000_000])('a message of %i bytes goes out', async (length) => {
  const { connection, frames } = start({ outputBytes: 2_000_000 });
  expect(connection.send('x'.repeat(length))).toBeUndefined();
  await settle();
  const sent = frames().map(({ opcode, payload }) => [opcode, String(payload)]);
  expect(sent).toEqual([[TEXT, 'x'.repeat(length)]]);
});

test('what came behind the handshake is received, but not before the constructor has returned', async () => {
  const head = Buffer.concat([text('1'), text('2').subarray(0, 3)]);
  const { texts, write } = start({ head });
  expect(texts).toEqual([]);
  await write(text('2').subarray(3));
  expect(texts).toEqual(['1', '2']);
});

test.each(HOSTILE)('%s closes with %i, and nothing is received', async (_, code, hostile) => {
  for (const size of [Infinity, 1]) {
    const { client, socket, connection, texts, frames, end } = start();
    const bytes = Buffer.concat([...hostile, text('{}'), ping('late'), close(1000)]);
    // Not to wait for thousands of turns: what is long is cut near its ends.
    for (const chunk of chunksOf(bytes, size)) client.write(chunk);
    await settle();
    const sent = frames().filter(({ payload }) => payload.length > 0);
    expect(sent).toEqual([{ opcode: CLOSE, payload: expect.any(Buffer) }]);
    expect(sent[0]?.payload.readUInt16BE(0)).toBe(code);
    expect(sent[0]?.payload.subarray(2).toString()).toMatch(/^[A-Z].*\.$/);
    expect(connection.send('late')).toBeUndefined();
    expect(await end()).toEqual({ rest: [], closure: { code, reason: expect.any(String), isClean: false } });
    expect(socket.destroyed).toBe(true);
    expect(texts).toEqual([]);
  }
});

function* chunksOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  const edge = 300;
  for (let at = 0; at < bytes.length;) {
    const isInner = at >= edge && at < bytes.length - edge;
    const end = isInner ? bytes.length - edge : Math.min(at + size, bytes.length);
    yield bytes.subarray(at, end);
    at = end;
  }
}

test('what failed is not read to its end, and the client has its time to take the reason', async () => {
  const { client, socket, connection, write } = start();
  await write(frame({ opcode: 3 }));
  await write(text('x'.repeat(50_000)));
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(limits.closeTimeoutMs);
  expect(socket.destroyed).toBe(true);
  client.destroy();
  expect(await connection.closed).toMatchObject({ code: 1002, isClean: false });
});

test('of many pings, a client that reads nothing gets the latest answered', async () => {
  const { socket, connection, write, frames } = start({ outputBytes: 1_000 });
  void connection.send('x'.repeat(2_000));
  for (let count = 0; count < 100; count++) await write(ping(`${count}`));
  expect(socket.writableLength).toBeLessThan(2_100);
  const [first, ...pongs] = [...frames(), ...(await afterwards(frames))];
  expect(first).toEqual(textFrame('x'.repeat(2_000)));
  expect(pongs).toEqual([pongFrame('99')]);
});

async function afterwards<T>(get: () => T): Promise<T> {
  await settle();
  return get();
}

test.each<[string, Uint8Array, ServerFrame, object]>([
  ['a code and a reason', close(1001, 'bye'), closeFrame(1001), { code: 1001, reason: 'bye' }],
  ['an application code', close(4321), closeFrame(4321), { code: 4321, reason: '' }],
  ['no code', close(), closeFrame(), { code: 1005, reason: '' }],
])('a client closes with %s', async (_, bytes, answer, want) => {
  const { socket, connection, texts, write, frames, end } = start();
  await write(text('1'), bytes, text('2'), ping());
  expect(frames()).toEqual([answer]);
  expect(texts).toEqual(['1']);
  expect(connection.send('late')).toBeUndefined();
  connection.close(1011);
  expect(socket.writableEnded).toBe(true);
  expect(await end()).toEqual({ rest: [], closure: { ...want, isClean: true } });
  expect(vi.getTimerCount()).toBe(0);
});

test('a client that closes and then stays is cut off, cleanly', async () => {
  const { socket, connection, write, frames } = start();
  await write(close(1000));
  expect(frames()).toEqual([closeFrame(1000)]);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(limits.closeTimeoutMs);
  expect(await connection.closed).toEqual({ code: 1000, reason: '', isClean: true });
});

test.each<[string, [code?: number, reason?: string], ServerFrame]>([
  ['as usual', [], closeFrame(1000)],
  ['with a reason', [1001, 'shutting down'], closeFrame(1001, 'shutting down')],
  ['with a reason of 123 bytes', [1001, 'x'.repeat(123)], closeFrame(1001, 'x'.repeat(123))],
  ['with a reason too long', [1001, 'x'.repeat(124)], closeFrame(1001, 'x'.repeat(123))],
  ['with a reason cut amid a character', [1001, `${'x'.repeat(122)}é`], closeFrame(1001, 'x'.repeat(122))],
])('the server closes %s', async (_, args, want) => {
  const { socket, connection, texts, write, frames, end } = start();
  void connection.send('1');
  connection.close(...args);
  connection.close(1011);
  connection.pause();
  expect(connection.send('2')).toBeUndefined();
  await write(text('late'), ping('late'));
  expect(frames()).toEqual([textFrame('1'), want]);
  expect(socket.writableEnded).toBe(false);
  await write(close(1000));
  expect(socket.writableEnded).toBe(true);
  const [code = 1000, reason = ''] = args;
  expect(await end()).toEqual({ rest: [], closure: { code, reason, isClean: true } });
  expect(texts).toEqual([]);
});

test.each([0, 999, 1004, 1006, 1015, 2999, 5000, 1000.5, NaN])('the code %d is not sent', async (code) => {
  const { connection, frames } = start();
  expect(() => connection.close(code)).toThrow(RangeError);
  expect(frames()).toEqual([]);
  void connection.send('still open');
  expect(frames()).toEqual([textFrame('still open')]);
});

test('a client that does not answer a close is cut off', async () => {
  const { socket, connection } = start();
  connection.close(1001);
  vi.advanceTimersByTime(limits.closeTimeoutMs - 1);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await connection.closed).toEqual({ code: 1001, reason: '', isClean: false });
});

test.each([
  ['an error', new Error('ECONNRESET')],
  ['no word', undefined],
])('a socket that goes with %s', async (_, error) => {
  const { socket, connection, write } = start();
  await write(text('{'));
  socket.destroy(error);
  expect(await connection.closed).toEqual(LOST);
  expect(connection.send('late')).toBeUndefined();
  connection.pause();
  connection.resume();
  connection.close();
  socket.emit('error', new Error('later'));
  expect(vi.getTimerCount()).toBe(0);
});

test('a socket that is gone already', async () => {
  const [, socket] = duplexPair();
  socket.destroy();
  await settle();
  const connection = new WebSocketConnection(socket, text('1'), { limits, receive: () => undefined });
  expect(connection.send('1')).toBeUndefined();
  expect(await connection.closed).toEqual(LOST);
  expect(vi.getTimerCount()).toBe(0);
});

test('a receiver that throws closes the connection', async () => {
  const { texts, write, frames, end } = start({
    receive: () => {
      throw new Error('secret');
    },
  });
  await write(text('1'), text('2'), close(1011));
  expect(frames()).toEqual([closeFrame(1011, 'The server failed.')]);
  expect(await end()).toMatchObject({ closure: { code: 1011, isClean: true } });
  expect(texts).toEqual(['1']);
});

test('paused between two messages of one chunk, it goes on where it was', async () => {
  const { connection, texts, write } = start({ receive: (_, it) => it.pause() });
  await write(text('1'), text('2'), text('3'));
  expect(texts).toEqual(['1']);
  await write(text('4'));
  expect(texts).toEqual(['1']);
  for (const count of [2, 3, 4]) {
    connection.resume();
    await settle();
    expect(texts).toEqual(['1', '2', '3', '4'].slice(0, count));
  }
});

test('what came before the end is received when it is resumed after it', async () => {
  const { connection, texts, end } = start({
    receive: (_, it) => {
      it.pause();
      void it.send('!');
    },
  });
  const ended = end(Buffer.concat([text('1'), text('2')]));
  await settle();
  expect(texts).toEqual(['1']);
  connection.resume();
  connection.resume();
  expect(await ended).toEqual({ rest: [textFrame('!'), textFrame('!')], closure: LOST });
  expect(texts).toEqual(['1', '2']);
});

test('there is room until the output is full, and again when it has been read', async () => {
  const { connection, frames } = start({ outputBytes: 1_000 });
  expect(connection.send('x'.repeat(100))).toBeUndefined();
  const room = connection.send('x'.repeat(1_000));
  expect(room).toBeInstanceOf(Promise);
  expect(connection.send('y')).toBe(room);
  expect(await isSettled(room ?? Promise.resolve())).toBe(false);
  for (let turns = 0; turns < 5; turns++) await afterwards(frames);
  expect(await room).toBeUndefined();
  expect(connection.send('z')).toBeUndefined();
});

test.each<[string, (connection: WebSocketConnection, socket: Duplex) => void]>([
  ['goes', (_, socket) => socket.destroy()],
  ['fails', (_, socket) => socket.destroy(new Error('EPIPE'))],
  [
    'is closed and not read',
    (connection) => {
      connection.close();
      vi.advanceTimersByTime(limits.closeTimeoutMs);
    },
  ],
])('who waits for room waits no longer when the socket %s', async (_, end) => {
  const { connection, socket } = start({ outputBytes: 10 });
  const room = connection.send('x'.repeat(1_000));
  expect(room).toBeInstanceOf(Promise);
  end(connection, socket);
  expect(await room).toBeUndefined();
});

test('a silent client is pinged, then given up', async () => {
  const { socket, connection, frames } = start();
  for (let pings = 0; pings < limits.unansweredPings; pings++) {
    vi.advanceTimersByTime(limits.pingIntervalMs);
    expect(frames()).toEqual([{ opcode: PING, payload: Buffer.alloc(0) }]);
    expect(socket.destroyed).toBe(false);
  }
  vi.advanceTimersByTime(limits.pingIntervalMs);
  expect(socket.destroyed).toBe(true);
  expect(await connection.closed).toEqual(LOST);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['a pong', pong()],
  ['a message', text('{}')],
  ['a part of a frame', Uint8Array.of(0x81)],
])('%s is a sign of life', async (_, bytes) => {
  const { socket, write } = start();
  vi.advanceTimersByTime(2 * limits.pingIntervalMs);
  await write(bytes);
  vi.advanceTimersByTime(2 * limits.pingIntervalMs);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(limits.pingIntervalMs);
  expect(socket.destroyed).toBe(true);
});

test('a client is not given up while it is we who do not read', async () => {
  const { socket, connection, frames } = start();
  connection.pause();
  for (let count = 0; count < 10; count++) {
    vi.advanceTimersByTime(limits.pingIntervalMs);
    expect(frames()).toHaveLength(1);
  }
  connection.resume();
  vi.advanceTimersByTime(limits.pingIntervalMs);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(limits.pingIntervalMs);
  expect(socket.destroyed).toBe(true);
});

test('a client that reads what has waited lives', async () => {
  const { socket, connection, frames } = start({ outputBytes: 1_000 });
  void connection.send('x'.repeat(2_000));
  vi.advanceTimersByTime(2 * limits.pingIntervalMs);
  for (let turns = 0; turns < 5; turns++) await afterwards(frames);
  vi.advanceTimersByTime(limits.pingIntervalMs);
  expect(socket.destroyed).toBe(false);
});

test('whatever comes, the connection ends when the client does', async () => {
  const bytes = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom(text('{}'), begin('{'), last('}'), ping('x'), pong(), close(1000), close()),
    ),
    { maxLength: 10 },
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (chunks) => {
      const { client, connection } = start();
      client.resume();
      for (const chunk of chunks) client.write(chunk);
      client.end();
      const { code, isClean } = await connection.closed;
      expect([1000, 1002, 1003, 1005, 1006, 1007, 1008, 1009]).toContain(code);
      expect(isClean).toBe(code === 1000 || code === 1005);
    }),
    { numRuns: 300 },
  );
});
