/** `--mock`: documents in, answers to clients out, without an API, credentials or any variable. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Handlers } from '../../templates/runtime/types.ts';
import { serveDocument, type Served } from './serve-document.ts';

const answers = (content: object, status = '200') => ({
  responses: { [status]: { description: 'Fine.', content } },
});
const json = (media: object) => answers({ 'application/json': media });
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const Pet = {
  type: 'object',
  required: ['id', 'name', 'secret'],
  properties: {
    id: { type: 'integer', minimum: 1 },
    name: { type: 'string', example: 'Rex' },
    kind: { enum: ['dog', 'cat'] },
    born: { type: 'string', format: 'date' },
    secret: { type: 'string', writeOnly: true },
  },
};
const rex = { id: 1, name: 'Rex', kind: 'dog', born: '2025-01-15' };
const ref = { $ref: '#/components/schemas/Pet' };
const tom = { id: 7, name: 'Tom', kind: 'cat' };
const pixel = 'iVBORw0KGgo';

/** Declared responses of an operation, and its tool's answer. */
type Row = [what: string, operation: object, want: object];

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
const structured = (value: object) => ({
  content: [{ type: 'text', text: JSON.stringify('result' in value ? value.result : value) }],
  structuredContent: value,
});

const rows: Row[] = [
  ['the example of a media type', json({ schema: ref, example: tom }), structured(tom)],
  [
    'the first of its examples, behind a reference',
    json({ schema: ref, examples: { tom: { $ref: '#/components/examples/tom' }, rex: { value: rex } } }),
    structured(tom),
  ],
  [
    'an example that is written as text',
    json({ schema: ref, example: JSON.stringify(tom) }),
    structured(tom),
  ],
  [
    'without an example, a sample of the schema: enum, format, its own examples',
    json({ schema: ref }),
    structured(rex),
  ],
  ['a list has one item', json({ schema: { type: 'array', items: ref } }), structured({ result: [rex] })],
  [
    'a list has what it must contain, as often as it must',
    json({
      schema: {
        type: 'array',
        items: { type: 'integer' },
        contains: { const: 7 },
        minContains: 2,
        minItems: 3,
        maxContains: 2,
      },
    }),
    structured({ result: [7, 7, 3] }),
  ],
  [
    'an example that clients would refuse is passed over',
    json({ schema: ref, example: { id: ['x'] } }),
    structured({ id: 1, name: 'sample', kind: 'sample', born: 'sample' }),
  ],
  [
    'an example that is nowhere is passed over',
    json({ schema: ref, examples: { a: { externalValue: 'https://a.test' } } }),
    structured(rex),
  ],
  ['no success is described', { responses: { 404: { description: 'None.' } } }, text('204 No Content')],
  ['2XX is 200', { responses: { '2XX': { description: 'Fine.' } } }, text('200 OK')],
  ['default alone is 200', { responses: { default: { description: 'Fine.' } } }, text('200 OK')],
  [
    'JSON before other types',
    answers({ 'text/csv': {}, 'application/json': { schema: ref } }),
    structured(rex),
  ],
  ['text by its schema', answers({ 'text/plain': { schema: { enum: ['on', 'off'] } } }), text('on')],
  ['text by its example', answers({ 'text/plain': { example: 'Hello' } }), text('Hello')],
  [
    'XML by its schema',
    answers({ 'application/xml': { schema: { type: 'object', properties: { a: { type: 'boolean' } } } } }),
    { content: [{ resource: { mimeType: 'application/xml', text: '<sample><a>true</a></sample>' } }] },
  ],
  [
    'an image',
    answers({ 'image/*': {} }),
    { content: [{ type: 'image', mimeType: 'image/png', data: expect.stringMatching(`^${pixel}`) }] },
  ],
  [
    'an image in the document',
    answers({ 'image/gif': { example: 'R0lGODlhAQAB' } }),
    { content: [{ type: 'image', mimeType: 'image/gif', data: 'R0lGODlhAQAB' }] },
  ],
  ['a sound', answers({ 'audio/mpeg': {} }), { content: [{ type: 'audio', mimeType: 'audio/wav' }] }],
  [
    'bytes',
    answers({ 'application/zip': {} }),
    { content: [{ type: 'resource', resource: { mimeType: 'application/zip', blob: 'c2FtcGxl' } }] },
  ],
  ['anything, by its example', answers({ '*/*': { example: { a: 1 } } }), text('{"a":1}')],
  [
    'events, by the schema of what they hold',
    answers({ 'text/event-stream': { schema: ref } }),
    structured({ result: [{ data: rex }] }),
  ],
  [
    'events, as the document shows the stream',
    answers({
      'text/event-stream': {
        schema: ref,
        example: `event: pet\ndata: ${JSON.stringify(tom)}\n\ndata: [DONE]\n\n`,
      },
    }),
    structured({ result: [{ event: 'pet', data: tom }, { data: '[DONE]' }] }),
  ],
  [
    'JSON lines',
    answers({ 'application/x-ndjson': { schema: { type: 'array', items: ref }, example: [tom, rex] } }),
    structured({ result: [tom, rex] }),
  ],
];

