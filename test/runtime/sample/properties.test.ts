/** Samples of schemas that nobody wrote: valid against the schema they were made from, or none. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeSample } from '../../../templates/runtime/sample/sample-of.ts';
import { sampleFromPattern } from '../../../templates/runtime/sample/pattern.ts';
import { compileSchema } from '../../../templates/runtime/schema/compile-schema.ts';
import type { Json, JsonSchema } from '../../../templates/runtime/contract/json-schema.ts';
import '../../../templates/runtime/contract/regex/linear-patterns.ts';

const name = fc.constantFrom('a', 'b', 'c', '__proto__');
const small = fc.integer({ min: 0, max: 4 });

/** Any schema, also one that nothing is valid against. */
const anySchema = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const sub = tie('schema');
  const list = fc.array(sub, { minLength: 1, maxLength: 3 });
  const map = fc.dictionary(name, sub, { maxKeys: 3, noNullPrototype: true });
  const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'array', 'object');
  const keywords = {
    ...{ type, minimum: fc.integer({ min: -9, max: 9 }), exclusiveMaximum: fc.integer({ min: -9, max: 9 }) },
    ...{ multipleOf: fc.constantFrom(1, 2, 3, 0.5, 0.1), minLength: small, maxLength: small },
    ...{ pattern: fc.constantFrom('^a', 'b$', '^[0-9]+$'), enum: fc.array(fc.jsonValue(), { minLength: 1 }) },
    ...{
      items: sub,
      prefixItems: list,
      minItems: small,
      maxItems: small,
      uniqueItems: fc.boolean(),
      contains: sub,
    },
    ...{ properties: map, additionalProperties: sub, required: fc.uniqueArray(name), minProperties: small },
    ...{ maxProperties: small, propertyNames: sub, patternProperties: fc.dictionary(fc.constant('^a'), sub) },
    ...{ dependentRequired: fc.dictionary(name, fc.uniqueArray(name)), dependentSchemas: map },
    ...{ allOf: list, anyOf: list, oneOf: list, not: sub, if: sub, then: sub, else: sub },
    ...{ unevaluatedProperties: sub, unevaluatedItems: sub, $ref: fc.constantFrom('#', '#/$defs/d') },
    ...{ default: fc.jsonValue(), examples: fc.array(fc.jsonValue()), const: fc.jsonValue() },
  };
  const some = Object.entries(keywords).map(([keyword, value]: [string, fc.Arbitrary<unknown>]) =>
    value.map((of): [string, unknown] => [keyword, of]),
  );
  const object = fc
    .array(fc.oneof(...some), { minLength: 1, maxLength: 4 })
    .map((entries) => Object.fromEntries(entries) as JsonSchema);
  return { schema: fc.oneof({ maxDepth: 3, depthSize: 'small' }, fc.boolean(), object) };
}).schema;

test('a sample is valid, whatever the schema', () => {
  fc.assert(
    fc.property(anySchema, anySchema, fc.boolean(), (schema, def, full) => {
      const root: JsonSchema = { allOf: [schema], $defs: { d: def } };
      const validate = usable(root);
      fc.pre(validate !== undefined);
      const value = makeSample(root, { full });
      if (value !== undefined) expect(validate?.(value)).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

/** Undefined for a schema that only refers to itself. */
function usable(schema: JsonSchema): ReturnType<typeof compileSchema> | undefined {
  try {
    return compileSchema(schema);
  } catch {
    return undefined;
  }
}

/** A schema that describes a value exactly enough: each keyword is one that the value satisfies. */
function describing(value: Json): JsonSchema {
  if (typeof value === 'string')
    return { type: 'string', minLength: [...value].length, maxLength: [...value].length + 1 };
  if (typeof value === 'number') return { type: 'number', minimum: value, maximum: value + 1 };
  if (Array.isArray(value)) {
    return { type: 'array', prefixItems: value.map(describing), minItems: value.length, items: false };
  }
  if (value === null || typeof value === 'boolean') return { const: value };
  const properties = Object.fromEntries(
    Object.entries(value).map(([key, of]) => [key, describing(of ?? null)]),
  );
  return {
    type: 'object',
    oneOf: [{ type: 'integer' }, { properties, required: Object.keys(properties) }],
    unevaluatedProperties: false,
  };
}

test('a schema that describes a value has a sample', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false } as object), fc.boolean(), (value, full) => {
      const schema = describing(value as Json);
      const sample = makeSample(schema, { full });
      expect(sample).toBeDefined();
      expect(compileSchema(schema)(sample)).toEqual([]);
    }),
  );
});

const part = fc.constantFrom('[a-z]', '\\d', '(?:ab|c)', 'x', '\\.', '[^0-9]', '(y|z)', '\\w', '.');
const times = fc.constantFrom('', '?', '*', '+', '{2}', '{1,3}', '{2,}');

test('a pattern has texts, of the length that is wanted', () => {
  const pattern = fc
    .array(fc.tuple(part, times), { minLength: 1, maxLength: 6 })
    .map((parts) => `^${parts.flat().join('')}$`);
  fc.assert(
    fc.property(pattern, fc.nat({ max: 8 }), (source, minLength) => {
      const endless = /[*+]|,\}/.test(source);
      const wanted = { minLength: endless ? minLength : 0, maxLength: Infinity, nth: 0 };
      const text = sampleFromPattern(source, {
        ...wanted,
        fits: (found) => found.length >= wanted.minLength,
      });
      expect(text).toMatch(new RegExp(source, 'u'));
    }),
  );
});
