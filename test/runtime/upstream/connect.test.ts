/** Proxies, authorities, client certificates and a limit, as the environment says. */
import { allFeatures } from '../../../templates/runtime/all-features.ts';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, connect as connectSocket, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { HttpBinding, SecuritySchemeBinding } from '../../../templates/runtime/contract/bindings.ts';
import { createUpstreamClient } from '../../../templates/runtime/upstream/upstream-client.ts';
import { defaultUpstreamLimits, type UpstreamLimits } from '../../../templates/runtime/contract/feature.ts';
import { chooseProxy } from '../../../templates/runtime/upstream/agents.ts';
import { headerOf, rawServer, refusal, waiterFor } from './loopback.ts';

const file = (name: string): string => fileURLToPath(new URL(`../../support/tls/${name}`, import.meta.url));
const pem = (name: string): string => readFileSync(file(name), 'utf8');
const trusting = { NODE_EXTRA_CA_CERTS: file('authority.pem') };

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server over TLS that notes the name of each client certificate, or none. */
async function tlsServer(options: ServerOptions = {}, location?: () => string) {
  const seen: string[] = [];
  const identity = { key: pem('server-key.pem'), cert: pem('server.pem'), ca: pem('authority.pem') };
  const server = createHttpsServer({ ...identity, ...options }, (request, response) => {
    const subject = (request.socket as TLSSocket).getPeerCertificate().subject as { CN?: string } | undefined;
    seen.push(`${request.url ?? ''} ${subject?.CN ?? 'nobody'}`);
    if (location !== undefined) response.setHeader('location', location());
    response.writeHead(location === undefined ? 204 : 302).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}`, port, seen };
}

/** A proxy that opens tunnels, all of them to `port`. */
async function tunnelling(port: number, status = 200) {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createHttpServer();
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    asked.push(`${request.url ?? ''} ${request.headers['proxy-authorization'] ?? '-'}`);
    if (status !== 200) return void client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const api = connectSocket(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(api).pipe(client);
    });
    for (const socket of [api, client]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const tlsScheme: SecuritySchemeBinding = {
  type: 'mutualTLS',
  env: { cert: 'TLS_CERT_M', key: 'TLS_KEY_M', passphrase: 'TLS_PASSPHRASE_M' },
};
const get: HttpBinding = { kind: 'http', method: 'GET', path: '/x', parameters: [] };
const withCertificate = { ...get, security: [{ m: [] }] };

function clientOf(url: string, env: Record<string, string>, limits: Partial<UpstreamLimits> = {}) {
  return createUpstreamClient(
    { servers: [{ url }], securitySchemes: { m: tlsScheme } },
    { features: allFeatures, env, limits: { ...defaultUpstreamLimits, retries: 0, ...limits } },
  );
}

test('plain HTTP goes to the proxy by its whole URL, credentials of the proxy to the proxy', async () => {
  const proxy = await rawServer(() => 'HTTP/1.1 204 No Content\r\n\r\n');
  closing.push(() => void proxy.close());
  const env = { HTTP_PROXY: proxy.url.replace('//', '//me:p%40ss@') };
  const { url } = await clientOf('http://api.test:8080/v1', env).call(get, {}, {});
  const [request] = proxy.requests;
  expect(request?.line).toBe('GET http://api.test:8080/v1/x HTTP/1.1');
  expect(headerOf(request, 'Host')).toBe('api.test:8080');
  expect(headerOf(request, 'Proxy-Authorization')).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  expect(url).toBe('http://api.test:8080/v1/x');
});

test('TLS goes through a tunnel, which is kept', async () => {
  const api = await tlsServer();
  const proxy = await tunnelling(api.port);
  const client = clientOf('https://api.test/v1', { ...trusting, HTTPS_PROXY: `me:secret@${proxy.host}` });
  await client.call(get, {}, {});
  await client.call(get, {}, {});
  expect(api.seen).toEqual(['/v1/x nobody', '/v1/x nobody']);
  expect(proxy.asked).toEqual([`api.test:443 Basic ${Buffer.from('me:secret').toString('base64')}`]);
});

test.each<[string, (host: string) => Record<string, string>]>([
  ['no variable', () => ({})],
  ['the variable of the other scheme', (host) => ({ HTTP_PROXY: host })],
  ['this machine needs none', (host) => ({ HTTPS_PROXY: host })],
])('no proxy is asked: %s', async (_what, more) => {
  const api = await tlsServer();
  const proxy = await tunnelling(api.port);
  await clientOf(api.url, { ...trusting, ...more(proxy.host) }).call(get, {}, {});
  expect([api.seen, proxy.asked]).toEqual([['/x nobody'], []]);
});

test.each<[string, (host: string) => string, string]>([
  ['refuses', (host) => `http://me:secret@${host}`, ': it answered 407 to CONNECT. HTTPS_PROXY'],
  [
    'is not there',
    () => 'http://me:secret@127.0.0.1:1',
    ': the connection failed (ECONNREFUSED). HTTPS_PROXY',
  ],
  [
    'is none of HTTP',
    () => 'socks5://me:secret@127.0.0.1:1',
    'HTTPS_PROXY in the environment of this MCP server must be',
  ],
  ['is no URL', () => 'http://me:secret@[', 'HTTPS_PROXY in the environment of this MCP server must be'],
])('a proxy that %s is told of without its password', async (_what, proxyUrl, want) => {
  const proxy = await tunnelling(1, 407);
  const client = clientOf('https://api.test', { HTTPS_PROXY: proxyUrl(proxy.host) });
  const { message } = await refusal(client.call(get, {}, {}));
  expect(message).toContain(want);
  expect(message).not.toContain('secret');
});

