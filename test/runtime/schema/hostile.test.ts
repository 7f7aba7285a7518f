import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../templates/runtime/contract/json-schema.ts';
import {
  compileSchema,
  repairArguments,
  SchemaDefect,
} from '../../../templates/runtime/schema/compile-schema.ts';
import '../../../templates/runtime/contract/regex/linear-patterns.ts';

function nested(depth: number, open = '[', close = ']'): unknown {
  return JSON.parse(open.repeat(depth) + (open === '[' ? '' : '1') + close.repeat(depth));
}

const keywordOf = (schema: JsonSchema, value: unknown): string | undefined =>
  compileSchema(schema)(value)[0]?.keyword;

test('a value nested 100,000 deep is refused, not followed to the end of the stack', () => {
  expect(keywordOf({ items: { $ref: '#' } }, nested(100_000))).toBe('maxDepth');
  expect(keywordOf({ properties: { a: { $ref: '#' } } }, nested(100_000, '{"a":', '}'))).toBe('maxDepth');
  const heavy: JsonSchema = {
    $dynamicAnchor: 'n',
    unevaluatedProperties: false,
    oneOf: [
      {
        anyOf: [{ allOf: [{ properties: { a: { $dynamicRef: '#n' } }, patternProperties: { '^z': true } }] }],
      },
    ],
  };
  expect(keywordOf(heavy, nested(100_000, '{"a":', '}'))).toBe('maxDepth');
});

test('the end of a small stack is a limit too', () => {
  const errors = compileSchema({ items: { $ref: '#' } }, { maxDepth: 10_000_000 })(nested(100_000));
  expect(errors).toMatchObject([{ keyword: 'maxDepth' }]);
});

test('deep values are compared and repaired without recursion', () => {
  const [one, other] = [nested(100_000), nested(100_000)];
  expect(compileSchema({ uniqueItems: true })([one, other])).toHaveLength(1);
  expect(compileSchema({ const: one } as JsonSchema)(other)).toEqual([]);
  expect(compileSchema({ const: one } as JsonSchema)([1])).toHaveLength(1);
  expect(repairArguments({ items: { $ref: '#' } }, one)).toBe(one);
});

test('a schema nested 100,000 deep compiles', () => {
  const allOf = nested(100_000, '{"allOf":[', ']}') as JsonSchema;
  const items = nested(100_000, '{"items":', '}') as JsonSchema;
  expect(keywordOf(allOf, 'x')).toBe('maxDepth');
  expect(keywordOf(items, [[['x']]])).toBeUndefined();
  expect(repairArguments(allOf, '5')).toBe('5');
});

