// Values that functions return arrive as listed: compiled, called, and checked against the output schema by our
// validator and by Ajv.
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeJson } from '../../../templates/runtime/json-rpc.ts';
import { compileSchema } from '../../runtime/schema/validator.ts';
import { formats } from '../../support/formats.ts';
import { type CompiledFiles, compileFiles, toolNamed } from './compile-files.ts';
import { loadFunctions } from './run-functions.ts';

interface Row {
  /** Text after `export function f`, or before it with `star`. */
  given: string;
  tags?: string;
  /** The function is a generator. */
  star?: string;
  /** The result: `structuredContent`, without the `result` that may wrap it. */
  want?: unknown;
  /** Where nothing is listed: what arrives as content. */
  content?: unknown[];
}

const declarations = `
interface Station { id: number; since: Date; /** @hidden */ token?: string }
const day = new Date('2026-01-31T09:00:00.000Z');
const bytes = new Uint8Array([104, 105]);
const station: Station = { id: 1, since: day, token: 'secret' };
class Failure extends Error { code = 7; }
class Page { private token = 'secret'; items = [day]; *[Symbol.iterator]() { yield* this.items; } last() { return this.token; } }
class Words { #words = ['a']; get words() { return this.#words; } *[Symbol.iterator]() { yield* this.#words; } }
interface Marker {}
interface TextBlock { type: 'text'; text: string }
type Blocks = TextBlock[];
class Acct { constructor(public id: string, private hash: string) {} }
class Square { constructor(private side: number) {} get area() { return this.side ** 2; } }
interface Shape { readonly area: number }
interface Sub extends Acct { note?: string }
interface User { id: string; hash: string }
const acct = new Acct('a', 'secret');
const user = { id: 'a', hash: 'secret' };
`;

const text = '2026-01-31T09:00:00.000Z';
const shown = { id: 1, since: text };
const said = (value: unknown) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

const alternatives: Row[] = [
  // A value that was cast to its type has no methods.
  {
    given:
      '(): { id: string; /** @hidden */ token?: string; show(): string } | { n: number } { return { id: "a", token: "x" } as never; }',
    want: { id: 'a' },
  },
];

// Members that the type names are written.
const named: Row[] = [
  { given: '(): Readonly<Acct> { return acct; }', want: { id: 'a' } },
  {
    given: '(): { all: Map<string, { id: string }> } { return { all: new Map([["b", acct]]) }; }',
    want: { all: { b: { id: 'a' } } },
  },
  { given: '(): Shape { return new Square(2); }', want: { area: 4 } },
  { given: '(): Omit<User, "hash"> { return user; }', want: { id: 'a' } },
  { given: '(): Record<string, string> { return user; }', want: { id: 'a', hash: 'secret' } },
  {
    given: '(): { toString: string } { return { toString: "a", more: 1 } as never; }',
    want: { toString: 'a' },
  },
  // Of several alternatives at once it is all that these name.
  { given: '(): { a: number } | { b: Date } { return { a: 1, b: day }; }', want: { a: 1, b: text } },
  {
    given:
      '(): { a: number; x?: string } | { a: number; y?: string } { return { a: 1, y: "y", z: 1 } as never; }',
    want: { a: 1, y: 'y' },
  },
  {
    given:
      '(): { of: { x: number } } | { of: { y: number } } { return { of: { x: 1, y: 2, z: 3 } } as never; }',
    want: { of: { x: 1, y: 2 } },
  },
  {
    given:
      '(): { k: "a"; x: string } | { k: "b"; y: string } { return { k: "b", y: "y", x: "x" } as never; }',
    want: { k: 'b', y: 'y' },
  },
];

