/** What is listed of a schema: the same meaning, in a form that clients read. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toListedSchema } from '../../../src/derive/schema/listed-schema.ts';
import { forEachSubschema } from '../../../src/model/schema-walk.ts';
import type { JsonSchema, JsonSchemaObject, ObjectSchema } from '../../../src/util/json-schema.ts';
import { compileSchema } from '../../../src/util/check-values.ts';
import { anySchema, anyValue, isFairToAjv } from '../../support/any-schema.ts';

const ref = (name: string): JsonSchemaObject => ({ $ref: `#/$defs/${name}` });
const text: JsonSchema = { type: 'string' };
const pet: JsonSchema = { type: 'object', properties: { name: text }, description: 'A pet.' };

function object(
  properties: Record<string, JsonSchema>,
  $defs: Record<string, JsonSchema> = {},
): ObjectSchema {
  return { type: 'object', properties, ...(Object.keys($defs).length > 0 && { $defs }) };
}

const rows: [what: string, before: ObjectSchema, listed: ObjectSchema][] = [
  ['a target that is used once', object({ a: ref('Pet') }, { Pet: pet }), object({ a: pet })],
  [
    'a target that is used twice',
    object({ a: ref('Pet'), b: ref('Pet') }, { Pet: pet }),
    object({ a: ref('Pet'), b: ref('Pet') }, { Pet: pet }),
  ],
  [
    'a tree',
    object({ a: ref('Node') }, { Node: object({ up: ref('Node') }) }),
    object({ a: ref('Node') }, { Node: object({ up: ref('Node') }) }),
  ],
  ['a target that is a boolean', object({ a: ref('Any') }, { Any: true }), object({ a: {} })],
  ['a target that refuses all', object({ a: ref('No') }, { No: false }), object({ a: { not: {} } })],
  [
    'words beside a reference replace those of the target',
    object({ a: { ...ref('Pet'), description: 'Mine.', title: 'My pet' } }, { Pet: pet }),
    object({ a: { ...(pet as object), description: 'Mine.', title: 'My pet' } }),
  ],
  [
    'limits that the target has otherwise',
    object({ a: { ...ref('Text'), maxLength: 3 } }, { Text: { type: 'string', maxLength: 5 } }),
    object({ a: { maxLength: 3, allOf: [{ type: 'string', maxLength: 5 }] } }),
  ],
  [
    'keywords beside a reference that read those of the target',
    object({ a: { ...ref('Pet'), unevaluatedProperties: false } }, { Pet: pet }),
    object({ a: { unevaluatedProperties: false, allOf: [pet] } }),
  ],
  [
    'keywords beside a reference that stays',
    object({ a: { ...ref('Pet'), title: 'Mine', allOf: [true] }, b: ref('Pet') }, { Pet: pet }),
    object({ a: { title: 'Mine', allOf: [ref('Pet'), true] }, b: ref('Pet') }, { Pet: pet }),
  ],
  [
    'description and default beside a reference that stays',
    object({ a: { ...ref('Pet'), description: 'Mine.', default: {} }, b: ref('Pet') }, { Pet: pet }),
    object({ a: { ...ref('Pet'), description: 'Mine.', default: {} }, b: ref('Pet') }, { Pet: pet }),
  ],
  [
    'alternatives keep their names',
    object(
      { a: { anyOf: [ref('Cat'), ref('Dog'), ref('Old'), { type: 'null' }] }, b: ref('Old') },
      {
        Cat: pet,
        Dog: { ...(pet as object), title: 'A dog' },
        Old: text,
      },
    ),
    object(
      {
        a: {
          anyOf: [
            { title: 'Cat', ...(pet as object) },
            { ...(pet as object), title: 'A dog' },
            ref('Old'),
            { type: 'null' },
          ],
        },
        b: ref('Old'),
      },
      { Old: text },
    ),
  ],
  ['an array without items', object({ a: { type: 'array' } }), object({ a: { type: 'array', items: {} } })],
  [
    'a tuple',
    object({ a: { type: 'array', prefixItems: [text] } }),
    object({ a: { type: 'array', prefixItems: [text], items: {} } }),
  ],
  [
    'a property with the name of a keyword',
    object({ $ref: text, type: { const: 'array' } }),
    object({ $ref: text, type: { const: 'array' } }),
  ],
  [
    'a schema with an identifier has its own references',
    object({ a: { $id: 'urn:own', $defs: { Pet: pet }, ...ref('Pet') } }),
    object({ a: { $id: 'urn:own', $defs: { Pet: pet }, ...ref('Pet') } }),
  ],
];

test.each(rows)('%s', (_, before, listed) => {
  expect(toListedSchema(before)).toEqual(listed);
  expect(toListedSchema(listed)).toEqual(listed);
});

test('a long chain of targets keeps some references, and no depth is too much', () => {
  const links = Array.from({ length: 1_000 }, (_, index): [string, JsonSchema] => [
    `L${index}`,
    object({ next: index === 999 ? text : ref(`L${index + 1}`) }),
  ]);
  const { $defs = {}, ...top } = toListedSchema(object({ first: ref('L0') }, Object.fromEntries(links)));
  expect(Object.keys($defs)).toEqual([
    'L100',
    'L201',
    'L302',
    'L403',
    'L504',
    'L605',
    'L706',
    'L807',
    'L908',
  ]);
  expect(JSON.stringify(top).split('next')).toHaveLength(101);
});

const referring = fc
  .tuple(fc.constantFrom('d0', 'd1', 'd2'), anySchema)
  .map(([name, beside]): JsonSchema => ({ ...(typeof beside === 'object' && beside), ...ref(name) }));
const either = fc.oneof(anySchema, referring);
const anyObject = fc
  .tuple(either, either, fc.tuple(either, either, either))
  .map(([a, b, [d0, d1, d2]]) => object({ a, b }, { d0, d1, d2 }));

test('the same values are valid, and nothing is left that clients refuse', { timeout: 120_000 }, () => {
  const seen = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(anyObject, fc.array(fc.tuple(anyValue, anyValue), { minLength: 3 }), (schema, values) => {
      const listed = toListedSchema(schema);
      expect(faultsOf(listed)).toEqual([]);
      for (const judge of isFairToAjv(schema) ? [ours, theirs] : [ours]) {
        const [before, after] = [judge(schema), judge(listed)];
        if (before === undefined) continue;
        for (const [a, b] of values) {
          const verdicts = [before({ a, b }), after?.({ a, b })];
          if (verdicts.includes('none')) continue;
          expect(verdicts[1], JSON.stringify([a, b, listed])).toBe(verdicts[0]);
          seen[verdicts[0] === true ? 'valid' : 'invalid'] += 1;
        }
      }
    }),
    { numRuns: 800 },
  );
  expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(800);
});

/** A judge is undefined for a schema, and `none` for a value, where a reference leads back to itself. */
type Judge = (schema: JsonSchemaObject) => ((value: unknown) => boolean | 'none') | undefined;

