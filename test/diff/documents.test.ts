// Changes of a document and their meaning for clients. Each row: given what is written in the old
// one and in the new one, wanted what `mcpgen diff` says.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { describeChange } from '../../src/cli/render-diff.ts';
import { type CompileOptions, diff } from '../../src/index.ts';

type Part = Record<string, unknown>;
interface Row {
  what: string;
  given: [old: Part, now: Part];
  want: string[];
}

const root = mkdtempSync(join(tmpdir(), 'mcpgen-diff-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

let documents = 0;

function side(paths: Part, { filter = {}, more = {} }: { filter?: Partial<CompileOptions>; more?: Part }) {
  const folder = join(root, String(documents++));
  mkdirSync(folder);
  const source = join(folder, 'pets.json');
  const server = { servers: [{ url: 'https://pets.example.com' }] };
  writeFileSync(
    source,
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1.0.0' },
      ...server,
      ...more,
      paths,
    }),
  );
  return { compile: { source, outputSchema: 'strict', ...filter } satisfies CompileOptions };
}

/** `effect tool name: words`. Of the tools `addPet` and `pets` without their names. */
async function said(before: Part, after: Part, options: Parameters<typeof side>[1] = {}): Promise<string[]> {
  const compared = await diff({ before: side(before, options), after: side(after, options) });
  expect(compared.ok, JSON.stringify(compared.diagnostics)).toBe(true);
  const { changes = [], breaking, compatible } = compared.diff ?? {};
  const effects = changes.map(({ effect }) => effect);
  expect([breaking, compatible]).toEqual(
    ['breaking', 'compatible'].map((effect) => effects.filter((each) => each === effect).length),
  );
  return changes.map((change) => {
    const of = ['addPet', 'pets'].includes(change.name) ? '' : ` ${change.item} ${change.name}`;
    return `${change.effect}${of}: ${describeChange(change)}`;
  });
}

const done = { '204': { description: 'Done' } };
const json = (schema: Part) => ({ content: { 'application/json': { schema } } });
const operation = (changes: Part) => ({
  '/pets': { post: { operationId: 'addPet', description: 'Adds one.', responses: done, ...changes } },
});
const query = (schema: Part, more: Part = {}) => ({
  parameters: [{ name: 'q', in: 'query', schema, ...more }],
});
const body = (schema: Part, more: Part = {}) => ({ requestBody: { ...json(schema), ...more } });
const answer = (schema: Part) => ({ responses: { '200': { description: 'A pet', ...json(schema) } } });
const object = (properties: Part, ...required: string[]) => ({ type: 'object', properties, required });
const a = (schema: Part, ...required: string[]) => object({ a: schema }, ...required);
const text = { type: 'string' };
const integer = { type: 'integer' };
const orNull = { type: ['string', 'null'] };
const list = (more: Part = {}) => ({ type: 'array', items: text, ...more });

const PARAMETERS: Row[] = [
  { what: 'nothing', given: [query(text), query(text)], want: [] },
  { what: 'a new one', given: [{}, query(text)], want: ['compatible: argument q: added'] },
  { what: 'one gone', given: [query(text), {}], want: ['breaking: argument q: removed'] },
  { what: 'another place', given: [query(text), query(text, { in: 'header' })], want: [] },
  { what: 'another style', given: [query(list()), query(list(), { explode: false })], want: [] },
  {
    what: 'a lower maximum',
    given: [query({ ...integer, maximum: 9 }), query({ ...integer, maximum: 5 })],
    want: ['breaking: argument q: maximum changed from 9 to 5'],
  },
  {
    what: 'fewer of a kind are enough',
    given: [
      query(list({ contains: { const: 'a' } })),
      query(list({ contains: { const: 'a' }, minContains: 0, maxContains: 9 })),
    ],
    want: [
      'compatible: argument q: minContains changed from 1 to 0',
      'breaking: argument q: maxContains 9 set',
    ],
  },
  {
    what: 'another default',
    given: [query({ ...integer, default: 5 }), query({ ...integer, default: 9 })],
    want: ['breaking: argument q: default 5 changed to 9'],
  },
];

const BODIES: Row[] = [
  { what: 'a first one, optional', given: [{}, body(a(text))], want: ['compatible: argument a: added'] },
  { what: 'gone', given: [body(a(text)), {}], want: ['breaking: argument a: removed'] },
  {
    what: 'required now',
    given: [body(a(text, 'a')), body(a(text, 'a'), { required: true })],
    want: ['breaking: argument a: required now'],
  },
  {
    what: 'a member that is read alone now',
    given: [body(object({ a: text, b: text })), body(object({ a: text, b: { ...text, readOnly: true } }))],
    want: ['breaking: argument b: removed'],
  },
  {
    what: 'no other members any more',
    given: [body(a(text)), body({ ...a(text), additionalProperties: false })],
    want: [],
  },
  {
    what: 'another media type',
    given: [
      body(a(text)),
      { requestBody: { content: { 'application/x-www-form-urlencoded': { schema: a(text) } } } },
    ],
    want: [],
  },
];

const ANSWERS: Row[] = [
  { what: 'a first one', given: [{}, answer(a(text))], want: ['compatible: result: output schema added'] },
  {
    what: 'a list in place of one',
    given: [answer(a(text)), answer({ type: 'array', items: a(text) })],
    want: ['breaking: result a: removed', 'compatible: result result: added, and required'],
  },
  {
    what: 'a member that is written alone now',
    given: [
      answer(object({ a: text, b: text })),
      answer(object({ a: text, b: { ...text, writeOnly: true } })),
    ],
    want: ['breaking: result b: removed'],
  },
];