const iterables: Row[] = [
  { given: '(): Iterable<string> { return new Set(["a", "b"]); }', want: ['a', 'b'] },
  { given: '(): IterableIterator<string> { return ["a", "b"].values(); }', want: ['a', 'b'] },
  { given: '() { return new Map([["a", day]]).entries(); }', want: [['a', text]] },
  { given: '(): Iterable<Station> { return [station]; }', want: [shown] },
  { given: '(): Generator<Date> { return (function* () { yield day; })(); }', want: [text] },
  { star: 'function*', given: '() { yield day; yield day; }', want: [text, text] },
  { star: 'function*', given: '(): Generator<string, Date> { yield "one"; return day; }', want: text },
  { star: 'async function*', given: '() { yield day; yield day; }', want: [text, text] },
  {
    star: 'async function*',
    given: '(): AsyncIterableIterator<1 | undefined> { yield 1; yield; }',
    want: [1, null],
  },
  {
    given: '(): AsyncIterable<Date> { return { async *[Symbol.asyncIterator]() { yield day; } }; }',
    want: [text],
  },
  {
    star: 'async function*',
    given: '() { yield "one"; return JSON.parse("[1]"); }',
    content: [{ type: 'text', text: '[1]' }],
  },
  {
    star: 'async function*',
    given: '() { yield { progress: 1, total: 2 }; }',
    content: [{ type: 'text', text: 'Done.' }],
  },
  {
    star: 'async function*',
    tags: '@content',
    given: '(): AsyncGenerator<TextBlock> { yield { type: "text", text: "a" }; }',
    content: [{ type: 'text', text: 'a' }],
  },
  { given: '(): { all: Iterable<Date> } { return { all: new Set([day]) }; }', want: { all: [text] } },
  { given: '(): Date[] & { total: number } { return Object.assign([day], { total: 1 }); }', want: [text] },
  {
    given: '(): Iterable<string> | { at: Date } { return new Set(["a"]); }',
    want: ['a'],
  },
  { given: '(): Promise<void | Set<string>> { return Promise.resolve(new Set(["a"])); }', want: ['a'] },
];

const png = (data: string) => [{ type: 'image', data, mimeType: 'image/png' }];

const data: Row[] = [
  ...['bytes', 'Buffer.from(bytes)', 'bytes.slice().buffer', 'new DataView(bytes.buffer)'].map(
    (value): Row => ({
      tags: '@mimeType image/png',
      given: `() { return ${value}; }`,
      content: png('aGk='),
    }),
  ),
  {
    tags: '@mimeType image/png',
    given: '() { const all = new SharedArrayBuffer(2); new Uint8Array(all).set(bytes); return all; }',
    content: png('aGk='),
  },
  {
    tags: '@mimeType text/csv',
    given: '(): "a" | "b" | undefined { return "a"; }',
    content: [{ type: 'resource', resource: { uri: 'result://NAME', mimeType: 'text/csv', text: 'a' } }],
  },
  { given: '(): ArrayBufferLike { return bytes.buffer; }', want: 'aGk=' },
];

const block = '{ return { type: "text", text: "a" }; }';
const blocks: Row[] = [
  { given: `(): TextBlock ${block}`, want: { type: 'text', text: 'a' } },
  { tags: '@content false', given: `(): TextBlock ${block}`, want: { type: 'text', text: 'a' } },
  { tags: '@content', given: `(): TextBlock ${block}`, content: [{ type: 'text', text: 'a' }] },
  { given: `(): { type: "text"; text: string } ${block}`, content: [{ type: 'text', text: 'a' }] },
  { given: '(): Blocks { return [{ type: "text", text: "a" }]; }', want: [{ type: 'text', text: 'a' }] },
  {
    tags: '@content',
    given: '(): Promise<Blocks> { return Promise.resolve([{ type: "text", text: "a" }]); }',
    content: [{ type: 'text', text: 'a' }],
  },
];

const open: Row[] = [
  { given: '(): unknown { return new Map([["a", day]]); }', ...said({ a: text }) },
  { given: '(): unknown { return new Set([1n]); }', ...said([1]) },
  { given: '(): unknown { return { deep: [new Map([[1, bytes]])] }; }', ...said({ deep: [[[1, 'aGk=']]] }) },
  { given: '(): unknown { return day; }', content: [{ type: 'text', text }] },
  { given: '(): unknown { return { type: "text", text: "a" }; }', content: [{ type: 'text', text: 'a' }] },
  { given: '(): unknown { return new Failure("no"); }', ...said({ name: 'Error', message: 'no', code: 7 }) },
  { given: '(): unknown { return [new String("a"), new Boolean(false)]; }', ...said(['a', false]) },
  { given: '(): object { return new Map([["a", 1n]]); }', want: { a: 1 } },
  { given: '(): object { return day; }', want: text },
  { given: '(): Object { return new Map([["a", day]]); }', want: { a: text } },
  { given: '(): Marker { return new Map([["a", day]]); }', want: { a: text } },
  { given: '<T extends object>(of?: T): T | Date { return of ?? day; }', want: text },
  { tags: '@content', given: '(): TextBlock | Station { return station; }', ...said(shown) },
  {
    tags: '@content',
    given: '(): TextBlock | Station { return { type: "text", text: "a" }; }',
    content: [{ type: 'text', text: 'a' }],
  },
];

