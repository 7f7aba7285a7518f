// Arguments reach a function as its type says, and forbidden ones do not reach it.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseJson } from '../../../templates/runtime/json-rpc.ts';
import { compileSchema } from '../../runtime/schema/validator.ts';
import { type CompiledFiles, compileFiles, toolNamed } from './compile-files.ts';
import { loadFunctions, THE_CONTEXT } from './run-functions.ts';

interface Row {
  /** The parameters; the function returns what it was given, as a list. */
  given: string;
  /** JSON, so that it may have any member. */
  args: string;
  /** Arguments that the function got. */
  want?: unknown[];
  /** A part of the refusal. */
  refused?: string;
}

const declarations = `
import type { Context } from 'mcpgen/runtime';
interface User { name: string; /** @hidden */ admin?: boolean; signal?: AbortSignal }
interface Tree { /** @hidden */ mark?: string; parts?: Tree[] }
interface Wide { name: string; [other: string]: unknown; /** @hidden */ admin?: boolean }
interface Cat { kind: 'cat'; lives: number; /** @hidden */ owner?: string }
interface Dog { kind: 'dog'; owner: string }
interface Loose { name?: string; /** @hidden */ admin?: boolean }
interface Other { age: number }
type Either = Loose | Other;
interface Job { text: string; context: Context }
declare const brand: unique symbol;
type Branded = { at: Date } & { readonly [brand]: 'Branded' };
type Named = { at: Date } & { readonly __brand: 'Named' };
type Counted = { n: number } & { readonly __brand: 'Counted' };
`;

const hidden: Row[] = [
  { given: '(a: User, b?: number)', args: '{"a":{"name":"x"}}', want: [{ name: 'x' }] },
  { given: '(a: User, b?: number)', args: '{"a":{"name":"x","more":1}}', want: [{ name: 'x', more: 1 }] },
  {
    given: '(a: User, b?: number)',
    args: '{"a":{"name":"x","admin":true}}',
    refused: '`a.admin` is not a known property',
  },
  { given: '(a: User, b?: number)', args: '{"a":{"name":"x","signal":{}}}', refused: '`a.signal`' },
  { given: '(a: User[], b?: number)', args: '{"a":[{"name":"x","admin":1}]}', refused: '`a[0].admin`' },
  { given: '(a: [User], b?: number)', args: '{"a":[{"name":"x","admin":1}]}', refused: '`a[0].admin`' },
  {
    given: '(a: Record<string, User>, b?: number)',
    args: '{"a":{"k":{"name":"x","admin":1}}}',
    refused: '`a.k.admin`',
  },
  {
    given: '(a: Map<string, User>, b?: number)',
    args: '{"a":{"k":{"name":"x","admin":1}}}',
    refused: '`a.k.admin`',
  },
  { given: '(a: User | string, b?: number)', args: '{"a":{"name":"x","admin":1}}', refused: '`a.admin`' },
  {
    given: '(a: Tree, b?: number)',
    args: '{"a":{"parts":[{"parts":[]}]}}',
    want: [{ parts: [{ parts: [] }] }],
  },
  { given: '(a: Tree, b?: number)', args: '{"a":{"parts":[{"mark":"x"}]}}', refused: '`a.parts[0].mark`' },
  { given: '(a: Wide)', args: '{"name":"x","more":1}', want: [{ name: 'x', more: 1 }] },
  { given: '(a: Wide)', args: '{"name":"x","admin":true}', refused: '`admin` is not a known property' },
  {
    given: '(a: Cat | Dog, b?: number)',
    args: '{"a":{"kind":"dog","owner":"x"}}',
    want: [{ kind: 'dog', owner: 'x' }],
  },
  {
    given: '(a: Cat | Dog, b?: number)',
    args: '{"a":{"kind":"cat","lives":9,"owner":"x"}}',
    refused: '`a.owner`',
  },
  { given: '(a: Loose | Other, b?: number)', args: '{"a":{"age":1}}', want: [{ age: 1 }] },
  { given: '(a: Loose | Other, b?: number)', args: '{"a":{"age":1,"admin":true}}', refused: '`a.admin`' },
  {
    given: '(a: Either | { size: number }, b?: number)',
    args: '{"a":{"size":1,"admin":1}}',
    refused: '`a.admin`',
  },
];

const inherited: Row[] = [
  {
    given: '(a: { b: unknown })',
    args: '{"b":{"__proto__":{"x":1}}}',
    refused: '`b` must have no member `__proto__`',
  },
  {
    given: '(a: Wide)',
    args: '{"name":"","__proto__":{"x":1}}',
    refused: 'The value must have no member `__proto__`',
  },
  {
    given: '(a: unknown, b?: number)',
    args: '{"a":[{"constructor":{"prototype":{"x":1}}}]}',
    refused: '`a` must have no member `constructor.prototype`',
  },
  {
    given: '(a: Record<string, number>, b?: number)',
    args: '{"a":{"constructor":2}}',
    want: [{ constructor: 2 }],
  },
];

