import { expect, test } from 'vitest';
import { htmlToPlainText, trimText } from '../../../src/derive/text/plain-text.ts';
import type { Operation, RequestBody } from '../../../src/model/source-model.ts';
import type { JsonSchema } from '../../../src/util/json-schema.ts';
import { body, deriveTool, jsonBody, media, operation, parameter, response } from '../support.ts';

test.each([
  ['plain', 'a < b && c > d', 'a < b && c > d'],
  ['Markdown stays', '**a** `b` [c](https://d)', '**a** `b` [c](https://d)'],
  ['paragraphs', '<p>One.</p><p>Two.</p>', 'One.\n\nTwo.'],
  ['breaks', 'a<br/>b<br>c', 'a\nb\nc'],
  ['lists', '<ul><li>a</li><li>b</li></ul>', '- a\n- b'],
  ['emphasis', '<b>a</b> <em>b</em> <code>c</code>', '**a** *b* `c`'],
  ['links', 'see <a class="x" href="https://e.com/x">here</a>', 'see [here](https://e.com/x)'],
  ['links with code', '<a href="javascript:alert(1)">x</a>', 'x'],
  ['scripts', 'a<script>alert(1)</script>b<style>x</style>', 'ab'],
  ['an unfinished script', 'a<script>alert(1)', 'a'],
  ['attributes', '<img src=x onerror=alert(1)>ok', 'ok'],
  ['comments', 'a<!-- b -->c', 'ac'],
  ['entities', 'a &amp; b &lt; 3 &#39;x&#39; &nbsp;y &unknown;', "a & b < 3 'x'  y &unknown;"],
  ['escaped tags stay escaped', '&lt;script&gt;', '&lt;script&gt;'],
  ['double escapes', '&amp;lt;b', '&lt;b'],
  ['placeholders stay', 'GET /x/<id> gives List<String>', 'GET /x/<id> gives List<String>'],
  ['code spans stay', 'use `<b>` here', 'use `<b>` here'],
  ['control characters', 'a\u0000\u001b[31mb\u202ec\tx', 'abc\tx'],
  ['blank lines', 'a\r\n\r\n\r\n\r\nb  \n', 'a\n\nb'],
])('plain text: %s', (_what, given, want) => {
  expect(htmlToPlainText(given)).toBe(want);
});

test('hostile markup takes no quadratic time', () => {
  expect(htmlToPlainText('<a href=x'.repeat(50_000)).length).toBeLessThan(20_001);
  expect(htmlToPlainText('<script>'.repeat(50_000))).toBe('');
  expect(htmlToPlainText('`'.repeat(50_000)).length).toBeLessThan(20_001);
});

test.each([
  ['short', 'abc', 10, 'abc'],
  ['after a sentence', 'One two. Three four.', 14, 'One two.'],
  ['after a paragraph', 'One two\n\nThree four', 14, 'One two'],
  ['between words', 'one two three four', 12, 'one two…'],
  ['inside a word', 'abcdefghij', 5, 'abcd…'],
  ['not inside a pair', '🎉🎉🎉🎉', 4, '🎉…'],
  ['nothing', 'abc', 0, ''],
])('trim: %s', (_what, given, budget, want) => {
  expect(trimText(given, budget)).toBe(want);
});

test.each<[string, Partial<Operation>, string, string]>([
  [
    'summary and description',
    { summary: 'List pets.', description: 'Newest first.' },
    'List pets',
    'List pets.\n\nNewest first.',
  ],
  [
    'a description that says it all',
    { summary: 'List pets', description: 'List pets, newest first.' },
    'List pets',
    'List pets, newest first.',
  ],
  [
    'a description that says it later',
    { summary: 'List pets', description: 'Newest first. List pets. Up to 100.' },
    'List pets',
    'List pets\n\nNewest first. Up to 100.',
  ],
  [
    'a sentence twice',
    { summary: 'List pets', description: 'Newest first of all. Up to 100.\n\nNewest first of all.' },
    'List pets',
    'List pets\n\nNewest first of all. Up to 100.',
  ],
  [
    'a description within the summary',
    { summary: 'List all pets by age', description: 'List all pets' },
    'List all pets by age',
    'List all pets by age. Needs no arguments.',
  ],
  [
    'code twice',
    { summary: 'List pets', description: '```\nGET /pets of it\nGET /pets of it\n```' },
    'List pets',
    'List pets\n\n```\nGET /pets of it\nGET /pets of it\n```',
  ],
  ['summary alone', { summary: 'List pets' }, 'List pets', 'List pets. Needs no arguments.'],
  [
    'a summary with a link',
    { summary: '[List pets](https://example.com/pets)' },
    'List pets',
    '[List pets](https://example.com/pets). Needs no arguments.',
  ],
  [
    'description alone',
    { operationId: 'listAllAPIPets', description: 'Newest first.' },
    'List all API pets',
    'Newest first.',
  ],
  ['nothing', {}, 'GET /pets', 'GET /pets. Needs no arguments.'],
  [
    'deprecated',
    { summary: 'List pets', deprecated: true },
    'List pets',
    'Deprecated. List pets. Needs no arguments.',
  ],
  [
    'x-mcp',
    { summary: 'a', description: 'b', xMcp: { title: 'Pets', description: 'All pets.' } },
    'Pets',
    'All pets.',
  ],
  ['HTML', { summary: '<b>Pets</b>', description: '<p>Pets</p><p>All.</p>' }, 'Pets', 'Pets\n\nAll.'],
  [
    'hostile',
    { summary: '*/ `${x}` {{y}} </script>' },
    '*/ `${x}` {{y}}',
    '*/ `${x}` {{y}}. Needs no arguments.',
  ],
])('title and description: %s', (_what, given, title, description) => {
  expect(deriveTool(operation('GET /pets', given))).toMatchObject({ title, description });
});

