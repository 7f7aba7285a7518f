/** Halves of surrogate pairs: no emitted byte may hold one. */
import { expect, test } from 'vitest';
import { read, withOperation, withSchema } from './reading.ts';

test.each<[what: string, document: object]>([
  ['a property', withSchema({ properties: { '\ud800': {} } })],
  ['an enum member', withSchema({ enum: ['\ud800', 'b'] })],
  ['a const', withSchema({ const: { deep: ['\udfff'] } })],
  ['a description', withSchema({ description: 'D \ud83d' })],
  ['an operationId', withOperation({ operationId: 'a\ud800' })],
])('%s', async (_what, document) => {
  const { model, told } = await read(document);
  expect(told).toEqual([]);
  expect(JSON.stringify(model)).not.toMatch(/\\ud[89a-f]/);
  expect(JSON.stringify(model)).toContain('\ufffd');
});

test('YAML escapes as well, and nothing else', async () => {
  const text = [
    'openapi: 3.1.0',
    'info: { title: "T \\ud83d\\ude00", version: "1\\uD800", description: "\\\\ud800" }',
    'servers: [{ url: https://a.b }]',
    'paths:',
    `  /a: { get: { tags: ["\\U0000DFFF", '[\\ud800-\\udfff]'] } }`,
  ].join('\n');
  const { told, model } = await read(text);
  expect(told).toEqual([]);
  expect(model?.info).toMatchObject({ title: 'T 😀', version: '1\ufffd', description: '\\ud800' });
  expect(model?.capabilities).toMatchObject([{ tags: ['\ufffd', String.raw`[\ud800-\udfff]`] }]);
});
