/** Halves of surrogate pairs: no emitted byte may hold one, and each is told with its place. */
import { expect, test } from 'vitest';
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
