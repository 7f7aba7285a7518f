/** Answers as they stand on the wire (RFC 9112), and what a call makes of them. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { BodyBinding } from '../../../templates/runtime/contract/bindings.ts';
import { call, rawServer, type Received, refusal } from './loopback.ts';

const get = { path: '/' };

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const answers: Record<string, [raw: string, want: Answer]> = {
  'a length': [
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc',
    { status: 200, headers: { 'content-length': '3' }, body: 'abc' },
  ],
  'no length: up to the end': [
    'HTTP/1.1 200 OK\r\nX: 1\r\n\r\nabc\r\n',
    { status: 200, headers: { x: '1' }, body: 'abc\r\n' },
  ],
  'HTTP/1.0': ['HTTP/1.0 200 OK\r\n\r\nabc', { status: 200, headers: {}, body: 'abc' }],
  'no reason': [
    'HTTP/1.1 200\r\nContent-Length: 1\r\n\r\na',
    { status: 200, headers: { 'content-length': '1' }, body: 'a' },
  ],
  'a control character in the reason, which nobody reads': [
    'HTTP/1.1 200 O\0K\r\nContent-Length: 0\r\n\r\n',
    { status: 200, headers: { 'content-length': '0' }, body: '' },
  ],
  'no body where the status has none': [
    'HTTP/1.1 204 No Content\r\nX: 1\r\n\r\n',
    { status: 204, headers: { x: '1' }, body: '' },
  ],
  'a length of what was not sent again': [
    'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n',
    { status: 304, headers: { 'content-length': '5' }, body: '' },
  ],
  chunks: [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;name="v"\r\n0123456789\r\n0\r\n\r\n',
    { status: 200, headers: { 'transfer-encoding': 'chunked' }, body: 'abc0123456789' },
  ],
  'trailers are for nobody': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n1\r\na\r\n000\r\nX: 1\r\nY: 2\r\n\r\n',
    { status: 200, headers: { 'transfer-encoding': 'Chunked' }, body: 'a' },
  ],
  'a chunk that looks like an end': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n0\r\n\r\n\r\n\r\n0\r\n\r\n',
    { status: 200, headers: { 'transfer-encoding': 'chunked' }, body: '0\r\n\r\n\r\n' },
  ],
  'interim answers come first': [
    'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na',
    { status: 200, headers: { 'content-length': '1' }, body: 'a' },
  ],
  'blanks around a value, and none of it': [
    'HTTP/1.1 200 OK\r\nA:\t 1 \t\r\nB:\r\nContent-Length: 0\r\n\r\n',
    { status: 200, headers: { a: '1', b: '', 'content-length': '0' }, body: '' },
  ],
  'chunked among other codings, last': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
    { status: 200, headers: { 'transfer-encoding': 'gzip, chunked' }, body: 'a' },
  ],
  'a coding that is not chunked: up to the end': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nabc',
    { status: 200, headers: { 'transfer-encoding': 'identity' }, body: 'abc' },
  ],
  'a status that nobody knows': [
    'HTTP/1.1 999 X\r\nContent-Length: 1\r\n\r\na',
    { status: 999, headers: { 'content-length': '1' }, body: 'a' },
  ],
  'octets beyond ASCII in a value': [
    'HTTP/1.1 200 OK\r\nA: \u00e4\r\nContent-Length: 0\r\n\r\n',
    { status: 200, headers: { a: '\u00e4', 'content-length': '0' }, body: '' },
  ],
  'names in any case, values with a colon': [
    'HTTP/1.1 200 OK\r\nLOCATION: http://a/?b: c\r\nX-E: 1\r\n\r\n',
    { status: 200, headers: { location: 'http://a/?b: c', 'x-e': '1' }, body: '' },
  ],
  'repeated headers are one list': [
    'HTTP/1.1 200 OK\r\nVary: a\r\nvary: b\r\nSet-Cookie: c=1\r\nSet-Cookie: d=2\r\nContent-Length: 0\r\n\r\n',
    { status: 200, headers: { vary: 'a, b', 'set-cookie': 'c=1, d=2', 'content-length': '0' }, body: '' },
  ],
  'of those that stand once the first counts': [
    'HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Type: c/d\r\nContent-Length: 0\r\n\r\n',
    { status: 200, headers: { 'content-type': 'a/b', 'content-length': '0' }, body: '' },
  ],
};

const faults: Record<string, [raw: string, words: string]> = {
  'another protocol': ['SSH-2.0-OpenSSH_9.6\r\n', 'not valid HTTP (HPE_'],
  'another version': ['HTTP/3.0 200 OK\r\n\r\n', 'not valid HTTP (HPE_'],
  'no status': ['HTTP/1.1 OK\r\n\r\n', 'not valid HTTP (HPE_'],
  'a name with a blank': ['HTTP/1.1 200 OK\r\nA B: 1\r\nContent-Length: 0\r\n\r\n', 'not valid HTTP (HPE_'],
  'no colon': ['HTTP/1.1 200 OK\r\nA\r\nContent-Length: 0\r\n\r\n', 'not valid HTTP (HPE_'],
  'a control character': [
    'HTTP/1.1 200 OK\r\nA: \u0001\r\nContent-Length: 0\r\n\r\n',
    'not valid HTTP (HPE_',
  ],
  'a bare carriage return': [
    'HTTP/1.1 200 OK\r\nA: 1\rB: 2\r\nContent-Length: 0\r\n\r\n',
    'not valid HTTP (HPE_',
  ],
  'two lengths': [
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na',
    'not valid HTTP (HPE_',
  ],
  'a length that is none': ['HTTP/1.1 200 OK\r\nContent-Length: 0x1\r\n\r\na', 'not valid HTTP (HPE_'],
  'a length and chunks': [
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'not valid HTTP (HPE_',
  ],
  'a chunk without a size': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n',
    'not valid HTTP (HPE_',
  ],
  'a chunk longer than its size': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n',
    'not valid HTTP (HPE_',
  ],
  'too many headers': [
    `HTTP/1.1 200 OK\r\n${'A: 0123456789\r\n'.repeat(2_000)}\r\n`,
    'not valid HTTP (HPE_HEADER_OVERFLOW)',
  ],
  'a folded header': ['HTTP/1.1 200 OK\r\nA: 1\r\n 2\r\nContent-Length: 0\r\n\r\n', 'not valid HTTP (HPE_'],
  'a blank before a colon': ['HTTP/1.1 200 OK\r\nA : 1\r\nContent-Length: 0\r\n\r\n', 'not valid HTTP (HPE_'],
  'an empty length': ['HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n', 'not valid HTTP (HPE_'],
  'a list of lengths': ['HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\na', 'not valid HTTP (HPE_'],
  'a negative length': ['HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\na', 'not valid HTTP (HPE_'],
  'a length beyond 64 bits': [
    'HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\na',
    'not valid HTTP (HPE_',
  ],
  'chunks and a length': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n',
    'not valid HTTP (HPE_',
  ],
  'line feeds alone': ['HTTP/1.1 200 OK\nContent-Length: 0\n\n', 'not valid HTTP (HPE_'],
  'a header that ends with a line feed alone': [
    'HTTP/1.1 200 OK\r\nA: 1\nContent-Length: 0\r\n\r\n',
    'not valid HTTP (HPE_',
  ],
  'a chunk that ends with a line feed alone': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n',
    'not valid HTTP (HPE_',
  ],
  'a chunk whose size has a sign': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n+1\r\na\r\n0\r\n\r\n',
    'not valid HTTP (HPE_',
  ],
  'a chunk extension without end': [
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(20_000)}\r\na\r\n0\r\n\r\n`,
    'not valid HTTP (HPE_',
  ],
  'trailers without end': [
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'A: 0123456789\r\n'.repeat(2_000)}\r\n`,
    'not valid HTTP (HPE_',
  ],
  'a status of two digits': ['HTTP/1.1 99 OK\r\n\r\n', 'not valid HTTP (HPE_'],
  'a status beyond 999': ['HTTP/1.1 2000 OK\r\n\r\n', 'not valid HTTP (HPE_'],
  'blank lines first': ['\r\n\r\nSSH\r\n', 'not valid HTTP (HPE_'],
  'an end in the headers': ['HTTP/1.1 200 OK\r\nA: 1\r\n', 'it closed the connection'],
  'an end before the length': ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na', 'it closed the connection'],
  'an end before the last chunk': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n',
    'it closed the connection',
  ],
};

/** Sends the bytes in one piece, or each by itself. */
const deliveries: Record<string, (socket: Socket, bytes: Buffer) => void> = {
  'in one piece': (socket, bytes) => socket.end(bytes),
  'byte by byte': (socket, bytes) => {
    socket.setNoDelay(true);
    // More at a time of what is long.
    const step = Math.ceil(bytes.length / 300);
    const sendFrom = (at: number): void => {
      if (at >= bytes.length) socket.end();
      else socket.write(bytes.subarray(at, at + step), () => setImmediate(sendFrom, at + step));
    };
    sendFrom(0);
  },
};

