/** Declared answers of the API, within their limits. */
import { expect, test } from 'vitest';
import { mockLimits } from '../../src/derive/mock.ts';
import type { Operation, ResponseContent } from '../../src/model/source-model.ts';
import type { JsonSchema } from '../../src/util/json-schema.ts';
import { derive, operation, origin, source } from './support.ts';

function mockOf(operations: Operation[], schemas: Record<string, JsonSchema> = {}) {
  const { answers, examples, schemas: texts } = derive(source(operations, { schemas })).model.mock ?? {};
  const parsed = (record: Record<string, string> = {}): Record<string, unknown> =>
    Object.fromEntries(Object.entries(record).map(([name, text]) => [name, JSON.parse(text)]));
  return { answers: parsed(answers), examples: examples ?? [], schemas: parsed(texts) };
}

const json = (rest: Omit<ResponseContent, 'mediaType'>) => ({ mediaType: 'application/json', ...rest });
const ok = (content: ResponseContent[], status = '200') => ({ responses: [{ origin, status, content }] });

const length = (texts: Iterable<unknown>): number =>
  [...texts].reduce<number>((sum, each) => sum + JSON.stringify(each).length, 0);

test('examples stop at their bound, and the schema takes the place of a long one', () => {
  const schema: JsonSchema = { type: 'string' };
  const long = 'x'.repeat(mockLimits.one);
  const many = Array.from({ length: 2_000 }, (_, index) =>
    operation(`GET /${index}`, ok([json({ example: `${index}${'y'.repeat(1_000)}` })])),
  );
  const { answers, examples } = mockOf([
    operation('GET /long', ok([json({ example: long, schema })])),
    ...many,
  ]);
  expect(answers['GET /long']).toEqual({ status: 200, mediaType: 'application/json', schema });
  expect(examples.join('').length).toBeLessThan(mockLimits.all + mockLimits.one);
  expect(examples.length).toBeGreaterThan(200);
  expect(answers['GET /0']).toMatchObject({ example: 0 });
  expect(answers['GET /1999']).toEqual({ status: 200, mediaType: 'application/json' });
});

test('schemas stop at their bound, those of answers before what they refer to', () => {
  const words = 'x'.repeat(1_000);
  const names = Array.from({ length: 1_000 }, (_, index) => `S${index}`);
  const schemas = Object.fromEntries(
    names.map((name, index): [string, JsonSchema] => [
      name,
      { description: words, properties: { next: { $ref: `#/$defs/S${index + 1}` } } },
    ]),
  );
  const operations = ['S0', 'S900'].map((name) =>
    operation(`GET /${name}`, ok([json({ schema: { $ref: `#/$defs/${name}` } })])),
  );
  const found = mockOf(operations, { ...schemas, S1000: true });
  expect(length(Object.values(found.schemas))).toBeLessThan(mockLimits.all + mockLimits.one);
  expect(Object.keys(found.schemas).slice(0, 4)).toEqual(['S0', 'S900', 'S1', 'S901']);
  expect(found.answers).toMatchObject({ 'GET /S900': { schema: { $ref: '#/$defs/S900' } } });
});

test('names of a prototype are names', () => {
  const schemas = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"null"}}') as Record<
    string,
    JsonSchema
  >;
  const ref = (name: string) => ok([json({ schema: { $ref: `#/$defs/${name}` } })]);
  const found = mockOf(
    [operation('GET /a', ref('__proto__')), operation('GET /b', ref('constructor'))],
    schemas,
  );
  expect(JSON.stringify(found.schemas)).toBe(JSON.stringify(schemas));
});
