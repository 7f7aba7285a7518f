// Exported functions and the tools they become: what is an argument, and what is promised of the result.
import { beforeAll, describe, expect, test } from 'vitest';
import { type CompiledFiles, compileFiles, toolNamed } from './compile-files.ts';

interface ToolRow {
  /** The declaration behind `/** … *\/ export function`; it is called `f`. */
  given: string;
  tags?: string;
  input?: unknown;
  output?: unknown;
  /** `binding.result.wrapped`. Default false. */
  wrapped?: boolean;
}

const none = { type: 'object', properties: {}, additionalProperties: false };
const station = { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] };
const result = (schema: unknown) => ({
  type: 'object',
  properties: { result: schema },
  required: ['result'],
});
const maybe = (schema: unknown) => ({ type: 'object', properties: { result: schema } });
const args = (properties: Record<string, unknown>, ...required: string[]) => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
});

const declarations = `interface Station { id: number }
/** @minimum 1 */ type Port = number;
type Text = { type: 'text'; text: string };
`;

const results: ToolRow[] = [
  { given: '(): Station { return { id: 1 }; }', output: station },
  {
    given: '(): Station | undefined { return undefined; }',
    wrapped: true,
    output: { ...maybe({ $ref: '#/$defs/Station' }), $defs: { Station: station } },
  },
  { given: '(): string | undefined { return undefined; }', wrapped: true, output: maybe({ type: 'string' }) },
  {
    given: '(): string | null { return null; }',
    wrapped: true,
    output: result({ type: ['string', 'null'] }),
  },
  { given: '(): void {}', output: undefined },
  { given: '(): unknown { return 1; }', output: undefined },
  { tags: '@schema {"type":"object"}', given: '(): unknown { return {}; }', output: { type: 'object' } },
  {
    tags: '@schema {"type":"string"}',
    given: '(): any { return 1; }',
    wrapped: true,
    output: result({ type: 'string' }),
  },
  {
    tags: '@schema {"type":"object","properties":{"a":{}}}',
    given:
      "(): { content: { type: 'text'; text: string }[]; structuredContent: object } { return { content: [], structuredContent: {} }; }",
    output: { type: 'object', properties: { a: {} } },
  },
];

const port = { type: 'number', minimum: 1 };
const full: ToolRow[] = (
  [
    ['Record<string, number>', { type: 'object', additionalProperties: { type: 'number' } }],
    ['{ [name: string]: Port }', { type: 'object', additionalProperties: port }],
    ['{ [name: string]: Port } | undefined', { type: 'object', additionalProperties: port }],
    ['Record<string, unknown>', undefined],
    ['{ [name: string]: any }', undefined],
    ['{}', undefined],
  ] as const
).map(([structured, output]) => ({
  given: `(): { content: Text[]; structuredContent: ${structured} } { throw new Error(); }`,
  output,
}));

const inputs: ToolRow[] = [
  { given: '(query: Station): void { void query; }', input: { ...station, additionalProperties: false } },
  { given: '(value: unknown): void { void value; }', input: args({ value: {} }, 'value') },
  { given: '(value: {}): void { void value; }', input: args({ value: { not: { type: 'null' } } }, 'value') },
  { given: '(): void {}', input: none },
  { given: '(a: string, b?: never): void { void [a, b]; }', input: args({ a: { type: 'string' } }, 'a') },
  {
    given: '(a: string, b: undefined, c?: undefined): void { void [a, b, c]; }',
    input: args({ a: { type: 'string' } }, 'a'),
  },
  {
    given: '(query: { [name: string]: string | undefined; b?: never }): void { void query; }',
    input: { type: 'object', properties: { b: { not: {} } }, additionalProperties: { type: 'string' } },
  },
  {
    given: '(a: string | undefined, b: string | null): void { void [a, b]; }',
    input: args({ a: { type: 'string' }, b: { type: ['string', 'null'] } }, 'b'),
  },
  {
    given: '<T extends Station | undefined = undefined>(a: string, b?: T): void { void [a, b]; }',
    input: {
      ...args({ a: { type: 'string' }, b: { $ref: '#/$defs/Station' } }, 'a'),
      $defs: { Station: station },
    },
  },
];

const rows = [...results, ...full, ...inputs];
let compiled: CompiledFiles;

beforeAll(async () => {
  const texts = rows.map(
    ({ given, tags = '' }, at) => `/** @tool f${at}\n * ${tags} */\nexport function f${at}${given}\n`,
  );
  compiled = await compileFiles({ 'a.ts': declarations + texts.join('') });
});

describe.each(Object.entries({ results, full, inputs }))('%s', (_, some) => {
  test.each(some)('$tags f$given', (row) => {
    const { inputSchema, outputSchema, binding } = toolNamed(`f${rows.indexOf(row)}`, compiled);
    if ('input' in row) expect(inputSchema).toEqual(row.input);
    if (!('output' in row)) return;
    expect(outputSchema).toEqual(row.output);
    expect(binding.kind === 'function' && binding.result?.wrapped === true).toBe(row.wrapped ?? false);
  });
});

test('loose: what a result promises is loosened, and what an argument must be is not', async () => {
  const file = `${declarations}/** @tool */\nexport function f(query: Station): Station[] { return [query]; }\n`;
  const { inputSchema, outputSchema } = toolNamed(
    'f',
    await compileFiles({ 'a.ts': file }, ['a.ts'], { outputSchema: 'loose' }),
  );
  expect(inputSchema).toEqual({ ...station, additionalProperties: false });
  expect(outputSchema).toEqual({
    type: 'object',
    properties: { result: { type: ['array', 'null'], items: { $ref: '#/$defs/Station' } } },
    $defs: {
      Station: { type: ['object', 'null'], properties: { id: { type: ['number', 'string', 'null'] } } },
    },
  });
});

test('@schema where nothing can follow it', async () => {
  const { problems } = await compileFiles({
    'a.ts': [
      'interface Query { a: string }',
      '/** @tool @schema {"type":"string"} */',
      "export function block(): { type: 'text'; text: string } { return { type: 'text', text: '' }; }",
      '/** @tool */',
      'export function choice(/** @schema {"anyOf":[{}]} */ query: Query): void { void query; }',
      '/** @tool @schema [] */',
      "export function list(): string { return ''; }",
      '/** @prompt @schema {} */',
      "export function prompt(): string { return ''; }",
    ].join('\n'),
  });
  expect(problems.toSorted()).toEqual([
    'a.ts:2:11 error bad-tag',
    'a.ts:5:17 info choice-at-top',
    'a.ts:6:11 error bad-tag',
    'a.ts:8:13 error misplaced-tag',
  ]);
});

test.each([
  { given: '/** @tool */ export default function rain(): void {}', want: 'rain' },
  { given: '/** @tool */ export default function (): void {}', want: 'get-weather' },
  { given: '/** @tool */ const snow = (): void => {};\nexport default snow;', want: 'snow' },
])('a default export has the name of its function, else of its file: $given', async ({ given, want }) => {
  const { model, problems } = await compileFiles({ 'get-weather.ts': given });
  expect(problems).toEqual([]);
  expect(model?.tools.map(({ name, binding }) => [name, binding])).toEqual([
    [want, expect.objectContaining({ module: 'app/get-weather.ts', export: 'default' })],
  ]);
});
