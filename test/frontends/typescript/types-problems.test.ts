// Types without a JSON form, and tags that say nothing: what is reported, and where.
import { describe, expect, test } from 'vitest';
import type { TypeUse } from '../../../src/frontends/typescript/schema/type-reader.ts';
import { programOf, readerOf } from './type-program.ts';

interface Row {
  name: string;
  /** The file `a.ts`; its export `T` is read. */
  given: string;
  /** Other files. */
  files?: Record<string, string>;
  use?: Partial<TypeUse>;
  want: string[];
  /** A part of the first message. */
  words?: string;
}

const rows: Row[] = [
  {
    name: 'a required callback',
    given: 'export interface T {\n  path: string;\n  onChange: (at: number) => void;\n}',
    want: ['type-without-json a.ts:3:3'],
    words: '`T.onChange` is a function',
  },
  {
    name: 'an optional callback is left out',
    given: 'export interface T { path: string; onChange?: () => void }',
    want: ['member-left-out a.ts:1:36'],
    words: '`T.onChange` can be a function',
  },
  {
    name: 'a class that only code can make',
    given: 'class Secret { #key = 1; read() { return this.#key; } }\nexport interface T { secret: Secret }',
    want: ['type-without-json a.ts:2:22'],
    words: 'an instance of the class `Secret`',
  },
  {
    name: 'an optional member whose members have no form',
    given: 'export interface T { path: string; hooks?: { before: () => void; after: () => void } }',
    want: ['member-left-out a.ts:1:36'],
    words: '`T.hooks` can be an object whose `before` is a function',
  },
  {
    name: 'what is inherited of a library is one reason',
    given: 'export interface T extends Map<string, Date> { own(): void }',
    want: ['type-without-json a.ts:1:48', 'type-without-json a.ts:1:1', 'type-without-json a.ts:1:1'],
  },
  {
    name: 'what a library says to its own tools',
    given: "import type { Options } from 'lib';\nexport interface T { options: Options }",
    files: {
      'node_modules/lib/package.json': '{"name":"lib","version":"1.0.0","types":"index.d.ts"}',
      'node_modules/lib/index.d.ts':
        'export interface Options { /** @default Number.MAX_VALUE @minLenght 1 */ level: number }',
    },
    want: [],
  },
  {
    name: 'a symbol, and a member whose key is one',
    given: 'declare const key: unique symbol;\nexport interface T { a: symbol;\n  [key]: string }',
    want: ['type-without-json a.ts:2:22', 'type-without-json a.ts:3:3'],
  },
  {
    name: 'flags of a pattern',
    given: 'export interface T { /** @pattern /^a+$/i */ a: string; /** @pattern `/^b$/gu` */ b: string }',
    want: ['bad-tag a.ts:1:26', 'bad-tag a.ts:1:61'],
    words: 'a regular expression without flags',
  },
  {
    name: 'slashes of a pattern',
    given: 'export interface T { /** @pattern /^a+$/ */ a: string; /** @pattern [/]a/i */ b: string }',
    want: [],
  },
  ...['{ [k: symbol]: string }', 'Record<symbol, string>', 'Record<PropertyKey, string>'].map((type) => ({
    name: `keys that are symbols: ${type}`,
    given: `export interface T { a: ${type} }`,
    want: ['member-left-out a.ts:1:22'],
    words: 'a member with a symbol as its key',
  })),
  { name: 'never', given: 'export interface T { a: never }', want: ['type-without-json a.ts:1:22'] },
  {
    name: 'a promise inside of a value',
    given: 'export interface T { later: Promise<string> }',
    want: ['type-without-json a.ts:1:22'],
    words: 'a promise',
  },
  {
    name: 'classes of JavaScript, of Node and of the web that are in no table',
    given: [
      "import type { EventEmitter } from 'node:events';",
      "import type { Stats } from 'node:fs';",
      'export interface T {',
      '  a: Headers;',
      '  b: URLSearchParams;',
      '  c: Intl.NumberFormat;',
      '  d: EventEmitter;',
      '  e: Stats;',
      '  f: NodeJS.ReadableStream;',
      '  g: Error;',
      '  h: ArrayBufferView;',
      '  i: IterableIterator<string>;',
      '}',
    ].join('\n'),
    want: [4, 5, 6, 7, 8, 9, 10, 11, 12].map((line) => `type-without-json a.ts:${line}:3`),
    words: '`T.a` is a `Headers`',
  },
  {
    name: 'the same as results, but for errors and iterators',
    given:
      'export interface T {\n  a: Blob;\n  b: Intl.NumberFormat;\n  c: Error;\n  d: IterableIterator<string>;\n}',
    use: { direction: 'output' },
    want: ['type-without-json a.ts:2:3', 'type-without-json a.ts:3:3'],
  },
  {
    name: 'any, in an item of a list',
    given: 'export interface T { a: { b: any[] } }',
    want: ['untyped-value a.ts:1:27'],
    words: '`T.a.b[]` is `any`',
  },
  {
    name: 'any with @schema is fine',
    given: 'export interface T { /** @schema {"type":"integer"} */ a: any }',
    want: [],
  },
  {
    name: 'any of a library',
    given: "import type { Options } from 'lib';\nexport interface T { options: Options }",
    files: {
      'node_modules/lib/package.json': '{"name":"lib","version":"1.0.0","types":"index.d.ts"}',
      'node_modules/lib/index.d.ts': 'export interface Options { level: number; extra?: any }',
    },
    want: ['type-widened a.ts:2:22'],
    words: '`Options.extra`',
  },
  {
    name: 'a type parameter that nothing decides',
    given: 'interface Page<T> { items: T[] }\nexport const T = <X>(page: Page<X>) => page;',
    use: {},
    want: ['type-without-json a.ts:2:14'],
  },
  {
    name: 'a mapped type of which nothing is known',
    given: 'export class T<X, K extends "a" | "b"> { a!: Partial<X>; b!: Record<K, X>; c!: { d: K } & X }',
    want: ['unresolved-generic a.ts:1:42', 'unresolved-generic a.ts:1:58', 'unresolved-generic a.ts:1:76'],
    words: '`T.a` is `Partial<X>`',
  },
  {
    name: 'instances without end',
    given: 'interface Nest<X> { value: X; next?: Nest<X[]> }\nexport type T = { nest: Nest<string> };',
    want: ['type-too-large a.ts:2:1'],
    words: 'more than 100 types inside one another',
  },
  {
    name: 'more types than the limit',
    given: `export type T = [${Array(101)
      .fill(`[${Array(200).fill('string').join()}]`)
      .join()}];`,
    want: ['type-too-large a.ts:1:1'],
    words: 'more than 20000 types',
  },
  {
    name: 'more alternatives than the limit',
    given: "type D = '0'|'1'|'2'|'3'|'4'|'5'|'6'|'7'|'8'|'9';\nexport type T = `${D}${D}${D}${D}`;",
    want: ['type-too-large a.ts:2:1'],
    words: 'more than 2000 alternatives',
  },
  {
    name: 'a pattern beyond the limit',
    given: `export type T = \`${'${number}-'.repeat(250)}\`;`,
    want: ['type-too-large a.ts:1:1'],
  },
  {
    name: 'values of tags',
    given: [
      'export interface T {',
      '  /** @minimum ten */ a: number;',
      '  /** @pattern ([a-z */ b: string;',
      '  /** @default {x} */ c: number;',
      '  /** @schema yes */ d: string;',
      '  /** @example nope */ e: boolean;',
      '  /** @minLength -1 */ f: string;',
      '  /** @multipleOf 0 */ g: number;',
      '}',
    ].join('\n'),
    want: [2, 3, 4, 5, 6, 7, 8].map(
      (line) => `${line === 6 ? 'example-does-not-fit' : 'bad-tag'} a.ts:${line}:7`,
    ),
    words: '@minimum needs a number',
  },
  {
    name: 'integers that would be rounded',
    given: [
      'export interface T {',
      '  /** @minimum 9007199254740993 */ a: bigint;',
      '  /** @maximum -18446744073709551615 */ b: bigint;',
      '  /** @default 12345678901234567890 */ c: bigint;',
      '  /** @default [1, {"a": 12345678901234567890}] */ d: unknown;',
      '  /** @example 12345678901234567890n */ e: bigint;',
      '  /** @multipleOf 12345678901234567890 */ f: bigint;',
      '  /** @maximum 9007199254740991 @default 10n */ g: bigint;',
      '}',
    ].join('\n'),
    want: [2, 3, 4, 5, 6, 7].map((line) => `bad-tag a.ts:${line}:7`),
    words: '@minimum has the value 9007199254740993',
  },
  {
    name: 'defaults that are code',
    given: [
      'export interface T {',
      '  /** @default undefined */ a?: string;',
      '  /** @default process.cwd() */ b?: string;',
      '  /** @default Limits.most */ c?: string;',
      '  /** @default `metric` */ d?: string;',
      '  /** @default new Date() */ e?: Date;',
      '  /** @defaultValue `undefined` */ f?: number;',
      '  /** Words. @defaultValue texts[0] */ g?: unknown;',
      '}',
    ].join('\n'),
    want: ['2:7', '3:7', '4:7', '5:7', '6:7', '7:7', '8:14'].map((at) => `idle-tag a.ts:${at}`),
    words: '`@default` has no effect here: undefined is code',
  },
  {
    name: 'a tag for another type',
    given: 'export interface T { /** @minLength 1 */ a: string[]; /** @minItems 1 */ b: number }',
    want: ['idle-tag a.ts:1:26', 'idle-tag a.ts:1:59'],
    words: 'string values',
  },
  {
    name: 'a hidden member that is required',
    given: 'export interface T { /** @hidden */ token: string }',
    want: ['hidden-required a.ts:1:37'],
  },
  {
    name: 'an enum that is computed',
    given: 'export enum T { A = "x".length, B = 2 }',
    want: ['type-widened a.ts:1:1'],
  },
  {
    name: 'a bigint that JSON readers would round',
    given: 'export interface T { all: 9007199254740993n }',
    want: ['type-widened a.ts:1:22'],
  },
  {
    name: 'a union of which one alternative has a form',
    given: 'export interface T { a: string | (() => string) }',
    want: ['member-left-out a.ts:1:22'],
  },
  {
    name: 'a member of a result',
    given: 'export type T = { a: symbol[] }',
    use: { direction: 'output', subject: 'The result', inline: true },
    want: ['type-without-json a.ts:1:19'],
    words: '`a[]` of the result is a symbol',
  },
  {
    name: 'half of a result that is to stay inside',
    given: [
      'class Coll { size = 1; /** @hidden */ *[Symbol.iterator]() { yield 1; } }',
      'export interface T { a: Coll; c: string[] & { /** @hidden */ total: number }; d: Set<string>; e: string[] }',
    ].join('\n'),
    use: { direction: 'output' },
    want: [],
  },
  {
    name: 'async items in a result',
    given: 'class Rows { async *[Symbol.asyncIterator]() { yield 1; } }\nexport interface T { rows: Rows }',
    use: { direction: 'output' },
    want: ['type-without-json a.ts:2:22'],
    words: '`T.rows` is an iterable without other members',
  },
];

