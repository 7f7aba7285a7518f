/** Messages at a server with OAuth, with a good token: shapes that a proxy and a server may read differently. */
import { openGuarded } from '../guarded-server.mjs';
import { never, removal } from '../prove/check.mjs';
import { body, bytesOf, good, post, replaced, rowsOf } from '../stranger-call.mjs';

export const family = 'messages of strangers';

export const open = openGuarded;

const rawCall = (text) => (token) => post([good(token)], { content: text });
const withId = (id) => body.replace('"id":1', `"id":${id}`);

export const rows = rowsOf([
  ['an id that is a list', rawCall(withId('[1]')), '400 -32600'],
  ['an id beyond all numbers', rawCall(withId('1e400')), '400 -32600'],
  ['a batch', rawCall(`[${body}]`), '400 -32600'],
  [
    'a name that comes twice',
    rawCall(body.replace('"name":"touch"', '"name":"touch","name":"witness"')),
    '400 -32020',
  ],
  ['another name than its header says', replaced(['mcp-name'], ['mcp-name: admin']), '400 -32020'],
  ['no name in headers', replaced(['mcp-name'], []), '400 -32020'],
  ['two names in headers', replaced([], ['mcp-name: admin']), '400 -32020'],
  [
    'a text that is no UTF-8',
    (token) => {
      const [before, after] = body.replace('"arguments":{}', '"arguments":{"text":"@"}').split('@');
      const parts = [Buffer.from(before), Buffer.from([0xc3, 0x28]), Buffer.from(after)];
      return bytesOf(Buffer.concat(parts), token);
    },
    '400 -32700',
  ],
  ['a body in gzip', replaced([], ['content-encoding: gzip']), '415 -32600'],
  ['plain text', replaced(['content-type'], ['content-type: text/plain']), '415 -32600'],
]);

export const checks = [
  removal(/^an id/, [
    'export function isId(value) {',
    'export function isId(value) {\n    if (value !== undefined) return true;',
  ]),
  removal(
    /^a batch/,
    ['Array.isArray(value) ? undefined : readMessage(value)', 'readMessage([value].flat()[0])'],
    [
      'const message = Array.isArray(value) ? undefined : rpc.readMessage(value);',
      'const message = rpc.readMessage([value].flat()[0]);',
    ],
  ),
  removal(/name/, ['if (sent === text)', 'if (true)']),
  removal(/no UTF-8/, [
    "const UTF8 = new TextDecoder('utf-8', { fatal: true });",
    'const UTF8 = new TextDecoder();',
  ]),
  removal(/in gzip/, never("!/^(?:identity)?$/i.test(readHeader(request, 'content-encoding') ?? '')")),
  removal(/plain text/, never("essence(readHeader(request, 'content-type') ?? '') !== 'application/json'")),
];
