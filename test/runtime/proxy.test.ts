// Proxies and client certificates, as the environment names them.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, connect, type Server as NetServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { askIssuer } from '../../templates/runtime/features/issuer-client.ts';
import { chooseProxy } from '../../templates/runtime/features/proxy.ts';
import { type ApiParts, openApi, textOf } from './api.ts';

const file = (name: string): string => fileURLToPath(new URL(`../support/tls/${name}`, import.meta.url));
const pem = (name: string): string => readFileSync(file(name), 'utf8');

// The certificates of these servers are nobody's, and this process has started already, when Node reads the variable of authorities.
beforeAll(() => void (process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'));
afterAll(() => void delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']);

async function listen(server: NetServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A server over TLS that notes the name of each client certificate, or nobody. */
async function startTls(options: ServerOptions = { requestCert: true, rejectUnauthorized: false }) {
  const seen: string[] = [];
  const identity = { key: pem('server-key.pem'), cert: pem('server.pem'), ca: pem('authority.pem') };
  const server = createTlsServer({ ...identity, ...options }, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate() as { subject?: { CN?: string } };
    seen.push(`${request.url} ${subject?.CN ?? 'nobody'}`);
    response.writeHead(204).end();
  });
  const port = await listen(server);
  return { port, url: `https://localhost:${port}`, seen };
}

/** A proxy whose tunnels all lead to `port`. */
async function startProxy(port: number, status = 200) {
  const seen: string[] = [];
  const note = ({ method, url, headers }: IncomingMessage): void =>
    void seen.push(`${method} ${url} ${headers['proxy-authorization'] ?? '-'} ${headers.host}`);
  const server = createServer((request, response) => {
    note(request);
    response.writeHead(204).end();
  });
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    note(request);
    if (status !== 200) return void client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const api = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(api).pipe(client);
    });
    for (const socket of [api, client])
      socket.on('error', () => socket.destroy()).on('close', () => api.destroy());
  });
  return { host: `127.0.0.1:${await listen(server)}`, seen };
}

const env = { cert: 'TLS_CERT_M', key: 'TLS_KEY_M', passphrase: 'TLS_PASSPHRASE_M' };
const certified = { security: [{ m: [] }] };

async function open(url: string, variables: Record<string, string>, parts: ApiParts = {}) {
  const opened = await openApi({
    ...parts,
    env: variables,
    api: { servers: [{ url }], securitySchemes: { m: { type: 'mutualTLS', env } } },
  });
  await opened.server.start();
  onTestFinished(() => opened.server.close());
  return opened;
}

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

test('plain HTTP goes to the proxy with its whole URL, and the password of the proxy to the proxy alone', async () => {
  const proxy = await startProxy(1);
  const { call } = await open('http://api.test:8080/v1', { HTTP_PROXY: `http://me:p%40ss@${proxy.host}` });
  expect(textOf(await call())).toBe('204 No Content');
  expect(proxy.seen).toEqual([`GET http://api.test:8080/v1/a ${basic('me:p@ss')} api.test:8080`]);
});

test('TLS goes through a tunnel, which is kept', async () => {
  const api = await startTls();
  const proxy = await startProxy(api.port);
  const { call } = await open('https://api.test/v1', { https_proxy: `me:secret@${proxy.host}` });
  await call();
  await call();
  expect(api.seen).toEqual(['/v1/a nobody', '/v1/a nobody']);
  expect(proxy.seen).toEqual([`CONNECT api.test:443 ${basic('me:secret')} api.test:443`]);
});

test('requests to token endpoints take it, too, also to one that metadata names', async () => {
  const issuer = await startTls();
  const proxy = await startProxy(issuer.port);
  await open('https://api.test', { HTTPS_PROXY: proxy.host });
  await askIssuer(new URL('https://id.test/token'), { namedBy: new URL('http://127.0.0.1:1/') });
  expect(issuer.seen).toEqual(['/token nobody']);
});

test.each<[string, (host: string) => Record<string, string>]>([
  ['no variable', () => ({})],
  ['the variable of the other scheme', (host) => ({ HTTP_PROXY: host })],
  ['this machine needs none', (host) => ({ HTTPS_PROXY: host })],
])('no proxy is asked: %s', async (_, variables) => {
  const api = await startTls();
  const proxy = await startProxy(api.port);
  const { call } = await open(api.url, variables(proxy.host));
  await call();
  expect([api.seen, proxy.seen]).toEqual([['/a nobody'], []]);
});

test.each<[string, (host: string) => string, string]>([
  ['refuses', (host) => `http://me:secret@${host}`, 'the proxy that HTTPS_PROXY names answered 407'],
  [
    'is not there',
    () => 'http://me:secret@127.0.0.1:1',
    "the proxy that HTTPS_PROXY names can't be used (connect ECONNREFUSED",
  ],
])('a proxy that %s', async (_, proxyUrl, want) => {
  const proxy = await startProxy(1, 407);
  const { call } = await open(
    'https://api.test',
    { HTTPS_PROXY: proxyUrl(proxy.host) },
    { binding: { method: 'POST' } },
  );
  const { content, isError } = await call();
  expect([content[0]?.text, isError]).toEqual([expect.stringContaining(want), true]);
  expect(content[0]?.text).not.toContain('secret');
});

