import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../templates/runtime/contract/feature.ts';
import { HttpRefusal, writeRefusal } from '../../../templates/runtime/transports/http/http-answer.ts';
import { serveHttp } from '../../../templates/runtime/transports/http/serve-http.ts';

test('a connection that was at work when it stopped takes no further request', async () => {
  const finish: (() => void)[] = [];
  const listener = await serveHttp(
    async (_, response) => {
      finish.push(() => response.end('done'));
    },
    { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS },
  );
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').setEncoding('utf8');
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
    // At once, so that it would still find the connection open.
    if (!socket.destroyed) socket.write(request);
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  const request = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  socket.write(request);
  await expect.poll(() => finish.length).toBe(1);
  const stopped = listener.close();
  finish[0]?.();
  await Promise.all([stopped, closed]);
  expect(text).toContain('done');
  expect(finish.length).toBe(1);
});

const pem = (name: string): string => fileURLToPath(new URL(`../../support/tls/${name}`, import.meta.url));

test.each([
  { tls: undefined, open: (port: number) => connect({ port }), ready: 'connect' },
  {
    tls: { cert: pem('server.pem'), key: pem('server-key.pem') },
    open: (port: number) => connectTls({ port, rejectUnauthorized: false }),
    ready: 'secureConnect',
  },
])('connections on which nothing was sent do not delay the end: $ready', async ({ tls, open, ready }) => {
  let answer = (): void => undefined;
  const listener = await serveHttp(
    async (_, response) => {
      answer = () => void response.end('done');
    },
    { host: 'localhost', port: 0, limits: { ...DEFAULT_LIMITS, httpDrainMs: 2 ** 31 - 1 }, tls },
  );
  const port = Number(new URL(listener.url).port);
  const [unused, busy] = [open(port).resume(), open(port)];
  await Promise.all([once(unused, ready), once(busy, ready)]);
  let text = '';
  busy.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  busy.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => String(answer)).toContain('done');
  const stopped = listener.close();
  await once(unused, 'close');
  answer();
  await Promise.all([stopped, once(busy, 'close')]);
  expect(text).toContain('done');
});

test('chunks in HTTP/1.0 are refused, and what is behind them is not read', async () => {
  let served = 0;
  const listener = await serveHttp(
    async (_, response) => {
      served++;
      response.end();
    },
    { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS },
  );
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').on('error', () => undefined);
  const head = 'POST / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n';
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.write(`${head}0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n`);
  await once(socket, 'close');
  await listener.close();
  expect([served, text.match(/^HTTP\/1\.1 \d+/gm)]).toEqual([0, ['HTTP/1.1 400']]);
});

test.each<[string, string, number]>([
  ['that says so', 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 1],
  ['that is refused so', 'GET /refused HTTP/1.1\r\nHost: a\r\n\r\n', 1],
  ['that may be followed', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 2],
])('behind a request %s', async (_, first, want) => {
  const seen: (string | undefined)[] = [];
  const listener = await serveHttp(
    async ({ url }, response) => {
      seen.push(url);
      if (url === '/refused') writeRefusal(response, new HttpRefusal(400, 'No.', { connection: 'close' }));
      else response.end();
    },
    { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS },
  );
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').on('error', () => undefined);
  socket.write(`${first}GET /behind HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  socket.resume();
  await once(socket, 'close');
  await listener.close();
  expect(seen.length).toBe(want);
});

test('without WebSockets a request to change the protocol is answered, and looked at', async () => {
  const looked: (string | undefined)[] = [];
  const listener = await serveHttp(async (_, response) => void response.end('served'), {
    host: '127.0.0.1',
    port: 0,
    limits: DEFAULT_LIMITS,
    look: ({ url }) => void looked.push(url),
  });
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').setEncoding('utf8');
  socket.write('GET /a HTTP/1.1\r\nHost: a\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [string];
  await listener.close();
  expect([answer.includes('HTTP/1.1 200 OK'), looked]).toEqual([true, ['/a']]);
});
