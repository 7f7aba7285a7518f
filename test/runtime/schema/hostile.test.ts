// Schemas and values that would cost stack or time without end, or mean something else than they seem to.
import { expect, onTestFinished, test } from 'vitest';
import { repair } from '../../../templates/runtime/coerce.ts';
import type { Schema } from '../../../templates/runtime/types.ts';
import { Run } from '../../../templates/runtime/validate.ts';
import { compileSchema } from './validator.ts';

function nested(depth: number, open = '[', close = ']'): unknown {
  return JSON.parse(open.repeat(depth) + (open === '[' ? '' : '1') + close.repeat(depth));
}

const TOO_MUCH = /nested too deeply|too large/;
const faultOf = (schema: object, value: unknown): string | undefined =>
  compileSchema(schema)(value)[0]?.message;

test('a value nested 100,000 deep is refused, not followed to the end of the stack', () => {
  expect(faultOf({ items: { $ref: '#' } }, nested(100_000))).toMatch(TOO_MUCH);
  expect(faultOf({ properties: { a: { $ref: '#' } } }, nested(100_000, '{"a":', '}'))).toMatch(TOO_MUCH);
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  expect(faultOf({ items: { $ref: '#' } }, cyclic)).toMatch(TOO_MUCH);
});

test('values nested as deep as a message may be are compared and repaired', () => {
  const [one, other] = [nested(490), nested(490)];
  expect(faultOf({ uniqueItems: true }, [one, other])).toMatch(/twice|unique|same/);
  expect(compileSchema({ const: one })(other)).toEqual([]);
  expect(compileSchema({ const: one })([1])).toHaveLength(1);
  expect(repair({ items: { $ref: '#' } } as Schema, one)).toBe(one);
});

test.each<[string, object]>([
  ['itself', { $ref: '#' }],
  ['a pair', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
  ['through anyOf', { anyOf: [{ type: 'string' }, { $ref: '#' }] }],
  ['through if', { if: { $ref: '#' } }],
])('a $ref that leads only to itself ends: %s', (_name, schema) => {
  expect(faultOf(schema, {})).toMatch(TOO_MUCH);
});

test.each<[string, object]>([
  ['no such place', { properties: { a: { $ref: '#/$defs/nope' } } }],
  ['no such anchor', { $ref: '#nope' }],
  ['a remote document', { $ref: 'https://x.example/s.json' }],
  ['inherited', { $ref: '#/constructor' }],
  ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }],
])('a schema that can not be used accepts nothing: %s', (_name, schema) => {
  expect(() => compileSchema(schema)({ a: 1 })).toThrow();
});

test('names from Object.prototype are names like others', () => {
  for (const name of ['__proto__', 'constructor', 'hasOwnProperty', 'toString']) {
    const schema = JSON.parse(
      `{"properties":{"${name}":{"type":"integer"}},"required":["${name}"],"additionalProperties":false}`,
    ) as Schema & object;
    const value = (text: string): unknown => JSON.parse(`{"${name}":${text}}`);
    expect(faultOf(schema, value('1'))).toBeUndefined();
    expect(faultOf(schema, value('"1"'))).toMatch(/must be an integer/);
    expect(faultOf(schema, {})).toMatch(/is required but missing/);
    expect(faultOf({ additionalProperties: false }, value('1'))).toMatch(/is not a known property/);
    expect(faultOf({ dependentRequired: { [name]: ['x'] } }, {})).toBeUndefined();
    expect(JSON.stringify(repair(schema, value('"7"')))).toBe(`{"${name}":7}`);
  }
  expect({}).not.toHaveProperty('polluted');
});

test('big arrays are checked in one pass', () => {
  const numbers = Array.from({ length: 99_000 }, (_, index) => index);
  expect(faultOf({ items: { type: 'integer' }, uniqueItems: true }, numbers)).toBeUndefined();
  const objects = Array.from({ length: 50_000 }, (_, index) => ({ id: { n: index } }));
  expect(faultOf({ uniqueItems: true }, objects)).toBeUndefined();
  expect(faultOf({ uniqueItems: true }, [...objects, { id: { n: 7 } }])).toBeDefined();
});

const Tree = {
  oneOf: [
    ...[1, 2].map((kind) => ({
      type: 'object',
      properties: { t: { $ref: '#/$defs/Tree' }, k: { const: kind } },
    })),
    { type: 'array', items: { $ref: '#/$defs/Tree' } },
  ],
};
const child = { properties: { c: { $ref: '#' } } };
const many = Object.fromEntries(Array.from({ length: 99_000 }, (_, at) => [`x${at}`, 1]));

test.each<[string, object, unknown]>([
  [
    'alternatives that double with every level',
    { anyOf: [1, 2].map(() => ({ ...child, allOf: [false] })) },
    nested(60, '{"c":', '}'),
  ],
  [
    'alternatives that contain each other',
    { $ref: '#/$defs/Tree', $defs: { Tree } },
    Array.from({ length: 33_000 }, () => ({ t: { t: {} } })),
  ],
  [
    'many alternatives for one object',
    {
      oneOf: Array.from({ length: 40 }, (_, at) => ({
        type: 'object',
        properties: { x0: { const: `kind ${at}` }, next: { $ref: '#' } },
        patternProperties: { [`^x${at}`]: { type: 'string' } },
      })),
    },
    many,
  ],
])('a check takes a bounded number of steps: %s', (_, schema, value) => {
  let steps = 0;
  const { spend } = Run.prototype;
  Run.prototype.spend = function (work) {
    steps += work;
    spend.call(this, work);
  };
  onTestFinished(() => void (Run.prototype.spend = spend));
  const { length } = compileSchema(schema)(value);
  expect(length > 0 && length <= 20).toBe(true);
  expect(steps).toBeLessThan(250_000);
});

test('a repair takes a bounded number of steps', () => {
  const schema = { anyOf: [child, child, child] } as Schema;
  const value = nested(90, '{"c":', '}');
  expect(repair(schema, value)).toBe(value);
});

test('one schema object in two places, and a cyclic schema object', () => {
  const text = { type: 'string' };
  expect(faultOf({ properties: { a: text, b: text } }, { a: 'x', b: 1 })).toMatch(/`b` must be a string/);
});
