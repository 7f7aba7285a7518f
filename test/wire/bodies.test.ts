/** Bodies of every kind, from the document to the bytes. */
import { proveRows, type Row } from './prove-rows.ts';

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const PNG = 'iVBORw0KGgo=';
/** The bytes of it, as `requestText` shows them. */
const PNG_BYTES = '\x89PNG\r\n\x1a\n';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const properties = (members: object): object => ({ type: 'object', properties: members });

/** A row of one media type. */
function body(
  says: string,
  mediaType: string,
  media: object,
  args: object,
  content: string | RegExp,
  sentType = mediaType,
): Row {
  const want = content instanceof RegExp ? content : `POST /\nContent-Type: ${sentType}\n\n${content}`;
  return {
    says: `${mediaType}: ${says}`,
    method: 'post',
    operation: { requestBody: { required: true, content: { [mediaType]: media } } },
    args,
    want,
  };
}

const json = (says: string, mediaType: string, schema: object, args: object, content: string): Row =>
  body(says, mediaType, { schema }, args, content);

const form = (says: string, members: object, encoding: object, args: object, content: string): Row =>
  body(says, FORM, { schema: properties(members), encoding }, args, content);

/** `parts`: what stands behind `Content-Disposition: form-data; name=`, each. */
function multipart(says: string, members: object, encoding: object, args: object, ...parts: string[]): Row {
  const lines = parts.map((part) => `--boundary\r\nContent-Disposition: form-data; name=${part}\r\n`);
  const media = { schema: properties(members), encoding };
  return body(
    says,
    MULTIPART,
    media,
    args,
    `${lines.join('')}--boundary--\r\n`,
    `${MULTIPART}; boundary=boundary`,
  );
}

const person = properties({ name: text, age: { type: ['integer', 'null'] } });

const JSON_ROWS = [
  json('members', 'application/json', person, { name: 'ü', age: 3 }, '{"name":"\xc3\xbc","age":3}'),
  json('null is a value', 'application/json', person, { age: null }, '{"age":null}'),
  json('a vendor type', 'application/vnd.api+json', person, { name: 'x' }, '{"name":"x"}'),
  json('as written', 'application/json; charset=utf-8', person, { name: 'x' }, '{"name":"x"}'),
  json('a list', 'application/json', texts, { body: ['a'] }, '["a"]'),
  json('nothing given', 'application/json', person, {}, '{}'),
];

const FORM_ROWS = [
  form(
    'scalars',
    { a: text, b: {}, c: {} },
    {},
    { a: 'x y&z~', b: true, c: 1.5 },
    'a=x+y%26z%7E&b=true&c=1.5',
  ),
  form('a list repeats', { t: texts }, {}, { t: ['a', 'b'] }, 't=a&t=b'),
  form('an object is JSON', { o: {} }, {}, { o: { z: '9+1' } }, 'o=%7B%22z%22%3A%229%2B1%22%7D'),
  form('null is empty', { a: {} }, {}, { a: null }, 'a='),
  form('JSON', { a: text }, { a: { contentType: 'application/json' } }, { a: 'x' }, 'a=%22x%22'),
  form('not exploded', { t: texts }, { t: { explode: false } }, { t: ['a', 'b c'] }, 't=a,b%20c'),
  form('deepObject', { m: {} }, { m: { style: 'deepObject' } }, { m: { a: { b: 1 } } }, 'm%5Ba%5D%5Bb%5D=1'),
  form('reserved', { u: text }, { u: { allowReserved: true } }, { u: 'http://x/y' }, 'u=http://x/y'),
  form('an exploded object', { o: {} }, { o: { style: 'form' } }, { o: { a: 1, b: 2 } }, 'a=1&b=2'),
  form('names', { 'ids[]': texts }, {}, { ids: ['1', '2'] }, 'ids%5B%5D=1&ids%5B%5D=2'),
];

const file = { type: 'string', contentMediaType: 'application/octet-stream' };

