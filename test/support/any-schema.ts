/** Schemas and values that meet often, for tests of properties. */
import fc from 'fast-check';
import type { JsonSchema } from '../../src/util/json-schema.ts';

/** Few names and few values, so that schemas and values meet. Names that Ajv finds on prototypes are tested elsewhere. */
const name = fc.constantFrom('a', 'b', 'c', 'ab', 'bc');
const number = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constantFrom(0.5, 1.5, -2.5));
const text = fc.constantFrom('', 'a', 'b', 'ab', 'abc', '🐱', '1', 'true');

export const anyValue = fc.letrec<{ any: unknown }>((tie) => ({
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
    someOf({ type, enum: fc.array(anyValue, { minLength: 1, maxLength: 3 }), const: anyValue }),
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

/** Refers to `d0`, `d1` and `d2` of `$defs`. */
export const anySchema = schemaOf(3);

/**
 * Schemas on which Ajv is known to stray from the standard prove nothing: it skips keywords beside `prefixItems` for an
 * empty array; it counts what `contains` and branches evaluate wrongly for `unevaluatedItems`; it ignores a lone `if`.
 */
export function isFairToAjv(document: unknown): boolean {
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