const pet = { type: 'object', properties: { id: { type: 'integer' }, name: {} } } as const;
const schemas = {
  Pet: pet,
  Dog: { allOf: [{ $ref: '#/$defs/Pet' }, { properties: { bark: {} } }] },
  Loop: { $ref: '#/$defs/Loop' },
};
const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const json = (schema?: JsonSchema) => [response('200', 'application/json', schema)];

test.each<[string, Partial<Operation>, string]>([
  ['an object', { responses: json(ref('Pet')) }, 'Returns an object with `id`, `name`.'],
  ['its parts', { responses: json(ref('Dog')) }, 'Returns an object with `id`, `name`, `bark`.'],
  [
    'a list of objects',
    { responses: json({ type: 'array', items: ref('Pet') }) },
    'Returns a list of objects with `id`, `name`.',
  ],
  [
    'a list of texts',
    { responses: json({ type: 'array', items: { type: 'string' } }) },
    'Returns a list of texts.',
  ],
  ['a number', { responses: json({ type: ['null', 'number'] }) }, 'Returns a number.'],
  ['a text or a number', { responses: json({ type: ['string', 'number'] }) }, 'Returns application/json.'],
  [
    'a member that must be absent',
    { responses: json({ type: 'object', properties: { a: {}, b: { not: {} }, c: false } }) },
    'Returns an object with `a`.',
  ],
  [
    'many members',
    {
      responses: json({
        properties: Object.fromEntries([...'abcdefgh'].map((name) => [name, {}])),
      }),
    },
    'Returns an object with `a`, `b`, `c`, `d`, `e`, `f` and 2 more.',
  ],
  [
    'a hostile member',
    { responses: json({ properties: { 'a`\n<b>x': {} } }) },
    'Returns an object with `a **x`.',
  ],
  ['no content', { responses: [response('204')] }, 'Returns no content.'],
  ['content that is not described', { responses: [response('200')] }, 'Needs no arguments.'],
  ['bytes', { responses: [response('200', 'image/png')] }, 'Returns image/png.'],
  [
    'words of the response',
    { responses: [{ ...response('200', 'text/csv'), description: 'One line for each pet.' }] },
    'Returns: One line for each pet.',
  ],
  ['an endless reference', { responses: json(ref('Loop')) }, 'Returns application/json.'],
  [
    'arguments',
    { parameters: [parameter('query', 'page', true, { required: true }), parameter('query', 'size')] },
    'Needs `page`.',
  ],
  ['a body that is one argument', { body: jsonBody({ type: 'array', items: {} }) }, 'Needs `body`.'],
  [
    'a body that must not be empty',
    { body: jsonBody({ properties: { a: {} }, minProperties: 1 }) },
    'Needs a property of the request body.\n\nThe request body needs at least 1 of its properties.',
  ],
  ['members of a body', { body: jsonBody({ ...pet, required: ['name'] }) }, 'Needs `name`.'],
  [
    'arguments by the names that clients give',
    {
      parameters: [
        parameter('query', 'filter[name]', true, { required: true }),
        parameter('query', 'hidden', true, { required: true, rule: { const: 1 } }),
      ],
    },
    'Needs `filter_name`.',
  ],
])('a fact where the summary is all: %s', (_what, given, want) => {
  const tool = deriveTool(operation('GET /pets', { summary: 'List pets', ...given }), { schemas });
  expect(tool.description).toBe(`List pets. ${want}`);
});

const long = 'Words about the picture. '.repeat(40).trim();
const inBytes = 'Bytes as base64 or as a data: URI.';

test.each<[string, RequestBody, string, string]>([
  ['a body of bytes', body([media('image/png', true)], { description: long }), 'body', inBytes],
  [
    'bytes described by their schema',
    body([media('application/octet-stream', { type: 'string', description: long })]),
    'body',
    inBytes,
  ],
  [
    'a file of a form',
    body([
      media('multipart/form-data', {
        type: 'object',
        properties: { file: { type: 'string', format: 'binary', description: long } },
      }),
    ]),
    'file',
    'Base64, or data:image/png;name=a.png;base64,…',
  ],
  [
    'XML as text',
    body([media('application/xml', { type: 'array' })], { description: long }),
    'body',
    'An XML document.',
  ],
])('the sentence about how it is sent stays where prose is cut: %s', (_what, given, name, want) => {
  const described = (argument: number): string => {
    const { inputSchema } = deriveTool(
      operation('POST /pets', { body: given }),
      {},
      { budget: { argument } },
    );
    const schema = inputSchema.properties?.[name];
    return typeof schema === 'object' ? (schema.description ?? '') : '';
  };
  for (const budget of [60, 120, 300]) {
    expect(described(budget).slice(-want.length)).toBe(want);
    expect(described(budget).length).toBeLessThanOrEqual(budget);
    expect(described(budget)).toMatch(/^Words about/);
  }
});
