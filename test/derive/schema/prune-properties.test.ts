import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../src/util/json-schema.ts';
import { deriveTool, jsonBody, operation, response } from '../support.ts';

const ro = { type: 'integer', readOnly: true } as const;
const string = { type: 'string' } as const;

const pool: Record<string, JsonSchema> = {
  Base: { type: 'object', properties: { id: ro, name: string } },
  Cat: { type: 'object', properties: { id: ro, meow: string }, required: ['id', 'meow'] },
  Dog: { type: 'object', properties: { bark: string }, required: ['bark'] },
  Wants: { type: 'object', properties: { id: string, name: string }, required: ['id', 'name'] },
  Key: ro,
  Back: { allOf: [{ $ref: '#/$defs/Back' }, { properties: { id: ro } }, { required: ['id'] }] },
  Tree: {
    allOf: [{ $ref: '#/$defs/Branch' }, { properties: { id: ro } }],
  },
  Branch: {
    required: ['id'],
    properties: { child: { allOf: [{ $ref: '#/$defs/Branch' }, { properties: { id: ro } }] } },
  },
};

/** The schema as an array's items, where it is not flattened. */
function itemsOf(schema: JsonSchema): unknown {
  const body = jsonBody({ type: 'array', items: schema });
  const { inputSchema } = deriveTool(operation('POST /x', { body }), { schemas: pool });
  const array = inputSchema.properties?.['body'];
  return typeof array === 'object' ? array.items : undefined;
}

const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const wants = (...required: string[]) => ({ required });
const named = { properties: { id: ro, a: string } };
const left = { properties: { a: string } };

test.each<[string, JsonSchema, unknown]>([
  ['required', { ...named, ...wants('id', 'a') }, { ...left, ...wants('a') }],
  ['nothing else required', { ...named, ...wants('id') }, left],
  ['flagged by reference', { properties: { id: ref('Key') }, ...wants('id') }, { properties: {} }],
  ['beside a reference', { ...ref('Base'), ...wants('id', 'name') }, { ...ref('Base'), ...wants('name') }],
  ['beside a chain', { allOf: [ref('Base')], ...wants('id') }, { allOf: [ref('Base')] }],
  ['in another part', { allOf: [named, wants('id', 'a')] }, { allOf: [left, wants('a')] }],
  ['by a base', { allOf: [wants('id'), { ...ref('Base') }] }, { allOf: [{}, ref('Base')] }],
  [
    'in branches',
    { ...named, oneOf: [wants('id', 'a'), wants('id')], anyOf: [wants('id'), wants('a')] },
    // Alternatives that overlap are read as `anyOf`.
    { ...left, anyOf: [{}, wants('a')], allOf: [{ anyOf: [wants('a'), {}] }] },
  ],
  [
    'around branches that flag it',
    { oneOf: [ref('Cat'), ref('Dog')], ...wants('id', 'kind') },
    { oneOf: [ref('Cat'), ref('Dog')], ...wants('kind') },
  ],
  [
    'one branch leaves the other alone',
    {
      anyOf: [
        { ...named, ...wants('id') },
        { properties: { id: string }, ...wants('id') },
      ],
    },
    { anyOf: [left, { properties: { id: string }, ...wants('id') }] },
  ],
  [
    'dependent on others',
    { ...named, dependentRequired: { a: ['id', 'b'], b: ['id'], id: ['a'] } },
    { ...left, dependentRequired: { a: ['b'] } },
  ],
  ['dependent alone', { ...named, dependentRequired: { a: ['id'] } }, left],
  [
    'a condition about it can not be judged',
    { ...named, if: wants('id'), then: wants('a'), else: wants('b') },
    left,
  ],
  ['a condition that flags it', { if: { properties: { id: ro } }, then: wants('a') }, {}],
  ['a denial of it', { ...named, not: wants('id') }, left],
  ['a denial that flags it', { not: { properties: { id: ro }, ...wants('id') } }, {}],
  [
    'a denial of something else',
    { ...named, not: wants('a'), if: wants('a'), then: wants('b') },
    { ...left, not: wants('a'), if: wants('a'), then: wants('b') },
  ],
  [
    'required by what is referred to',
    { allOf: [ref('Wants'), { properties: { id: ro } }] },
    { allOf: [{ type: 'object', properties: { name: string }, ...wants('name') }, { properties: {} }] },
  ],
  [
    'required by what is referred to, with words beside it',
    { ...ref('Wants'), properties: { id: ro } },
    { properties: {}, allOf: [{ type: 'object', properties: { name: string }, ...wants('name') }] },
  ],
  ['not flagged', { properties: { a: string }, ...wants('a') }, { properties: { a: string }, ...wants('a') }],
])('%s', (_what, given, want) => {
  expect(itemsOf(given)).toEqual(want);
});

test('compositions that come back to themselves end', () => {
  expect(itemsOf(ref('Back'))).toEqual(ref('Back'));
  expect(JSON.stringify(itemsOf({ allOf: [ref('Back')] }))).toContain('allOf');
  const { inputSchema } = deriveTool(operation('POST /x', { body: jsonBody(ref('Tree')) }), {
    schemas: pool,
  });
  expect(inputSchema).toMatchObject({
    properties: { child: { allOf: [{ properties: { child: {} } }, {}] } },
  });
});

test('what one part of a flat body flags is no argument', () => {
  const body = jsonBody({ allOf: [ref('Wants'), { properties: { id: ro } }] });
  const { inputSchema } = deriveTool(operation('POST /x', { body }), { schemas: pool });
  expect(inputSchema).toMatchObject({ properties: { name: string }, required: ['name'] });
  expect(inputSchema.properties).not.toHaveProperty('id');
});

test('writeOnly goes the same way from answers', () => {
  const secret = { type: 'string', writeOnly: true } as const;
  const answer = { $ref: '#/$defs/User', required: ['secret', 'name'] };
  const responses = [response('200', 'application/json', { type: 'object', properties: { user: answer } })];
  const schemas = { User: { type: 'object', properties: { secret, name: string } } } as const;
  const { outputSchema } = deriveTool(
    operation('GET /x', { responses }),
    { schemas },
    { outputSchema: 'strict' },
  );
  expect(outputSchema).toMatchObject({ properties: { user: { ...ref('User'), required: ['name'] } } });
});
