// `@schema Name`: a schema of zod or another library says what is listed; what can't be used is told at its tag.
import { beforeAll, describe, expect, test } from 'vitest';
import { runSchemasWithin } from '../../../src/serve/run-schemas.ts';
import type { AppFiles } from '../../../src/model/app-files.ts';
import { type CompiledFiles, compileFiles, toolNamed } from './compile-files.ts';

const schemas = `
import * as z from 'zod';
export const Note = z.object({
  text: z.string().min(3).describe('What to keep'),
  tags: z.array(z.string()).default([]),
  due: z.iso.date().transform((text) => new Date(text)).optional(),
});
export const Days = z.number().int().min(1).max(14).default(3);
export const Made = z.object({ id: z.int(), at: z.string().describe('When') });
export const Shape = z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]);
export const Tree = z.object({ name: z.string(), get kids() { return z.array(Tree); } });
export const Length = z.string().transform((text) => text.length).pipe(z.number());
/** A library of one's own, which lists and does not check. */
export const Listed = { '~standard': { version: 1, vendor: 'own', jsonSchema: {
  input: () => ({ type: 'string', format: 'date-time', title: '</script>\${1+1}\`' }), output: () => ({ type: 'string' }) } } };
/** As ArkType: a function, with pointers that no tool may hold. */
export const Pointing = Object.assign(() => 0, { '~standard': { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }),
  types: undefined as unknown as { input: { a: string }; output: { a: string } }, jsonSchema: {
  input: () => ({ $ref: '#/$defs/Pair', $defs: { Pair: { type: 'object', properties: {
    a: { type: 'string' }, b: { $ref: '#/$defs/Pair/properties/a' }, c: { $ref: '#/$defs/Pair' } } } } }),
  output: () => ({}) } } });
export { Note as Renamed };
`;

const tools = `
import * as z from 'zod';
import { Note, Days, Made, Shape, Tree, Length, Listed, Pointing, Renamed } from './lib/schemas.ts';
type NoteValue = z.infer<typeof Note>;
/** @tool @schema Note */
export function add(note: NoteValue): string { return note.text; }
/** @tool */
export function forecast(/** A city. */ city: string, /** @schema Days */ days: z.infer<typeof Days>): string { return city + days; }
/** @tool
 * @schema Made */
export async function make(name: string): Promise<z.infer<typeof Made>> { return { id: 1, at: name }; }
/** @tool
 * @param shape - What to draw. @schema Shape */
export function draw(shape: z.infer<typeof Shape>): string { return JSON.stringify(shape); }
/** @tool */
export function tree(/** @schema Tree */ tree: z.infer<typeof Tree>): string { return tree.name; }
/** @tool */
export function measure(/** @schema Length */ length: number, /** @schema Length */ other?: number): string { return String(length); }
/** @tool */
export function listed(/** @schema Listed */ at: Date): string { return at.toISOString(); }
/** @tool */
export function pointing(/** @schema Pointing */ pair: { a: string }): string { return pair.a; }
/** @tool */
export function renamed(/** @schema Renamed */ note: NoteValue): string { return note.text; }
/** @prompt */
export function ask(/** @schema Length */ topic: number): string { return String(topic); }
export class Notes {
  /** @tool */
  keep(/** @schema Note */ note: NoteValue): string { return note.text; }
}
`;

const NOTE = {
  type: 'object',
  properties: {
    text: { type: 'string', minLength: 3, description: 'What to keep' },
    tags: { default: [], type: 'array', items: { type: 'string' } },
    due: { type: 'string', format: 'date', pattern: expect.any(String) as string },
  },
  required: ['text'],
};

