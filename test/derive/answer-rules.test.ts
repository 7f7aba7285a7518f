/** What is kept of answers: rules in, the binding, the argument and the listed schema out. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  pickAndDropMembers,
  keepMembers,
  parseMemberPaths,
} from '../../templates/runtime/features/answer-rules.ts';
import { makeSchemaTest } from '../../src/util/check-values.ts';
import { omitUndefined } from '../../src/util/collections.ts';
import type { DeriveOptions } from '../../src/derive/index.ts';
import type { Operation, SourceModel, XMcp } from '../../src/model/source-model.ts';
import type { HttpBinding } from '../../src/model/bindings.ts';
import type { Json, JsonSchema, JsonSchemaObject } from '../../src/util/json-schema.ts';
import { derive, deriveTool, operation, response, source } from './support.ts';

const json = 'application/json';
const user: JsonSchemaObject = {
  type: 'object',
  required: ['login', 'id'],
  properties: { login: { type: 'string' }, id: { type: 'integer' } },
  additionalProperties: false,
};
const schemas: Record<string, JsonSchema> = {
  user,
  tree: { type: 'object', properties: { leaf: {}, below: { $ref: '#/$defs/tree' } } },
};
const repo: JsonSchema = {
  type: 'object',
  required: ['id', 'owner'],
  minProperties: 2,
  properties: { id: { type: 'integer' }, name: { type: 'string' }, owner: { $ref: '#/$defs/user' } },
};

function given(xMcp: XMcp | undefined, schema: JsonSchema = repo, more: Partial<Operation> = {}): Operation {
  return operation('GET /r', {
    operationId: 'read',
    responses: [response('200', json, schema)],
    ...(xMcp && { xMcp }),
    ...more,
  });
}

const resultOf = (one: Operation, options: DeriveOptions = {}, rest: Partial<SourceModel> = {}) =>
  (deriveTool(one, { schemas, ...rest }, options).binding as HttpBinding).result;

/** Without `_response`. */
function strictly(xMcp: XMcp, schema: JsonSchema = repo): object {
  const options: DeriveOptions = { outputSchema: 'strict' };
  const { properties = {}, ...rest } =
    deriveTool(given(xMcp, schema), { schemas }, options).outputSchema ?? {};
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => name !== '_response')),
  };
}

const login = { login: { type: 'string' } };

test.each<[string, XMcp, JsonSchema, object]>([
  [
    'select lists only what can come, and requires no more',
    { output: { select: ['id', 'owner.login'] } },
    repo,
    {
      type: 'object',
      required: ['id', 'owner'],
      properties: {
        id: { type: 'integer' },
        owner: { type: 'object', required: ['login'], properties: login, additionalProperties: false },
      },
    },
  ],
  [
    'drop does not require what it removes',
    { output: { drop: ['id', 'owner.id'] } },
    repo,
    {
      type: 'object',
      required: ['owner'],
      properties: {
        name: { type: 'string' },
        owner: { type: 'object', required: ['login'], properties: login, additionalProperties: false },
      },
    },
  ],
  [
    'with fields nothing is required, in shared schemas neither',
    { fields: true },
    repo,
    {
      type: 'object',
      properties: { id: { type: 'integer' }, name: { type: 'string' }, owner: { $ref: '#/$defs/user' } },
      $defs: {
        user: {
          type: 'object',
          properties: { login: { type: 'string' }, id: { type: 'integer' } },
          additionalProperties: false,
        },
      },
    },
  ],
  [
    'alternatives that may look alike need not exclude each other',
    { output: { select: ['a.x'] } },
    {
      type: 'object',
      properties: {
        a: {
          oneOf: [
            { type: 'object', required: ['x'], properties: { x: { type: 'string' }, y: { const: 1 } } },
            { type: 'object', required: ['x'], properties: { x: { type: 'string' }, y: { const: 2 } } },
          ],
        },
      },
    },
    {
      type: 'object',
      properties: {
        a: {
          anyOf: [
            { type: 'object', required: ['x'], properties: { x: { type: 'string' } } },
            { type: 'object', required: ['x'], properties: { x: { type: 'string' } } },
          ],
        },
      },
    },
  ],
  [
    'a map has the selected members',
    { output: { select: ['m.a'] } },
    { type: 'object', properties: { m: { type: 'object', additionalProperties: { type: 'integer' } } } },
    { type: 'object', properties: { m: { type: 'object', properties: { a: { type: 'integer' } } } } },
  ],
  [
    'a schema that holds itself is written out as deep as the rule goes',
    { output: { drop: ['below.below.leaf'] } },
    { $ref: '#/$defs/tree' },
    {
      type: 'object',
      properties: {
        leaf: {},
        below: {
          type: 'object',
          properties: {
            leaf: {},
            below: { type: 'object', properties: { below: { $ref: '#/$defs/tree' } } },
          },
        },
      },
      $defs: { tree: schemas['tree'] },
    },
  ],
])('strict: %s', (_what, xMcp, schema, want) => {
  expect(strictly(xMcp, schema)).toEqual(want);
});

