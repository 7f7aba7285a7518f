import { expect, test } from 'vitest';
import {
  checkOrigin,
  isLoopback,
  type OriginHeaders,
} from '../../../templates/runtime/transports/http/read-request.ts';

const rules = { host: '127.0.0.1', allowedOrigins: ['https://app.example', 'vscode-webview://abc'] };

function isServed(request: OriginHeaders, host = rules.host): boolean {
  try {
    checkOrigin(request, { ...rules, host });
    return true;
  } catch (thrown) {
    expect(thrown).toMatchObject({ status: 403 });
    return false;
  }
}

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['localhost', true],
  ['LOCALHOST', true],
  ['::1', true],
  ['0:0:0:0:0:0:0:1', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.7', false],
  ['::ffff:192.168.1.7', false],
  ['fe80::1', false],
  ['localhost.example', false],
  ['127.0.0.1.example', false],
  ['', false],
])('an address to bind, %j, is of this machine alone: %j', (host, want) => {
  expect(isLoopback(host)).toBe(want);
});

test.each<[string | undefined, boolean]>([
  ['[::1]:3000', true],
  ['[::1]', true],
  ['[0:0:0:0:0:0:0:1]:3000', true],
  ['[::FFFF:127.0.0.1]:3000', true],
  ['127.0.0.1:3000', true],
  ['localhost:3000', true],
  ['LOCALHOST:3000', true],
  ['LocalHost', true],
  // forwarded from another port
  ['[::1]:8080', true],
  ['localhost:8080', true],
  // behind a proxy that serves the allowed origin
  ['app.example', true],
  ['APP.example:443', true],
  ['[::2]:3000', false],
  ['[::ffff:192.168.1.7]:3000', false],
  ['::1', false],
  ['[::1', false],
  ['[::1]3000', false],
  ['evil.example:3000', false],
  ['localhost.evil.example:3000', false],
  ['192.168.1.7:3000', false],
  ['localhost:99999', false],
  ['localhost:port', false],
  ['evil.example@localhost:3000', false],
  ['localhost/evil', false],
  ['localhost#evil', false],
  ['localhost, evil.example', false],
  ['', false],
  [undefined, false],
])('on a loopback address `Host: %s` is served: %j', (host, want) => {
  for (const bound of ['127.0.0.1', '::1', '0:0:0:0:0:0:0:1', 'localhost']) {
    expect(isServed({ host }, bound), bound).toBe(want);
  }
});

test.each([
  ['http://[::1]:3000', true],
  ['http://[::1]', true],
  ['http://[0:0:0:0:0:0:0:1]:5173', true],
  ['http://localhost:5173', true],
  ['HTTP://LOCALHOST:5173', true],
  ['https://127.0.0.1', true],
  ['https://app.example', true],
  ['vscode-webview://abc', true],
  ['https://app.example:8443', false],
  ['http://app.example', false],
  ['https://sub.app.example', false],
  ['http://[::2]:3000', false],
  ['http://evil.example', false],
  ['http://localhost.evil.example', false],
  ['http://localhost@evil.example', false],
  ['http://x@localhost', false],
  ['http://x:y@127.0.0.1:3000', false],
  ['http://@localhost', false],
  ['http://localhost/', false],
  ['http://localhost/, http://evil.example', false],
  ['http://localhost:5173/evil', false],
  ['http://localhost?evil', false],
  ['http://localhost#evil', false],
  ['http:localhost', false],
  ['http:\\\\localhost', false],
  ['http://localhost.', false],
  ['http://127.0.0.1.', false],
  ['http://127.1', false],
  ['http://2130706433', false],
  ['http://0x7f.0.0.1:80', false],
  ['http://%6cocalhost', false],
  ['http://loc\talhost', false],
  [' http://localhost', false],
  ['ftp://localhost', false],
  ['ws://localhost', false],
  ['http://localhost, http://localhost', false],
  ['http://evil.example#localhost', false],
  ['vscode-webview://abcd', false],
  ['file://', false],
  ['null', false],
  ['localhost', false],
  ['', false],
])('on a loopback address `Origin: %s` is served: %j', (origin, want) => {
  for (const bound of ['127.0.0.1', '::1']) {
    expect(isServed({ host: '[::1]:3000', origin }, bound), bound).toBe(want);
  }
});

test.each([
  ['any host', { host: 'server.example:3000' }, true],
  ['no host', {}, true],
  ['an allowed origin', { host: 'server.example', origin: 'https://app.example' }, true],
  ['a local origin', { host: 'server.example', origin: 'http://localhost:5173' }, false],
  ['its own origin', { host: 'evil.example', origin: 'http://evil.example' }, false],
])('on a public address, %s', (_, request, want) => {
  for (const bound of ['0.0.0.0', '::', '192.168.1.7']) expect(isServed(request, bound), bound).toBe(want);
});

test.each<[string, OriginHeaders, boolean]>([
  ['an image of another site', { 'sec-fetch-site': 'cross-site' }, false],
  ['one of several that come from elsewhere', { 'sec-fetch-site': 'same-origin, Cross-Site' }, false],
  ['an allowed origin', { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }, true],
  ['a local page', { origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' }, true],
  [
    'a foreign origin that says it is near',
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    false,
  ],
  ['a page of the same origin', { 'sec-fetch-site': 'same-origin' }, true],
  ['an address that somebody typed', { 'sec-fetch-site': 'none' }, true],
])('a request of %s', (_, headers, want) => {
  for (const bound of ['127.0.0.1', '::1'])
    expect(isServed({ host: 'localhost:3000', ...headers }, bound)).toBe(want);
});

test('an image of another site is refused on a public address too', () => {
  expect(isServed({ host: 'server.example', 'sec-fetch-site': 'cross-site' }, '0.0.0.0')).toBe(false);
});