const TREE = {
  type: 'object',
  properties: { name: { type: 'string' }, kids: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
  required: ['name', 'kids'],
};

const APP = 'app/lib/schemas.ts';

const MANIFEST = {
  'package.json':
    '{ "name": "given", "version": "1.0.0", "type": "module", "dependencies": { "zod": "^4.2.0" } }',
};

describe('schemas that are usable', () => {
  let compiled: CompiledFiles;

  beforeAll(async () => {
    compiled = await compileFiles({ ...MANIFEST, 'tools.ts': tools, 'lib/schemas.ts': schemas });
  });

  test('nothing is told', () => {
    expect(compiled.messages).toEqual([]);
  });

  test.each([
    {
      tool: 'add',
      input: NOTE,
      binding: { parameters: 'object', checks: [{ module: APP, export: 'Note' }] },
    },
    {
      tool: 'forecast',
      input: {
        type: 'object',
        properties: {
          city: { type: 'string', description: 'A city.' },
          days: { type: 'integer', minimum: 1, maximum: 14, default: 3 },
        },
        required: ['city'],
        additionalProperties: false,
      },
      binding: {
        parameters: ['city', 'days'],
        checks: [{ module: APP, export: 'Days', argument: 'days' }],
      },
    },
    {
      tool: 'draw',
      input: {
        type: 'object',
        properties: { shape: { description: 'What to draw.', anyOf: expect.any(Array) as object[] } },
        required: ['shape'],
        additionalProperties: false,
      },
      binding: { parameters: ['shape'], checks: [{ module: APP, export: 'Shape', argument: 'shape' }] },
    },
    { tool: 'tree', input: { ...TREE, $defs: { Tree: TREE } }, binding: { parameters: 'object' } },
    {
      tool: 'measure',
      input: {
        type: 'object',
        properties: { length: { type: 'string' }, other: { type: 'string' } },
        required: ['length'],
        additionalProperties: false,
      },
      binding: {
        checks: [
          { module: APP, export: 'Length', argument: 'length' },
          { module: APP, export: 'Length', argument: 'other', optional: true },
        ],
      },
    },
    {
      tool: 'listed',
      input: {
        type: 'object',
        properties: { at: { type: 'string', format: 'date-time', title: '</script>${1+1}`' } },
        required: ['at'],
        additionalProperties: false,
      },
      binding: { argumentCodec: { kind: 'object', properties: { at: { kind: 'date' } } } },
    },
    {
      tool: 'pointing',
      input: {
        type: 'object',
        properties: {
          a: { type: 'string' },
          b: { $ref: '#/$defs/Pointing_defs_Pair_properties_a' },
          c: { $ref: '#/$defs/Pair' },
        },
        $defs: {
          Pair: expect.any(Object) as object,
          Pointing_defs_Pair_properties_a: { type: 'string' },
        },
      },
      binding: { parameters: 'object' },
    },
    { tool: 'renamed', input: NOTE, binding: { checks: [{ module: APP, export: 'Note' }] } },
    { tool: 'keep', input: NOTE, binding: { method: 'keep', checks: [{ module: APP, export: 'Note' }] } },
  ])('arguments of $tool', ({ tool, input, binding }) => {
    const { inputSchema, binding: made } = toolNamed(tool, compiled);
    expect(inputSchema).toEqual(input);
    expect(made).toMatchObject(binding);
  });

  test('a result has the output of the schema, and is written by its type', () => {
    expect(toolNamed('make', compiled)).toMatchObject({
      inputSchema: { properties: { name: { type: 'string' } } },
      outputSchema: {
        type: 'object',
        properties: { at: { type: 'string', description: 'When' } },
        required: ['id', 'at'],
      },
    });
    expect(toolNamed('make', compiled).binding).not.toHaveProperty('checks');
  });

  test('what a library does not check is checked by what it lists', () => {
    expect(toolNamed('listed', compiled).binding).not.toHaveProperty('checks');
  });
});

const refused = [
  {
    name: 'Hidden',
    given: 'const Hidden = z.string();',
    words: '`Hidden` is not exported',
    hint: 'export const Hidden',
  },
  { name: 'Nowhere', given: '', words: 'there is no `Nowhere` in', hint: 'Import it' },
  {
    name: 'Odd',
    given: 'export const Odd = { parse: () => 1 };',
    words: 'is no schema',
    hint: 'Name a schema of zod',
  },
  {
    name: 'Old',
    given: 'export const Old = old.string();',
    words: 'its library (zod) has no `~standard.jsonSchema`',
    hint: 'a schema of zod 4.2',
  },
  {
    name: 'Ark',
    given:
      "export const Ark = { '~standard': { version: 1, vendor: 'arktype', validate: () => ({ value: 1 }) } };",
    words: 'its library (arktype) has no',
    hint: 'ArkType 2.1.28',
  },
  {
    name: 'Vali',
    given:
      "export const Vali = { '~standard': { version: 1, vendor: 'valibot', validate: () => ({ value: 1 }) } };",
    words: 'its library (valibot) has no',
    hint: '`@valibot/to-json-schema` 1.5',
  },
  {
    name: 'Dated',
    given: 'export const Dated = z.object({ at: z.date() });',
    words: 'Date cannot be represented',
    hint: 'z.iso.datetime()',
  },
  {
    name: 'Draft',
    given:
      "export const Draft = { '~standard': { version: 1, vendor: 'own', jsonSchema: { input: () => ({ $schema: 'http://json-schema.org/draft-07/schema#' }), output: () => ({}) } } };",
    words: 'not 2020-12',
    hint: 'Describe less',
  },
  {
    name: 'Deep',
    given:
      "export const Deep = { '~standard': { version: 1, vendor: 'own', jsonSchema: { input: () => { let s: object = {}; for (let i = 0; i < 500; i++) s = { items: s }; return s; }, output: () => ({}) } } };",
    words: 'more than 100 levels',
    hint: 'Describe less',
  },
];

test('what is no usable schema is told at its tag, each with a next step', async () => {
  const text = [
    "import * as z from 'zod'; import * as old from 'zod/v3';",
    ...refused.map(({ given }) => given),
    ...refused.map(
      ({ name }, at) => `/** @tool */ export function t${at}(/** @schema ${name} */ a: unknown): void {}`,
    ),
  ].join('\n');
  const { messages, hints } = await compileFiles({ ...MANIFEST, 'a.ts': text, 'b.ts': failing });
  const own = messages.filter((each) => each.startsWith('a.ts'));
  expect(own).toHaveLength(refused.length);
  for (const [at, { name, words, hint }] of refused.entries()) {
    const told = own.find((each) => each.includes(`\`@schema ${name}\``));
    expect(told).toContain(`error schema-unusable: \`@schema ${name}\` can't be used: `);
    expect(told).toContain(words);
    expect(told?.split(':')[1]).toBe(String(2 + refused.length + at));
    expect(hints.some((each) => each.includes(hint))).toBe(true);
  }
  expect(messages.filter((each) => each.startsWith('b.ts'))).toEqual([
    expect.stringContaining("its module can't be loaded (no DATABASE_URL)"),
  ]);
});

const failing = `
import * as z from 'zod';
console.log('{"input":{"schema":{"type":"null"}}}');
if (process.env['DATABASE_URL'] === undefined && process.env['PATH'] === undefined) throw new Error('no DATABASE_URL');
export const Query = z.string();
/** @tool */ export function q(/** @schema Query */ query: string): void {}
`;

test('no other fault follows from a schema or a type that is refused', async () => {
  const { problems } = await compileFiles({
    ...MANIFEST,
    'a.ts': [
      '/** @prompt */ export function named(/** @schema Nowhere */ a: string, b: string): string { return a + b; }',
      '/** @prompt */ export function json(/** @schema {"type":"x"} */ a: string, b: string): string { return a + b; }',
      '/** @prompt */ export function type(a: symbol, b: string): string { return String(a) + b; }',
      '/** @prompt */ export function member(given: { /** @schema {"type":"x"} */ a: string }): string { return given.a; }',
      '/** @resource a://{a} */ export function variable(/** @schema Nowhere */ a: string): string { return a; }',
      '/** @tool */ export function header(/** @schema Nowhere @header X */ a: string, b: string): string { return a + b; }',
    ].join('\n'),
  });
  expect(problems).toEqual([
    'a.ts:1:42 error schema-unusable',
    'a.ts:2:41 error bad-tag',
    'a.ts:3:37 error type-without-json',
    'a.ts:4:52 error bad-tag',
    'a.ts:5:55 error schema-unusable',
    'a.ts:6:41 error schema-unusable',
  ]);
});

test('tags beside a schema, and hidden characters in it, are warnings', async () => {
  const { messages } = await compileFiles({
    ...MANIFEST,
    'a.ts': [
      "import * as z from 'zod';",
      'export const Text = z.string();',
      '/** @tool */ export function say(/** @schema Text @maxLength 3 */ text: string): void {}',
      '/** @tool */ export function part(a: { /** @schema Text */ b: string; c: string }): void {}',
      'export const Sly = z.object({ a: z.string().describe(`Seen\\u200b`), b: z.literal(`one\\u200b`) });',
      '/** @tool */ export function sly(/** @schema Sly */ sly: z.infer<typeof Sly>): void {}',
      '/** @tool @hidden */ export function left(/** @schema Nothing */ out: string): void {}',
    ].join('\n'),
  });
  const want = [
    'a.ts:3:51 warning idle-tag: `@maxLength` has no effect here',
    "a.ts:4:44 error schema-unusable: `@schema Text` can't be used: it is about a part of a value",
    'a.ts:6:38 warning hidden-text: This text contains characters',
  ];
  const inOrder = messages.toSorted((a, b) => placeOf(a) - placeOf(b));
  expect(inOrder).toEqual(want.map((words) => expect.stringContaining(words) as string));
});

function placeOf(message: string): number {
  const [, line = 0, column = 0] = /:(\d+):(\d+)/.exec(message) ?? [];
  return 1000 * Number(line) + Number(column);
}

describe('the process that loads schemas', () => {
  const load = (code: string, limits = {}): unknown => {
    const file = { path: 'src/app/a.ts', origin: '/nowhere/a.ts', contents: '', imports: [] };
    const app: AppFiles = {
      root: import.meta.dirname,
      files: [{ ...file, built: { path: 'dist/app/a.js', contents: code } }],
      dependencies: {},
      devDependencies: {},
      compilerOptions: {},
    };
    const wanted = ['A', 'B'].map((name) => ({ module: 'app/a.ts', export: name }));
    return runSchemasWithin({ seconds: 10, bytes: 100_000, megabytes: 64, ...limits }, app, wanted);
  };
  const schema = (json: string): string =>
    `{ '~standard': { version: 1, vendor: 'own', jsonSchema: { input: () => (${json}), output: () => ({}) } } }`;
  const made = { input: { schema: {} }, output: { schema: {} }, validates: false };

  test.each([
    { what: 'that ends', code: 'process.exit(0);', want: { kind: 'ended' } },
    {
      what: 'that never ends',
      code: 'for (;;);',
      limits: { seconds: 0.5 },
      want: { kind: 'too-slow', seconds: 0.5 },
    },
    {
      what: 'that fills the memory',
      code: 'const a = []; for (;;) a.push({ a });',
      want: { kind: 'too-large' },
    },
    {
      what: 'with a huge schema',
      code: `export const A = ${schema("{ enum: ['x'.repeat(1e6)] }")};`,
      want: { kind: 'too-large' },
    },
  ])('a module $what is a problem', ({ code, limits, want }) => {
    expect(load(code, limits)).toEqual([{ problem: want }, { problem: want }]);
  });

  test('it has no environment, and what is printed is no answer', () => {
    const code = `console.log('{}'); export const A = ${schema('{}')}; setInterval(() => {}, 1e3);
      export const B = ${schema('{ enum: Object.keys(process.env) }')};`;
    expect(load(code)).toEqual([made, { ...made, input: { schema: { enum: [] } } }]);
  });
});