const MULTIPART_ROWS = [
  multipart(
    'text, number, object',
    { a: text, n: { type: 'integer' }, o: { type: 'object' } },
    {},
    { a: 'x', n: 1, o: { b: 1 } },
    '"a"\r\n\r\nx',
    '"n"\r\n\r\n1',
    '"o"\r\nContent-Type: application/json\r\n\r\n{"b":1}',
  ),
  multipart(
    'base64',
    { file },
    {},
    { file: PNG },
    `"file"; filename="file.bin"\r\nContent-Type: application/octet-stream\r\n\r\n${PNG_BYTES}`,
  ),
  multipart(
    'a data: URI with a name',
    { file },
    {},
    { file: `data:image/png;name=cat.png;base64,${PNG}` },
    `"file"; filename="cat.png"\r\nContent-Type: image/png\r\n\r\n${PNG_BYTES}`,
  ),
  multipart(
    'several files',
    { files: { type: 'array', items: file } },
    {},
    { files: ['data:text/plain,a', 'data:text/plain,b'] },
    '"files"; filename="files.txt"\r\nContent-Type: text/plain\r\n\r\na',
    '"files"; filename="files.txt"\r\nContent-Type: text/plain\r\n\r\nb',
  ),
  multipart('a list repeats', { t: texts }, {}, { t: ['a', 'b'] }, '"t"\r\n\r\na', '"t"\r\n\r\nb'),
];

const encoded = (contentEncoding: string): object => ({ type: 'string', contentEncoding });
const BASE64 = `Content-Transfer-Encoding: base64\r\n\r\n${PNG}`;

/** Parts whose text is encoded already. */
const ENCODED_ROWS = [
  multipart(
    'contentEncoding',
    { b: encoded('base64'), q: encoded('Quoted-Printable'), u: encoded('base64url'), i: encoded('8bit') },
    {},
    { b: PNG, q: '=C3=BC', u: '_w', i: 'ü' },
    `"b"\r\nContent-Type: application/octet-stream\r\n${BASE64}`,
    '"q"\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=C3=BC',
    '"u"\r\nContent-Type: application/octet-stream\r\n\r\n_w',
    '"i"\r\n\r\n\xc3\xbc',
  ),
];

const pngPart = { type: 'string', contentMediaType: 'image/png' };
const jsonPart = { type: 'string', contentMediaType: 'application/json' };

const TYPED_ROWS = [
  multipart(
    'contentMediaType of bytes',
    { b: pngPart },
    {},
    { b: PNG },
    `"b"; filename="b.png"\r\nContent-Type: image/png\r\n\r\n${PNG_BYTES}`,
  ),
  multipart(
    'contentMediaType of a text that is JSON already',
    { b: jsonPart },
    {},
    { b: '{"a":1}' },
    '"b"\r\nContent-Type: application/json\r\n\r\n{"a":1}',
  ),
  multipart(
    'an encoding wins over contentMediaType',
    { b: pngPart },
    { b: { contentType: 'image/webp' } },
    { b: PNG },
    `"b"; filename="b.webp"\r\nContent-Type: image/webp\r\n\r\n${PNG_BYTES}`,
  ),
  multipart(
    'a data: URI wins over contentMediaType',
    { b: pngPart },
    {},
    { b: `data:image/gif;base64,${PNG}` },
    `"b"; filename="b.gif"\r\nContent-Type: image/gif\r\n\r\n${PNG_BYTES}`,
  ),
];

const FREE = [{ type: 'object' }, { type: 'object', allOf: [{ properties: {} }] }];

const FREE_ROWS = FREE.flatMap((schema) => [
  json(JSON.stringify(schema), 'application/json', schema, { body: { 'a b': [1] } }, '{"a b":[1]}'),
  body(JSON.stringify(schema), FORM, { schema }, { body: { a: 'x' } }, 'a=x'),
]);

const OTHER_ROWS = [
  body('text as a data: URI', 'text/plain', { schema: text }, { body: 'data:;base64,w7w=' }, '\xc3\xbc'),
  body(
    'bytes as a data: URI',
    'text/csv',
    { schema: text },
    { body: `data:text/csv;base64,${PNG}` },
    PNG_BYTES,
  ),
  body(
    'a data: URI of XML',
    'application/xml',
    { schema: text },
    { body: 'data:application/xml;base64,PGEvPg==' },
    '<a/>',
  ),
  body('words about data', 'text/plain', { schema: text }, { body: 'data: a,b' }, 'data: a,b'),
  body('text', 'text/plain', { schema: text }, { body: 'a ü' }, 'a \xc3\xbc'),
  body('bytes', 'application/octet-stream', {}, { body: 'AAEC/w==' }, '\0\x01\x02\xff'),
  body('an image', 'image/png', {}, { body: `data:image/gif;base64,${PNG}` }, PNG_BYTES),
  body('a range', 'image/*', {}, { body: `data:image/png;base64,${PNG}` }, PNG_BYTES, 'image/png'),
  body('no base64', 'image/png', {}, { body: 'no bytes!' }, /"body" must hold bytes/),
  body(
    'lines',
    'application/x-ndjson',
    { schema: { type: 'array', items: {} } },
    { body: [{ a: 1 }, 2] },
    '{"a":1}\n2\n',
  ),
];

