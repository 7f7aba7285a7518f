import type { IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { HttpRefusal } from '../../../templates/runtime/transports/http/http-answer.ts';
import {
  type Handshake,
  checkHandshake,
  printHandshakeResponse,
} from '../../../templates/runtime/transports/websocket/websocket-transport.ts';

const rules = { host: '127.0.0.1', allowedOrigins: ['https://app.example'], path: '/ws' };
// The key and its answer are those of RFC 6455, section 1.3.
const key = 'dGhlIHNhbXBsZSBub25jZQ==';
const accept = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=';

const good: IncomingHttpHeaders = {
  host: '127.0.0.1:3000',
  upgrade: 'websocket',
  connection: 'Upgrade',
  'sec-websocket-key': key,
  'sec-websocket-version': '13',
};

/** The handshake, or the refusal's status and headers. */
function judge(headers: IncomingHttpHeaders, { method = 'GET', url = '/ws', httpVersion = '1.1' } = {}) {
  try {
    return checkHandshake({ method, url, httpVersion, headers }, rules);
  } catch (thrown) {
    if (!(thrown instanceof HttpRefusal)) throw thrown;
    return [thrown.status, thrown.headers];
  }
}

const plain: Handshake = { accept, subprotocol: undefined };
const mcp: Handshake = { accept, subprotocol: 'mcp' };

test.each<[string, IncomingHttpHeaders, Handshake]>([
  ['no subprotocol', {}, plain],
  ['the subprotocol', { 'sec-websocket-protocol': 'mcp' }, mcp],
  ['the subprotocol among others', { 'sec-websocket-protocol': 'chat.v2,  mcp , x' }, mcp],
  [
    'extensions, which are left out of the answer',
    { 'sec-websocket-extensions': 'permessage-deflate' },
    plain,
  ],
  ['tokens in another case', { upgrade: 'WebSocket', connection: 'UPGRADE' }, plain],
  ['tokens among others', { upgrade: 'h2c, websocket', connection: 'keep-alive,upgrade' }, plain],
  ['an allowed origin', { origin: 'https://app.example' }, plain],
  ['a local origin', { origin: 'http://localhost:5173' }, plain],
  ['a length of nothing', { 'content-length': '0' }, plain],
])('accepts %s', (_, headers, want) => {
  expect(judge({ ...good, ...headers })).toEqual(want);
});

const version = { 'Sec-WebSocket-Version': '13' };
const upgrade = { Upgrade: 'websocket' };

test.each<[string, IncomingHttpHeaders, number, object]>([
  ['a foreign origin', { origin: 'https://evil.example' }, 403, {}],
  ['the origin `null`', { origin: 'null' }, 403, {}],
  ['a foreign host', { host: 'evil.example' }, 403, {}],
  ['no host', { host: undefined }, 403, {}],
  ['no Upgrade', { upgrade: undefined }, 426, upgrade],
  ['another upgrade', { upgrade: 'h2c' }, 426, upgrade],
  ['an upgrade that only begins like it', { upgrade: 'websocket2' }, 426, upgrade],
  ['no Connection', { connection: undefined }, 400, {}],
  ['a Connection that does not upgrade', { connection: 'keep-alive' }, 400, {}],
  ['a Connection that only contains the word', { connection: 'no-upgrade' }, 400, {}],
  ['no version', { 'sec-websocket-version': undefined }, 426, { ...upgrade, ...version }],
  ['an older version', { 'sec-websocket-version': '8' }, 426, { ...upgrade, ...version }],
  ['a newer version', { 'sec-websocket-version': '14' }, 426, { ...upgrade, ...version }],
  ['a version twice', { 'sec-websocket-version': '13, 13' }, 426, { ...upgrade, ...version }],
  ['a version spelled otherwise', { 'sec-websocket-version': '013' }, 426, { ...upgrade, ...version }],
  ['no key', { 'sec-websocket-key': undefined }, 400, {}],
  ['an empty key', { 'sec-websocket-key': '' }, 400, {}],
  ['a key of 15 bytes', { 'sec-websocket-key': Buffer.alloc(15).toString('base64') }, 400, {}],
  ['a key of 17 bytes', { 'sec-websocket-key': Buffer.alloc(17).toString('base64') }, 400, {}],
  ['a key of 18 bytes', { 'sec-websocket-key': Buffer.alloc(18).toString('base64') }, 400, {}],
  ['a key that is no base64', { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25j!Q==' }, 400, {}],
  ['a key without padding', { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ' }, 400, {}],
  ['two keys', { 'sec-websocket-key': `${key}, ${key}` }, 400, {}],
  ['other subprotocols alone', { 'sec-websocket-protocol': 'chat, superchat' }, 400, {}],
  ['a subprotocol in another case', { 'sec-websocket-protocol': 'MCP' }, 400, {}],
  ['a subprotocol that only contains it', { 'sec-websocket-protocol': 'mcp2' }, 400, {}],
  ['an empty list of subprotocols', { 'sec-websocket-protocol': '' }, 400, {}],
  ['a subprotocol that is no token', { 'sec-websocket-protocol': 'mcp, a b' }, 400, {}],
  ['a gap in the subprotocols', { 'sec-websocket-protocol': 'mcp,,chat' }, 400, {}],
  ['a body', { 'content-length': '5' }, 400, {}],
  ['a body in chunks', { 'transfer-encoding': 'chunked' }, 400, {}],
])('refuses %s', (_, headers, status, want) => {
  expect(judge({ ...good, ...headers })).toEqual([status, want]);
});

test.each<[string, { method?: string; url?: string; httpVersion?: string }, unknown]>([
  ['POST', { method: 'POST' }, [405, { Allow: 'GET' }]],
  ['HEAD', { method: 'HEAD' }, [405, { Allow: 'GET' }]],
  ['HTTP/1.0', { httpVersion: '1.0' }, [400, {}]],
  ['another path', { url: '/mcp' }, [404, {}]],
  ['a path below', { url: '/ws/' }, [404, {}]],
  ['a path that only looks like it', { url: '/WS' }, [404, {}]],
])('refuses %s', (_, request, want) => {
  expect(judge(good, request)).toEqual(want);
});

test('a query is no part of the path', () => {
  expect(judge(good, { url: '/ws?x=/mcp' })).toEqual(plain);
});

test('a page of another origin learns nothing but that', () => {
  expect(judge({ origin: 'https://evil.example' }, { method: 'POST', url: '/' })).toEqual([403, {}]);
});

test.each<[string, Handshake, string[]]>([
  ['without a subprotocol', plain, []],
  ['with one', mcp, ['Sec-WebSocket-Protocol: mcp']],
])('the answer %s', (_, handshake, more) => {
  expect(printHandshakeResponse(handshake).split('\r\n')).toEqual([
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    ...more,
    '',
    '',
  ]);
});
