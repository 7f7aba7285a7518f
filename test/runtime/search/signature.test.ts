// Arguments as a short type: what is shown, what is cut first, and the paths that lead deeper.
import { expect, test } from 'vitest';
import type { JsonSchema, ObjectSchema } from '../../../templates/runtime/contract/json-schema.ts';
import { findArgumentPart } from '../../../templates/runtime/search/argument-part.ts';
import { printArgumentPart, printSignature } from '../../../templates/runtime/search/signature.ts';

function sign(
  properties: Record<string, JsonSchema>,
  more: Partial<ObjectSchema> = {},
  most = 4_200,
): string {
  return printSignature({ name: 't', inputSchema: { type: 'object', properties, ...more } }, most);
}

test.each<[string, JsonSchema, string]>([
  ['any', true, 'any;'],
  ['nothing', false, 'never;'],
  ['a constant', { const: 'x' }, '"x";'],
  ['a choice', { enum: ['a', 'b'] }, '"a" | "b";'],
  ['types', { type: ['string', 'null'] }, 'string | null;'],
  ['a list or null', { type: ['array', 'null'], items: { type: 'string' } }, 'string[] | null;'],
  ['a list or text', { type: ['string', 'array'], items: { type: 'integer' } }, 'string | integer[];'],
  ['an object or null', { type: ['object', 'null'], properties: { a: true } }, '{ a?: any } | null;'],
  ['a list', { type: 'array', items: { type: 'string' } }, 'string[];'],
  ['a list of choices', { type: 'array', items: { enum: [1, 2] } }, '(1 | 2)[];'],
  [
    'a tuple',
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] },
    '[string, integer];',
  ],
  ['an object', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, '{ a: string };'],
  ['an open object', { type: 'object' }, 'object;'],
  ['a map', { type: 'object', additionalProperties: { type: 'number' } }, '{ [key]: number };'],
  ['parts', { allOf: [{ properties: { a: true } }, { properties: { b: true } }] }, '{ a?: any; b?: any };'],
  [
    'facts',
    { type: 'integer', minimum: 1, maximum: 9, default: 2, description: 'How\n many' },
    'integer; // How many; default 2; from 1; to 9',
  ],
  [
    'a list of objects of two kinds',
    {
      type: 'array',
      items: { anyOf: [{ properties: { a: { const: '|}' } } }, { properties: { b: true } }] },
    },
    '({ a?: "|}" } | { b?: any })[];',
  ],
  [
    'a tuple with more items',
    { prefixItems: [{ type: 'string' }], items: { enum: [1, 2] } },
    '[string, ...(1 | 2)[]];',
  ],
  ['a closed tuple', { type: 'array', prefixItems: [{ type: 'string' }], items: false }, '[string];'],
  [
    'an object with other members',
    { type: 'object', properties: { a: true }, additionalProperties: { type: 'integer' } },
    '{ a?: any; [key]: integer };',
  ],
  [
    'members whose names have a pattern',
    { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
    '{ [/^x-/]: string };',
  ],
  [
    'alternatives in a part',
    {
      allOf: [
        { properties: { a: true } },
        { anyOf: [{ properties: { b: true } }, { properties: { c: true } }] },
      ],
    },
    '{ a?: any } & ({ b?: any } | { c?: any });',
  ],
  [
    'alternatives that only bound',
    { type: 'string', anyOf: [{ minLength: 2 }, { pattern: 'a' }] },
    'string;',
  ],
  ['parts of a text', { allOf: [{ type: 'string', minLength: 2 }, { maxLength: 5 }] }, 'string;'],
  [
    'choices of each of which one holds',
    { allOf: [{ enum: [1, 2] }, { enum: [2, 3] }] },
    '(1 | 2) & (2 | 3);',
  ],
  ['a strange key', { type: 'object', properties: { 'a b': true } }, '{ "a b"?: any };'],
])('%s', (_, schema, want) => {
  expect(sign({ x: schema })).toBe(`t(arguments: {\n  x?: ${want}\n})`);
});

test('no arguments, only alternatives, and the required ones first', () => {
  expect(sign({}, { oneOf: [{ properties: { a: true } }, { properties: { b: true } }] })).toBe(
    't(arguments: { a?: any } | { b?: any })',
  );
  expect(sign({})).toBe('t(arguments: {})');
  expect(sign({ a: true, b: true }, { required: ['b'] })).toBe('t(arguments: {\n  b: any;\n  a?: any;\n})');
});

const node: ObjectSchema = {
  type: 'object',
  properties: { next: { $ref: '#/$defs/node' }, name: { type: 'string', description: 'Its name' } },
};

test('a schema that contains itself ends, and says how to look deeper', () => {
  const text = sign({ node: { $ref: '#/$defs/node' } }, { $defs: { node } });
  expect(text).toBe(
    't(arguments: {\n  node?: { next?: {…}; name?: string };\n})\n// describe_tool shows more of {…} by `path`',
  );
});

/** Each object has five of the next level. */
function deep(levels: number): JsonSchema {
  if (levels === 0)
    return {
      type: 'string',
      description: 'A long description of one of many members that say much'.repeat(5),
    };
  const members = ['a', 'b', 'c', 'd', 'e'].map((name) => [name, deep(levels - 1)] as const);
  return { type: 'object', properties: Object.fromEntries(members) };
}