test.each<[string, string, boolean]>([
  ['', 'http://api.test', true],
  ['*', 'http://api.test', false],
  ['api.test', 'http://api.test', false],
  ['API.test', 'http://api.TEST.', false],
  ['test', 'http://api.test', false],
  ['.test', 'http://api.test', false],
  ['*.test', 'http://api.test', false],
  ['pi.test', 'http://api.test', true],
  ['a.api.test', 'http://api.test', true],
  ['other.test, api.test', 'http://api.test', false],
  ['other.test api.test', 'http://api.test', false],
  ['api.test:80', 'http://api.test', false],
  ['api.test:443', 'http://api.test', true],
  ['api.test:8080', 'http://api.test:8080', false],
  ['192.0.2.7', 'http://192.0.2.7', false],
  ['192.0.2.7', 'http://192.0.2.70', true],
  ['192.0.2.0/24', 'http://192.0.2.70', false],
  ['192.0.3.0/24', 'http://192.0.2.70', true],
  ['192.0.2.0/99', 'http://192.0.2.70', true],
  ['2001:db8::1', 'http://[2001:db8:0::1]', false],
  ['[2001:db8::1]:80', 'http://[2001:db8::1]', false],
  ['[2001:db8::1]:81', 'http://[2001:db8::1]', true],
  ['2001:db8::/32', 'http://[2001:db8::9]', false],
  ['192.0.2.0/24', 'http://api.test', true],
  // this machine
  ['', 'http://localhost:3000', false],
  ['', 'http://api.localhost', false],
  ['', 'http://127.0.0.9', false],
  ['', 'http://[::1]:8', false],
])('NO_PROXY=%j and %s: through the proxy is %j', (list, url, want) => {
  const env = { HTTP_PROXY: 'http://proxy.test:1', NO_PROXY: list };
  expect(chooseProxy(new URL(url), env) !== undefined).toBe(want);
});

test('a file of authorities that is not there is told of, and nothing is sent', async () => {
  const api = await tlsServer();
  const error = await refusal(clientOf(api.url, { NODE_EXTRA_CA_CERTS: '/none.pem' }).call(get, {}, {}));
  expect([error.code, error.message]).toEqual([
    'connection',
    "Nothing was sent: The file that NODE_EXTRA_CA_CERTS names can't be read (ENOENT).",
  ]);
  expect(api.seen).toEqual([]);
});

const asking = { requestCert: true, rejectUnauthorized: true };

test.each<[string, Record<string, string>]>([
  ['files', { TLS_CERT_M: file('client.pem'), TLS_KEY_M: file('client-key.pem') }],
  ['PEM', { TLS_CERT_M: pem('client.pem'), TLS_KEY_M: pem('client-key.pem') }],
  [
    'PEM on one line',
    { TLS_CERT_M: pem('client.pem').replaceAll('\n', '\\n'), TLS_KEY_M: file('client-key.pem') },
  ],
  ['both in one', { TLS_CERT_M: pem('client.pem') + pem('client-key.pem') }],
  [
    'a key with a passphrase',
    {
      TLS_CERT_M: file('client.pem'),
      TLS_KEY_M: file('client-key-encrypted.pem'),
      TLS_PASSPHRASE_M: 'test-passphrase',
    },
  ],
])('a client certificate from %s', async (_what, env) => {
  const api = await tlsServer(asking);
  const { status } = await clientOf(api.url, { ...trusting, ...env }).call(withCertificate, {}, {});
  expect([status, api.seen]).toEqual([204, ['/x test client']]);
});

