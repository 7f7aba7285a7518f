import { expect, test } from 'vitest';
import { printArguments } from '../../src/emit/print-arguments.ts';
import type { JsonSchemaObject } from '../../templates/runtime/schema/json-schema.ts';

const long = Array.from({ length: 30 }, (_, index) => `value-${String(index)}`);

test.each<[string, JsonSchemaObject, string]>([
  ['a string', { type: 'string' }, 'string'],
  ['an integer', { type: 'integer' }, 'number'],
  ['a type list', { type: ['string', 'null'] }, 'string | null'],
  ['numbers named once', { type: ['integer', 'number'] }, 'number'],
  ['an enum', { enum: ['a', 'b', 1] }, "'a' | 'b' | 1"],
  ['a const', { const: true }, 'true'],
  ['an enum with an object', { enum: [{ a: 1 }] }, 'unknown'],
  ['an enum too long for a line', { enum: long }, 'string'],
  ['mixed members too long for a line', { enum: [...long, 1] }, 'unknown'],
  ['a list', { type: 'array', items: { type: 'string' } }, 'string[]'],
  ['a list of an enum', { type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
  ['a list of lists', { type: 'array', items: { type: 'array', items: { type: 'string' } } }, 'unknown[][]'],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }] }, 'unknown[]'],
  ['an object', { type: 'object', properties: { a: { type: 'string' } } }, 'Record<string, unknown>'],
  ['a composition', { oneOf: [{ type: 'string' }] }, 'unknown'],
  ['a reference', { $ref: '#/$defs/Id' }, 'number'],
  ['a reference to itself', { $ref: '#/$defs/Loop' }, 'unknown'],
  ['a dangling reference', { $ref: '#/$defs/constructor' }, 'unknown'],
  ['an escaped reference', { $ref: '#/$defs/a~1b' }, 'string'],
])('%s', (_, property, want) => {
  const schema: JsonSchemaObject = {
    type: 'object',
    properties: { x: property },
    $defs: { Id: { type: 'integer' }, Loop: { $ref: '#/$defs/Loop' }, 'a/b': { type: 'string' } },
  };
  expect(printArguments(schema)).toBe(`{\n    x?: ${want};\n  }`);
});

test('names are quoted where they must be, and required ones have no question mark', () => {
  const properties = { id: { type: 'string' as const }, 'a.b': true };
  expect(printArguments({ type: 'object', properties, required: ['id'] })).toBe(
    "{\n    id: string;\n    'a.b'?: unknown;\n  }",
  );
});

test.each([
  [{ type: 'object', additionalProperties: false } as const, 'Record<string, never>'],
  [{ type: 'object' } as const, 'Record<string, unknown>'],
])('no arguments: %j', (schema, want) => {
  expect(printArguments(schema)).toBe(want);
});
