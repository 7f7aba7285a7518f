/** Bytes at a server with OAuth, with a good token and without one: shapes that a proxy and a server may read differently. */
import { openGuarded } from '../guarded-server.mjs';
import { callOf, initialize, modern } from '../session.mjs';
import { requestOf, sendRaw, refusalsIn } from '../wire.mjs';

export const family = 'requests of strangers';

export const open = openGuarded;

const call = modern(callOf('touch', {}));
const body = JSON.stringify(call.message);
const host = 'host: 127.0.0.1';
const close = 'connection: close';
const accept = 'accept: application/json, text/event-stream';
const json = 'content-type: application/json';
const lengthOf = (text) => `content-length: ${Buffer.byteLength(text)}`;
const told = Object.entries(call.headers).map(([name, value]) => `${name}: ${value}`);
const fields = [accept, json, ...told];
const start = 'POST /mcp HTTP/1.1';
const good = (token) => `authorization: Bearer ${token}`;

/** A good call, but for its fields. */
const post = (more, { line = start, content = body, from = host } = {}) =>
  requestOf([line, from, ...fields, lengthOf(content), close, ...more], content);

/** A good call, some fields of which are others. */
const replaced = (names, more) => (token) => {
  const kept = fields.filter((field) => !names.includes(field.split(':')[0]));
  return requestOf([start, host, ...kept, lengthOf(body), close, good(token), ...more], body);
};

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
const ids = ['null', 'true', '[]', '{}', '1e400', '[1]', '{"__proto__":1}'];
const upgrade = [
  host,
  'upgrade: websocket',
  'connection: upgrade',
  'sec-websocket-version: 13',
  'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
];
const rawCall = (text) => (token) => post([good(token)], { content: text });
const withId = (id) => body.replace('"id":1', `"id":${id}`);

