// Connections of one address: those that say nothing count, and what is more is closed before it is heard.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { BlockList, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../templates/runtime/contract/feature.ts';
import { serveHttp, type ServeOptions } from '../../../templates/runtime/transports/http/serve-http.ts';

const pem = (name: string): string => fileURLToPath(new URL(`../../support/tls/${name}`, import.meta.url));
const tls = { cert: pem('server.pem'), key: pem('server-key.pem') };

async function serve(most: number, more: Partial<ServeOptions> = {}, proxies?: BlockList) {
  const closed: string[] = [];
  const counted = { requests: 0 };
  const connections = { most, proxies, closed: (address: string) => void closed.push(address) };
  const { url, close } = await serveHttp(
    async (_, response) => {
      counted.requests++;
      response.end('done');
    },
    { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS, connections, ...more },
  );
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await close();
  });
  const open = async (localAddress?: string): Promise<Socket> => {
    const port = Number(new URL(url).port);
    const to = { port, host: '127.0.0.1', ...(localAddress === undefined ? {} : { localAddress }) };
    const socket =
      more.tls === undefined ? connect(to) : connectTls({ ...to, ca: readFileSync(pem('authority.pem')) });
    sockets.push(socket.on('error', () => undefined));
    return socket;
  };
  return { url, open, closed, counted };
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/** The first line of the answer; `closed` where there is none. */
async function answerOn(socket: Socket, request = GET): Promise<string> {
  socket.write(request);
  return new Promise((resolve) => {
    socket.once('data', (data) => resolve(String(data).split('\r\n')[0] ?? ''));
    socket.once('close', () => resolve('closed'));
  });
}

test.each([
  ['that say nothing', ''],
  ['that stop within their request', 'GET / HTTP/1.1\r\nHost'],
])('connections %s', async (_, beginning) => {
  const { open, closed, counted } = await serve(2);
  const silent = [await open(), await open()];
  await Promise.all(silent.map(async (socket) => once(socket, 'connect')));
  for (const socket of silent) socket.write(beginning);
  expect(await answerOn(await open())).toBe('closed');
  expect([closed, counted.requests]).toEqual([['127.0.0.1'], 0]);
});

test('one that has ended makes room', async () => {
  const { open } = await serve(1);
  const first = await open();
  expect(await answerOn(first)).toBe('HTTP/1.1 200 OK');
  expect(await answerOn(await open())).toBe('closed');
  first.destroy();
  await expect.poll(async () => answerOn(await open())).toBe('HTTP/1.1 200 OK');
});

test('requests on one connection are one connection, be they asked to change their protocol', async () => {
  const { open } = await serve(1);
  const socket = await open();
  const h2c = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
  const upgrade = (): void => undefined;
  expect(await answerOn(socket)).toBe('HTTP/1.1 200 OK');
  expect(await answerOn(socket, h2c)).toBe('HTTP/1.1 200 OK');
  const ignoring = await serve(1, { upgrade });
  const other = await ignoring.open();
  expect(await answerOn(other, h2c)).toBe('HTTP/1.1 200 OK');
  expect(await answerOn(other)).toBe('HTTP/1.1 200 OK');
  expect(ignoring.closed).toEqual([]);
});

test('those of a trusted proxy are not counted', async () => {
  const proxies = new BlockList();
  proxies.addAddress('127.0.0.1');
  const { open } = await serve(1, {}, proxies);
  await answerOn(await open());
  expect(await answerOn(await open())).toBe('HTTP/1.1 200 OK');
});

test('TLS: a connection counts before its handshake', async () => {
  const { url, open, closed } = await serve(1, { tls });
  const silent = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  await once(silent, 'connect');
  expect(await answerOn(await open())).toBe('closed');
  expect(closed).toEqual(['127.0.0.1']);
  silent.destroy();
  await expect.poll(async () => answerOn(await open())).toBe('HTTP/1.1 200 OK');
});

test('TLS: a request that asks to change its protocol is answered by TLS', async () => {
  const { open } = await serve(9, { tls, upgrade: () => undefined });
  const h2c = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
  const socket = await open();
  expect(await answerOn(socket, h2c)).toBe('HTTP/1.1 200 OK');
  expect(await answerOn(socket)).toBe('HTTP/1.1 200 OK');
});