const classes: Row[] = [
  {
    given: '(): Error { return new RangeError("no", { cause: day }); }',
    want: { name: 'RangeError', message: 'no', cause: text },
  },
  { given: '() { return new Failure("no"); }', want: { name: 'Error', message: 'no', code: 7 } },
  { given: '() { return new Page(); }', want: { items: [text] } },
  { given: '() { return new Words(); }', want: { words: ['a'] } },
  { given: '(): Station | { x: WeakMap<object, string> } { return station; }', want: shown },
  { given: '(): { a: BigInt } { return { a: Object(1n) as BigInt }; }', want: { a: 1 } },
];

const full: Row[] = [
  {
    given:
      '(): { content: TextBlock[]; structuredContent: { when: Date; n: bigint; all: Set<string>; of: Station } } ' +
      '{ return { content: [], structuredContent: { when: day, n: 1n, all: new Set(["a"]), of: station } }; }',
    want: { when: text, n: 1, all: ['a'], of: shown },
  },
];

const generic: Row[] = [{ given: '<T = Station>(of?: T): T { return of ?? (station as T); }', want: shown }];

const groups: Record<string, Row[]> = {
  named,
  alternatives,
  iterables,
  data,
  blocks,
  open,
  classes,
  full,
  generic,
};
const rows = Object.values(groups).flat();
let compiled: CompiledFiles;
let functions: ReturnType<typeof loadFunctions>;

function textOf({ given, tags = '', star = 'function' }: Row, at: number): string {
  return `/** @tool f${at}\n * ${tags} */\nexport ${star} f${at}${given}\n`;
}

beforeAll(async () => {
  const file = [declarations, ...rows.map(textOf)].join('\n');
  compiled = await compileFiles({ 'a.ts': file });
  functions = loadFunctions(file, compiled);
});

function expectValid(schema: object, value: unknown): void {
  const ajv = new Ajv2020({ formats, strict: false });
  const theirs = ajv.compile(schema as AnySchema);
  expect(theirs(value), JSON.stringify(theirs.errors)).toBe(true);
  expect(compileSchema(schema)(value)).toEqual([]);
}

describe.each(Object.entries(groups))('%s', (_, some) => {
  test.each(some)('$tags $star f$given', async (row) => {
    const name = `f${rows.indexOf(row)}`;
    const { outputSchema, binding } = toolNamed(name, compiled);
    if (binding.kind !== 'function') throw new Error('It is bound to no function.');
    const returned = await functions.callTool(binding, name, {});
    const result = JSON.parse(writeJson(returned)) as Record<string, unknown>;
    if ('content' in row) {
      expect(outputSchema).toBeUndefined();
      expect(result['content']).toEqual(JSON.parse(JSON.stringify(row.content).replace('NAME', name)));
      return;
    }
    const structured = result['structuredContent'] as Record<string, unknown>;
    expect(binding.result?.wrapped === true ? structured['result'] : structured).toEqual(row.want);
    expectValid(outputSchema ?? { not: {} }, structured);
  });
});

test('an alternative without a form is reported', () => {
  expect(compiled.problems).toEqual([
    'a.ts:1:1 warning many-tools',
    expect.stringMatching(/^a\.ts:\d+:17 warning data-like-content$/),
    expect.stringMatching(/^a\.ts:\d+:17 warning data-like-content$/),
    expect.stringMatching(/^a\.ts:\d+:17 warning member-left-out$/),
  ]);
});