const mine = { ...trusting, TLS_CERT_M: file('client.pem'), TLS_KEY_M: file('client-key.pem') };

test.each<[string, Record<string, string>, string]>([
  ['none', trusting, 'set TLS_CERT_M and TLS_KEY_M (m), or API_CREDENTIALS=optional'],
  [
    'no such file',
    { ...mine, TLS_KEY_M: '/none.pem' },
    "TLS_KEY_M in the environment of this MCP server must be PEM, or the path of a file that holds it, which can't be read (ENOENT)",
  ],
  [
    'no PEM',
    { ...mine, TLS_KEY_M: file('README.md') },
    "TLS_CERT_M, TLS_KEY_M and TLS_PASSPHRASE_M in the environment of this MCP server can't be used",
  ],
  [
    'another passphrase',
    { ...mine, TLS_KEY_M: file('client-key-encrypted.pem'), TLS_PASSPHRASE_M: 'wrong-one' },
    "TLS_CERT_M, TLS_KEY_M and TLS_PASSPHRASE_M in the environment of this MCP server can't be used",
  ],
])('a client certificate that can not be used: %s', async (_what, env, want) => {
  const api = await tlsServer(asking);
  const { message } = await refusal(clientOf(api.url, env).call(withCertificate, {}, {}));
  expect(message).toContain(want);
  expect(message).not.toContain('wrong-one');
  expect(api.seen).toEqual([]);
});

test('a certificate goes with what needs it alone, also through a proxy', async () => {
  const api = await tlsServer({ requestCert: true, rejectUnauthorized: false });
  const proxy = await tunnelling(api.port);
  for (const [url, env] of [
    [api.url, mine],
    ['https://api.test', { ...mine, HTTPS_PROXY: proxy.host }],
  ] as const) {
    const client = clientOf(url, env);
    await client.call(withCertificate, {}, {});
    await client.call(get, {}, {});
    await client.call(withCertificate, {}, {});
  }
  expect(api.seen).toEqual(Array(2).fill(['/x test client', '/x nobody', '/x test client']).flat());
});

test('a redirect to another origin takes no certificate along', async () => {
  const other = await tlsServer({ requestCert: true, rejectUnauthorized: false });
  const api = await tlsServer(asking, () => `${other.url}/there`);
  await clientOf(api.url, mine).call(withCertificate, {}, {});
  expect([api.seen, other.seen]).toEqual([['/x test client'], ['/there nobody']]);
});

/** Answers when told to. */
async function patientServer() {
  const waiting: (() => void)[] = [];
  const arrivals: (() => void)[] = [];
  const atWork = { now: 0 };
  const server = createHttpServer((_request, response) => {
    atWork.now += 1;
    waiting.push(() => {
      atWork.now -= 1;
      response.writeHead(204).end();
    });
    for (const arrived of arrivals.splice(0)) arrived();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting,
    atWork,
    arrival: async (count: number) => {
      while (waiting.length < count) await new Promise<void>((resolve) => arrivals.push(resolve));
    },
  };
}

test('so many requests are at work at one time, and the others follow', async () => {
  const { url, waiting, atWork, arrival } = await patientServer();
  const client = clientOf(url, {}, { concurrency: 2 });
  const calls = [0, 1, 2, 3].map(async () => client.call(get, {}, {}));
  await arrival(2);
  // What is sent after them comes after all of them that were sent.
  const probe = clientOf(url, {}).call(get, {}, {});
  await arrival(3);
  expect(atWork.now).toBe(3);
  for (const index of [2, 0, 1]) waiting[index]?.();
  await probe;
  await arrival(5);
  for (const index of [3, 4]) waiting[index]?.();
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([204, 204, 204, 204]);
});

test('who waits can be cancelled, runs out of time, and leaves no gap', async () => {
  const { url, waiting, arrival } = await patientServer();
  const client = clientOf(url, {}, { concurrency: 1, timeoutMs: 5_000 });
  const first = client.call(get, {}, {});
  await arrival(1);
  const abort = new AbortController();
  const cancelled = refusal(client.call(get, {}, { waiter: waiterFor(abort.signal) }));
  const third = client.call(get, {}, {});
  abort.abort();
  expect((await cancelled).code).toBe('aborted');
  waiting[0]?.();
  await first;
  await arrival(2);
  waiting[1]?.();
  expect((await third).status).toBe(204);

  const hasty = clientOf(url, {}, { concurrency: 1, timeoutMs: 50 });
  const both = await Promise.all([refusal(hasty.call(get, {}, {})), refusal(hasty.call(get, {}, {}))]);
  expect(both.map(({ code }) => code)).toEqual(['timeout', 'timeout']);
});