/** Result of a call for an answer, and for the end of its connection. */
async function read(raw: string, delivery: (socket: Socket, bytes: Buffer) => void): Promise<Answer> {
  const upstream = await rawServer((_request: Received, socket) => {
    delivery(socket, Buffer.from(raw, 'latin1'));
    return undefined;
  });
  try {
    const { status, headers, body } = await call(upstream.url, get, {}, { limits: { retries: 0 } });
    return { status, headers: { ...headers }, body: body.kind === 'text' ? body.text : body.kind };
  } finally {
    await upstream.close();
  }
}

describe.each(Object.entries(deliveries))('%s', (_, delivery) => {
  test.each(Object.entries(answers))('%s', async (_what, [raw, want]) => {
    expect(await read(raw, delivery)).toEqual({ ...want, body: want.body === '' ? 'none' : want.body });
  });

  test.each(Object.entries(faults))('a fault: %s', async (_what, [raw, words]) => {
    expect((await refusal(read(raw, delivery))).message).toContain(words);
  });
});

test.each<[string, string, number]>([
  ['kept', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 1],
  ['kept after chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n', 1],
  ['closed, as the server says', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', 2],
  ['closed, where the version does not keep it', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', 2],
  ['kept by HTTP/1.0', 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n', 1],
  [
    'closed, where it is kept for too short',
    'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 0\r\n\r\n',
    2,
  ],
  ['closed, where there are two answers', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'.repeat(2), 2],
])('a connection is %s', async (_, raw, want) => {
  const used = new Set<unknown>();
  const upstream = await rawServer((_request, socket) => {
    used.add(socket);
    return raw;
  });
  for (let round = 0; round < 2; round++) expect((await call(upstream.url, get)).status).toBe(200);
  await upstream.close();
  expect([used.size, upstream.requests.length]).toEqual([want, 2]);
});

/** More than the buffers of a connection hold, so that it waits to be read. */
const unreadBody = 'x'.repeat(32_000_000);

test('a connection is not kept where the request was answered before it was read', async () => {
  const connections: Socket[] = [];
  const server = createServer((socket) => {
    connections.push(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', () => {
      socket.pause();
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const body: BodyBinding = { kind: 'text', mediaType: 'text/plain', argument: 'body' };
  // What is sent behind the rest of the first request nobody answers.
  const limits = { timeoutMs: 5_000 };
  expect((await call(url, { method: 'POST', body }, { body: unreadBody }, { limits })).status).toBe(200);
  expect((await call(url, get, {}, { limits })).status).toBe(200);
  expect(connections.length).toBe(2);
  for (const socket of connections) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test('a connection is closed where something arrives while it is idle', async () => {
  const used = new Set<Socket>();
  let closed: () => void;
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  const upstream = await rawServer((_request, socket, index) => {
    used.add(socket);
    if (index === 0) {
      socket.on('close', () => closed());
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nunasked'), 50);
    }
    return 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nasked';
  });
  const want = { kind: 'text', text: 'asked' };
  expect((await call(upstream.url, get)).body).toEqual(want);
  await isClosed;
  expect((await call(upstream.url, get)).body).toEqual(want);
  await upstream.close();
  expect(used.size).toBe(2);
});

test.each<[what: string, answer: string | undefined]>([
  ['ends', undefined],
  ['is reset', ''],
])('a POST on a kept connection that %s as it arrives is not sent again', async (_, answer) => {
  const upstream = await rawServer((_request, socket, index) => {
    if (index === 0) return 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
    if (answer === undefined) socket.end();
    else socket.resetAndDestroy();
    return undefined;
  });
  const post = { ...get, method: 'POST' };
  await call(upstream.url, post);
  expect((await refusal(call(upstream.url, post))).message).toContain('it closed the connection');
  await upstream.close();
  expect(upstream.requests.map(({ line }) => line)).toEqual(Array(2).fill('POST / HTTP/1.1'));
});

test.each<[method: string, head: string]>([
  ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'],
  ['HEAD', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['GET', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n'],
  ['GET', 'HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n'],
])('the answer to %s ends with its head: %s', async (method, head) => {
  const upstream = await rawServer(() => head);
  const answer = await call(
    upstream.url,
    { ...get, method },
    {},
    { limits: { timeoutMs: 5_000, retries: 0 } },
  );
  await upstream.close();
  expect(answer.body).toEqual({ kind: 'none' });
});

test('a connection that ends while it is idle takes no request with it', async () => {
  let ended: () => void;
  const end = new Promise<void>((resolve) => (ended = resolve));
  const upstream = await rawServer((_request, socket) => {
    socket.on('close', () => ended());
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    return undefined;
  });
  await call(upstream.url, get);
  await end;
  await new Promise(setImmediate);
  expect((await call(upstream.url, { ...get, method: 'POST' })).status).toBe(200);
  await upstream.close();
});

test('a hook may ask to be told to continue, and a method that is no token is refused', async () => {
  const upstream = await rawServer();
  const setTarget = {
    beforeRequest: ({ headers }: { headers: Headers }) => headers.set('Expect', '100-continue'),
  };
  const settings = { settings: setTarget, limits: { timeoutMs: 1_000 } };
  await call(upstream.url, get, {}, settings);
  const refused = expect(call(upstream.url, { ...get, method: 'A B' })).rejects;
  await refused.toThrow('Method must be a valid HTTP token');
  await upstream.close();
  expect(upstream.requests[0]?.headers).toContain('expect: 100-continue');
});

test('what is long to read slows the server, and comes whole', async () => {
  const body = 'x'.repeat(3_000_000);
  const upstream = await rawServer(
    () => `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const answer = await call(upstream.url, get, {}, { limits: { resultCharacters: body.length } });
  await upstream.close();
  expect(answer.body).toEqual({ kind: 'text', text: body });
});

const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
const last = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

test.each<[what: string, interim: string, isRead: boolean]>([
  ['32 hints', hint.repeat(32), true],
  ['33 hints', hint.repeat(33), false],
  ['10,000 signs of life', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(10_000), false],
  ['hints of 60 KiB', `HTTP/1.1 103 H\r\nLink: ${'x'.repeat(12_000)}\r\n\r\n`.repeat(5), true],
  ['hints of 72 KiB', `HTTP/1.1 103 H\r\nLink: ${'x'.repeat(12_000)}\r\n\r\n`.repeat(6), false],
])('an answer behind %s', async (_, interim, isRead) => {
  const server = await rawServer(() => interim + last);
  const proxied = { settings: { env: { HTTP_PROXY: server.url } } };
  for (const answer of [call(server.url, {}), call('http://api.example', {}, {}, proxied)]) {
    const outcome = await answer.then(
      ({ status }) => status,
      ({ message }: Error) => message,
    );
    expect(outcome).toEqual(isRead ? 200 : expect.stringContaining('sent too many interim answers'));
  }
  await server.close();
});
