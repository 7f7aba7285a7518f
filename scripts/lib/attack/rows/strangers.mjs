/** Bytes at a server with OAuth, with a good token and without one: shapes that a proxy and a server may read differently. */
import { openGuarded } from '../guarded-server.mjs';
import { ANY_HOST, ANY_TOKEN, never, removal } from '../prove/check.mjs';
import {
  body,
  chunked,
  close,
  fields,
  good,
  host,
  lengthOf,
  post,
  rowsOf,
  start,
} from '../stranger-call.mjs';
import { requestOf, UPGRADE } from '../wire.mjs';

export const family = 'requests of strangers';

export const open = openGuarded;

/** Closes a WebSocket that is open. */
const BAD_FRAME = '\xff\xff';
/** Its fields, behind a line of each row's own. */
const upgrade = UPGRADE.slice(1);

export const rows = rowsOf([
  ['a good credential and a bad one', (t) => post([good(t), good('x')]), '401 invalid_token'],
  ['a folded credential', (t) => post([`authorization: Bearer\r\n ${t}`]), '400'],
  ['a name with an underscore', (t) => post([`http_authorization: Bearer ${t}`]), '401 -32600'],
  [
    'a credential behind the body',
    (t) =>
      requestOf(
        [start, host, ...fields, 'transfer-encoding: chunked', 'trailer: authorization', close],
        chunked(`${good(t)}\r\n`),
      ),
    '401 -32600',
  ],
  [
    'none, behind a good one',
    (t) => requestOf(['GET /mcp HTTP/1.1', host, good(t), 'accept: text/html']) + post([]),
    '406 -32600, 401 -32600',
  ],
  [
    'a preface of HTTP/2 behind h2c',
    () =>
      requestOf(
        [start, host, ...fields, lengthOf(body), 'connection: upgrade, http2-settings', 'upgrade: h2c'],
        body,
      ) + post([]),
    '401 -32600, 401 -32600',
  ],
  ['no token, but the name of a user', () => post(['x-forwarded-user: alice']), '401 -32600'],
  ['another path', () => post([], { line: 'POST /x/../mcp HTTP/1.1' }), '404 -32600'],
  ['another method', (t) => post([good(t)], { line: 'PUT /mcp HTTP/1.1' }), '405 -32600'],
  ['two hosts in one', (t) => post([good(t)], { from: 'host: 127.0.0.1, evil.example' }), '400 -32600'],
  [
    'a WebSocket whose subprotocol is the token',
    (t) => requestOf(['GET /ws HTTP/1.1', ...upgrade, `sec-websocket-protocol: mcp, ${t}`], BAD_FRAME),
    '401 -32600',
  ],
  [
    'a WebSocket with a body',
    (t) => requestOf(['GET /ws HTTP/1.1', ...upgrade, good(t), lengthOf(body)], body),
    '400 -32600',
  ],
  [
    'a WebSocket by POST',
    (t) => requestOf(['POST /ws HTTP/1.1', ...upgrade, good(t), 'content-length: 0'], BAD_FRAME),
    '405 -32600',
  ],
  [
    'a WebSocket of HTTP/1.0',
    (t) => requestOf(['GET /ws HTTP/1.0', ...upgrade, good(t)], BAD_FRAME),
    '400 -32600',
  ],
  [
    'chunks in HTTP/1.0',
    (t) =>
      requestOf(['POST /mcp HTTP/1.0', host, ...fields, 'transfer-encoding: chunked', good(t)], chunked()),
    '400',
  ],
]);

export const checks = [
  removal(/^a good credential/, ['joinDuplicateHeaders: true', 'joinDuplicateHeaders: false']),
  removal(
    /folded/,
    ['requireHostHeader: false', 'requireHostHeader: false, insecureHTTPParser: true'],
    ANY_TOKEN,
  ),
  removal(/underscore|behind the body|behind a good one|behind h2c|name of a user|subprotocol/, ANY_TOKEN),
  removal(/another path/, never('route === undefined && path !== options.path'), ANY_TOKEN),
  removal(/another method/, ["method === 'POST' ? post(", '/^P/.test(method) ? post(']),
  removal(/two hosts/, never("header.includes(',')"), ANY_HOST),
  removal(/with a body/, never("length !== '0' || encoding !== undefined")),
  removal(/by POST/, never("method !== 'GET'")),
  removal(/of HTTP\/1\.0/, never("httpVersion !== '1.1'")),
  removal(
    /^chunks/,
    never("request.httpVersion === '1.0' && request.headers['transfer-encoding'] !== undefined"),
  ),
];
