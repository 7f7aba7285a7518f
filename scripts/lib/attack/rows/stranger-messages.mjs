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
    'function isRequestId(value) {',
    'function isRequestId(value) {\n\tif (value !== void 0) return true;',
  ]),
  removal(/^a batch/, [
    'kind: "batch",\n\t\tmessages: value\n\t}',
    '...parseIncoming([value].flat(Infinity)[0] ?? { jsonrpc: "2.0", method: "ping", id: 1 })\n\t}',
  ]),
  removal(/comes twice|than its header|two names/, [
    'throw headerMismatch(`The header \\`${header}\\` does not say what the body says.`);',
    '',
  ]),
  removal(/no name/, [
    'if (given === void 0) throw headerMismatch(`The header \\`${header}\\` is missing.`);\n',
    'if (given === void 0) return;\n',
  ]),
  removal(/no UTF-8/, ['if (text.includes("�") && !isUtf8(body.bytes)) reject(', 'if (false) reject(']),
  removal(/in gzip/, never('coding !== void 0 && !/^(?:identity)?$/i.test(coding)')),
  removal(/plain text/, ['throw new HttpRefusal(415, "The body must be application/json.");', '']),
];