const contexts: Row[] = [
  { given: '(job: Job)', args: '{"text":"x"}', want: [{ text: 'x', context: THE_CONTEXT }] },
  {
    given: '(job: { at: Date } & Job)',
    args: '{"at":"2026-01-31T09:00:00.000Z","text":""}',
    want: [{ at: new Date('2026-01-31T09:00:00.000Z'), text: '', context: THE_CONTEXT }],
  },
  {
    given: '(job: { [other: string]: unknown; context: Context })',
    args: '{"context":"mine"}',
    want: [{ context: THE_CONTEXT }],
  },
  {
    given: '(job: Job, own: Context)',
    args: '{"text":"x"}',
    want: [{ text: 'x', context: THE_CONTEXT }, THE_CONTEXT],
  },
];

const names: Row[] = [
  { given: '(_id: string, id: string)', args: '{"id":"b","_id":"a"}', want: ['a', 'b'] },
  { given: '(größe: string, grosse: string)', args: '{"grosse":"b","grosse_2":"a"}', want: ['a', 'b'] },
];

const moment = '2026-01-31T09:00:00.000Z';
const dated = "(a: { d: Date; kind?: 'x' } | { d: string; kind: 'y' }, b?: number)";
const listed =
  "(a: { v: Set<string>; t: 'a' } | { v: string[]; t?: 'b' } | { v: Map<string, string>; t: null }, b?: number)";

const tagged: Row[] = [
  { given: dated, args: `{"a":{"d":"${moment}","kind":"x"}}`, want: [{ d: new Date(moment), kind: 'x' }] },
  { given: dated, args: `{"a":{"d":"${moment}"}}`, want: [{ d: new Date(moment) }] },
  { given: dated, args: `{"a":{"d":"${moment}","kind":"y"}}`, want: [{ d: moment, kind: 'y' }] },
  { given: listed, args: '{"a":{"v":["x"],"t":"a"}}', want: [{ v: new Set(['x']), t: 'a' }] },
  { given: listed, args: '{"a":{"v":["x"],"t":"b"}}', want: [{ v: ['x'], t: 'b' }] },
  { given: listed, args: '{"a":{"v":["x"]}}', want: [{ v: ['x'] }] },
  { given: listed, args: '{"a":{"v":{"x":"y"},"t":null}}', want: [{ v: new Map([['x', 'y']]), t: null }] },
];

const presetX = `(a: { d: Date; /** @default "x" */ kind: 'x' } | { d: string; kind: 'y' }, b?: number)`;
const sized = '(a: number | bigint, b?: number)';

const chosen: Row[] = [
  { given: presetX, args: `{"a":{"d":"${moment}"}}`, want: [{ d: new Date(moment), kind: 'x' }] },
  { given: presetX, args: `{"a":{"d":"${moment}","kind":"y"}}`, want: [{ d: moment, kind: 'y' }] },
  ...['Branded | { n: number }', 'Named | { n: number }', 'Named | Counted'].map((type) => ({
    given: `(a: ${type}, b?: number)`,
    args: `{"a":{"at":"${moment}"}}`,
    want: [{ at: new Date(moment) }],
  })),
  { given: sized, args: '{"a":5}', want: [5] },
  { given: sized, args: '{"a":5.5}', want: [5.5] },
];

const large: Row[] = [
  {
    given: '(a: BigInt64Array, b?: number)',
    args: '{"a":[-9223372036854775808,9223372036854775807]}',
    want: [new BigInt64Array([-(2n ** 63n), 2n ** 63n - 1n])],
  },
  {
    given: '(a: BigInt64Array, b?: number)',
    args: '{"a":[1,9223372036854775808]}',
    refused: '`a[1]` must be a number that BigInt64Array can hold',
  },
  {
    given: '(a: BigUint64Array, b?: number)',
    args: '{"a":[18446744073709551616]}',
    refused: '`a[0]` must be a number that BigUint64Array can hold',
  },
];

const BIG = '9007199254740993';
/** The double next to it. */
const EVEN = 9007199254740992;