test.each<[string, JsonSchema]>([
  ['itself', { $ref: '#' }],
  ['a pair', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
  [
    'through anyOf',
    {
      properties: { x: { $ref: '#/$defs/a' } },
      $defs: { a: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/a' }] } },
    },
  ],
  ['through if', { if: { $ref: '#' } }],
  ['through dependentSchemas', { dependentSchemas: { a: { $ref: '#' } } }],
  ['an anchor', { $anchor: 'a', allOf: [{ $ref: '#a' }] }],
])('a $ref that leads only to itself is a defect: %s', (_name, schema) => {
  expect(() => compileSchema(schema)).toThrow(SchemaDefect);
});

test('a $dynamicRef that leads only to itself ends at the limit', () => {
  expect(keywordOf({ $dynamicAnchor: 'a', $dynamicRef: '#a' }, 1)).toBe('maxDepth');
});

test.each<[string, JsonSchema, string]>([
  ['no such place', { properties: { a: { $ref: '#/$defs/nope' } } }, '#/properties/a/$ref'],
  ['no such anchor', { $ref: '#nope' }, '#/$ref'],
  ['a remote document', { $ref: 'https://x.example/s.json' }, '#/$ref'],
  ['not a schema', { $ref: '#/required', required: ['a'] }, '#/$ref'],
  ['inherited, not own', { $ref: '#/constructor' }, '#/$ref'],
  ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, '#/$schema'],
  [
    'another dialect below',
    { items: { $schema: 'http://json-schema.org/draft-04/schema#' } },
    '#/items/$schema',
  ],
])('an unusable schema is a defect: %s', (_name, schema, schemaPath) => {
  expect(() => compileSchema(schema)).toThrow(SchemaDefect);
  expect(() => compileSchema(schema)).toThrow(expect.objectContaining({ schemaPath }) as Error);
});

test('names from Object.prototype are names like others', () => {
  for (const name of ['__proto__', 'constructor', 'hasOwnProperty', 'toString']) {
    const schema = JSON.parse(
      `{"properties":{"${name}":{"type":"integer"}},"required":["${name}"],"additionalProperties":false}`,
    ) as JsonSchema;
    const value = (text: string): unknown => JSON.parse(`{"${name}":${text}}`);
    expect(keywordOf(schema, value('1'))).toBeUndefined();
    expect(keywordOf(schema, value('"1"'))).toBe('type');
    expect(keywordOf(schema, {})).toBe('required');
    expect(keywordOf({ additionalProperties: false }, value('1'))).toBe('additionalProperties');
    expect(keywordOf({ dependentRequired: { [name]: ['x'] } }, {})).toBeUndefined();
    expect(keywordOf({ unevaluatedProperties: false }, value('1'))).toBe('unevaluatedProperties');
    expect(JSON.stringify(repairArguments(schema, value('"7"')))).toBe(`{"${name}":7}`);
  }
  expect({}).not.toHaveProperty('polluted');
});

test('big arrays are checked in one pass', () => {
  const numbers = Array.from({ length: 99_000 }, (_, index) => index);
  expect(keywordOf({ items: { type: 'integer' }, uniqueItems: true }, numbers)).toBeUndefined();
  const objects = Array.from({ length: 50_000 }, (_, index) => ({ id: { n: index } }));
  expect(keywordOf({ uniqueItems: true }, objects)).toBeUndefined();
  expect(keywordOf({ uniqueItems: true }, [...objects, { id: { n: 7 } }])).toBe('uniqueItems');
});

test('work that doubles with every level is cut off', () => {
  const child = { properties: { c: { $ref: '#' } } };
  const value = nested(60, '{"c":', '}');
  expect(
    keywordOf(
      {
        anyOf: [
          { ...child, allOf: [false] },
          { ...child, allOf: [false] },
        ],
      },
      value,
    ),
  ).toBe('maxWork');
  expect(
    keywordOf(
      {
        anyOf: [
          { ...child, required: ['y'] },
          { ...child, required: ['z'] },
        ],
      },
      value,
    ),
  ).toBe('anyOf');
});

test('a text too long for a pattern is refused rather than matched', () => {
  const validate = compileSchema({ pattern: '^(a+)+$' }, { maxPatternInput: 1_000 });
  expect(validate('a'.repeat(1_000))).toEqual([]);
  expect(validate('a'.repeat(1_001))).toMatchObject([{ keyword: 'pattern' }]);
});

test('a cyclic value ends', () => {
  const value: unknown[] = [];
  value.push(value);
  expect(keywordOf({ items: { $ref: '#' } }, value)).toBe('maxDepth');
});

test('one schema object in two places, and a cyclic schema object', () => {
  const text: JsonSchema = { type: 'string' };
  expect(keywordOf({ properties: { a: text, b: text } }, { a: 'x', b: 1 })).toBe('type');
  const cyclic: { items?: JsonSchema; type: 'array' } = { type: 'array' };
  cyclic.items = cyclic;
  expect(keywordOf(cyclic, [[[]]])).toBeUndefined();
  expect(keywordOf(cyclic, [[1]])).toBe('type');
});

test.each([9, {}, [1]])('keywords whose value makes no sense say nothing of %j', (value) => {
  const schema = {
    ...{ maximum: '5', required: true, properties: [], items: [false], enum: 'a', type: 7, $ref: 5 },
  } as unknown as JsonSchema;
  expect(compileSchema(schema)(value)).toEqual([]);
});

test('other documents are found by URI, and never fetched', () => {
  const schemas = {
    'https://b.example/int.json': { type: 'integer', $defs: { odd: { not: { multipleOf: 2 } } } } as const,
  };
  const validate = compileSchema({ items: { $ref: 'https://b.example/int.json#/$defs/odd' } }, { schemas });
  expect(validate([1, 3])).toEqual([]);
  expect(validate([2])).toMatchObject([{ schemaPath: 'https://b.example/int.json#/$defs/odd/not' }]);
});

test('a meta-schema without the validation vocabulary switches assertions off', () => {
  const meta = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $vocabulary: { 'https://json-schema.org/draft/2020-12/vocab/applicator': true },
  };
  const schema = { $schema: 'https://m.example/meta', properties: { a: { minimum: 5 }, b: false } };
  const validate = compileSchema(schema, { schemas: { 'https://m.example/meta': meta } });
  expect(validate({ a: 1 })).toEqual([]);
  expect(validate({ b: 1 })).toHaveLength(1);
});