const ajv = new Ajv2020({ strict: false, logger: false, meta: false, validateSchema: false });
const theirs = judgeOf((schema) => ajv.compile(schema));
const ours = judgeOf((schema) => {
  const errorsIn = compileSchema(schema);
  return (value) => errorsIn(value).length === 0;
});

function judgeOf(compile: (schema: JsonSchemaObject) => (value: unknown) => boolean): Judge {
  return (schema) => {
    const validate = attempt(() => compile(schema));
    return validate && ((value) => attempt(() => validate(value)) ?? 'none');
  };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function faultsOf({ $defs = {}, ...top }: ObjectSchema): string[] {
  const faults: string[] = [];
  const uses = new Map<string, number>();
  const schemas: JsonSchema[] = [top, ...Object.values($defs)];
  const isWatched = JSON.stringify(schemas).includes('unevaluatedItems');
  for (const schema of schemas) {
    if (typeof schema === 'boolean') continue;
    const { $ref } = schema;
    const beside = Object.keys(schema).filter((keyword) => !/^(\$ref|description|default)$/.test(keyword));
    if ($ref !== undefined) {
      uses.set($ref, (uses.get($ref) ?? 0) + 1);
      if (beside.length > 0) faults.push(`${beside} beside ${$ref}`);
    }
    if ([schema.type].flat().includes('array') && schema.items === undefined && !isWatched)
      faults.push('no items');
    forEachSubschema(schema, (subschema) => schemas.push(subschema));
  }
  for (const [target, count] of uses) if (count === 1) faults.push(`${target} is used once`);
  for (const name of Object.keys($defs)) if (!uses.has(`#/$defs/${name}`)) faults.push(`${name} is not used`);
  return faults;
}
