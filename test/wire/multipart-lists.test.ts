/** Multipart bodies that are lists, part by part (OpenAPI 3.2, "Encoding By Position"). */
import { proveRows, type Row } from './prove-rows.ts';

const MIXED = 'multipart/mixed';
const PNG = 'iVBORw0KGgo=';
/** The bytes of it, as `requestText` shows them. */
const PNG_BYTES = '\x89PNG\r\n\x1a\n';
const AS_PNG = `Content-Type: image/png\r\n\r\n${PNG_BYTES}`;

/** `parts`: the head and the content of each. A list of such is a multipart of its own. */
function bodyOf(boundary: string, parts: readonly string[]): string {
  return `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;
}

const nested = (boundary: string, ...parts: string[]): string =>
  `Content-Type: ${MIXED}; boundary=${boundary}\r\n\r\n${bodyOf(boundary, parts)}`;

function row(says: string, mediaType: string, media: object, args: object, want: string[] | RegExp): Row {
  return {
    says: `${mediaType}: ${says}`,
    method: 'post',
    operation: { requestBody: { required: true, content: { [mediaType]: media } } },
    args,
    want:
      want instanceof RegExp
        ? want
        : `POST /\nContent-Type: ${mediaType}; boundary=boundary\n\n${bodyOf('boundary', want)}`,
  };
}

const list = (...prefixItems: object[]): object => ({ type: 'array', prefixItems });
const text = { type: 'string' };
const object = { type: 'object' };

/** A header that has one value. */
const header = (value: unknown): object => ({ schema: { const: value } });

/** The specification's examples of the Encoding Object. */
const EXAMPLES = [
  row(
    'Ordered, Unnamed Multipart',
    MIXED,
    {
      schema: list({ type: 'object', properties: { author: text, license: text } }, {}),
      prefixEncoding: [{}, { contentType: 'image/*' }],
    },
    { body: [{ author: 'A' }, `data:image/png;base64,${PNG}`] },
    ['Content-Type: application/json\r\n\r\n{"author":"A"}', AS_PNG],
  ),
  row(
    'Ordered Multipart With Required Header',
    'multipart/related; type=text/html',
    {
      schema: {
        prefixItems: [text],
        items: { anyOf: [text, { $comment: 'To allow binary, this must always pass' }] },
      },
      prefixEncoding: [
        {
          contentType: 'text/html',
          headers: {
            'Content-ID': { schema: false },
            'Content-Location': {
              required: true,
              schema: { const: 'http://a/index.html' },
            },
          },
        },
      ],
      itemEncoding: { contentType: 'text/css,text/javascript,image/*' },
    },
    { body: ['<p>', 'p {}', 'data:text/javascript;base64,MTs=', `data:image/png;base64,${PNG}`] },
    [
      'Content-Type: text/html\r\nContent-Location: http://a/index.html\r\n\r\n<p>',
      'Content-Type: text/css\r\n\r\np {}',
      'Content-Type: text/javascript\r\n\r\n1;',
      AS_PNG,
    ],
  ),
  row(
    'Streaming Multipart',
    MIXED,
    {
      itemSchema: { $comment: 'A single data image from the device' },
      itemEncoding: { contentType: 'image/jpg' },
    },
    { body: ['AAE=', 'data:image/png;base64,Ag=='] },
    ['Content-Type: image/jpg\r\n\r\n\0\x01', 'Content-Type: image/png\r\n\r\n\x02'],
  ),
  row(
    'Streaming Byte Ranges',
    'multipart/byteranges',
    {
      itemSchema: { $comment: 'A single range of bytes from a video' },
      itemEncoding: { contentType: 'video/mp4', headers: { 'Content-Range': header('bytes 0-1/2') } },
    },
    { body: ['AAE='] },
    ['Content-Type: video/mp4\r\nContent-Range: bytes 0-1/2\r\n\r\n\0\x01'],
  ),
  row(
    'Nested multipart/mixed',
    MIXED,
    {
      schema: list({ type: 'array' }, list(object, text, {})),
      prefixEncoding: [
        {},
        {
          contentType: MIXED,
          prefixEncoding: [{ contentType: 'application/xml' }, {}, { contentType: 'image/png' }],
        },
      ],
    },
    {
      body: [
        [1, 'a'],
        ['<a/>', 'b', PNG],
      ],
    },
    [
      'Content-Type: application/json\r\n\r\n[1,"a"]',
      nested(
        '0-1-boundary',
        'Content-Type: application/xml\r\n\r\n<a/>',
        'Content-Type: text/plain\r\n\r\nb',
        AS_PNG,
      ),
    ],
  ),
];

const named = { $ref: '#/components/schemas/Pet' };
const PETS = '<Pet><name>a</name></Pet>';

/** The table of the default `contentType`, and what the text says beside its examples. */
const RULES = [
  row(
    'the default types',
    MIXED,
    { schema: list(text, { type: 'integer' }, { type: 'boolean' }, object, { type: 'array' }, {}) },
    { body: ['a', 1, true, { a: 1 }, ['AAE='], 'AAE='] },
    [
      'Content-Type: text/plain\r\n\r\na',
      'Content-Type: text/plain\r\n\r\n1',
      'Content-Type: text/plain\r\n\r\ntrue',
      'Content-Type: application/json\r\n\r\n{"a":1}',
      'Content-Type: application/json\r\n\r\n["AAE="]',
      'Content-Type: application/octet-stream\r\n\r\n\0\x01',
    ],
  ),
  row(
    'contentEncoding',
    MIXED,
    { schema: list({ type: 'string', contentEncoding: 'base64' }) },
    { body: ['AAE='] },
    ['Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\nAAE='],
  ),
  row(
    'fewer items than encodings, and more',
    MIXED,
    {
      schema: { type: 'array', items: text },
      prefixEncoding: [{ contentType: 'text/html' }, { contentType: 'text/css' }],
      itemEncoding: { contentType: 'text/csv' },
    },
    { body: ['a'] },
    ['Content-Type: text/html\r\n\r\na'],
  ),
  row(
    'prefixEncoding, then itemEncoding',
    MIXED,
    {
      schema: { type: 'array', items: text },
      prefixEncoding: [{ contentType: 'text/html' }],
      itemEncoding: { contentType: 'text/csv' },
    },
    { body: ['a', 'b', 'c'] },
    [
      'Content-Type: text/html\r\n\r\na',
      'Content-Type: text/csv\r\n\r\nb',
      'Content-Type: text/csv\r\n\r\nc',
    ],
  ),
  row(
    'schema and itemSchema both hold',
    MIXED,
    { schema: { maxItems: 1 }, itemSchema: text },
    { body: ['a', 'b'] },
    /at most 1/,
  ),
  row(
    'a file that was given a name',
    MIXED,
    { itemSchema: {} },
    { body: [`data:image/png;name=cat.png;base64,${PNG}`] },
    [`Content-Disposition: attachment; filename="cat.png"\r\n${AS_PNG}`],
  ),
  row('no base64', MIXED, { itemSchema: {} }, { body: ['no bytes!'] }, /"body" must hold bytes/),
  row(
    'a form has names by Content-Disposition',
    'multipart/form-data',
    {
      schema: list(text, {}),
      prefixEncoding: [
        { headers: { 'Content-Disposition': header('form-data; name="meta"') } },
        { contentType: 'image/png', headers: { 'content-disposition': header('form-data; name=file') } },
      ],
    },
    { body: ['a', PNG] },
    [
      'Content-Disposition: form-data; name="meta"\r\n\r\na',
      `Content-Disposition: form-data; name="file"; filename="file.png"\r\n${AS_PNG}`,
    ],
  ),
  row(
    'XML whose schema names its root',
    MIXED,
    { schema: list(named, named), prefixEncoding: [{ contentType: 'application/xml' }, {}] },
    { body: [{ name: 'a' }, { name: 'b' }] },
    [`Content-Type: application/xml\r\n\r\n${PETS}`, 'Content-Type: application/json\r\n\r\n{"name":"b"}'],
  ),
  row(
    'a form within',
    MIXED,
    {
      schema: list(object),
      prefixEncoding: [
        { contentType: 'application/x-www-form-urlencoded', encoding: { t: { explode: false } } },
      ],
    },
    { body: [{ t: ['a', 'b'], s: 'ü' }] },
    ['Content-Type: application/x-www-form-urlencoded\r\n\r\nt=a,b&s=%C3%BC'],
  ),
  row(
    'a property that is a list of parts',
    'multipart/form-data',
    {
      schema: { type: 'object', properties: { pages: { type: 'array', items: {} }, a: text } },
      encoding: { pages: { contentType: MIXED, itemEncoding: { contentType: 'image/png' } } },
    },
    { pages: [PNG, PNG], a: 'x' },
    [
      `Content-Disposition: form-data; name="pages"\r\n${nested('0-0-boundary', AS_PNG, AS_PNG)}`,
      'Content-Disposition: form-data; name="a"\r\n\r\nx',
    ],
  ),
  row(
    'a property that is a list of lists of parts',
    'multipart/form-data',
    {
      schema: {
        type: 'object',
        properties: { pages: { type: 'array', items: { type: 'array', items: text } } },
      },
      encoding: { pages: { contentType: MIXED, itemEncoding: { contentType: 'text/csv' } } },
    },
    { pages: [['a'], ['b']] },
    [
      `Content-Disposition: form-data; name="pages"\r\n${nested('0-0-boundary', 'Content-Type: text/csv\r\n\r\na')}`,
      `Content-Disposition: form-data; name="pages"\r\n${nested('1-0-boundary', 'Content-Type: text/csv\r\n\r\nb')}`,
    ],
  ),
  row(
    'an object within, by name',
    MIXED,
    {
      schema: list({ type: 'object', properties: { f: {} } }),
      prefixEncoding: [{ contentType: 'multipart/form-data', encoding: { f: { contentType: 'image/png' } } }],
    },
    { body: [{ f: PNG }] },
    [
      'Content-Type: multipart/form-data; boundary=0-0-boundary\r\n\r\n' +
        bodyOf('0-0-boundary', [`Content-Disposition: form-data; name="f"; filename="f.png"\r\n${AS_PNG}`]),
    ],
  ),
];

proveRows('3.2.0', [...EXAMPLES, ...RULES], { Pet: { type: 'object', properties: { name: text } } });