const info = { title: 'Wire', version: '1' };
const servers = [{ url: 'https://api.test' }];
const components = {
  securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  schemas: { Pet },
  examples: { tom: { value: tom } },
};
const get = (responses: object) => ({ paths: { '/one': { get: { operationId: 'one', responses } } } });

function documentOf(rows: readonly Row[]): object {
  const paths = rows.map(([, operation], index) => [
    `/${index}`,
    { get: { operationId: `t${index}`, ...operation } },
  ]);
  return {
    openapi: '3.1.0',
    info,
    servers,
    security: [{ key: [] }],
    paths: Object.fromEntries(paths),
    components,
  };
}

const resultOf = ({ text: line }: { text: string }) => (JSON.parse(line) as { result: object }).result;

async function mocked(document: object, handlers: Handlers<object> = {}, parts = {}): Promise<Served> {
  const options = { isMock: true, baseUrl: undefined, handlers, ...parts };
  const served = await serveDocument(document, undefined, options);
  onTestFinished(served.close);
  return served;
}

describe('answers by what the document promises, and nothing is sent', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serveDocument(documentOf(rows), undefined, { isMock: true, baseUrl: undefined });
  });
  afterAll(() => served.close());

  test.each(rows.map(([what, , want], index) => [what, want, index] as const))(
    '%s',
    async (_, want, index) => {
      const called = await served.call(`t${index}`, {});
      expect(resultOf(called)).toMatchObject(want);
      expect([called.sent, called.isError]).toEqual([[], false]);
    },
  );
});

test.each<[string, object, object]>([
  [
    'Swagger 2.0: examples by media type',
    {
      swagger: '2.0',
      info,
      host: 'api.test',
      produces: ['application/json'],
      ...get({ 200: { description: '', schema: { type: 'object' }, examples: { 'application/json': tom } } }),
    },
    tom,
  ],
  [
    'OpenAPI 3.2: dataValue',
    {
      openapi: '3.2.0',
      info,
      servers,
      ...get(json({ schema: ref, examples: { a: { dataValue: tom, serializedValue: '{}' } } }).responses),
      components,
    },
    tom,
  ],
  [
    'OpenAPI 3.2: serializedValue alone',
    {
      openapi: '3.2.0',
      info,
      servers,
      ...get(json({ schema: ref, examples: { a: { serializedValue: JSON.stringify(tom) } } }).responses),
      components,
    },
    tom,
  ],
])('%s', async (_, document, want) => {
  const called = await (await mocked(document)).call('one', {});
  expect(resultOf(called)).toEqual({
    content: [{ type: 'text', text: JSON.stringify(want) }],
    structuredContent: want,
  });
});

const acting = {
  openapi: '3.1.0',
  info,
  servers,
  security: [{ key: [] }],
  paths: {
    '/pets/{id}': {
      parameters: [id],
      get: { operationId: 'get', 'x-mcp': { resource: true }, ...json({ schema: ref, example: tom }) },
      head: { operationId: 'look', responses: { 200: { description: 'There.' } } },
    },
    '/files': {
      post: {
        operationId: 'upload',
        requestBody: { required: true, content: { 'application/octet-stream': {} } },
        responses: { 204: { description: 'Kept.' } },
      },
    },
  },
  components,
};

test('a resource is read as its tool is called; a HEAD has no body', async () => {
  const served = await mocked(acting);
  expect(await served.read('wire://pets/7')).toEqual([
    { uri: 'wire://pets/7', mimeType: 'application/json', text: JSON.stringify(tom) },
  ]);
  expect(resultOf(await served.call('look', { id: 1 }))).toEqual(text('200 OK'));
});

test.each<[string, object, RegExp]>([
  ['get', { id: 'x' }, /id/],
  ['upload', { body: '%' }, /base64/],
  ['upload', { body: 'file:none.bin' }, /--files/],
])('%s refuses what it would refuse', async (tool, args, want) => {
  const { words, isError, sent } = await (await mocked(acting)).call(tool, args);
  expect(words).toMatch(want);
  expect([isError, sent]).toEqual([true, []]);
});

test('no variable is needed: of a header, or of an argument', async () => {
  const look = { headers: { 'X-A': '${A}' }, arguments: { id: { env: 'PET' } } };
  const options = { headers: { 'X-B': '${B}' }, tools: { look } };
  const called = await (await mocked(acting, {}, { options })).call('look', {});
  expect(resultOf(called)).toEqual(text('200 OK'));
});