const OPERATIONS: Row[] = [
  {
    what: 'another title',
    given: [{ summary: 'Add' }, { summary: 'Add a pet' }],
    want: ['compatible: title changed', 'compatible: description changed'],
  },
  {
    what: 'another name',
    given: [{}, { operationId: 'createPet' }],
    want: ['breaking tool createPet: renamed from addPet', 'compatible tool createPet: title changed'],
  },
  { what: 'deprecated', given: [{}, { deprecated: true }], want: ['compatible: deprecated'] },
  {
    what: 'a name by x-mcp',
    given: [{}, { 'x-mcp': { name: 'new_pet' } }],
    want: ['breaking tool new_pet: renamed from addPet'],
  },
  { what: 'left out by x-mcp', given: [{}, { 'x-mcp': false }], want: ['breaking: removed'] },
  {
    what: 'a hint by x-mcp',
    given: [{}, { 'x-mcp': { annotations: { readOnlyHint: true } } }],
    want: ['compatible: readOnlyHint changed from false to true'],
  },
];

const OTHER = { '/others': { post: { operationId: 'other', tags: ['public'], responses: done } } };

/** A path item of one operation. */
const at = (path: string, method: string, changes: Part = {}) => ({
  [path]: { [method]: { operationId: 'pets', responses: done, ...changes } },
});
const id = (schema: Part) => ({ parameters: [{ name: 'id', in: 'path', required: true, schema }] });
const needs = (...scopes: string[]) => ({ security: [{ login: scopes }] });
const flow = { tokenUrl: 'https://pets.example.com/token', scopes: { read: 'Read', write: 'Write' } };
const scheme = {
  components: {
    securitySchemes: {
      login: { type: 'oauth2', flows: { clientCredentials: flow } },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    },
  },
};
const tagged = (tag: string) => operation({ tags: [tag] });

const PATHS: (Row & { options?: Parameters<typeof side>[1] })[] = [
  { what: 'an operation gone', given: [operation({}), {}], want: ['breaking: removed'] },
  { what: 'a new operation', given: [{}, operation({})], want: ['compatible: added'] },
  {
    what: 'the order of operations',
    given: [
      { ...OTHER, ...operation({}) },
      { ...operation({}), ...OTHER },
    ],
    want: [],
  },
  {
    what: 'another path',
    given: [at('/pets', 'post'), at('/animals', 'post')],
    want: [],
  },
  {
    what: 'another method',
    given: [at('/pets', 'put'), at('/pets', 'post')],
    want: ['breaking: idempotentHint changed from true to false'],
  },
  {
    what: 'another variable of the path',
    given: [at('/pets/{id}', 'put', id(text)), at('/pets/{id}', 'put', id(integer))],
    want: ['breaking: argument id: type changed from string to integer'],
  },
  {
    what: 'a resource that takes an argument now',
    given: [
      at('/pets', 'get', answer(a(text))),
      at('/pets', 'get', { ...answer(a(text)), ...query(text, { required: true }) }),
    ],
    want: ['breaking: argument q: added, and required', 'breaking resource pets://pets: removed'],
  },
  {
    what: 'another path of a resource',
    given: [at('/pets', 'get', answer(a(text))), at('/animals', 'get', answer(a(text)))],
    want: ['compatible resource pets://animals: added', 'breaking resource pets://pets: removed'],
  },
  {
    what: 'another tag than is served',
    given: [tagged('public'), tagged('internal')],
    options: { filter: { include: ['tag:public'] } },
    want: ['breaking: removed'],
  },
  { what: 'another tag, all being served', given: [tagged('public'), tagged('internal')], want: [] },
  {
    what: 'a key, which the server sends',
    given: [operation({}), operation({ security: [{ key: [] }] })],
    options: { more: scheme },
    want: [],
  },
  {
    what: 'another scope',
    given: [operation(needs('read')), operation(needs('write'))],
    options: { more: scheme },
    want: ['breaking: scope write needed', 'compatible: scope read no longer needed'],
  },
];

describe.each([
  { place: 'parameters', rows: PARAMETERS },
  { place: 'bodies', rows: BODIES },
  { place: 'answers', rows: ANSWERS },
  { place: 'operations', rows: OPERATIONS },
])('$place', ({ rows }) => {
  test.each(rows)('$what', async ({ given: [old, now], want }) => {
    expect(await said({ ...operation(old), ...OTHER }, { ...operation(now), ...OTHER })).toEqual(want);
  });
});

test.each(PATHS)('$what', async ({ given: [old, now], options, want }) => {
  expect(await said({ ...old, ...OTHER }, { ...now, ...OTHER }, options)).toEqual(want);
});

test('schemas that are named, or nullable as 3.0 has it, are the same', async () => {
  const named = { components: { schemas: { A: a(orNull) } } };
  const ref = { $ref: '#/components/schemas/A' };
  const older = { openapi: '3.0.3', components: { schemas: { A: a({ ...text, nullable: true }) } } };
  const before = side(operation({ ...body(a(orNull)), ...answer(a(orNull)) }), {});
  for (const more of [named, older]) {
    const after = side(operation({ ...body(ref), ...answer(ref) }), { more });
    expect((await diff({ before, after })).diff).toEqual({ breaking: 0, compatible: 0, changes: [] });
  }
});
