// `@default`: an argument that a client leaves out arrives as its default, revived as one that is given.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CompiledFiles, compileFiles, toolNamed } from './compile-files.ts';
import { loadFunctions } from './run-functions.ts';

interface Row {
  /** The parameters of the function. */
  given: string;
  args?: Record<string, unknown>;
  /** Arguments that the function gets. */
  want: unknown[];
  /** Of the input schema. Default none. */
  required?: string[];
}

const types = [
  'interface Page { /** @default 10 */ size?: number; from?: number }',
  'interface Query { /** @default 1 */ a: number; /** @default {} */ page?: Page; pages?: Page[] }',
  'interface When { /** @default "2026-01-31T09:00:00Z" */ at: Date; /** @default {"a":1} */ by?: Map<string, number> }',
  "interface Cat { kind: 'cat'; /** @default 9 */ lives: number }",
  "interface Dog { kind: 'dog'; name: string; /** @default 1 */ age: number }",
  '/** @default 7 */ type Seven = number;',
].join('\n');

const lists = 'o: { /** @default ["a"] */ words: string[] }';

const rows: Row[] = [
  { given: lists, want: [{ words: ['a'] }] },
  { given: '/** @default 3 */ days?: number', want: [3] },
  { given: '/** @default 3 */ days?: number', args: { days: 4 }, want: [4] },
  { given: '/** @default 3 */ days: number', want: [3] },
  { given: '/** @default 3 */ days = 5', want: [3] },
  { given: 'days = 5', want: [] },
  {
    given: 'city: string, /** @default 3 */ days: number',
    args: { city: 'a' },
    want: ['a', 3],
    required: ['city'],
  },
  { given: '/** @default ["a"] */ ...words: string[]', want: ['a'] },
  { given: '/** @default 2026-01-31T09:00:00Z */ at: Date', want: [new Date('2026-01-31T09:00:00Z')] },
  { given: '/** @default null */ a: string | null', want: [null] },
  { given: 'a: Seven, b?: string', want: [7] },
  { given: 'query: Query', want: [{ a: 1, page: { size: 10 } }] },
  { given: 'o: { limit?: number; tag?: string } = { limit: 10 }', want: [] },
  {
    given: 'o: { limit?: number; tag?: string } = { limit: 10 }',
    args: { o: { tag: 'a' } },
    want: [{ tag: 'a' }],
  },
  { given: 'query: Query = { a: 3, pages: [{}] }', want: [] },
  { given: 'query: Query', args: { a: 2, page: { from: 3 } }, want: [{ a: 2, page: { from: 3, size: 10 } }] },
  { given: 'when: When', want: [{ at: new Date('2026-01-31T09:00:00Z'), by: new Map([['a', 1]]) }] },
  { given: '{ a = 4 }: { a: number }', want: [{}] },
  {
    given: 'pet: Cat | Dog, b?: string',
    args: { pet: { kind: 'dog', name: 'Rex' } },
    want: [{ kind: 'dog', name: 'Rex', age: 1 }],
    required: ['pet'],
  },
];

let compiled: CompiledFiles;
let functions: ReturnType<typeof loadFunctions>;
let seen: unknown[] = [];

beforeAll(async () => {
  vi.stubGlobal('seen', (given: unknown[]) => (seen = given));
  const declared = 'declare global { var seen: (given: unknown[]) => void }\n';
  const body = '{ globalThis.seen(Array.from(arguments)); }';
  const texts = rows.map(({ given }, at) => `/** @tool */\nexport function f${at}(${given}): void ${body}\n`);
  const text = `${types}\n${declared}${texts.join('')}`;
  compiled = await compileFiles({ 'a.ts': text });
  functions = loadFunctions(text, compiled);
});
afterAll(() => vi.unstubAllGlobals());

test.each(rows)('($given) of $args', async (row) => {
  const name = `f${rows.indexOf(row)}`;
  const { inputSchema, binding } = toolNamed(name, compiled);
  expect(inputSchema.required).toEqual(row.required);
  await functions.callTool(binding, name, row.args ?? {});
  expect(seen).toEqual(row.want);
});