test('one mistake is told once, by whatever ways it is reached', () => {
  const given = [
    'export interface T {',
    '  call: () => void;',
    '  pair: [a: () => void, b: () => void];',
    '  inner: Inner;',
    '}',
    'interface Inner { none?: symbol }',
    'export interface U { t: T; inner: Inner }',
  ].join('\n');
  const { read, problems } = readerOf(programOf({ 'a.ts': given }));
  read('T', { inline: true, subject: 'first' });
  read('T', { inline: true, subject: 'second' });
  read('U', { subject: 'third' });
  read('T', { direction: 'output', inline: true, subject: 'The result' });
  expect(problems()).toEqual([
    'member-left-out a.ts:6:19',
    'type-without-json a.ts:2:3',
    'type-without-json a.ts:3:3',
  ]);
});

test.each(rows)('$name', ({ given, files = {}, use = {}, want, words }) => {
  const { read, problems, diagnostics } = readerOf(programOf({ 'a.ts': given, ...files }));
  read('T', use);
  expect(problems()).toEqual(want);
  if (words !== undefined) expect(diagnostics.found[0]?.message).toContain(words);
});

test('a type that was too large within one is read anew by itself', () => {
  const given = [
    'const inner = { a: "", b: "" };',
    `export type T = [Tall<[]>, typeof inner];`,
    'export type U = typeof inner;',
    'type Tall<X extends unknown[]> = { of: Tall<[...X, 1]>; inner: typeof inner };',
  ].join('\n');
  const { read, problems } = readerOf(programOf({ 'a.ts': given }));
  read('T');
  expect(read('U').schema).toMatchObject({ type: 'object', required: ['a', 'b'] });
  expect(problems()).toEqual(['type-too-large a.ts:2:1']);
});

