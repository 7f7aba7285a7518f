// Arguments, tools and variables keep the names that the code gives them; what clients refuse is told where it stands.
import { beforeAll, describe, expect, test } from 'vitest';
import { type CompiledFiles, compileFiles, toolNamed } from './compile-files.ts';

const long = 'a'.repeat(65);

interface Row {
  given: string;
  want: string[];
  /** The binding's: the function's names by those that are listed. */
  mapped?: Record<string, string>;
  /** Of the file, without its severity. */
  told?: string[];
}

const characters = 'clients accept letters, digits, "_", "-" and "." alone';

const rows: Row[] = [
  { given: '_id: string, id: string', want: ['_id', 'id'] },
  {
    given: 'o: { created__gte?: Date; created_gte?: Date; _: string }',
    want: ['created__gte', 'created_gte', '_'],
  },
  { given: '__: string, class_: string', want: ['__', 'class_'] },
  { given: "o: { '-.': string; 'a.b': string }", want: ['-.', 'a.b'] },
  { given: `${long.slice(1)}: string, b: string`, want: [long.slice(1), 'b'] },
  {
    given: 'größe: string, grosse: string',
    want: ['grosse_2', 'grosse'],
    mapped: { grosse_2: 'größe' },
    told: [`20: größe is called grosse_2: ${characters}.`],
  },
  {
    given: `a: string, ${long}: string`,
    want: ['a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    mapped: { aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: long },
    told: [
      `31: ${long} is called aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: a name has 64 characters at most.`,
    ],
  },
  {
    given: 'a: string, __proto__: string',
    want: ['a', 'proto'],
    mapped: { proto: '__proto__' },
    told: ['31: __proto__ is called proto: in JavaScript it is the name of something else.'],
  },
  {
    given: 'o: { $a?: string; b: string }',
    want: ['a', 'b'],
    mapped: { a: '$a' },
    told: [`25: $a is called a: ${characters}.`],
  },
];

describe('arguments', () => {
  let compiled: CompiledFiles;
  beforeAll(async () => {
    const files = rows.map(({ given }, at) => [
      `r${at}.ts`,
      `/** @tool */\nexport function f${at}(${given}): void { void arguments; }\n`,
    ]);
    compiled = await compileFiles(Object.fromEntries(files) as Record<string, string>);
  });

  test.each(rows)('$given', ({ given, want, mapped, told = [] }) => {
    const at = rows.findIndex((row) => row.given === given);
    const { inputSchema, binding } = toolNamed(`f${at}`, compiled);
    expect(Object.keys(inputSchema.properties ?? {})).toEqual(want);
    expect('properties' in binding ? binding.properties : undefined).toEqual(mapped);
    const start = `r${at}.ts:2:`;
    const messages = compiled.messages.filter((each) => each.startsWith(start));
    expect(messages.map((each) => each.slice(start.length).replace(' info name-cleaned', ''))).toEqual(told);
  });
});

test.each([
  { given: '/** @tool _private */\nexport function f(): void {}', want: ['_private'] },
  { given: '/** @tool */\nexport function list__all_(): void {}', want: ['list__all_'] },
  { given: '/** @tool */\nexport function $all(): void {}', want: ['all'] },
])('the tool of $given', async ({ given, want }) => {
  const { model } = await compileFiles({ 'a.ts': given });
  expect(model?.tools.map(({ name }) => name)).toEqual(want);
});

test.each(['_id', 'user__id', 'class_', long])(
  'the variable %s is read by the name it is listed with',
  async (name) => {
    const { model, problems } = await compileFiles({
      'a.ts': `/** @resource u://{${name}} */\nexport function read(${name}: string): string { return ${name}; }`,
    });
    expect(problems).toEqual([]);
    expect(model?.resourceTemplates).toMatchObject([
      {
        uriTemplate: `u://{${name}}`,
        binding: {
          schemas: { [name]: { type: 'string' } },
          do: { parameters: [name], input: { properties: { [name]: {} }, required: [name] } },
        },
      },
    ]);
  },
);

describe('completions by the names of the code, where others are listed', () => {
  test.each([
    { tag: 'pr_ß.größe', want: { ref: { kind: 'prompt', name: 'pr_ss' }, argument: 'grosse' } },
    { tag: 'pr_ss.grosse', want: { ref: { kind: 'prompt', name: 'pr_ss' }, argument: 'grosse' } },
    { tag: 'pr_ß.$x', want: { ref: { kind: 'prompt', name: 'pr_ss' }, argument: 'x' } },
  ])('$tag', async ({ tag, want }) => {
    const { model, problems } = await compileFiles({
      'a.ts': [
        '/** @prompt */',
        "export function pr_ß(o: { größe: string; 'a.b': string; $x: string }): string { return o.größe; }",
        `/** @complete ${tag} */`,
        'export function values(typed: string, others: { größe?: string }): string[] { return [typed, others.größe ?? ""]; }',
      ].join('\n'),
    });
    expect(problems.filter((each) => !each.endsWith('name-cleaned'))).toEqual([]);
    const properties = { grosse: 'größe', x: '$x' };
    expect(model?.completions).toMatchObject([{ ...want, from: { export: 'values', properties } }]);
  });
});

test('a pattern has no name, and none is made up', async () => {
  const { problems } = await compileFiles({
    'a.ts': '/** @tool */\nexport function f([a]: [number], b: string): string { return `${a}${b}`; }',
  });
  expect(problems).toEqual(['a.ts:2:19 error parameter-not-usable']);
});

describe('a pattern has the name that `@param` says', () => {
  const limit = { limit: { type: 'number', default: 10 } };
  const options = { type: 'object', properties: limit, default: {} };
  const text = { type: 'string' };

  test.each([
    {
      given: '@param opts How. */ export function f(id: string, { limit = 10 }: Options = {})',
      want: { id: text, opts: { ...options, description: 'How.' } },
    },
    {
      given: '@param opts\n@param id */ export function f({ limit = 10 }: Options = {}, id: string)',
      want: { opts: options, id: text },
    },
  ])('$given', async ({ given, want }) => {
    const { model, problems } = await compileFiles({
      'a.ts': `interface Options { limit?: number }\n/** @tool\n${given}: void {}\n`,
    });
    expect(problems).toEqual([]);
    expect(model?.tools).toMatchObject([{ binding: { parameters: Object.keys(want) } }]);
    expect(model?.tools[0]?.inputSchema.properties).toEqual(want);
  });
});