test.each(['socks5://me:secret@127.0.0.1:1', 'https://me:secret@a', 'http://me:secret@['])(
  '%s ends the start, without its password',
  async (value) => {
    const start = open('https://api.test', { HTTPS_PROXY: value });
    await expect(start).rejects.toThrow(
      /^HTTPS_PROXY must be the URL of an HTTP proxy, such as http:\/\/proxy/,
    );
    await expect(start).rejects.not.toThrow(/secret/);
  },
);

test.each<[string, string, boolean]>([
  ['', 'http://api.test', true],
  ['*', 'http://api.test', false],
  ['api.test', 'http://api.test', false],
  ['API.test', 'http://api.TEST.', false],
  ['.test', 'http://api.test', false],
  ['*.test', 'http://api.test', false],
  ['pi.test', 'http://api.test', true],
  ['other.test api.test', 'http://api.test', false],
  ['api.test:80', 'http://api.test', false],
  ['api.test:443', 'http://api.test', true],
  ['192.0.2.7', 'http://192.0.2.7', false],
  ['192.0.2.7', 'http://192.0.2.70', true],
  ['192.0.2.0/24', 'http://192.0.2.70', false],
  ['192.0.2.0/99', 'http://192.0.2.70', true],
  ['2001:db8::1', 'http://[2001:db8:0::1]', false],
  ['[2001:db8::1]:81', 'http://[2001:db8::1]', true],
  ['2001:db8::/32', 'http://[2001:db8::9]', false],
  ['192.0.2.0/24', 'http://api.test', true],
  // This machine.
  ['', 'http://localhost:3000', false],
  ['', 'http://127.0.0.9', false],
])('NO_PROXY=%j and %s: through the proxy is %j', (list, url, want) => {
  const variables = { HTTP_PROXY: 'http://proxy.test:1', NO_PROXY: list };
  expect(chooseProxy(new URL(url), variables) !== undefined).toBe(want);
});

const demanding = { requestCert: true, rejectUnauthorized: true };
const mine = { TLS_CERT_M: file('client.pem'), TLS_KEY_M: file('client-key.pem') };

test.each<[string, Record<string, string>]>([
  ['files', mine],
  ['PEM on one line', { ...mine, TLS_CERT_M: pem('client.pem').replaceAll('\n', '\\n') }],
  ['both in one', { TLS_CERT_M: pem('client.pem') + pem('client-key.pem') }],
  [
    'a key with a passphrase',
    { ...mine, TLS_KEY_M: file('client-key-encrypted.pem'), TLS_PASSPHRASE_M: 'test-passphrase' },
  ],
])('a client certificate from %s', async (_, variables) => {
  const api = await startTls(demanding);
  const { call } = await open(api.url, variables, { binding: certified });
  expect(textOf(await call())).toBe('204 No Content');
  expect(api.seen).toEqual(['/a test client']);
});

test.each<[string, Record<string, string>, string]>([
  ['none', {}, 'set TLS_CERT_M and TLS_KEY_M (m), or API_CREDENTIALS=optional'],
  [
    'no such file',
    { ...mine, TLS_KEY_M: '/none.pem' },
    "TLS_KEY_M in the environment of this MCP server must be PEM, or the path of a file that holds it, which can't be read (ENOENT)",
  ],
  [
    'another passphrase',
    { ...mine, TLS_KEY_M: file('client-key-encrypted.pem'), TLS_PASSPHRASE_M: 'wrong-one' },
    "TLS_CERT_M, TLS_KEY_M, TLS_PASSPHRASE_M in the environment of this MCP server can't be used",
  ],
])('a client certificate that can not be used: %s', async (_, variables, want) => {
  const api = await startTls(demanding);
  const { call } = await open(api.url, variables, { binding: certified });
  const text = textOf(await call());
  expect(text).toContain(want);
  expect(text).toMatch(/^Nothing was sent/);
  expect(text).not.toContain('wrong-one');
  expect(api.seen).toEqual([]);
});

test.each(['directly', 'through a proxy'])('a certificate goes with what needs it alone, %s', async (way) => {
  const api = await startTls();
  const proxy = await startProxy(api.port);
  const [url, variables] =
    way === 'directly' ? [api.url, mine] : ['https://api.test', { ...mine, HTTPS_PROXY: proxy.host }];
  const secured = await open(url, variables, { binding: certified });
  const plain = await open(url, variables);
  for (const { call } of [secured, plain, secured]) await call();
  expect(api.seen).toEqual(['/a test client', '/a nobody', '/a test client']);
});