const person7396 = {
  type: 'object',
  required: ['name', 'pets'],
  properties: {
    name: { type: 'string', minLength: 1, default: 'x' },
    kind: { enum: ['a', 'b'] },
    address: { $ref: '#/components/schemas/Address' },
    pets: { type: 'array', items: { $ref: '#/components/schemas/Address' } },
    tags: { type: 'object', additionalProperties: { type: 'integer' } },
  },
};
const SCHEMAS = {
  Base64: { type: 'string', contentEncoding: 'base64' },
  Address: {
    type: 'object',
    required: ['street', 'city'],
    properties: {
      street: text,
      city: text,
      next: { $ref: '#/components/schemas/Address' },
    },
  },
};

/** RFC 7396: members that are not given stay, null removes; a list is replaced whole. */
const patch = (says: string, args: object, want: string | RegExp, schema: object = person7396): Row =>
  body(says, 'application/merge-patch+json', { schema }, args, want);

const PATCH_ROWS = [
  patch('nothing is required', { kind: 'a' }, '{"kind":"a"}'),
  patch(
    'null removes at any depth',
    { address: { next: { street: null, next: { next: null } } }, tags: { old: null, new: 1 } },
    '{"address":{"next":{"street":null,"next":{"next":null}}},"tags":{"old":null,"new":1}}',
  ),
  patch('other types are refused', { name: [1] }, /`name` must be a string or null/),
  patch('items of a list are whole', { pets: [{ street: 'a' }] }, /`pets\[0\]\.city` is required/),
];

/** An optional body: without arguments none, and once a part is given, what it requires. */
const optional = (args: object, want: string | RegExp): Row => ({
  says: `an optional body given ${JSON.stringify(args)}`,
  method: 'post',
  operation: {
    requestBody: { content: { 'application/json': { schema: { ...person, required: ['name'] } } } },
  },
  args,
  want,
});

/** RFC 7396, section 2: a patch that is no object replaces the whole. No body at all is no patch. */
const wholePatch = (args: object, want: string): Row => ({
  says: `an optional merge patch given ${JSON.stringify(args)}`,
  method: 'patch',
  operation: {
    requestBody: {
      content: {
        'application/merge-patch+json': { schema: { type: 'object', additionalProperties: text } },
      },
    },
  },
  args,
  want,
});

const ROWS = [
  ...JSON_ROWS,
  ...PATCH_ROWS,
  ...FORM_ROWS,
  ...MULTIPART_ROWS,
  ...ENCODED_ROWS,
  ...TYPED_ROWS,
  ...FREE_ROWS,
  ...OTHER_ROWS,
  wholePatch({}, 'PATCH /'),
  wholePatch({ body: null }, 'PATCH /\nContent-Type: application/merge-patch+json\n\nnull'),
  wholePatch({ body: { a: null } }, 'PATCH /\nContent-Type: application/merge-patch+json\n\n{"a":null}'),
  optional({}, 'POST /'),
  optional({ name: 'x' }, 'POST /\nContent-Type: application/json\n\n{"name":"x"}'),
  optional({ age: 1 }, /needs all of: name/),
];

proveRows('3.1.1', ROWS, { ...SCHEMAS, Png: pngPart });

const raw = { type: 'string', format: 'binary' };
const RAW = '\0\x01\x02\xff';

/** Bytes of a whole body, in whatever media type. */
const rawBody = (says: string, mediaType: string, value: string, content: string | RegExp): Row =>
  body(says, mediaType, { schema: raw }, { body: value }, content);

const RAW_ROWS = [
  rawBody('bytes', 'application/json', 'AAEC/w==', RAW),
  rawBody('bytes', 'application/vnd.x+json', 'data:;base64,AAEC/w==', RAW),
  rawBody('no bytes', 'application/json', '{"a":1}', /"body" must hold bytes/),
  rawBody('bytes', 'application/x-unknown', 'AAEC/w==', RAW),
  rawBody('bytes in text', 'text/csv', 'data:text/csv;base64,AAEC/w==', RAW),
  rawBody('bytes that are text', 'text/csv', 'AAEC/w==', 'AAEC/w=='),
  rawBody('bytes in XML', 'application/xml', 'data:;base64,AAEC/w==', RAW),
  rawBody('no files folder', 'text/csv', 'file:a.csv', /may not read files/),
];