describe('names', () => {
  test('types of one name are told apart by their files, whatever the order', () => {
    const files = {
      'a.ts': [
        "import type { Item as Bill } from './billing.js';",
        "import type { Item as Good } from './shop.js';",
        'export interface T { bill: Bill; good: Good }',
        'export interface U { good: Good; bill: Bill }',
      ].join('\n'),
      'billing.ts': 'export interface Item { total: number }',
      'shop.ts': 'export interface Item { size: string }',
    };
    const named = (...order: string[]): unknown[] => {
      const { read, reader, problems } = readerOf(programOf(files));
      const types = order.map((name) => [name, read(name, { inline: true })] as const);
      const names = Object.keys(reader.schemas).sort();
      return [names, Object.fromEntries(types), problems().sort()];
    };
    const [names, types, problems] = named('T', 'U');
    expect(names).toEqual(['Item_billing', 'Item_shop']);
    expect(types).toMatchObject({
      T: { schema: { properties: { bill: { $ref: '#/$defs/Item_billing' } } } },
    });
    expect(problems).toEqual([]);
    expect(named('U', 'T')).toEqual([names, types, problems]);
  });

  test('one type read in both directions has one name, unless its schemas differ', () => {
    const given = [
      'interface Plain { any: unknown; at: Date | string; deep: { at: Date } | { at: string } }',
      'class Shown { id = 1; get label(): string { return ""; } toJSON() { return { id: 1 }; } }',
      'interface Hidden { id: string; /** @hidden */ token?: string }',
      'export interface T { plain: Plain; hidden: Hidden }',
      'export interface U { plain: Plain; hidden: Hidden; shown: Shown }',
    ].join('\n');
    const { read, reader, problems } = readerOf(programOf({ 'a.ts': given }));
    const input = read('T', { inline: true });
    const output = read('U', { direction: 'output', inline: true });
    expect(Object.keys(reader.schemas).sort()).toEqual(['Hidden', 'Plain', 'Shown']);
    expect(reader.codecs['Hidden']).toEqual({ kind: 'object', without: ['token'], only: ['id'] });
    expect(input.codec).toEqual({
      kind: 'object',
      properties: { plain: { kind: 'ref', name: 'Plain' }, hidden: { kind: 'ref', name: 'Hidden' } },
    });
    expect(output.codec).toMatchObject({ properties: { hidden: { kind: 'ref', name: 'Hidden' } } });
    expect(problems()).toEqual([]);
  });

  test('types of one name in one file are told apart by content', () => {
    const given = [
      'const f = () => { interface Local { a: string } return (x: Local) => x; };',
      'const g = () => { interface Local { b: number } return (x: Local) => x; };',
      'export type T = { f: Parameters<ReturnType<typeof f>>[0]; g: Parameters<ReturnType<typeof g>>[0] };',
    ].join('\n');
    const { read, reader } = readerOf(programOf({ 'a.ts': given }));
    read('T', { inline: true });
    const names = Object.keys(reader.schemas);
    expect(names).toHaveLength(2);
    for (const name of names) expect(name).toMatch(/^Local_[0-9a-f]{6}$/);
  });
});
