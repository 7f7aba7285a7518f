/** Integers beyond ±2^53 keep their digits from the client's text to the API's bytes, and back. */
import { expect, onTestFinished, test } from 'vitest';
import { parameterRow, type Row, proveRows } from './prove-rows.ts';
import { serveDocument } from './serve-document.ts';

const BIG = '9007199254740993';
/** The double next to it. */
const EVEN = 9007199254740992;
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const integer = { type: 'integer', format: 'int64' };
const integers = { type: 'array', items: integer };
const unique = { ...integers, uniqueItems: true };
const object = { type: 'object', properties: { id: integer } };
const wrapped = { type: 'object', properties: { id: object } };

function part(headers: string, content: string): string {
  return `--boundary\r\nContent-Disposition: form-data; name="id"${headers}\r\n\r\n${content}\r\n--boundary--\r\n`;
}

function inParameter(says: string, parameter: object, value: string, want: string | RegExp): Row {
  const row = parameterRow(
    `${says}: ${value}`,
    { name: 'id', schema: integer, ...parameter },
    undefined,
    want,
  );
  return { ...row, args: `{"id":${value}}` };
}

function inBody(
  mediaType: string,
  schema: object,
  value: string,
  want: string,
  more = '',
  encoding: object = {},
): Row {
  return {
    says: `${mediaType}: ${value}`,
    method: 'post',
    operation: { requestBody: { content: { [mediaType]: { schema, encoding } } } },
    args: `{"id":${value}}`,
    want: `POST /\nContent-Type: ${mediaType}${more}\n\n${want}`,
  };
}

proveRows('3.1.1', [
  inParameter('path', { in: 'path' }, BIG, `GET /p${BIG}`),
  inParameter('query', {}, BIG, `GET /?id=${BIG}`),
  inParameter('query', {}, '9007199254740991', 'GET /?id=9007199254740991'),
  inParameter('query', {}, '123456789012345678901234567890', 'GET /?id=123456789012345678901234567890'),
  inParameter('number', { schema: { type: 'number' } }, BIG, `GET /?id=${BIG}`),
  inParameter(
    'deepObject',
    { style: 'deepObject', schema: object },
    `{"id":${BIG}}`,
    `GET /?id%5Bid%5D=${BIG}`,
  ),
  inParameter('header', { in: 'header' }, BIG, `GET /\nid: ${BIG}`),
  inParameter(
    'content',
    { schema: undefined, content: { 'application/json': { schema: object } } },
    `{"id":${BIG}}`,
    `GET /?id=%7B%22id%22%3A${BIG}%7D`,
  ),

  inBody(JSON_TYPE, object, BIG, `{"id":${BIG}}`),
  inBody(
    JSON_TYPE,
    { type: 'object', properties: { id: { type: 'object' } } },
    `{"a\\"${BIG}":["\\\\",{"__proto__":${BIG}},"${BIG}",1.5,${BIG}.5]}`,
    `{"id":{"a\\"${BIG}":["\\\\",{"__proto__":${BIG}},"${BIG}",1.5,9007199254740994]}}`,
  ),
  inBody(FORM, object, BIG, `id=${BIG}`),
  inBody(FORM, object, BIG, `id=${BIG}`, '', { id: { contentType: JSON_TYPE } }),
  inBody(MULTIPART, object, BIG, part('', BIG), '; boundary=boundary'),
  inBody(
    MULTIPART,
    wrapped,
    `{"id":${BIG}}`,
    part('\r\nContent-Type: application/json', `{"id":${BIG}}`),
    '; boundary=boundary',
  ),

  inBody('application/xml', { ...object, xml: { name: 'a' } }, BIG, `<a><id>${BIG}</id></a>`),

  // what a model writes as a text is read where the schema takes none
  inParameter('digits as text', {}, `"${BIG}"`, `GET /?id=${BIG}`),
  // schemas judge them as they judge other integers
  inParameter('maximum', { schema: { maximum: 100 } }, BIG, /must be ≤ 100 but is 9007199254740993/),
  inParameter('multipleOf', { schema: { multipleOf: 2 } }, BIG, /must be a multiple of 2/),
  inParameter('multipleOf', { schema: { multipleOf: 3 } }, '9007199254740999', 'GET /?id=9007199254740999'),
  inParameter('uniqueItems', { schema: unique }, `[${BIG},${EVEN},${BIG}]`, /the same item twice/),
  inParameter('uniqueItems', { schema: unique }, `[${BIG},${EVEN}]`, `GET /?id=${BIG}&id=${EVEN}`),

  // other numbers are doubles
  inParameter('fraction', { schema: {} }, '0.1234567890123456789', 'GET /?id=0.12345678901234568'),
  // beyond the range of doubles
  inParameter('digits', { schema: { type: 'number' } }, '1'.repeat(400), `GET /?id=${'1'.repeat(400)}`),
  inParameter('infinite', { schema: { type: 'number' } }, '-1e400', /must be a number but is -Infinity/),
]);

test.each([
  [1, (json: string) => [`"text":${JSON.stringify(json)}`, `"structuredContent":${json}`]],
  [20_001, () => ['JSON of more than 20,000 integers of 16 digits is not read.']],
])('an answer keeps %i of them in its text and in its structure', async (count, want) => {
  const json = `{"id":${Array(count).fill(BIG).join(',"id":')}}`;
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n`;
  const responses = { 200: { description: 'It.', content: { [JSON_TYPE]: { schema: object } } } };
  const served = await serveDocument(
    {
      openapi: '3.1.1',
      info: { title: 'T', version: '1' },
      servers: [{ url: 'http://localhost' }],
      paths: { '/thing': { get: { operationId: 'thing', responses } } },
    },
    () => head + json,
  );
  onTestFinished(served.close);
  const { text } = await served.call('thing', {});
  for (const part of want(json)) expect(text).toContain(part);
});