test.each([4_200, 1_200, 300, 80])('whatever the schema, it fits %s characters', (most) => {
  const part = deep(5);
  const wide = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`argument_${at}`, part]));
  for (const properties of [
    { body: deep(6) },
    wide,
    { e: { enum: Array.from({ length: 9_000 }, (_, at) => `value ${at}`) } },
  ]) {
    const text = sign(properties, { required: [Object.keys(properties)[0] ?? ''] }, most);
    expect(text.length).toBeLessThanOrEqual(most);
    if (most > 100) expect(text).toContain(Object.keys(properties)[0]);
  }
});

const root: ObjectSchema = {
  type: 'object',
  properties: {
    body: { $ref: '#/$defs/node' },
    list: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'string' }] } },
    map: { type: 'object', additionalProperties: { type: 'integer' } },
    'a/b': { type: 'string' },
  },
  $defs: { node },
};

test.each([
  ['/body', '{\n  next?: { next?: {…}; name?: string };\n  name?: string; // Its name\n}'],
  ['/body/next/next/name', 'string // Its name'],
  ['/list/*/name', 'string // Its name'],
  ['/list/0/name', 'string // Its name'],
  ['list/*/next/name', 'string // Its name'],
  ['/map/*', 'integer'],
  ['/a~1b', 'string'],
])('the path %s leads to %j', (path, want) => {
  const found = findArgumentPart(root, path);
  expect('schema' in found && printArgumentPart(found.schema, root, 4_200)).toBe(want);
});

test.each([
  ['/nobody', { known: ['body', 'list', 'map', 'a/b'], at: '', step: 'nobody' }],
  ['/body/nam/first', { known: ['next', 'name'], at: '/body', step: 'nam' }],
  ['/list/name', { known: ['*'], at: '/list', step: 'name' }],
  ['/__proto__', { known: ['body', 'list', 'map', 'a/b'], at: '', step: '__proto__' }],
])('nothing is at %s', (path, want) => {
  expect(findArgumentPart(root, path)).toEqual(want);
});

function part(schema: JsonSchema, path: string, most = 4_200): string {
  const arguments_: ObjectSchema = { type: 'object', properties: { x: schema } };
  const found = findArgumentPart(arguments_, path);
  return 'schema' in found ? printArgumentPart(found.schema, arguments_, most) : '';
}

const pair: JsonSchema = { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false };
const codes: JsonSchema = {
  properties: { 200: { type: 'string' } },
  patternProperties: { '^x-': { type: 'number' } },
  additionalProperties: { type: 'boolean' },
};
const rest: JsonSchema = { prefixItems: [{ type: 'string' }], items: { type: 'integer' } };

test.each<[string, JsonSchema, string, string]>([
  ['the first item of a tuple', pair, '/x/0', 'string'],
  ['the second item of a tuple', pair, '/x/1', 'integer'],
  ['an item after a tuple', rest, '/x/1', 'integer'],
  ['an item that a tuple lacks', pair, '/x/2', ''],
  ['any item of a tuple', pair, '/x/*', 'string | integer'],
  ['a member whose name is a number', codes, '/x/200', 'string'],
  ['any other member', codes, '/x/*', 'number | boolean'],
  [
    'an object with other members',
    codes,
    '/x',
    '{\n  "200"?: string;\n  [/^x-/]: number;\n  [key]: boolean;\n}',
  ],
])('%s', (_, schema, path, want) => {
  expect(part(schema, path)).toBe(want);
});

test('the path of an enum shows all values that fit, and counts the others', () => {
  const values = Array.from({ length: 3_000 }, (_, at) => `v${at}`);
  expect(part({ enum: values.slice(0, 100) }, '/x')).toContain('"v98" | "v99"');
  const text = part({ type: 'string', enum: values, description: 'Which' }, '/x');
  const shown = text.split(' | ').length - 1;
  expect(shown).toBeGreaterThan(400);
  expect(text).toContain(`… /* ${3_000 - shown} more */ // Which`);
  expect(text.length).toBeLessThanOrEqual(4_200);
});

/** A block of one of many kinds. */
function makeBlock(at: number, members: number): JsonSchema {
  const names = Array.from({ length: members }, (_, each) => [`m${at}_${each}`, { type: 'string' }] as const);
  const properties: Record<string, JsonSchema> = { kind: { const: `k${at}` }, ...Object.fromEntries(names) };
  return { type: 'object', properties, required: ['kind'] };
}

test('the path of a union shows every alternative: whole, by its members, or by what tells it apart', () => {
  const blocks = (count: number, members: number): JsonSchema => ({
    type: 'array',
    items: { oneOf: Array.from({ length: count }, (_, at) => makeBlock(at, members)) },
  });
  expect(part(blocks(8, 1), '/x/*')).toContain('| { kind: "k7"; m7_0?: string }');
  const named = part(blocks(30, 9), '/x/*');
  expect(named).toContain('| { kind: "k29"; m29_0; m29_1;');
  const told = part(blocks(80, 20), '/x');
  expect(told).toMatch(/^\({ kind: "k0"; … } \| .* \| { kind: "k79"; … }\)\[\]$/);
});
