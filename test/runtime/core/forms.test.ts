// What `elicit` takes beside an object of JSON Schema: fields by their names, and Standard JSON Schemas.
import { expect, test } from 'vitest';
import type {
  Context,
  FormSchema,
  StandardJSONSchemaV1,
  StandardSchemaV1,
} from '../../../templates/runtime/index.ts';
import type { StandardResult } from '../../../templates/runtime/questions.ts';
import { typeErrors } from '../../docs/type-errors.ts';
import { asked } from '../rules/asking.ts';

const CAN_ASK = { elicitation: {} };
const REVISIONS = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;

async function fill(revision: (typeof REVISIONS)[number], form: FormSchema, content: object) {
  const work = async ({ elicit }: Context) => JSON.stringify(await elicit('Who?', form));
  const { question, reply, words } = await asked(revision, work, CAN_ASK, { action: 'accept', content });
  return { schema: question?.params?.['requestedSchema'], told: reply.error?.message ?? words };
}

/** As a library makes it: an age as a text becomes a number. */
const standard = {
  '~standard': {
    version: 1,
    vendor: 'lib',
    jsonSchema: {
      input: ({ target }: { target: string }) => ({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: target,
        type: 'object',
        properties: { age: { type: 'string' } },
        required: ['age'],
      }),
      output: () => ({ type: 'object' }),
    },
    validate: async (value: unknown): Promise<StandardResult<{ age: number }>> => {
      const age = Number((value as { age: string }).age);
      if (age >= 18) return { value: { age } };
      return {
        issues: [
          { message: 'Too young', path: ['age'] },
          { message: 'Ask again', path: [] },
        ],
      };
    },
  },
} satisfies StandardJSONSchemaV1 & StandardSchemaV1;

test.each(REVISIONS)('%s: fields by their names are asked for as an object', async (revision) => {
  const form = {
    age: { type: 'integer', minimum: 0 },
    nick: { type: 'string', required: false },
    required: { type: 'boolean' },
  } as const;
  const { schema, told } = await fill(revision, form, { age: 7, required: true });
  expect(schema).toEqual({
    type: 'object',
    properties: {
      age: { type: 'integer', minimum: 0 },
      nick: { type: 'string' },
      required: { type: 'boolean' },
    },
    required: ['age', 'required'],
  });
  expect(JSON.parse(told)).toEqual({ action: 'accept', content: { age: 7, required: true } });
});

test('a field called type, and no field that must be filled in', async () => {
  const { schema, told } = await fill('2025-11-25', { type: { type: 'string', required: false } }, {});
  expect(schema).toEqual({ type: 'object', properties: { type: { type: 'string' } } });
  expect(JSON.parse(told)).toEqual({ action: 'accept', content: {} });
});

test.each(REVISIONS)(
  '%s: a Standard JSON Schema asks by its input, and gives its output',
  async (revision) => {
    const { schema, told } = await fill(revision, standard, { age: '20' });
    const properties = { age: { type: 'string' } };
    expect(schema).toEqual({ title: 'draft-2020-12', type: 'object', properties, required: ['age'] });
    expect(JSON.parse(told)).toEqual({ action: 'accept', content: { age: 20 } });
  },
);

test('a schema may be a function', async () => {
  const { told } = await fill(
    '2025-11-25',
    Object.assign(() => undefined, standard),
    { age: '20' },
  );
  expect(JSON.parse(told)).toEqual({ action: 'accept', content: { age: 20 } });
});

test.each<[string, FormSchema, object, string]>([
  [
    'what the schema itself refuses',
    standard,
    { age: '7' },
    'What was filled in does not match the form: `age`: Too young; Ask again.',
  ],
  [
    'what its JSON Schema refuses',
    standard,
    { age: 20 },
    'What was filled in does not match the form: `age` must be a string but is 20.',
  ],
  [
    'a field that is missing',
    { age: { type: 'integer' } },
    {},
    'What was filled in does not match the form: `age` is required but missing.',
  ],
  [
    'an integer that no number can hold',
    { age: { type: 'integer' } },
    { age: 2n ** 60n },
    'What was filled in does not match the form: `age` is beyond ±2^53.',
  ],
])('an answer is refused: %s', async (_, form, content, words) => {
  expect((await fill('2025-11-25', form, content)).told).toBe(words);
  expect((await fill('2026-07-28', form, content)).told).toContain(words);
});

const NESTED =
  'The field `home` cannot be part of a form: fields are texts, numbers, booleans, and choices among texts.';

