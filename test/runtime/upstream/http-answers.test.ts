/**
 * Answers as they stand on the wire (RFC 9112), read by connections of our own as `node:http` reads them: whole, and cut
 * at every byte.
 */
import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { BodyBinding } from '../../../templates/runtime/contract/bindings.ts';
import { AnswerReader } from '../../../templates/runtime/upstream/answer-reader.ts';
import { call, rawServer, type Received } from './loopback.ts';

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

const faults: Record<string, [raw: string, code: string]> = {
  'another protocol': ['SSH-2.0-OpenSSH_9.6\r\n', 'HPE_'],
  'another version': ['HTTP/3.0 200 OK\r\n\r\n', 'HPE_'],
  'no status': ['HTTP/1.1 OK\r\n\r\n', 'HPE_'],
  'a name with a blank': ['HTTP/1.1 200 OK\r\nA B: 1\r\nContent-Length: 0\r\n\r\n', 'HPE_'],
  'no colon': ['HTTP/1.1 200 OK\r\nA\r\nContent-Length: 0\r\n\r\n', 'HPE_'],
  'a control character': ['HTTP/1.1 200 OK\r\nA: \u0001\r\nContent-Length: 0\r\n\r\n', 'HPE_'],
  'a bare carriage return': ['HTTP/1.1 200 OK\r\nA: 1\rB: 2\r\nContent-Length: 0\r\n\r\n', 'HPE_'],
  'two lengths': ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na', 'HPE_'],
  'a length that is none': ['HTTP/1.1 200 OK\r\nContent-Length: 0x1\r\n\r\na', 'HPE_'],
  'a length and chunks': [
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'HPE_',
  ],
  'a chunk without a size': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n', 'HPE_'],
  'a chunk longer than its size': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n',
    'HPE_',
  ],
  'too many headers': [`HTTP/1.1 200 OK\r\n${'A: 0123456789\r\n'.repeat(2_000)}\r\n`, 'HPE_HEADER_OVERFLOW'],
  'an end in the headers': ['HTTP/1.1 200 OK\r\nA: 1\r\n', 'ECONNRESET'],
  'an end before the length': ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na', 'ECONNRESET'],
  'an end before the last chunk': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n',
    'ECONNRESET',
  ],
};

/** What the pieces of an answer, and the end of the connection behind them, are read as. */
function read(pieces: readonly Buffer[]): Answer | undefined {
  const reader = new AnswerReader(true);
  const body = pieces.flatMap((piece) => (reader.isWhole ? [] : reader.push(piece)));
  if (!reader.isWhole && !reader.end()) return undefined;
  const { status = 0, headers = {} } = reader.head ?? {};
  return { status, headers: { ...headers }, body: Buffer.concat(body).toString('latin1') };
}

/** The judge. */
async function readByNode(raw: string): Promise<Answer> {
  const upstream = await rawServer((_request: Received, socket) => {
    socket.end(raw, 'latin1');
    return undefined;
  });
  try {
    return await new Promise((resolve, reject) => {
      const { port } = new URL(upstream.url);
      const options = { createConnection: () => connect(Number(port), '127.0.0.1') };
      request(options, (response) => {
        let body = '';
        response.setEncoding('latin1').on('data', (text: string) => (body += text));
        response.on('error', reject).on('end', () => {
          const headers = Object.entries(response.headers).map(
            ([name, value]) => [name, String(value)] as const,
          );
          resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(headers), body });
        });
      })
        .on('error', reject)
        .end();
    });
  } finally {
    await upstream.close();
  }
}

test.each(Object.entries(answers))('%s', async (_, [raw, want]) => {
  const bytes = Buffer.from(raw, 'latin1');
  const { 'set-cookie': cookies, ...headers } = want.headers;
  expect(await readByNode(raw)).toEqual({
    ...want,
    headers: {
      ...headers,
      ...(cookies === undefined ? {} : { 'set-cookie': cookies.replaceAll(', ', ',') }),
    },
  });
  expect(read([bytes])).toEqual(want);
  expect(read([...bytes].map((byte) => Buffer.of(byte)))).toEqual(want);
  for (let at = 1; at < bytes.length; at++)
    expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(want);
});

test.each(Object.entries(faults))('a fault: %s', async (_, [raw, code]) => {
  await expect(readByNode(raw)).rejects.toMatchObject({ code: expect.stringMatching(code) as string });
  const bytes = Buffer.from(raw, 'latin1');
  for (const pieces of [[bytes], [...bytes].map((byte) => Buffer.of(byte))]) {
    if (code === 'ECONNRESET') expect(read(pieces)).toBeUndefined();
    else expect(() => read(pieces)).toThrow(expect.objectContaining({ code: expect.stringMatching(code) }));
  }
});

const get = { path: '/' };
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
  [
    'closed, where there is more than an answer',
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n',
    2,
  ],
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

test('a request that is out of the ordinary goes by node:http, and is refused as there', async () => {
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
  // The second way is that of node:http, which requests through a proxy go.
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
