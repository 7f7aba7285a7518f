// What `elicit` takes beside an object of JSON Schema: fields by their names, and Standard JSON Schemas.
import { expect, test } from 'vitest';
import type { Context, FormSchema } from '../../../templates/runtime/types.ts';
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
    },
    validate: async (value: unknown): Promise<object> => {
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
} as const satisfies FormSchema;

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
    '~standard': { ...standard['~standard'], jsonSchema: input && { input } },
  };
}