/** @type {[name: string, bytes: (token: string) => string | Buffer | (string | Buffer)[], want: string, reaches?: Record<string, number>][]} */
const table = [
  ['a good credential and a bad one', (t) => post([good(t), good('x')]), '401 invalid_token'],
  ['a bad credential and a good one', (t) => post([good('x'), good(t)]), '401 invalid_token'],
  ['the same credential twice', (t) => post([good(t), good(t)]), '401 invalid_token'],
  ['a folded credential', (t) => post([`authorization: Bearer\r\n ${t}`]), '400'],
  ['a credential with a NUL', (t) => post([`authorization: Bearer ${t}\0`]), '400'],
  ['a credential behind a tab', (t) => post([`authorization: Bearer\t${t}`]), '401 invalid_token'],
  ['a field that ends like it', (t) => post([`x-authorization: Bearer ${t}`]), '401 -32600'],
  ['a name with a blank', (t) => post([`authorization : Bearer ${t}`]), '400'],
  ['a name with an underscore', (t) => post([`http_authorization: Bearer ${t}`]), '401 -32600'],
  [
    'a credential behind the body',
    (t) =>
      requestOf(
        [start, host, ...fields, 'transfer-encoding: chunked', 'trailer: authorization', close],
        `${body.length.toString(16)}\r\n${body}\r\n0\r\n${good(t)}\r\n\r\n`,
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
    (t) => requestOf(['POST /ws HTTP/1.1', ...upgrade, good(t), lengthOf(body)], body),
    '405 -32600',
  ],
  ['a WebSocket of HTTP/1.0', (t) => requestOf(['GET /ws HTTP/1.0', ...upgrade, good(t)]), '400 -32600'],
  ...ids.map((id) => [`an id that is ${id}`, rawCall(withId(id)), '400 -32600']),
  ['a batch', (t) => post([good(t)], { content: `[${body}]` }), '400 -32600'],
  ['a batch of nothing', rawCall('[]'), '400 -32600'],
  ['a batch of batches', rawCall(`[[${body}]]`), '400 -32600'],
  ['two messages', rawCall(body + body), '400 -32700'],
  ['two messages, line by line', rawCall(`${body}\n${body}`), '400 -32700'],
  [
    'a method that comes twice',
    rawCall(body.replace('"method":"tools/call"', '"method":"tools/call","method":"ping"')),
    '400 -32020',
  ],
  [
    'a name that comes twice',
    rawCall(body.replace('"name":"touch"', '"name":"touch","name":"admin"')),
    '400 -32020',
  ],
  ['a method with a NUL', rawCall(body.replace('"tools/call"', '"tools/call\\u0000"')), '400 -32020'],
  ['a name with a NUL', rawCall(body.replace('"touch"', '"touch\\u0000"')), '400 -32020'],
  ['another method than its header says', replaced(['mcp-method'], ['mcp-method: ping']), '400 -32020'],
  ['another name than its header says', replaced(['mcp-name'], ['mcp-name: admin']), '400 -32020'],
  [
    'another revision than its header says',
    replaced(['mcp-protocol-version'], ['mcp-protocol-version: 2025-11-25']),
    '400 -32020',
  ],
  ['no name in headers', replaced(['mcp-name'], []), '400 -32020'],
  ['no method in headers', replaced(['mcp-method'], []), '400 -32020'],
  ['two names in headers', replaced([], ['mcp-name: admin']), '400 -32020'],
  ['two methods in headers', replaced([], ['mcp-method: ping']), '400 -32020'],
  ['a header of an object', replaced(['mcp-name'], ['mcp-name: __proto__']), '400 -32020'],
  [
    'arguments of an object, deep',
    rawCall(
      body.replace('"arguments":{}', `"arguments":${'{"__proto__":'.repeat(5_000)}1${'}'.repeat(5_000)}`),
    ),
    '200',
    { handlers: 1 },
  ],
  ['metadata of an object', rawCall(body.replace('"_meta":', '"__proto__":')), '400 -32602'],
  [
    'a body in UTF-16',
    (t) => {
      const wide = Buffer.from(body, 'utf16le');
      return [requestOf([start, host, ...fields, `content-length: ${wide.length}`, close, good(t)]), wide];
    },
    '400 -32700',
  ],
  [
    'a text that is no UTF-8',
    (t) => {
      const [before, after] = body.replace('"arguments":{}', '"arguments":{"text":"@"}').split('@');
      const bad = Buffer.concat([Buffer.from(before), Buffer.from([0xc3, 0x28]), Buffer.from(after)]);
      return [requestOf([start, host, ...fields, `content-length: ${bad.length}`, close, good(t)]), bad];
    },
    '200',
    { handlers: 1 },
  ],
  ['a body in gzip', replaced([], ['content-encoding: gzip']), '415 -32600'],
  ['a form', replaced(['content-type'], ['content-type: application/x-www-form-urlencoded']), '415 -32600'],
  ['plain text', replaced(['content-type'], ['content-type: text/plain']), '415 -32600'],
  ['two types', replaced([], ['content-type: text/plain']), '415 -32600'],
  ['an expectation that nobody has', replaced([], ['expect: 200-ok']), '417'],
  [
    'chunks in HTTP/1.0',
    (t) =>
      requestOf(
        ['POST /mcp HTTP/1.0', host, ...fields, 'transfer-encoding: chunked', good(t)],
        `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      ),
    '400 -32600',
  ],
  [
    'a body behind GET',
    (t) => requestOf(['GET /mcp HTTP/1.1', host, accept, good(t), lengthOf(post([])), close], post([])),
    '400 -32600',
  ],
  [
    'a session of its own choice',
    (t) => {
      const content = JSON.stringify(initialize);
      return requestOf(
        [start, host, accept, json, lengthOf(content), close, good(t), 'mcp-session-id: chosen-by-me'],
        content,
      );
    },
    '404 -32600',
  ],
];

export const rows = table.map(([name, bytes, want, reaches = {}]) => ({
  name,
  want,
  reaches,
  attack: async ({ url, issuer }) => refusalsIn(await sendRaw(url, bytes(await issuer.token()))),
}));