const numbers: Row[] = [
  { given: '(ns: number)', args: `{"ns":${BIG}}`, want: [EVEN] },
  {
    given: '(a: { ns?: number; at: Date })',
    args: `{"ns":${BIG},"at":"${moment}"}`,
    want: [{ ns: EVEN, at: new Date(moment) }],
  },
  { given: '(a: number[], b?: number)', args: `{"a":[1,${BIG}]}`, want: [[1, EVEN]] },
  { given: '(a: [number, bigint], b?: number)', args: `{"a":[${BIG},${BIG}]}`, want: [[EVEN, BigInt(BIG)]] },
  { given: '(a: Record<string, number>, b?: number)', args: `{"a":{"x":${BIG}}}`, want: [{ x: EVEN }] },
  {
    given: '(a: Map<string, number>, b?: number)',
    args: `{"a":{"x":${BIG}}}`,
    want: [new Map([['x', EVEN]])],
  },
  {
    given: '(a: Map<number, number>, b?: number)',
    args: `{"a":{"${BIG}":${BIG}}}`,
    want: [new Map([[EVEN, EVEN]])],
  },
  { given: '(a: Set<number>, b?: number)', args: `{"a":[${BIG}]}`, want: [new Set([EVEN])] },
  { given: '(a: unknown, b?: number)', args: `{"a":{"x":[${BIG}]}}`, want: [{ x: [EVEN] }] },
  {
    given: '(a: { n: bigint; x: unknown })',
    args: `{"n":${BIG},"x":${BIG}}`,
    want: [{ n: BigInt(BIG), x: EVEN }],
  },
  { given: '(a: number | string, b?: number)', args: `{"a":${BIG}}`, want: [EVEN] },
  { given: '(a: number | bigint, b?: number)', args: `{"a":${BIG}}`, want: [BigInt(BIG)] },
  { given: '(a: Float64Array, b?: number)', args: `{"a":[${BIG}]}`, want: [new Float64Array([EVEN])] },
];

const generic: Row[] = [
  { given: '<T = { d: Date }>(a: T)', args: `{"d":"${moment}"}`, want: [{ d: new Date(moment) }] },
  { given: '<T extends { d: Date }>(a: T)', args: `{"d":"${moment}"}`, want: [{ d: new Date(moment) }] },
];

/** JSON has no `undefined`. */
const absent: Row[] = [
  { given: '(a: string | undefined, b: string)', args: '{"b":"x"}', want: [undefined, 'x'] },
  { given: '(a: string, b: Date | undefined)', args: '{"a":"x"}', want: ['x'] },
  { given: '(a: { b: string | undefined; c: string })', args: '{"c":"x"}', want: [{ c: 'x' }] },
  { given: '(a: string, b: (() => void) | undefined)', args: '{"a":"x"}', want: ['x'] },
  { given: '(a: { b: (() => void) | undefined; c: string })', args: '{"c":"x"}', want: [{ c: 'x' }] },
  {
    given: '(a: { t: "x" | undefined; d: Date } | { t: "y"; d: string }, b?: number)',
    args: `{"a":{"d":"${moment}"}}`,
    want: [{ d: new Date(moment) }],
  },
];

const groups: Record<string, Row[]> = {
  absent,
  hidden,
  inherited,
  contexts,
  names,
  tagged,
  chosen,
  large,
  numbers,
  generic,
};
const rows = Object.values(groups).flat();
let compiled: CompiledFiles;
let functions: ReturnType<typeof loadFunctions>;
let seen: unknown[] = [];

beforeAll(async () => {
  const texts = rows.map(
    ({ given }, at) =>
      `/** @tool f${at} */\nexport function f${at}${given}: void { globalThis.seen(Array.from(arguments)); }\n`,
  );
  const file = [declarations, 'declare global { var seen: (given: unknown[]) => void }', ...texts].join('\n');
  vi.stubGlobal('seen', (given: unknown[]) => (seen = given));
  compiled = await compileFiles({ 'a.ts': file });
  functions = loadFunctions(file, compiled);
});

afterAll(() => vi.unstubAllGlobals());

describe.each(Object.entries(groups))('%s', (_, some) => {
  test.each(some)('f$given of $args', async (row) => {
    const name = `f${rows.indexOf(row)}`;
    const { inputSchema, binding } = toolNamed(name, compiled);
    if (binding.kind !== 'function') throw new Error('It is bound to no function.');
    const given = parseJson(row.args) as Record<string, unknown>;
    expect(JSON.stringify(inputSchema)).not.toMatch(/admin|signal|mark|context/);
    expect(compileSchema(inputSchema)(given)).toEqual([]);
    seen = [];
    if (row.refused === undefined) {
      await functions.callTool(binding, name, given);
      expect(seen).toEqual(row.want);
    } else {
      await expect(functions.callTool(binding, name, given)).rejects.toThrow(row.refused);
      expect(seen).toEqual([]);
    }
  });
});

test('a hidden parameter of a prompt without arguments', async () => {
  const text =
    '/** @prompt */\nexport function ask(/** @hidden */ budget = 5): string { return `budget ${budget}`; }\n';
  const prompts = await compileFiles({ 'a.ts': text });
  const [prompt] = prompts.model?.prompts ?? [];
  if (prompt?.binding.kind !== 'function') throw new Error(prompts.messages.join('\n'));
  const { getPrompt } = loadFunctions(text, prompts);
  const { binding } = prompt;
  expect(await getPrompt(binding, 'ask', {})).toBe('budget 5');
  await expect(getPrompt(binding, 'ask', { budget: '7' })).rejects.toThrow(
    '`budget` is not a known property',
  );
});
