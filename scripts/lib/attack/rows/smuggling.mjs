/**
 * Requests that two parsers could read as different ones: each gets one refusal, and no second answer. Those are not
 * among them that Node's parser refuses even where it is told to be lenient.
 */
import { ANY_HOST, never, removal } from '../prove/check.mjs';
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

/** The refusal is 400 unless told. */
const shapes = [
  [
    'Content-Length and Transfer-Encoding',
    requestOf([...good, length, 'transfer-encoding: chunked'], chunked + second),
  ],
  ['a blank before the colon', requestOf([...good, `content-length : ${call.length}`], call + second)],
  ['a line feed alone, behind one field', `${good.join('\r\n')}\nx: y\r\n${length}\r\n\r\n${call}${second}`],
  ['a request without Host', requestOf([start, ...fields.slice(1), length], call + second), '400 -32600'],
  [
    'two hosts',
    requestOf([start, 'host: 127.0.0.1', 'host: evil.example', ...fields.slice(1), length, close], call),
    '400 -32600',
  ],
  ['a call behind a refusal that closes', requestOf(['GET /mcp HTTP/1.1'], second), '400 -32600'],
  ['HTTP/2.0 in words', requestOf(['POST /mcp HTTP/2.0', ...fields, length], call + second), '505 -32600'],
];

export const rows = shapes.map(([name, bytes, want = '400']) => ({
  name,
  want,
  attack: async ({ url }) => refusalsIn(await sendRaw(url, bytes)),
}));

export const checks = [
  removal(/Transfer-Encoding|before the colon|a line feed/, [
    'requireHostHeader: false',
    'requireHostHeader: false, insecureHTTPParser: true',
  ]),
  removal(/without Host/, never("httpVersion === '1.1' && headers.host === undefined"), ANY_HOST),
  removal(/two hosts/, never("header.includes(',')"), ANY_HOST),
  removal(/behind a refusal/, never('before?.shouldKeepAlive === false')),
  removal(/HTTP\/2\.0/, never("!httpVersion.startsWith('1.')")),
];
