import { expect, test } from 'vitest';
import { cutEndlessReferences } from '../../../src/frontends/openapi/schema/finish-schema.ts';
import type { JsonSchema } from '../../../src/util/json-schema.ts';

const to = (name: string) => ({ $ref: `#/$defs/${name}` });

test.each<[string, Record<string, JsonSchema>, Record<string, JsonSchema>, string[]]>([
  [
    'a child takes in the parent that lists it',
    { Pet: { oneOf: [to('Cat')] }, Cat: { allOf: [to('Pet'), { type: 'object' }] } },
    { Cat: { allOf: [to('Pet'), { type: 'object' }] }, Pet: { oneOf: [{}] } },
    ['Pet'],
  ],
  ['itself', { A: { ...to('A'), description: 'x' } }, { A: { description: 'x' } }, ['A']],
  [
    'a step into the value is recursion, which is fine',
    { Node: { properties: { next: to('Node') }, items: to('Node') } },
    { Node: { properties: { next: to('Node') }, items: to('Node') } },
    [],
  ],
  [
    'a diamond is no circle',
    { A: { allOf: [to('B'), to('C')] }, B: to('D'), C: to('D'), D: { type: 'string' } },
    { A: { allOf: [to('B'), to('C')] }, B: to('D'), C: to('D'), D: { type: 'string' } },
    [],
  ],
])('endless-schema: %s', (_, schemas, want, reported) => {
  const told: string[] = [];
  cutEndlessReferences(schemas, (name) => told.push(name));
  expect(schemas).toEqual(want);
  expect(told).toEqual(reported);
});

test('a chain of 20,000 references is cut, and no matter', () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index): [string, JsonSchema] => [`S${index}`, to(`S${index + 1}`)]),
  );
  const told: string[] = [];
  cutEndlessReferences(schemas, (name, isCircle) => told.push(`${name} ${isCircle}`));
  // One at each five hundredth.
  expect(told).toHaveLength(39);
  expect(told.every((text) => text.endsWith(' false'))).toBe(true);
});
