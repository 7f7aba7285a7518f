/** Halves of surrogate pairs: no emitted byte may hold one, and each is told with its place. */
import { expect, test } from 'vitest';
import { replaceLoneSurrogates } from '../../../src/frontends/openapi/load/text-faults.ts';
import { locateOrigin } from '../../../src/diagnostics/locate/locate.ts';
import { read, withOperation, withSchema } from './reading.ts';

const schemaAt = '/paths/~1a/get/responses/200/content/application~1json/schema';

test.each<[what: string, document: object, pointer: string]>([
  ['a property', withSchema({ properties: { '\ud800': {} } }), `${schemaAt}/properties/\ufffd`],
  ['a required name', withSchema({ required: ['x\udfff'] }), `${schemaAt}/required/0`],
  ['an enum member', withSchema({ enum: ['\ud800', 'b'] }), `${schemaAt}/enum/0`],
  ['a const', withSchema({ const: { deep: ['\ud800'] } }), `${schemaAt}/const/deep/0`],
  ['a default', withSchema({ default: 'a\ud800' }), `${schemaAt}/default`],
  ['a format', withSchema({ type: 'string', format: '\ud800' }), `${schemaAt}/format`],
  ['a description', withSchema({ description: 'D \ud83d' }), `${schemaAt}/description`],
  ['a title', withSchema({ title: '\udc00 T' }), `${schemaAt}/title`],
  ['a tag', withOperation({ tags: ['\ud800'] }), '/paths/~1a/get/tags/0'],
  ['an operationId', withOperation({ operationId: 'a\ud800' }), '/paths/~1a/get/operationId'],
  [
    'an example',
    withOperation({
      parameters: [{ name: 'q', in: 'query', schema: { type: 'string' }, example: '\ud800' }],
    }),
    '/paths/~1a/get/parameters/0/example',
  ],
  [
    'a parameter',
    withOperation({ parameters: [{ name: '\ud800', in: 'query', schema: {} }] }),
    '/paths/~1a/get/parameters/0/name',
  ],
])('%s', async (_what, document, pointer) => {
  const { model, told } = await read(document);
  expect(told).toEqual([`warning lone-surrogate ${pointer}`]);
  expect(JSON.stringify(model)).not.toMatch(/\\ud[89a-f]/);
  expect(JSON.stringify(model)).toContain('\ufffd');
});

test('YAML escapes as well, where they stand', async () => {
  const text = [
    'openapi: 3.1.0',
    'info: { title: "T \\ud83d\\ude00", version: "1\\uD800" }',
    'servers: [{ url: https://a.b }]',
    'paths:',
    '  /a: { get: { x-a: "\\\\ud800" } }',
    'components: &all',
    '  schemas:',
    '    "\\U0000DFFF": { type: string }',
    'x-again: *all',
  ].join('\n');
  const { found, told, texts, model } = await read(text);
  expect(model?.info.version).toBe('1\ufffd');
  expect(told).toEqual([
    'warning lone-surrogate /info/version',
    'warning lone-surrogate /components/schemas/\ufffd',
  ]);
  const places = found.map(({ origin }) => origin && locateOrigin(texts, origin));
  expect(places).toMatchObject([{ line: 2 }, { line: 8, column: 5, length: 12 }]);
});

test('whole pairs are characters, and nothing is done', async () => {
  const document = withSchema({ enum: ['\ud83d\ude00'] });
  const text = JSON.stringify(document).replace('\ud83d\ude00', '\\uD83d\\uDe00\\\\ud83d');
  expect((await read(text)).told).toEqual([]);
});

test('keys that become equal: the first one stays, in its place', () => {
  const value: unknown = JSON.parse('{"x": 0, "a\\ud800": 1, "a\\ud801": 2, "__proto__": 3, "z": 4}');
  expect(replaceLoneSurrogates('"\\ud800"', value)).toHaveLength(2);
  expect(Object.entries(value ?? {})).toEqual([
    ['x', 0],
    ['a\ufffd', 1],
    ['__proto__', 3],
    ['z', 4],
  ]);
});

test('a long text is shown around its fault', async () => {
  const description = `${'x'.repeat(500)}\ud800${'y'.repeat(500)}`;
  const { found } = await read(withSchema({ description }));
  expect(found[0]?.message).toMatch(/^The text "x{20}\\ud800y{19}" contains half of a surrogate pair/);
});
