/** Requests that two parsers could read as different ones: each gets one refusal, and no second answer. */
import { callOf, modern } from '../session.mjs';
import { requestOf, sendRaw, refusalsIn } from '../wire.mjs';

export const family = 'smuggling';

const { message, headers } = modern(callOf('touch', {}));
const call = JSON.stringify(message);
const fields = [
  ...['host: 127.0.0.1', 'accept: application/json, text/event-stream', 'content-type: application/json'],
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
];
const length = `content-length: ${call.length}`;
const close = 'connection: close';
const start = 'POST /mcp HTTP/1.1';
const chunked = `${call.length.toString(16)}\r\n${call}\r\n0\r\n\r\n`;
/** A request smuggled behind a refused one. */
const second = requestOf([start, ...fields, length, close], call);
const good = [start, ...fields];

/** @type {[name: string, bytes: string, want?: string][]} the refusal is 400 unless told */
const shapes = [
  [
    'Content-Length and Transfer-Encoding',
    requestOf([...good, length, 'transfer-encoding: chunked'], chunked + second),
  ],
  [
    'Transfer-Encoding and Content-Length',
    requestOf([...good, 'transfer-encoding: chunked', 'content-length: 0'], chunked + second),
  ],
  ['Content-Length of 0 before a call', requestOf([...good, 'content-length: 0', length], second)],
  ['two lengths that differ', requestOf([...good, length, 'content-length: 1'], call + second)],
  [
    'two lengths in one field',
    requestOf([...good, `content-length: ${call.length}, ${call.length}`], call + second),
  ],
  ['the same length twice', requestOf([...good, length, length], call + second)],
  ['a length with a sign', requestOf([...good, `content-length: +${call.length}`], call + second)],
  ['a negative length', requestOf([...good, 'content-length: -1'], call + second)],
  [
    'a length in hexadecimal',
    requestOf([...good, `content-length: 0x${call.length.toString(16)}`], call + second),
  ],
  ['a length with a blank in it', requestOf([...good, 'content-length: 1 0'], call + second)],
  [
    'a length beyond all numbers',
    requestOf([...good, 'content-length: 99999999999999999999999'], call + second),
  ],
  ['a blank before the colon', requestOf([...good, `content-length : ${call.length}`], call + second)],
  ['a folded length', requestOf([...good, 'content-length:', ` ${call.length}`], call + second)],
  ['a folded Transfer-Encoding', requestOf([...good, 'transfer-encoding:', ' chunked'], chunked + second)],
  ['a folded field', requestOf([...good, 'x-folded: a', ' content-length: 1', length], call + second)],
  ['chunked twice', requestOf([...good, 'transfer-encoding: chunked, chunked'], chunked + second)],
  ['chunked, then another', requestOf([...good, 'transfer-encoding: chunked, identity'], chunked + second)],
  ['a misspelt coding', requestOf([...good, 'transfer-encoding: xchunked'], chunked + second)],
  ['a coding behind a control', requestOf([...good, 'transfer-encoding: \x0bchunked'], chunked + second)],
  ['a coding in quotes', requestOf([...good, 'transfer-encoding: "chunked"'], chunked + second)],
  [
    'a line feed alone, in the head',
    `${start}\n${[...good.slice(1), length].join('\n')}\n\n${call}${second}`,
  ],
  [
    'a carriage return alone, in the head',
    `${start}\r${[...good.slice(1), length].join('\r')}\r\r${call}${second}`,
  ],
  ['a line feed alone, behind one field', `${good.join('\r\n')}\nx: y\r\n${length}\r\n\r\n${call}${second}`],
  [
    'a line feed alone, behind a chunk',
    requestOf(
      [...good, 'transfer-encoding: chunked'],
      `${call.length.toString(16)}\r\n${call}\n0\n\n${second}`,
    ),
  ],
  [
    'a chunk whose size has a sign',
    requestOf([...good, 'transfer-encoding: chunked'], `+${chunked}${second}`),
  ],
  [
    'a chunk whose size is none',
    requestOf([...good, 'transfer-encoding: chunked'], `z\r\n${call}\r\n0\r\n\r\n${second}`),
  ],
  [
    'a chunk whose size is too large',
    requestOf([...good, 'transfer-encoding: chunked'], `fffffffffffffffff\r\n${call}\r\n0\r\n\r\n${second}`),
  ],
  [
    'a chunk longer than it says',
    requestOf([...good, 'transfer-encoding: chunked'], `1\r\n${call}\r\n0\r\n\r\n${second}`),
  ],
  [
    'chunk extensions without end',
    requestOf([...good, 'transfer-encoding: chunked'], `1;${'x=y;'.repeat(10_000)}\r\n{\r\n0\r\n\r\n`),
    '413',
  ],
  ['a NUL in a field', requestOf([...good, 'x-nul: a\0b', length], call + second)],
  ['a field without a name', requestOf([...good, ': nothing', length], call + second)],
  ['a field without a colon', requestOf([...good, 'nothing', length], call + second)],
  ['a request without Host', requestOf([start, ...fields.slice(1), length], call + second), '400 -32600'],
  [
    'two hosts',
    requestOf([start, 'host: 127.0.0.1', 'host: evil.example', ...fields.slice(1), length, close], call),
    '403 -32600',
  ],
  ['a call behind a refusal that closes', requestOf(['GET /mcp HTTP/1.1'], second), '400 -32600'],
  ['HTTP/0.9', `POST /mcp\r\n${call}${second}`],
  ['HTTP/2.0 in words', requestOf(['POST /mcp HTTP/2.0', ...fields, length], call + second), '505 -32600'],
  [
    'another host in the target',
    requestOf(['POST http://evil.example/mcp HTTP/1.1', ...fields, length, close], call),
    '404 -32600',
  ],
  [
    'a host alone for a target',
    requestOf(['CONNECT evil.example:443 HTTP/1.1', 'host: 127.0.0.1'], second),
    'closed',
  ],
  ['a preface of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${second}`],
  ['TLS on a plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(200, '\x00')],
];

export const rows = shapes.map(([name, bytes, want = '400']) => ({
  name,
  want,
  attack: async ({ url }) => refusalsIn(await sendRaw(url, bytes)),
}));