const byte = { type: 'string', format: 'byte' };
const byteRef = { $ref: '#/components/schemas/Byte' };

/** Before 3.1 `format: byte` is a file, which is sent decoded: as a form's field, or as the whole body under a type of bytes. */
const OLD_BYTE_ROWS = [
  body('format: byte', 'image/png', { schema: byte }, { body: 'AAEC/w==' }, RAW),
  ...[byte, byteRef].map((schema) =>
    multipart(
      `${JSON.stringify(schema)} is a file, and the argument may name it`,
      { b: schema },
      {},
      { b: 'data:text/x-a;name=a.ts;base64,AAEC/w==' },
      `"b"; filename="a.ts"\r\nContent-Type: text/x-a\r\n\r\n${RAW}`,
    ),
  ),
  multipart(
    'format: byte is a file',
    { b: byte },
    {},
    { b: PNG },
    `"b"; filename="b.bin"\r\nContent-Type: application/octet-stream\r\n\r\n${PNG_BYTES}`,
  ),
];

proveRows('3.0.3', [...RAW_ROWS, ...OLD_BYTE_ROWS], { Raw: raw, Byte: byte });

const MIXED = 'multipart/mixed';
const list = (says: string, items: object, value: unknown[], ...parts: string[]): Row =>
  body(
    says,
    MIXED,
    { schema: { type: 'array', items } },
    { body: value },
    `${parts.map((part) => `--boundary\r\n${part}\r\n`).join('')}--boundary--\r\n`,
    `${MIXED}; boundary=boundary`,
  );

/** A list is one part for each item. */
proveRows('3.1.0', [
  list('texts', text, ['a'], 'Content-Type: text/plain\r\n\r\na'),
  list('objects', person, [{ age: 1 }], 'Content-Type: application/json\r\n\r\n{"age":1}'),
  list('bytes', raw, [PNG], `Content-Type: application/octet-stream\r\n\r\n${PNG_BYTES}`),
]);

const OCTETS = 'application/octet-stream';
/** The media types that the document offers, with their schemas; the first wanted is the one that is sent. */
const offers = (says: string, schemas: object, value: string, want: string): Row => ({
  says,
  method: 'post',
  operation: {
    requestBody: {
      required: true,
      content: Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }])),
    },
  },
  args: { body: value },
  want,
});
const asBytes = `POST /\nContent-Type: ${OCTETS}\n\n${RAW}`;
const asText = 'POST /\nContent-Type: text/plain\n\nAAEC/w==';

proveRows('3.0.3', [
  offers('bytes beside text', { 'text/plain': raw, [OCTETS]: raw }, 'AAEC/w==', asBytes),
  offers(
    'JSON is JSON',
    { 'application/json': text, [OCTETS]: raw },
    'AAEC/w==',
    'POST /\nContent-Type: application/json\n\n"AAEC/w=="',
  ),
]);

const consumed = (says: string, schema: object, want: string, other = 'text/plain'): Row => ({
  says,
  method: 'post',
  operation: {
    consumes: [other, OCTETS],
    parameters: [{ name: 'body', in: 'body', required: true, schema }],
  },
  args: { body: 'AAEC/w==' },
  want,
});

proveRows('2.0', [
  consumed('a bare string', { type: 'string', description: 'All of it.' }, asBytes),
  consumed('format: binary', raw, asBytes),
  consumed('a bare string beside JSON', { type: 'string' }, asBytes, 'application/json'),
  consumed(
    'a string with a limit beside JSON',
    { type: 'string', maxLength: 9 },
    'POST /\nContent-Type: application/json\n\n"AAEC/w=="',
    'application/json',
  ),
  consumed('a string that can only be text', { type: 'string', maxLength: 99 }, asText),
]);

const pet = properties({ id: { type: 'integer', readOnly: true }, name: text });
proveRows('3.1.1', [
  body(
    'members that only answers have',
    'application/json',
    { schema: { type: 'array', items: pet } },
    { body: [{ id: 1, name: 'x' }] },
    '[{"name":"x"}]',
  ),
]);
