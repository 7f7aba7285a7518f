/** More than a server takes: bytes, fields, depth, pieces of messages. */
import { ANY_SIZE, never, removal, STAYS_OPEN } from '../prove/check.mjs';
import { outcomeOf } from '../session.mjs';
import * as good from '../stranger-call.mjs';
import { closeCode, requestOf, sendRaw, refusalsIn } from '../wire.mjs';

export const family = 'limits';

const mebibyte = 1024 * 1024;
const head = [good.start, good.host, good.accept, good.json, good.close];
/** The beginning of a body: blanks that JSON may begin with. */
const chunk = `${(64 * 1024).toString(16)}\r\n${' '.repeat(64 * 1024)}\r\n`;

/** Good calls but for what is too long, where a call can be. @type {[name: string, bytes: string, want: string][]} */
const heads = [
  ['a body that says it is too long', requestOf([...head, `content-length: ${5 * mebibyte}`]), '413 -32600'],
  [
    'a body that turns out too long',
    requestOf(
      [good.start, good.host, ...good.fields, 'transfer-encoding: chunked', good.close],
      chunk.repeat(70) + good.chunked(),
    ),
    '413 -32600',
  ],
  ['fields without end', good.post(Array(9_000).fill('x: y')), '431'],
  [
    'a target that is too long',
    good.post([], { line: `POST /mcp?${'x'.repeat(3_000)} HTTP/1.1` }),
    '414 -32600',
  ],
];

/** Arguments of the tool `count`, in a session. @type {[name: string, to: string][]} */
const values = [['arguments nested ninety thousand deep', `${'['.repeat(90_000)}${']'.repeat(90_000)}`]];

/** A masked frame (RFC 6455, section 5.2) that says how long it is. */
function frame(first, length) {
  const size = Buffer.alloc(9);
  size[0] = 0x80 | 127;
  size.writeBigUInt64BE(BigInt(length), 1);
  return Buffer.concat([Buffer.from([first]), size, Buffer.alloc(4)]);
}

const short = (first) => Buffer.from([first, 0x80, 0, 0, 0, 0]);

/** The code that the server closes with. */
const frames = [
  ['a message that says it is too long', frame(0x81, 17 * mebibyte), '1009'],
  ['fragments without end', Buffer.concat([short(0x01), ...Array(17_000).fill(short(0x00))]), '1008'],
  ['a frame without a mask', Buffer.from([0x81, 0x02, 0x7b, 0x7d]), '1002'],
];

export const rows = [
  ...heads.map(([name, bytes, want]) => ({
    name,
    want,
    attack: async ({ url }) => refusalsIn(await sendRaw(url, bytes)),
  })),
  ...values.map(([name, to]) => ({
    name,
    want: '400 -32600',
    attack: async ({ session }) =>
      outcomeOf(
        await session().send(
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{"to":${to}}}}`,
        ),
      ),
  })),
  ...frames.map(([name, bytes, want]) => ({
    name: `WebSocket: ${name}`,
    want,
    attack: ({ url }) => closeCode(url, { bytes }),
  })),
];

export const checks = [
  // The server waits for it.
  {
    ...removal(/^a body that says/, never("Number(request.headers['content-length']) > LIMITS.bodyBytes")),
    admits: STAYS_OPEN,
  },
  removal(/turns out too long/, never('size > LIMITS.bodyBytes')),
  removal(/^fields/, ['maxHeaderSize: LIMITS.headerBytes', 'maxHeaderSize: 1 << 20']),
  removal(/^a target/, never('url.length > LIMITS.targetBytes')),
  // The tool finds that they fit no schema, which is too late: they are parsed by then.
  { ...removal(/^arguments/, ANY_SIZE), admits: /got tool error/ },
  ...[
    removal(/^WebSocket: a message that says/, never('sumBytes(fragments) + length > LIMITS.bodyBytes')),
    removal(/fragments without end/, never('fragments.length >= MAX_FRAGMENTS')),
    removal(/without a mask/, never('(second & 0x80) === 0')),
  ].map((check) => ({ ...check, admits: STAYS_OPEN })),
];
