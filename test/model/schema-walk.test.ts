import { expect, test } from 'vitest';
import {
  forEachSubschema,
  mapSubschemas,
  definitionNameOf,
  collectRefs,
} from '../../src/model/schema-walk.ts';
import type { JsonSchema, JsonSchemaObject } from '../../src/util/json-schema.ts';

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

test.each<[string, JsonSchema, string[]]>([
  ['itself', ref('A'), ['A']],
  ['one of each kind', { items: ref('A'), allOf: [ref('B')], properties: { x: ref('C') } }, ['A', 'B', 'C']],
  ['deep', { properties: { x: { anyOf: [{ items: ref('A') }] } } }, ['A']],
  ['once each', { allOf: [ref('A'), ref('A')] }, ['A']],
  ['a property named $ref is data', { properties: { $ref: { type: 'string' }, items: ref('A') } }, ['A']],
  [
    'values are data',
    { const: { $ref: '#/$defs/A' }, default: { items: { $ref: 'x' } }, examples: [{ $ref: 'x' }] },
    [],
  ],
  ['booleans', true, []],
])('references: %s', (_what, given, want) => {
  expect([...collectRefs(given)].map(definitionNameOf)).toEqual(want);
});

test.each([
  ['Pet', '#/$defs/Pet'],
  ['a/b~c', '#/$defs/a~1b~0c'],
  ['a b%', '#/$defs/a%20b%25'],
  ['__proto__', '#/$defs/__proto__'],
])('%2$s names %1$s', (name, given) => {
  expect(definitionNameOf(given)).toBe(name);
});

test.each(['#', '#/properties/x', '#/$defs/A/items', 'https://e.com/#/$defs/A', 1, undefined])(
  '%j names no member',
  (given) => {
    expect(definitionNameOf(given)).toBeUndefined();
  },
);

test('mapping changes nothing it need not', () => {
  const given: JsonSchemaObject = {
    items: { type: 'string' },
    properties: { a: true },
    allOf: [false],
    enum: [{ items: 1 }],
  };
  expect(mapSubschemas(given, (each) => each)).toBe(given);
  expect(mapSubschemas(given, (each) => (each === true ? {} : each))).toEqual({
    ...given,
    properties: { a: {} },
  });
});

test('mapping keeps hostile keys', () => {
  const given = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as JsonSchemaObject;
  const mapped = mapSubschemas(given, () => true);
  expect(JSON.stringify(mapped)).toBe('{"properties":{"__proto__":true}}');
});

test('malformed keywords are passed over', () => {
  const visited: JsonSchema[] = [];
  forEachSubschema(
    JSON.parse('{"items":3,"allOf":{"a":{}},"properties":[{}],"not":null}') as JsonSchemaObject,
    (each) => visited.push(each),
  );
  expect(visited).toEqual([]);
});