test('constants of the code are listed as their values', async () => {
  const files = {
    'limits.ts': `
import { back } from './a.js';
export const LIMIT = 10;
export const wide: number = 5;
export const ring: number = back;
export default { most: 7, deep: { unit: 'm' } } as const;
export enum Level { Low = 1, High }`,
    'a.ts': `
import limits, { LIMIT, Level, ring, wide as broad } from './limits.js';
import * as all from './limits.js';
const on = true, none = null, names = ['a'] as const, loose = ['a'], open = { most: 7 };
export const back: number = ring;
let changing = 1;
class Bounds { static readonly most = 3; static loose = 4; }
/** @tool */
export function f(
  a = LIMIT, b = broad, c = on, d: string | null = none, e: readonly string[] = names, g: number = limits.most,
  h: string = limits.deep.unit, i: Level = Level.High, j = Bounds.most, k = all.LIMIT, l: number = -LIMIT,
): void {}
/** @tool */
export function not(a = loose, b = open.most, c = changing, d = Bounds.loose, e = ring, f = back, g = LIMIT + 1, h = process.pid): void {}
/** @tool */
export function o({ a = LIMIT }: { a?: number }): void {}
/** @tool */
export function bad(/** @maximum 5 */ a = LIMIT): void {}`,
  };
  const compiled = await compileFiles(files);
  expect(compiled.problems).toEqual(['a.ts:18:43 error default-does-not-fit']);
  const rest = { ...files, 'a.ts': files['a.ts'].replace('/** @maximum 5 */', '') };
  const fitting = await compileFiles(rest);
  const defaultsOf = (name: string): unknown =>
    Object.values(toolNamed(name, fitting).inputSchema.properties ?? {}).map(
      (schema) => (schema as { default?: unknown }).default,
    );
  expect(defaultsOf('f')).toEqual([10, undefined, true, undefined, undefined, 7, 'm', 2, 3, 10, -10]);
  expect(defaultsOf('not')).toEqual(Array(8).fill(undefined));
  expect(defaultsOf('o')).toEqual([10]);
});

test('an example that its type does not take is told, and not listed', async () => {
  const code =
    '/** @tool */ export function f(/** @example "x" @example 5 */ a: number, /** @example x */ b: "y"): void {}';
  const compiled = await compileFiles({ 'a.ts': code });
  expect(compiled.problems).toEqual([
    'a.ts:1:36 warning example-does-not-fit',
    'a.ts:1:78 warning example-does-not-fit',
  ]);
  expect(toolNamed('f', compiled).inputSchema.properties).toEqual({
    a: { type: 'number', examples: [5] },
    b: { type: 'string', const: 'y' },
  });
});

const refused = [
  { given: '/** @default five */ a: number', want: 'bad-tag', words: 'a JSON value' },
  { given: '/** @default "five" */ a: number', want: 'default-does-not-fit', words: 'must be a number' },
  { given: '/** @default 5 @maximum 4 */ a: number', want: 'default-does-not-fit', words: 'must be ≤ 4' },
  { given: '/** @default null */ a?: string', want: 'default-does-not-fit', words: 'must be a string' },
  {
    given: '/** @maximum 5 */ a = 9',
    want: 'default-does-not-fit',
    words: 'default 9 does not .*must be ≤ 5',
  },
  {
    given: '{ a = 9 }: { /** @maximum 5 */ a?: number }',
    want: 'default-does-not-fit',
    words: 'must be ≤ 5',
  },
  { given: "/** @default c */ a?: 'a' | 'b'", want: 'default-does-not-fit', words: 'must be one of' },
  { given: '/** @default 2026-02-31T00:00:00Z */ a: Date', want: 'default-does-not-fit', words: 'must be' },
  {
    given: '/** @default {"size":"x"} */ a: Page, b?: string',
    want: 'default-does-not-fit',
    words: '`size`',
  },
  { given: 'loop: { /** @default {} */ a: Loop }', want: 'default-does-not-fit', words: 'without end' },
  {
    given: '/** @schema {"default":5,"type":"string"} */ a: 0',
    want: 'default-does-not-fit',
    words: 'must be a string but is 5',
  },
  { given: '/** @default {} */ a: Query', want: 'bad-tag', words: 'all arguments together' },
];

describe('a default that its type does not take', () => {
  let messages: string[];

  beforeAll(async () => {
    const loop = 'export interface Loop { /** @default {} */ next?: Loop }';
    const functions = refused.map(
      ({ given }, at) => `/** @tool */ export function f${at}(${given}): void {}`,
    );
    const files = { 'a.ts': [...functions, types, loop].join('\n') };
    messages = (await compileFiles(files)).messages;
  });

  test.each(refused)('$given', ({ given, want, words }) => {
    const line = refused.findIndex((each) => each.given === given) + 1;
    const found = messages.filter((each) => each.startsWith(`a.ts:${line}:`));
    expect(found).toEqual([expect.stringMatching(new RegExp(`:\\d+ \\w+ ${want}: .*${words}`))]);
  });
});
