/** Bytes at a server with OAuth, with a good token and without one: shapes that a proxy and a server may read differently. */
import { openGuarded } from '../guarded-server.mjs';
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

const targets = [
  '//mcp',
  '/mcp/',
  '/./mcp',
  '/x/../mcp',
  '/%6dcp',
  '/MCP',
  '/mcp;x',
  '/mcp%00',
  '/mcp%2f',
  '/mcp%3f',
  '/healthz/../mcp',
  '/.well-known/oauth-protected-resource/../../mcp',
];
const hosts = [
  'evil.example',
  'localhost.evil.example',
  'localhost@evil.example',
  'evil.example:80',
  '127.0.0.1 evil.example',
  '127.0.0.1, evil.example',
  'xn--lcalhost-j4a',
];
const pretexts = [
  'x-original-url: /healthz',
  'x-rewrite-url: /healthz',
  'x-http-method-override: OPTIONS',
  'x-forwarded-for: 127.0.0.1',
  'x-forwarded-user: alice',
  'x-remote-user: alice',
  'forwarded: for=127.0.0.1',
  'via: 1.1 localhost',
  'x-api-key: a',
  'mcp-session-id: a',
];
const methods = ['PUT', 'PATCH', 'TRACE', 'PROPFIND', 'SEARCH'];
/** Closes a WebSocket that is open. */
const BAD_FRAME = '\xff\xff';
/** Its fields, behind a line of each row's own. */
const upgrade = UPGRADE.slice(1);

const table = [
  ['a good credential and a bad one', (t) => post([good(t), good('x')]), '401 invalid_token'],
  ['a bad credential and a good one', (t) => post([good('x'), good(t)]), '401 invalid_token'],
  ['the same credential twice', (t) => post([good(t), good(t)]), '401 invalid_token'],
  ['a folded credential', (t) => post([`authorization: Bearer\r\n ${t}`]), '400'],
  ['a credential with a NUL', (t) => post([`authorization: Bearer ${t}\0`]), '400'],
  ['a credential behind a tab', (t) => post([`authorization: Bearer\t${t}`]), '401 invalid_token'],
  ['a field that ends like it', (t) => post([`x-authorization: Bearer ${t}`]), '401 -32600'],
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
    'none, behind one that needs none',
    () => requestOf(['GET /healthz HTTP/1.1', host]) + post([]),
    '200, 401 -32600',
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
        [
          start,
          host,
          ...fields,
          lengthOf(body),
          'connection: upgrade, http2-settings',
          'upgrade: h2c',
          'http2-settings: AAMAAABkAAQCAAAAAAIAAAAA',
        ],
        body,
      ) + post([]),
    '401 -32600, 401 -32600',
  ],
  [
    'TLS asked for within HTTP',
    () =>
      requestOf([start, host, ...fields, lengthOf(body), 'connection: upgrade', 'upgrade: TLS/1.0'], body) +
      post([]),
    '401 -32600, 401 -32600',
  ],
  ...targets.map((target) => [
    `at ${target}, without a token`,
    () => post([], { line: `POST ${target} HTTP/1.1` }),
    '404 -32600',
  ]),
  ...targets
    .slice(0, 3)
    .map((target) => [
      `at ${target}, with one`,
      (t) => post([good(t)], { line: `POST ${target} HTTP/1.1` }),
      '404 -32600',
    ]),
  ...hosts.map((name) => [`Host ${name}`, (t) => post([good(t)], { from: `host: ${name}` }), '403 -32600']),
  ...pretexts.map((field) => [`no token, but ${field}`, () => post([field]), '401 -32600']),
  ...methods.map((method) => [
    `${method} with a token`,
    (t) => post([good(t)], { line: `${method} /mcp HTTP/1.1` }),
    '405 -32600',
  ]),
  [
    'a WebSocket without a token, where none is',
    () => requestOf(['GET /mcp HTTP/1.1', ...upgrade]),
    '404 -32600',
  ],
  [
    'a WebSocket whose subprotocol is the token',
    (t) => requestOf(['GET /ws HTTP/1.1', ...upgrade, `sec-websocket-protocol: mcp, ${t}`]),
    '401 -32600',
  ],
  [
    'a WebSocket with a token in the query',
    (t) => requestOf([`GET /ws?access_token=${t} HTTP/1.1`, ...upgrade]),
    '400 invalid_request',
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
    '400 -32600',
  ],
];

export const rows = rowsOf(table);