test.each<[string, XMcp | undefined, XMcp | undefined, DeriveOptions, object | undefined]>([
  ['nothing', undefined, undefined, {}, undefined],
  ['an operation', { output: { select: ['id'] } }, undefined, {}, { select: { id: true } }],
  ['the document', undefined, { output: { drop: ['owner.id'] } }, {}, { drop: { owner: { id: true } } }],
  [
    'names of the document that this answer does not have',
    undefined,
    { output: { select: ['data'], drop: ['_links', 'id'] } },
    {},
    { drop: { id: true } },
  ],
  [
    'the operation wins over the document, member by member',
    { output: { drop: ['id'] } },
    { output: { select: ['name'], drop: ['owner'] } },
    {},
    { select: { name: true }, drop: { id: true } },
  ],
  ['an empty list undoes', { output: { drop: [] } }, { output: { drop: ['owner'] } }, {}, undefined],
  [
    'the configuration wins over both',
    { output: { select: ['name'] } },
    undefined,
    { tools: { read: { output: { select: ['id'] } } } },
    { select: { id: true } },
  ],
])('rules: %s', (_what, own, ofDocument, options, want) => {
  const result = resultOf(given(own), options, ofDocument === undefined ? {} : { xMcp: ofDocument });
  expect(result).toEqual({ accept: [json], ...want });
});

const names = { id: {}, name: {}, owner: { login: {}, id: {} } };

test.each<[string, XMcp | undefined, XMcp | undefined, DeriveOptions, object | undefined]>([
  ['off', undefined, undefined, {}, undefined],
  ['an operation', { fields: true }, undefined, {}, names],
  ['the document', undefined, { fields: true }, {}, names],
  ['one tool', undefined, undefined, { tools: { read: { fields: true } } }, names],
  ['not this operation', { fields: false }, { fields: true }, {}, undefined],
  ['not this tool', { fields: true }, undefined, { tools: { read: { fields: false } } }, undefined],
  [
    'what is kept',
    { fields: true, output: { select: ['id', 'owner'], drop: ['owner.id'] } },
    undefined,
    {},
    { id: {}, owner: { login: {} } },
  ],
])('fields: %s', (_what, own, ofDocument, options, want) => {
  const tool = deriveTool(given(own), { schemas, ...(ofDocument && { xMcp: ofDocument }) }, options);
  const { fields } = (tool.binding as HttpBinding).result ?? {};
  expect(fields).toEqual(want && { argument: 'fields', names: want });
  expect(Object.keys(tool.inputSchema.properties ?? {})).toEqual(want === undefined ? [] : ['fields']);
  expect(tool.inputSchema.required).toBeUndefined();
});

test.each<[string, JsonSchema, unknown]>([
  ['a map', { type: 'object', additionalProperties: { type: 'integer' } }, true],
  ['an object of any members', { type: 'object' }, true],
  ['properties and others', { type: 'object', properties: { a: {} }, additionalProperties: true }, true],
  [
    'a list of alternatives, one of them null',
    {
      type: 'array',
      items: {
        anyOf: [{ $ref: '#/$defs/user' }, { type: 'null' }, { properties: { b: { type: 'string' } } }],
      },
    },
    { login: {}, id: {}, b: {} },
  ],
  ['joined parts', { allOf: [{ $ref: '#/$defs/user' }, { required: ['id'] }] }, { login: {}, id: {} }],
  [
    'a member of unknown type',
    { type: 'object', properties: { a: { description: 'Any.' }, b: { enum: [1] } } },
    { a: true, b: {} },
  ],
  [
    'a schema that holds itself, as deep as names are kept',
    { $ref: '#/$defs/tree' },
    {
      leaf: true,
      below: { leaf: true, below: { leaf: true, below: { leaf: true, below: { leaf: true, below: true } } } },
    },
  ],
])('names of %s', (_what, schema, want) => {
  expect(resultOf(given({ fields: true }, schema))?.fields?.names).toEqual(want);
});