test('hooks and handlers of the project run, without credentials', async () => {
  const seen: unknown[] = [];
  const handlers: Handlers<object> = {
    beforeRequest: ({ method, url, headers, tool }) => {
      seen.push([tool, method, url.href, headers.get('x-key')]);
    },
    afterResponse: (answer) => ({ ...answer, body: { kind: 'json', value: { ...rex, id: 9 } } }),
    tools: { upload: () => 'mine' },
  };
  const served = await mocked(acting, handlers);
  expect(resultOf(await served.call('get', { id: 1 }))).toMatchObject({
    structuredContent: { ...rex, id: 9 },
  });
  expect(resultOf(await served.call('upload', { body: 'aGk=' }))).toMatchObject(text('mine'));
  expect(seen).toEqual([['get', 'GET', 'https://api.test/pets/1', null]]);
});

const uri = { type: 'string', format: 'uri-reference' };
const at = (schema: object): object => ({ Location: { schema } });

/** Of an answer with no body, by method and status; and what the tool's result says. */
test.each<[what: string, method: string, status: string, headers: object, want: string]>([
  [
    'the first of its examples',
    'post',
    '201',
    { location: { examples: { a: { value: '/pets/8' } }, schema: uri } },
    'location: /pets/8',
  ],
  ['the example of its schema', 'put', '202', at({ ...uri, example: '/pets/9' }), 'location: /pets/9'],
  [
    'a shared header',
    'post',
    '201',
    { Location: { $ref: '#/components/headers/Place' } },
    'location: /there',
  ],
  ['what no header can hold', 'post', '201', { Location: { example: 'a\nb: c' } }, '201 Created'],
  [
    'all that is declared',
    'get',
    '200',
    { Location: { example: '/x' }, 'X-Sum': { example: 3 } },
    'location: /x\nx-sum: 3',
  ],
  ['what results never show', 'get', '200', { 'Set-Cookie': { example: 'location=1' } }, '200 OK'],
  [
    'all that a HEAD tells',
    'head',
    '200',
    {
      'X-Total-Count': { schema: { type: 'integer', minimum: 5 } },
      'X-Tags': { schema: { type: 'array', items: { const: 'a' }, minItems: 2 } },
      'X-Range': { example: { from: 1, to: 2 } },
      'Content-Type': { example: 'text/wrong' },
      Server: { example: 'untold' },
    },
    'x-total-count: 5\nx-tags: a,a\nx-range: from,1,to,2',
  ],
])('a header of an answer: %s', async (_what, method, status, headers, want) => {
  const responses = { [status]: { description: 'Fine.', headers } };
  const shared = {
    schemas: { Place: { type: 'string', const: '/shared' } },
    headers: { Place: { example: '/there' } },
  };
  const paths = { '/pets': { [method]: { operationId: 'one', responses } } };
  const document = { openapi: '3.1.0', info, servers, paths, components: shared };
  const called = await (await mocked(document)).call('one', {});
  expect(called.text).toContain(JSON.stringify(want).slice(1, -1));
  expect(called.isError).toBe(false);
  if (!want.includes('location')) expect(called.text).not.toMatch(/location/i);
});

test('headers of Swagger 2.0, beside a body', async () => {
  const headers = { Location: { type: 'string', enum: ['/pets/1'] }, 'X-Other': { type: 'string' } };
  const answer = { description: 'Made.', schema: { type: 'object' }, headers };
  const paths = { '/pets': { post: { operationId: 'one', responses: { 201: answer } } } };
  const document = { swagger: '2.0', info, host: 'api.test', schemes: ['https'], paths };
  const called = await (await mocked(document)).call('one', {});
  expect(called.text).toContain('location: /pets/1');
});

const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });

test.each<[string, unknown, object]>([
  [
    'names of prototypes',
    JSON.parse('{"__proto__":{"id":5},"constructor":1,"toString":2}'),
    JSON.parse('{"__proto__":{"id":5},"constructor":1,"toString":2}'),
  ],
  [
    'as many levels as a document may have',
    { id: 1, name: 'Rex', deep: deep(180) },
    { id: 1, name: 'Rex', deep: deep(180) },
  ],
])('a hostile example: %s', async (_, example, want) => {
  const document = {
    openapi: '3.1.0',
    info,
    servers,
    ...get(json({ schema: ref, example }).responses),
    components,
  };
  const called = await (await mocked(document)).call('one', {});
  expect(called.text).toContain(JSON.stringify(want));
  expect(called.isError).toBe(false);
  expect(Object.hasOwn(Object.prototype, 'id')).toBe(false);
});
