/** More than a server takes: bytes, fields, depth, messages. */
import { callOf, outcomeOf } from '../session.mjs';
import * as good from '../stranger-call.mjs';
import { closeCode, requestOf, sendRaw, refusalsIn } from '../wire.mjs';

export const family = 'limits';

const mebibyte = 1024 * 1024;
const close = 'connection: close';
const json = 'content-type: application/json';
const accept = 'accept: application/json, text/event-stream';
const head = ['POST /mcp HTTP/1.1', 'host: 127.0.0.1', accept, json, close];
const post = (body, more = []) => requestOf([...head, `content-length: ${body.length}`, ...more], body);
/** The beginning of a body: blanks that JSON may begin with. */
const chunk = `${(64 * 1024).toString(16)}\r\n${' '.repeat(64 * 1024)}\r\n`;
const call = JSON.stringify(callOf('touch', {}));

/** Good calls but for what is too long, where a call can be. @type {[name: string, bytes: string, want: string][]} */
const heads = [
  ['a body that says it is too long', requestOf([...head, `content-length: ${5 * mebibyte}`]), '413 -32600'],
  [
    'a body that turns out too long',
    requestOf(
      [good.start, good.host, ...good.fields, 'transfer-encoding: chunked', close],
      chunk.repeat(70) + good.chunked(),
    ),
    '413 -32600',
  ],
  ['one field that is too long', good.post([`x-long: ${'x'.repeat(20_000)}`]), '431'],
  ['fields without end', good.post(Array(9_000).fill('x: y')), '431'],
  ['a name of a field without end', good.post([`${'x'.repeat(20_000)}: y`]), '431'],
  ['a session id without end', post(call, [`mcp-session-id: ${'x'.repeat(10_000)}`]), '404 -32600'],
  [
    'a target that is too long',
    good.post([], { line: `POST /mcp?${'x'.repeat(3_000)} HTTP/1.1` }),
    '414 -32600',
  ],
  [
    'an Accept of thousands',
    good.replaced(['accept'], [`accept: ${'a/b,'.repeat(3_000)}`])(''),
    '406 -32600',
  ],
  ['lists in lists without end', post('['.repeat(mebibyte)), '400 -32700'],
];

/** @type {[name: string, message: object | string, want: string][]} in a session */
const messages = [
  [
    'arguments nested a hundred thousand deep',
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{"to":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`,
    'tool error',
  ],
  [
    'a text of a million digits for an integer',
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{"to":"${'1'.repeat(1_000_000)}"}}}`,
    'tool error',
  ],
  [
    'an integer of a million digits',
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{"to":${'1'.repeat(1_000_000)}}}}`,
    'tool error',
  ],
  [
    'a hundred thousand arguments',
    callOf('count', Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`a${at}`, at]))),
    'tool error',
  ],
  ['an id that is no number', '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', '400 -32600'],
  ['a batch in a revision without', JSON.stringify(Array(1_000).fill(callOf('touch', {}))), '400 -32600'],
];

/** A masked frame (RFC 6455, section 5.2), or what passes for one. */
function frame(first, payload, { masked = true, length = payload.length } = {}) {
  const size = Buffer.alloc(9);
  size[0] = (masked ? 0x80 : 0) | 127;
  size.writeBigUInt64BE(BigInt(length), 1);
  return Buffer.concat([Buffer.from([first]), size, Buffer.alloc(masked ? 4 : 0), payload]);
}

const short = (first, second, ...rest) => Buffer.from([first, second, ...rest]);
const mask = [0, 0, 0, 0];

/** @type {[name: string, bytes: Buffer, want: string][]} the code that the server closes with */
const frames = [
  ['a message that says it is too long', frame(0x81, Buffer.alloc(0), { length: 17 * mebibyte }), '1009'],
  ['a length beyond all numbers', frame(0x81, Buffer.alloc(0), { length: 2n ** 62n }), '1009'],
  [
    'fragments without end',
    Buffer.concat([
      short(0x01, 0x80, ...mask),
      Buffer.concat(Array(17_000).fill(short(0x00, 0x80, ...mask))),
    ]),
    '1008',
  ],
  ['a frame without a mask', short(0x81, 0x02, 0x7b, 0x7d), '1002'],
  ['a reserved bit', short(0xc1, 0x80, ...mask), '1002'],
  ['an unknown opcode', short(0x83, 0x80, ...mask), '1002'],
  ['a ping in pieces', short(0x09, 0x80, ...mask), '1002'],
  ['a ping that is too long', Buffer.concat([short(0x89, 0xfe, 0, 126, ...mask), Buffer.alloc(126)]), '1002'],
  ['bytes', short(0x82, 0x80, ...mask), '1003'],
  ['a text that is no text', short(0x81, 0x82, ...mask, 0xc3, 0x28), '1007'],
  ['a piece of nothing', short(0x80, 0x80, ...mask), '1002'],
];

export const rows = [
  ...heads.map(([name, bytes, want]) => ({
    name,
    want,
    attack: async ({ url }) => refusalsIn(await sendRaw(url, bytes)),
  })),
  ...messages.map(([name, message, want]) => ({
    name,
    want,
    attack: async (target) => outcomeOf(await target.session().send(message)),
  })),
  ...frames.map(([name, bytes, want]) => ({
    name: `WebSocket: ${name}`,
    want,
    attack: ({ url }) => closeCode(url, { bytes }),
  })),
];
