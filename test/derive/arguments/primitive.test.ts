// Which schemas can stand in a URI.
import { expect, test } from 'vitest';
import { type Primitive, derivePrimitive } from '../../../src/derive/arguments/primitive.ts';
import type { SchemaView } from '../../../src/derive/schema/schema-view.ts';
import type { JsonSchema } from '../../../src/util/json-schema.ts';

function viewOf(defs: Record<string, JsonSchema>): { view: SchemaView; read: string[] } {
  const read: string[] = [];
  const findTarget = (ref: string): JsonSchema | undefined => {
    read.push(ref);
    return defs[ref];
  };
  return { view: { findTarget } as SchemaView, read };
}

const text = (values?: string[]): Primitive => ({ type: 'string', list: false, ...(values && { values }) });

test('a schema that contains itself is none', () => {
  const { view } = viewOf({ a: { anyOf: [{ $ref: 'a' }, { type: 'string' }] } });
  expect(derivePrimitive({ $ref: 'a' }, view)).toBeUndefined();
});

test('schemas of which each is used twice are each read once', () => {
  const defs: Record<string, JsonSchema> = { s40: { enum: ['a'] } };
  for (let at = 0; at < 40; at++) {
    const next = { $ref: `s${String(at + 1)}` };
    defs[`s${String(at)}`] = { anyOf: [next, { allOf: [next] }] };
  }
  const { view, read } = viewOf(defs);
  expect(derivePrimitive({ $ref: 's0' }, view)).toEqual(text(['a']));
  expect(read.length).toBeLessThan(100);
});
