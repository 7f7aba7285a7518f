// Schemas of libraries check arguments and make their values; their issues are told as ours are.
import { expect, test } from 'vitest';
import type { SchemaCheck } from '../../templates/runtime/features/functions/binding.ts';
import type { SchemaObject } from '../../templates/runtime/types.ts';
import { ALL, inEach, plain, speaking } from './rules/speaking.ts';
import { subject } from './rules/subject.ts';

const NEWEST = '2026-07-28';

interface Issue {
  message: string;
  path?: (PropertyKey | { key: PropertyKey })[];
}
type Checked = { value: unknown } | { issues: Issue[] };
type Validate = (value: unknown) => Checked | Promise<Checked>;

interface Given {
  validate?: Validate;
  parameters?: 'object' | string[];
  checks?: Omit<SchemaCheck, 'module' | 'export'>[];
  input?: SchemaObject;
  properties?: Record<string, string>;
  exported?: unknown;
}

const INPUT: SchemaObject = {
  type: 'object',
  properties: { a: { type: 'string', minLength: 3 }, b: { type: 'number' }, c: {} },
  required: ['a'],
  additionalProperties: false,
};

/** A tool `f` that gives back its arguments, and `g`, which calls it. */
async function serving(revision: (typeof ALL)[number], given: Given) {
  const {
    validate = (value) => ({ value }),
    parameters = 'object',
    checks = [{}],
    input = INPUT,
    properties,
  } = given;
  const schema = { '~standard': { version: 1, vendor: 'own', validate } };
  const got: unknown[][] = [];
  const module = 'app/a.ts';
  const bound = checks.map((each) => ({ ...each, module: 'app/schemas.ts', export: 'S' }));
  const { put, reported } = await speaking(
    revision,
    subject(undefined, {
      catalog: {
        tools: [
          { name: 'f', inputSchema: input },
          { name: 'g', inputSchema: { type: 'object' } },
        ],
      },
      bindings: {
        tools: {
          f: {
            do: {
              kind: 'function',
              module,
              export: 'f',
              parameters,
              checks: bound,
              ...(properties && { properties }),
            },
          },
          g: { do: { kind: 'function', module, export: 'g', parameters: 'object', contextAt: 1 } },
        },
      },
      functions: {
        modules: {
          'app/a.ts': () =>
            Promise.resolve({
              f: (...args: unknown[]) => {
                got.push(args);
                return 'done';
              },
              g: async (args: object, context: { call: (tool: string, args: object) => unknown }) =>
                context.call('f', args),
            }),
          'app/schemas.ts': () => Promise.resolve({ S: 'exported' in given ? given.exported : schema }),
        },
      },
    }),
  );
  const call = async (args: object, name = 'f') => put('tools/call', { name, arguments: args });
  return { call, got, reported };
}

const issue = (message: string, ...path: NonNullable<Issue['path']>): Issue => ({
  message,
  path,
});

test.each<{ what: string; given: Given; args: object; want: unknown[]; isOfClients?: true }>([
  {
    what: 'its value',
    given: { validate: (value) => ({ value: { made: value } }) },
    args: { a: 'abc' },
    want: [{ made: { a: 'abc' } }],
  },
  {
    what: 'a value that is awaited',
    given: { validate: async () => ({ value: 7 }) },
    args: { a: 'abc' },
    want: [7],
  },
  {
    what: 'what the listed schema would refuse',
    given: {},
    args: { a: 'x', d: 1 },
    want: [{ a: 'x', d: 1 }],
  },
  {
    what: 'what was repaired first',
    isOfClients: true,
    given: {},
    args: { a: 'abc', b: '5' },
    want: [{ a: 'abc', b: 5 }],
  },
  {
    what: 'one argument',
    given: {
      parameters: ['a', 'b'],
      checks: [{ argument: 'a' }],
      validate: (value) => ({ value: `${value as string}!` }),
    },
    args: { a: 'x', b: 1 },
    want: ['x!', 1],
  },
  {
    what: 'an argument that is absent',
    given: {
      parameters: ['a', 'b'],
      checks: [{ argument: 'b' }],
      validate: (value) => ({ value: value ?? 'default' }),
    },
    args: { a: 'abc' },
    want: ['abc', 'default'],
  },
])('a function gets $what', async ({ given, args, want, isOfClients = false }) => {
  const { call, got, reported } = await serving(NEWEST, given);
  const { result } = await call(args);
  expect(plain(result)).toMatchObject({ content: [{ text: 'done' }] });
  // Arguments that code gives are not repaired.
  if (isOfClients) await call(args);
  else await call(args, 'g');
  expect(got).toEqual([want, want]);
  expect(reported).toEqual([]);
});

test.each(
  inEach<[Given, object, string[]]>(ALL, [
    [{ validate: () => ({ issues: [issue('Say more', 'a')] }) }, { a: 'x' }, ['`a`: Say more']],
    [
      { validate: () => ({ issues: [issue('no', { key: 'a' }, 0, Symbol('s')), issue('neither', 'b c')] }) },
      { a: 'abc' },
      ['`a[0]["Symbol(s)"]`: no', '`["b c"]`: neither'],
    ],
    [
      { validate: () => ({ issues: Array.from({ length: 30 }, () => issue('no')) }) },
      { a: 'abc' },
      Array.from({ length: 20 }, () => 'no'),
    ],
    [
      { parameters: ['a', 'b'], checks: [{ argument: 'a' }] },
      { a: 'x', b: 'y' },
      ['`a` must have at least 3 characters but has 1', '`b` must be a number but is "y"'],
    ],
    [
      {},
      JSON.parse('{"a":"abc","c":{"__proto__":{"x":1}}}') as object,
      ['`c` must have no member `__proto__`'],
    ],
  ]),
)('%s: %j refuses %j', async (revision, given, args, lines) => {
  const { call, got } = await serving(revision, given);
  const { result, error } = await call(args);
  const isError = revision < '2025-11-25';
  const text = isError ? error?.message : (plain(result) as { content: { text: string }[] }).content[0]?.text;
  const [head, ...told] = String(text).split('\n- ');
  expect(head).toBe('The arguments of f do not match its input schema:');
  expect(told).toHaveLength(lines.length);
  for (const [at, line] of lines.entries()) expect(told[at]).toContain(line);
  expect(got).toEqual([]);
});

test.each([
  {
    what: 'that throws',
    given: {
      validate: () => {
        throw new Error('secret');
      },
    },
  },
  { what: 'that is none', given: { exported: undefined } },
])('a schema $what is a failure of the function, told to its author', async ({ given }) => {
  const { call, got, reported } = await serving(NEWEST, given);
  const { result, error } = await call({ a: 'abc' });
  expect(JSON.stringify(error ?? result)).not.toContain('secret');
  expect(error ?? (plain(result) as { isError?: boolean }).isError).toBeTruthy();
  expect(got).toEqual([]);
  expect(reported.length).toBeGreaterThan(0);
});
