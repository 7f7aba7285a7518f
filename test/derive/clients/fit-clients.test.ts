// `--for`: what is rewritten accepts the same values, and what is not is reported.
import { expect, test } from 'vitest';
import { inlineReferences } from '../../../src/derive/clients/inline-references.ts';
import { splitTypes } from '../../../src/derive/clients/split-types.ts';
import { CLIENT_NAMES } from '../../../src/model/client-profiles.ts';
import type { JsonSchema, ObjectSchema } from '../../../templates/runtime/contract/json-schema.ts';
import { compileSchema } from '../../../templates/runtime/schema/compile-schema.ts';
import { lintDocument, operation, query } from '../../lint/support/lint-document.ts';

const VALUES = [null, 'a', 'bb', 1, 2.5, 3, true, [], ['a'], [null], {}, { a: 1 }, { a: 'x' }];

function expectSame(before: ObjectSchema, after: ObjectSchema): void {
  const [old, now] = [compileSchema(before), compileSchema(after)];
  for (const value of VALUES) {
    const given = { v: value };
    expect([value, now(given).length === 0]).toEqual([value, old(given).length === 0]);
  }
}

const withMember = (v: JsonSchema, rest: object = {}): ObjectSchema => ({
  type: 'object',
  properties: { v },
  ...rest,
});

test.each<{ name: string; v: JsonSchema; want: JsonSchema }>([
  {
    name: 'text or null',
    v: { type: ['string', 'null'], description: 'A name', minLength: 2 },
    want: { description: 'A name', anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }] },
  },
  {
    name: 'an enum of two types',
    v: { type: ['string', 'integer'], enum: ['a', 3] },
    want: {
      anyOf: [
        { type: 'string', enum: ['a'] },
        { type: 'integer', enum: [3] },
      ],
    },
  },
  { name: 'a list of one', v: { type: ['string'] }, want: { type: 'string' } },
  {
    name: 'inside of items',
    v: { type: 'array', items: { type: ['string', 'null'] } },
    want: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
  },
  {
    name: 'beside alternatives',
    v: { type: ['string', 'integer'], anyOf: [{ const: 'a' }, { minimum: 2 }] },
    want: {
      anyOf: [
        { type: 'string', anyOf: [{ const: 'a' }, { minimum: 2 }] },
        { type: 'integer', anyOf: [{ const: 'a' }, { minimum: 2 }] },
      ],
    },
  },
])('types are split: $name', ({ v, want }) => {
  const before = withMember(v);
  const after = splitTypes(before);
  expect(after.properties?.['v']).toEqual(want);
  expectSame(before, after);
});

test.each<{ name: string; v: JsonSchema; defs: Record<string, JsonSchema>; want: JsonSchema }>([
  {
    name: 'with words beside it',
    v: { $ref: '#/$defs/A', description: 'Mine' },
    defs: { A: { type: 'string', description: 'Its own' } },
    want: { type: 'string', description: 'Mine' },
  },
  {
    name: 'with a limit beside it',
    v: { $ref: '#/$defs/A', maxLength: 1 },
    defs: { A: { type: 'string' } },
    want: { maxLength: 1, allOf: [{ type: 'string' }] },
  },
  {
    name: 'a chain',
    v: { $ref: '#/$defs/A' },
    defs: { A: { type: 'array', items: { $ref: '#/$defs/B' } }, B: { type: 'string' } },
    want: { type: 'array', items: { type: 'string' } },
  },
])('references are written as their targets: $name', ({ v, defs, want }) => {
  const before = withMember(v, { $defs: defs });
  const after = inlineReferences(before);
  expect(after).toEqual(withMember(want));
  expectSame(before, after);
});

test('a circle stays a reference', () => {
  const $defs: Record<string, JsonSchema> = { A: { type: 'array', items: { $ref: '#/$defs/A' } } };
  const before = withMember({ $ref: '#/$defs/A' }, { $defs });
  const after = inlineReferences(before);
  expect(after.$defs).toEqual($defs);
  expectSame(before, after);
});

test('a schema that would grow too much stays as it is', () => {
  const names = Array.from({ length: 13 }, (_, at) => `L${String(at)}`);
  const twice = (name: string): JsonSchema => ({
    anyOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }],
  });
  const $defs = Object.fromEntries(
    names.map((name, at) => [name, at === 12 ? true : twice(`L${String(at + 1)}`)]),
  );
  const before = withMember({ $ref: '#/$defs/L0' }, { $defs });
  expect(inlineReferences(before)).toBe(before);
});

const tree = {
  type: 'object',
  properties: { down: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
};
const post = operation({
  operationId: 'a'.repeat(63),
  summary: 'Cats and dogs',
  parameters: [query('age', { schema: { type: 'integer', nullable: true } })],
  requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } } },
});
const given = { paths: { '/pets': { post } }, components: { schemas: { Tree: tree } } };

test('each client takes what was rewritten for it, or a warning says what it refuses', async () => {
  for (const client of CLIENT_NAMES) {
    const { diagnostics, findings, model } = await lintDocument(given, { for: [client], clients: [client] });
    expect(model?.tools).toHaveLength(1);
    const left = diagnostics.filter(({ name }) => name === 'client-not-fitted').map(({ message }) => message);
    const refused = findings.filter(({ rule }) => rule.startsWith('client-'));
    const isRefused = client === 'adk';
    const want = [client, isRefused || client === 'openai' ? 1 : 0, isRefused ? 1 : 0];
    expect([client, left.length, refused.length]).toEqual(want);
  }
});

test('names have room for the name of the server', async () => {
  const { model } = await lintDocument(given, { for: ['gemini', 'cursor'], name: 'shop-of-pets-mcp' });
  const [tool] = model?.tools ?? [];
  expect('shop-of-pets-mcp'.length + (tool?.name.length ?? 0)).toBeLessThan(60);
});

test('a name without room is reported', async () => {
  const { diagnostics } = await lintDocument(given, { for: ['cursor'], name: 'x'.repeat(60) });
  const found = diagnostics.filter(({ name }) => name === 'client-not-fitted');
  expect(found.map(({ message }) => message)).toEqual([expect.stringContaining('cannot fit the name of')]);
});

test('a name in the lock stays, and is reported', async () => {
  const name = 'b'.repeat(64);
  const { model, diagnostics } = await lintDocument(given, {
    for: ['cursor'],
    nameLock: { 'POST /pets': name },
  });
  expect(model?.tools[0]?.name).toBe(name);
  expect(diagnostics.map((each) => each.name)).toContain('client-not-fitted');
});
