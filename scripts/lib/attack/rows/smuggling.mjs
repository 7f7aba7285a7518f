/**
 * Requests that two parsers could read as different ones: each gets one refusal, and no second answer. Those are not
 * among them that Node's parser refuses even where it is told to be lenient.
 */
import { ANY_HOST, never, removal } from '../prove/check.mjs';
import { body, chunked, close, fields, host, lengthOf, start } from '../stranger-call.mjs';
import { requestOf, sendRaw, refusalsIn } from '../wire.mjs';

export const family = 'smuggling';

const length = lengthOf(body);
const good = [start, host, ...fields];
/** A request smuggled behind a refused one. */
const second = requestOf([...good, length, close], body);

/** The refusal is 400 unless told. */
const shapes = [
  [
    'Content-Length and Transfer-Encoding',
    requestOf([...good, length, 'transfer-encoding: chunked'], chunked() + second),
  ],
  ['a blank before the colon', requestOf([...good, `content-length : ${body.length}`], body + second)],
  ['a line feed alone, behind one field', `${good.join('\r\n')}\nx: y\r\n${length}\r\n\r\n${body}${second}`],
  ['a request without Host', requestOf([start, ...fields, length], body + second), '400 -32600'],
  ['two hosts', requestOf([start, host, 'host: evil.example', ...fields, length, close], body), '400 -32600'],
  ['a call behind a refusal that closes', requestOf(['GET /mcp HTTP/1.1'], second), '400 -32600'],
  [
    'HTTP/2.0 in words',
    requestOf(['POST /mcp HTTP/2.0', host, ...fields, length], body + second),
    '505 -32600',
  ],
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