test('an answer without members has no such argument; who asked for it hears that', () => {
  const text = { responses: [response('200', 'text/plain', { type: 'string' })] };
  for (const more of [
    text,
    { responses: [response('204')] },
    { responses: [response('200', json, { type: 'integer' })] },
  ]) {
    const quiet = derive(source([given(undefined, repo, more)], { xMcp: { fields: true } }));
    expect(quiet.problems).toEqual([]);
    expect(quiet.model.tools[0]?.inputSchema.properties).toEqual({});
    expect(derive(source([given({ fields: true }, repo, more)])).problems).toEqual(['rule-without-effect']);
  }
});

test.each<[string, XMcp, DeriveOptions, RegExp | undefined]>([
  ['select', { output: { select: ['nane'] } }, {}, /`read` names `nane`.*Did you mean `name`\?/],
  ['drop', { output: { drop: ['owner.logn'] } }, {}, /Did you mean `owner.login`\?/],
  ['the configuration', {}, { tools: { read: { output: { drop: ['x.y.z'] } } } }, /Correct the name/],
  ['a dot in a name', { output: { drop: ['owner\\.login'] } }, {}, /names `owner\\\.login`/],
  ['known ones', { output: { select: ['owner.login', 'id'] } }, {}, undefined],
])('a name that no answer has: %s', (_what, xMcp, options, want) => {
  const { problems, messages } = derive(source([given(xMcp)], { schemas }), options);
  expect(problems).toEqual(want === undefined ? [] : ['rule-without-effect']);
  if (want !== undefined) expect(messages[0]).toMatch(want);
});

const key = fc.constantFrom('a', 'b', 'c');
const subset = fc.subarray(['a', 'b', 'c']);

const { schema: anySchema, object: anyObject } = fc.letrec<{ schema: JsonSchema; object: JsonSchema }>(
  (tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<JsonSchema>({ type: 'integer' }, { type: 'null' }, {}, { $ref: '#/$defs/pool' }),
      tie('object'),
      tie('schema').map((items): JsonSchema => ({ type: 'array', items })),
      fc
        .tuple(
          fc.constantFrom('anyOf', 'oneOf', 'allOf'),
          fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        )
        .map(([keyword, parts]): JsonSchema => ({ [keyword]: parts })),
    ),
    object: fc
      .tuple(
        fc.dictionary(key, tie('schema')),
        subset,
        fc.option(fc.oneof(fc.boolean(), tie('schema')), { nil: undefined }),
        fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
      )
      .map(([properties, required, additionalProperties, minProperties]) =>
        omitUndefined({ type: 'object', properties, required, additionalProperties, minProperties }),
      ) as fc.Arbitrary<JsonSchema>,
  }),
);

const anyValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(1, null, 'x'),
    fc.dictionary(key, tie('value')),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
})).value;

const paths = fc.array(
  fc.array(key, { minLength: 1, maxLength: 3 }).map((names) => names.join('.')),
  { maxLength: 2 },
);

test('strict: what is kept of a valid answer fits the listed schema', () => {
  const check = (schema: JsonSchemaObject | undefined, value: Json): boolean =>
    schema === undefined || makeSchemaTest(schema)(value);
  fc.assert(
    fc.property(anySchema, anyObject, paths, paths, fc.array(anyValue), (top, pool, select, drop, values) => {
      const schema: JsonSchema = { type: 'object', properties: { a: top, b: top } };
      const options: DeriveOptions = { outputSchema: 'strict', outputSchemaLimit: 1e6 };
      const listedFor = (xMcp: XMcp) =>
        derive(source([given(xMcp, schema)], { schemas: { pool } }), options).model.tools[0];
      const whole = listedFor({})?.outputSchema;
      const tool = listedFor({ output: { select, drop } });
      const partial = listedFor({ fields: true })?.outputSchema;
      for (const value of values.map((a) => ({ a }))) {
        if (!check(whole, value)) continue;
        const kept = pickAndDropMembers(value, (tool?.binding as HttpBinding).result ?? {}) as Json;
        expect(check(tool?.outputSchema, kept), JSON.stringify([value, kept, tool?.outputSchema])).toBe(true);
        const chosen = keepMembers(value, parseMemberPaths(select), false) as Json;
        expect(check(partial, chosen), JSON.stringify([value, chosen, partial])).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