test.each<[string, unknown, string]>([
  ['an object in a field', { home: { type: 'object' } }, NESTED],
  ['a field that is a text', { home: 'string' }, NESTED],
  ['no object', 'age', 'A form is made of fields: `{ age: { type: "integer" } }`.'],
  [
    'a schema with an object inside',
    withSchema(() => ({ type: 'object', properties: { home: { type: 'object' } } })),
    NESTED,
  ],
  [
    'a schema of something else',
    withSchema(() => ({ type: 'string' })),
    'A form is an object, but the schema of lib is of another type.',
  ],
  [
    'a schema that has no JSON Schema',
    withSchema(() => {
      throw new Error('Dates cannot be represented.');
    }),
    "lib can't say the schema as JSON Schema: Dates cannot be represented.",
  ],
  [
    'a schema of an old version',
    withSchema(undefined),
    'The schema of lib has no `~standard.jsonSchema`: a newer version may have it.',
  ],
])('nobody is asked: %s', async (_, form, words) => {
  const { schema, told } = await fill('2025-11-25', form as FormSchema, {});
  expect([schema, told]).toEqual([undefined, words]);
});

function withSchema(input: (() => object) | undefined): object {
  return {
    '~standard': { ...standard['~standard'], jsonSchema: input && { input, output: input } },
  };
}

const HEAD = `import type { Context, ElicitAnswer, StandardJSONSchemaV1 } from 'mcpgen/runtime';
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Content<A> = A extends { action: 'accept'; content: infer C } ? C : never;
declare const context: Context;
declare const library: <I, O>() => StandardJSONSchemaV1<I, O>;
const { elicit } = context;
`;

/** Each schema, and the type of its answer. */
const TYPED: readonly [string, string][] = [
  ['{ a: { type: "string" } }', '{ a: string }'],
  ['{ a: { type: "number" }, b: { type: "integer", minimum: 0 } }', '{ a: number; b: number }'],
  ['{ a: { type: "boolean", default: true, title: "A" } }', '{ a: boolean }'],
  ['{ a: { type: "string", required: false }, b: { type: "boolean" } }', '{ b: boolean; a?: string }'],
  ['{ a: { type: "string", required: true, format: "date" } }', '{ a: string }'],
  ['{ a: { type: "string", enum: ["x", "y"], enumNames: ["X", "Y"] } }', '{ a: "x" | "y" }'],
  ['{ a: { type: "string", oneOf: [{ const: "x", title: "X" }] } }', '{ a: "x" }'],
  ['{ a: { type: "array", items: { type: "string", enum: ["x", "y"] } } }', '{ a: ("x" | "y")[] }'],
  ['{ a: { type: "array", items: { anyOf: [{ const: "x", title: "X" }] } } }', '{ a: "x"[] }'],
  ['{ type: { type: "string" } }', '{ type: string }'],
  ['{ type: "object", properties: { a: { type: "string" } }, required: ["a"] }', '{ a: string }'],
  ['{ type: "object", properties: { a: { type: "string", enum: ["x"] } } }', '{ a?: "x" }'],
  ['library<{ a: string }, { a: number }>()', '{ a: number }'],
  ['library<{ a: unknown }, { a: number }>()', '{ a: number }'],
  ['library<{ a?: string[] | undefined }, { a: string[] }>()', '{ a: string[] }'],
];

/** Each schema that no form can be, and words of the error. */
const REFUSED: readonly [string, string][] = [
  ['{ home: { type: "object", properties: {} } }', NESTED],
  ['{ type: "object", properties: { home: { type: "object" } } }', NESTED],
  ['{ home: "string" }', NESTED],
  ['{ home: { type: "array" } }', NESTED],
  ['library<{ home: { street: string } }, unknown>()', NESTED],
  ['library<{ home: string | null }, unknown>()', NESTED],
  ['{ a: { type: "integer", minimum: "0" } }', 'The field `a` of a form cannot have this `minimum`.'],
  ['{ a: { type: "integer", multipleOf: 3 } }', 'The field `a` of a form cannot have `multipleOf`.'],
  ['{ a: { type: "string", format: "password" } }', 'The field `a` of a form cannot have this `format`.'],
  [
    '{ a: { type: "array", items: { type: "string" } } }',
    'The field `a` of a form cannot have this `items`.',
  ],
  ['{ type: "object", properties: {}, allOf: [] }', 'A form cannot have `allOf`.'],
  ['wide', 'The type of the field `a` is only known to be a text: add `as const` to the schema.'],
];

test('a wrong schema is an error with words, and the answer has the type that the schema says', () => {
  const typed = TYPED.map(
    ([schema, type], at) => `const a${at} = await elicit('?', ${schema});
const b${at}: Same<Content<typeof a${at}>, ${type}> = true;
if (a${at}.action !== 'accept') a${at}.content satisfies undefined;
void b${at};`,
  );
  const refused = REFUSED.map(([schema]) => `await elicit('?', ${schema});`);
  const uses = `const answer = await elicit('?', { age: { type: 'integer' } });
answer.content.age;
if (answer.action === 'accept') answer.content.name;
`;
  const wide = "const wide = { a: { type: 'string' } };";
  expect(typeErrors([HEAD, ...typed, wide, ...refused, uses].join('\n'))).toEqual([
    ...REFUSED.map(([, words]) => expect.stringContaining(words) as string),
    expect.stringContaining('possibly'),
    expect.stringContaining("'name' does not exist"),
  ]);
});
