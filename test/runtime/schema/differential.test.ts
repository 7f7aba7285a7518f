/** The validator must agree with Ajv on schemas and values that neither was written for. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../templates/runtime/contract/json-schema.ts';
import { compileSchema } from '../../../templates/runtime/schema/compile-schema.ts';
import '../../../templates/runtime/contract/regex/linear-patterns.ts';

/** Few names and few values, so that schemas and values meet. Names that Ajv finds on prototypes are tested elsewhere. */
const name = fc.constantFrom('a', 'b', 'c', 'ab', 'bc');
const number = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constantFrom(0.5, 1.5, -2.5));
const text = fc.constantFrom('', 'a', 'b', 'ab', 'abc', '🐱', '1', 'true');

const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    number,
    text,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(name, tie('any'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).any;

const size = fc.integer({ min: 0, max: 3 });
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');

type Keywords = Record<string, unknown>;

/** Some of the keywords, never none. */
function someOf(keywords: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Keywords> {
  const entries = Object.entries(keywords).map(([keyword, arbitrary]) =>
    arbitrary.map((argument): Keywords => ({ [keyword]: argument })),
  );
  return fc
    .array(fc.oneof(...entries), { minLength: 1, maxLength: 3 })
    .map((found) => Object.assign({}, ...found) as Keywords);
}

function schemaOf(depth: number): fc.Arbitrary<JsonSchema> {
  const types = fc.record({ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })) });
  const plain = fc.oneof(
    fc.boolean(),
    types,
    someOf({ type, enum: fc.array(value, { minLength: 1, maxLength: 3 }), const: value }),
    someOf({
      minimum: number,
      maximum: number,
      exclusiveMinimum: number,
      exclusiveMaximum: number,
      multipleOf: fc.integer({ min: 1, max: 3 }),
    }),
    someOf({ minLength: size, maxLength: size, pattern: fc.constantFrom('^a', 'b$', '^.$') }),
    someOf({ $ref: fc.constantFrom('#/$defs/d0', '#/$defs/d1', '#/$defs/d2') }),
  ) as fc.Arbitrary<JsonSchema>;
  return depth === 0
    ? plain
    : fc.oneof({ weight: 1, arbitrary: plain }, { weight: 2, arbitrary: nestedSchemaOf(depth - 1) });
}

function nestedSchemaOf(depth: number): fc.Arbitrary<JsonSchema> {
  const sub = schemaOf(depth);
  const list = fc.array(sub, { minLength: 1, maxLength: 3 });
  const map = <T>(
    arbitrary: fc.Arbitrary<T>,
    key: fc.Arbitrary<string> = name,
  ): fc.Arbitrary<Record<string, T>> =>
    fc.dictionary(key, arbitrary, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
  const names = fc.uniqueArray(name, { maxLength: 2 });
  const inPlace = { allOf: list, anyOf: list, oneOf: list, not: sub, if: sub, then: sub, else: sub };
  const arrays = { items: sub, prefixItems: list, contains: sub, minContains: size, maxContains: size };
  const objects = {
    properties: map(sub),
    patternProperties: map(sub, fc.constantFrom('^a', 'b$')),
    additionalProperties: sub,
    dependentSchemas: map(sub),
  };
  const objectLimits = {
    propertyNames: sub,
    required: names,
    minProperties: size,
    maxProperties: size,
    dependentRequired: map(names),
  };
  const arrayLimits = { uniqueItems: fc.boolean(), minItems: size, maxItems: size };
  const condition = fc.record(
    { if: sub, then: sub, else: sub },
    { requiredKeys: ['if'] },
  ) as fc.Arbitrary<Keywords>;
  const unevaluated = someOf({ unevaluatedProperties: sub, unevaluatedItems: sub });
  const groups = fc.oneof(
    someOf(inPlace),
    condition,
    someOf(arrays),
    someOf(objects),
    someOf({ ...objectLimits, ...arrayLimits }),
    fc
      .tuple(unevaluated, someOf(inPlace), fc.oneof(someOf(arrays), someOf(objects)))
      .map((found) => Object.assign({}, ...found) as Keywords),
  );
  return groups as fc.Arbitrary<JsonSchema>;
}

const schema = schemaOf(3);

/** A schema with shared definitions, which may refer to one another and to themselves. */
const root = fc.tuple(schema, fc.tuple(schema, schema, schema)).map(([main, [d0, d1, d2]]): JsonSchema => ({
  $defs: { d0, d1, d2 },
  ...(typeof main === 'boolean' ? { allOf: [main] } : main),
}));

/** Undefined when the schema has a `$ref` that leads only to itself. */
function ours(document: JsonSchema): ((value: unknown) => boolean) | undefined {
  try {
    const validate = compileSchema(document);
    return (candidate) => validate(candidate).length === 0;
  } catch {
    return undefined;
  }
}

/** Undefined where Ajv throws, as its record of evaluated properties sometimes makes it. */
function answer(theirs: (value: unknown) => boolean, candidate: unknown): boolean | undefined {
  try {
    return theirs(candidate);
  } catch {
    return undefined;
  }
}

/**
 * Schemas on which Ajv is known to stray from the standard prove nothing: it skips keywords beside `prefixItems` for an
 * empty array; it counts what `contains` and branches evaluate wrongly for `unevaluatedItems`; it ignores a lone `if`.
 */
function isFairToAjv(document: unknown): boolean {
  const used = keysOf(document);
  const branches = ['contains', 'anyOf', 'oneOf', 'if'].some((keyword) => used.has(keyword));
  return !(used.has('unevaluatedItems') && branches) && !skipsKeywords(document);
}

function keysOf(part: unknown, found = new Set<string>()): Set<string> {
  if (typeof part !== 'object' || part === null) return found;
  for (const [key, child] of Object.entries(part)) keysOf(child, found.add(key));
  return found;
}

function skipsKeywords(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  if ('prefixItems' in part && ['contains', 'minItems'].some((keyword) => keyword in part)) return true;
  if ('if' in part && !('then' in part && 'else' in part)) return true;
  return Object.values(part).some(skipsKeywords);
}

test('agrees with Ajv on generated schemas and values', { timeout: 120_000 }, () => {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    logger: false,
    meta: false,
    validateSchema: false,
  });
  const seen = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(root, fc.array(value, { minLength: 3, maxLength: 6 }), (document, values) => {
      const mine = ours(document);
      fc.pre(mine !== undefined && isFairToAjv(document));
      const theirs = ajv.compile(document as object);
      for (const candidate of values) {
        const want = answer(theirs, candidate);
        if (want === undefined) continue;
        seen[want ? 'valid' : 'invalid']++;
        expect(mine?.(candidate), JSON.stringify(candidate)).toBe(want);
      }
    }),
    { seed: 20201200, numRuns: 1_200, maxSkipsPerRun: 10 },
  );
  // Agreement means little unless both answers are common.
  expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(1_000);
});
