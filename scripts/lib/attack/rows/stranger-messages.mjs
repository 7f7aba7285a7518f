/** Messages at a server with OAuth, with a good token: shapes that a proxy and a server may read differently. */
import { openGuarded } from '../guarded-server.mjs';
import { body, bytesOf, good, post, replaced, rowsOf } from '../stranger-call.mjs';

export const family = 'messages of strangers';

export const open = openGuarded;

const ids = ['null', 'true', '[]', '{}', '1e400', '[1]', '{"__proto__":1}'];
const rawCall = (text) => (token) => post([good(token)], { content: text });
const withId = (id) => body.replace('"id":1', `"id":${id}`);

const table = [
  ...ids.map((id) => [`an id that is ${id}`, rawCall(withId(id)), '400 -32600']),
  ['a batch', (t) => post([good(t)], { content: `[${body}]` }), '400 -32600'],
  ['a batch of batches', rawCall(`[[${body}]]`), '400 -32600'],
  [
    'a method that comes twice',
    rawCall(body.replace('"method":"tools/call"', '"method":"tools/call","method":"tools/list"')),
    '400 -32020',
  ],
  [
    'a name that comes twice',
    rawCall(body.replace('"name":"touch"', '"name":"touch","name":"witness"')),
    '400 -32020',
  ],
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
  [
    'a text that is no UTF-8',
    (t) => {
      const [before, after] = body.replace('"arguments":{}', '"arguments":{"text":"@"}').split('@');
      return bytesOf(Buffer.concat([Buffer.from(before), Buffer.from([0xc3, 0x28]), Buffer.from(after)]), t);
    },
    '400 -32700',
  ],
  ['a body in gzip', replaced([], ['content-encoding: gzip']), '415 -32600'],
  ['a form', replaced(['content-type'], ['content-type: application/x-www-form-urlencoded']), '415 -32600'],
  ['plain text', replaced(['content-type'], ['content-type: text/plain']), '415 -32600'],
  ['two types', replaced([], ['content-type: text/plain']), '415 -32600'],
];

export const rows = rowsOf(table);
