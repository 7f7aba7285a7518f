import { boolean, dateTime, list, number, object, string, to, type TypeRow, titled } from './row.ts';

const day = new Date('2026-01-31T09:00:00.000Z');
const text = day.toISOString();
const base64 = { type: 'string', contentEncoding: 'base64' } as const;
const bytes = new Uint8Array([104, 105]);

export const lists: TypeRow[] = [
  {
    name: 'string[]',
    given: 'export type T = string[]',
    want: list(string),
    accepts: [[], ['a']],
    rejects: [[1], 'a'],
  },
  {
    name: 'readonly, both ways',
    given: 'export interface T { a: readonly string[]; b: ReadonlyArray<boolean> }',
    want: object({ a: list(string), b: list(boolean) }),
    accepts: [{ a: [], b: [true] }],
    rejects: [{ a: [1], b: [] }],
  },
  {
    name: 'a list of alternatives',
    given: 'export type T = (string | null)[]',
    want: list({ type: ['string', 'null'] }),
    accepts: [['a', null]],
    rejects: [[1]],
  },
  {
    name: 'undefined in a list cannot be sent',
    given: 'export type T = (string | undefined)[]',
    want: list(string),
    accepts: [['a']],
    rejects: [[null]],
  },
  {
    name: 'undefined in a list of results is null',
    given: 'export type T = (string | undefined)[]',
    direction: 'output',
    want: list({ type: ['string', 'null'] }),
    accepts: [['a', null]],
    rejects: [[1]],
  },
  {
    name: 'a tuple',
    given: 'export type T = [string, number]',
    want: { type: 'array', prefixItems: [string, number], minItems: 2, maxItems: 2 },
    accepts: [['a', 1]],
    rejects: [['a'], ['a', 1, 2], [1, 'a']],
  },
  {
    name: 'a tuple with names and optional elements',
    given: 'export type T = [from: string, to?: string]',
    want: { type: 'array', prefixItems: [titled('from'), titled('to')], minItems: 1, maxItems: 2 },
    accepts: [['a'], ['a', 'b']],
    rejects: [[], ['a', 1]],
  },
  {
    name: 'a tuple with a rest',
    given: 'export type T = readonly [string, ...number[]]',
    want: { type: 'array', prefixItems: [string], items: number, minItems: 1 },
    accepts: [['a'], ['a', 1, 2]],
    rejects: [[], ['a', 'b']],
  },
  {
    name: 'a rest, then an end: any of them may stand behind the beginning',
    given: 'export type T = [boolean, ...number[], string]',
    want: { type: 'array', prefixItems: [boolean], items: { type: ['number', 'string'] }, minItems: 2 },
    accepts: [
      [true, 'a'],
      [true, 1, 2, 'a'],
    ],
    rejects: [[true], ['a', 'b']],
  },
  {
    name: 'a list of nothing, and an object of nothing',
    given: 'export type T = { a: never[]; b: Record<string, never> }',
    want: object({
      a: { type: 'array', maxItems: 0 },
      b: { type: 'object', additionalProperties: { not: {} } },
    }),
    accepts: [{ a: [], b: {} }],
    rejects: [
      { a: [1], b: {} },
      { a: [], b: { x: 1 } },
    ],
  },
  {
    name: 'an empty tuple',
    given: 'export type T = []',
    want: { type: 'array', maxItems: 0 },
    accepts: [[]],
    rejects: [[1]],
  },
  {
    name: 'a const assertion',
    given: "export const T = ['a', 1, { b: true }] as const",
    want: {
      type: 'array',
      prefixItems: [
        { type: 'string', const: 'a' },
        { type: 'number', const: 1 },
        object({ b: { type: 'boolean', const: true } }),
      ],
      minItems: 3,
      maxItems: 3,
    },
    accepts: [['a', 1, { b: true }]],
    rejects: [
      ['a', 2, { b: true }],
      ['a', 1, {}],
    ],
  },
  {
    name: 'dates in a tuple',
    given: 'export type T = [at: Date, ...rest: bigint[]]',
    want: {
      type: 'array',
      prefixItems: [{ ...dateTime, title: 'at' }],
      items: { type: 'integer' },
      minItems: 1,
    },
    accepts: [[text, 1]],
    rejects: [[1]],
    values: [
      [
        [text, 1, 2],
        [day, 1n, 2n],
      ],
    ],
  },
];

export const builtIns: TypeRow[] = [
  {
    name: 'Date',
    given: 'export type T = Date',
    want: dateTime,
    accepts: [text],
    rejects: ['soon', 1],
    values: [[text, day]],
  },
  {
    name: 'a day',
    given: 'export interface T { /** @format date */ at: Date }',
    want: object({ at: { type: 'string', format: 'date' } }),
    accepts: [{ at: '2026-01-31' }],
    rejects: [{ at: text }],
    values: [[{ at: '2026-01-31' }, { at: new Date('2026-01-31T00:00:00Z') }]],
  },
  {
    name: 'Date or null, and lists of dates',
    given: 'export interface T { a: Date | null; b?: Date[]; c: Date | undefined }',
    want: object({
      a: { type: ['string', 'null'], format: 'date-time' },
      'b?': list(dateTime),
      'c?': dateTime,
    }),
    accepts: [{ a: null }, { a: text, b: [text], c: text }],
    rejects: [{ a: 'x' }, {}],
    values: [
      [{ a: null }, { a: null }],
      [
        { a: text, b: [text] },
        { a: day, b: [day] },
      ],
    ],
  },
  {
    name: 'URL',
    given: 'export type T = URL',
    want: { type: 'string', format: 'uri' },
    accepts: ['https://a.example/b'],
    rejects: ['a b', 1],
    values: [['https://a.example/b', new URL('https://a.example/b')]],
  },
  {
    name: 'RegExp',
    given: 'export type T = RegExp',
    want: { type: 'string', format: 'regex' },
    accepts: ['^a$', '/a/i'],
    rejects: ['(', 1],
    values: [
      ['^a$', /^a$/],
      ['/a/i', /a/i],
    ],
  },
  {
    name: 'Uint8Array',
    given: 'export type T = Uint8Array',
    want: base64,
    accepts: ['aGk='],
    rejects: [[104]],
    values: [['aGk=', bytes]],
  },
  {
    name: 'ArrayBuffer and DataView',
    given: 'export interface T { a: ArrayBuffer; b: DataView }',
    want: object({ a: base64, b: base64 }),
    accepts: [{ a: '', b: 'aGk=' }],
    rejects: [{ a: [] }],
    values: [
      [
        { a: 'aGk=', b: 'aGk=' },
        { a: bytes.buffer, b: new DataView(bytes.buffer) },
      ],
    ],
  },
  {
    name: 'typed arrays of integers',
    given: 'export interface T { a: Int8Array; b: Uint16Array; c: Uint8ClampedArray }',
    want: object({
      a: list({ type: 'integer', minimum: -128, maximum: 127 }),
      b: list({ type: 'integer', minimum: 0, maximum: 65_535 }),
      c: list({ type: 'integer', minimum: 0, maximum: 255 }),
    }),
    accepts: [{ a: [-128], b: [65_535], c: [] }],
    rejects: [
      { a: [128], b: [], c: [] },
      { a: [0.5], b: [], c: [] },
    ],
    values: [
      [
        { a: [-1], b: [2], c: [3] },
        { a: new Int8Array([-1]), b: new Uint16Array([2]), c: new Uint8ClampedArray([3]) },
      ],
    ],
  },
  {
    name: 'memory that is shared',
    given: 'export type T = SharedArrayBuffer',
    want: base64,
    accepts: ['aGk='],
    rejects: [1],
    codec: { kind: 'bytes', as: 'SharedArrayBuffer' },
  },
  {
    name: 'data that a library describes is an object',
    given: "import type { CpuInfo } from 'node:os'; export interface T { cpu: Pick<CpuInfo, 'model'> }",
    want: object({ cpu: object({ model: string }) }),
    accepts: [{ cpu: { model: 'x' } }],
    rejects: [{ cpu: {} }],
  },
  {
    name: 'a class of the platform that says its JSON form, as a result',
    given: 'export type T = { at: { toJSON(): string } }',
    direction: 'output',
    want: object({ at: string }),
    accepts: [{ at: 'x' }],
    rejects: [{ at: 1 }],
    codec: { kind: 'object', properties: { at: { kind: 'toJSON' } }, only: ['at'] },
  },
  {
    name: 'typed arrays of fractions and of large integers',
    given: 'export interface T { a: Float64Array; b: BigInt64Array; c: BigUint64Array }',
    want: object({ a: list(number), b: list({ type: 'integer' }), c: list({ type: 'integer', minimum: 0 }) }),
    accepts: [{ a: [0.5], b: [-1], c: [1] }],
    rejects: [
      { a: [], b: [0.5], c: [] },
      { a: [], b: [], c: [-1] },
    ],
    values: [
      [
        { a: [0.5], b: [-1], c: [1] },
        { a: new Float64Array([0.5]), b: new BigInt64Array([-1n]), c: new BigUint64Array([1n]) },
      ],
    ],
  },
  {
    name: 'a map of strings',
    given: 'export type T = Map<string, number>',
    want: { type: 'object', additionalProperties: number },
    accepts: [{}, { a: 1 }],
    rejects: [{ a: 'x' }, []],
    values: [[{ a: 1 }, new Map([['a', 1]])]],
  },
  {
    name: 'a map of numbers',
    given: 'export type T = ReadonlyMap<number, Date>',
    want: {
      type: 'object',
      propertyNames: { pattern: '^-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:e[+-]?\\d+)?$' },
      additionalProperties: dateTime,
    },
    accepts: [{ 1: text }],
    rejects: [{ a: text }, { 1: 1 }],
    values: [[{ 1: text }, new Map([[1, day]])]],
  },
  {
    name: 'a map of anything else is a list of pairs',
    given: 'export type T = Map<Date, { n: bigint }>',
    want: list({
      type: 'array',
      prefixItems: [dateTime, object({ n: { type: 'integer' } })],
      minItems: 2,
      maxItems: 2,
    }),
    accepts: [[[text, { n: 1 }]]],
    rejects: [[[text]], {}],
    values: [[[[text, { n: 1 }]], new Map([[day, { n: 1n }]])]],
  },
  {
    name: 'a set',
    given: 'export type T = Set<string>',
    want: { type: 'array', items: string, uniqueItems: true },
    accepts: [['a', 'b'], []],
    rejects: [['a', 'a'], [1]],
    values: [[['a'], new Set(['a'])]],
  },
  {
    name: 'a set of values, in the order in which they are written',
    given: "export type T = Set<'b' | 'a'>",
    want: { type: 'array', items: { type: 'string', enum: ['b', 'a'] }, uniqueItems: true },
    accepts: [['a', 'b']],
    rejects: [['c']],
    values: [[['a'], new Set(['a'])]],
  },
  {
    name: 'a generator as a result is a list',
    given: 'export type T = Generator<number>',
    direction: 'output',
    want: list(number),
    accepts: [[1]],
    rejects: [1],
    codec: { kind: 'array', items: { kind: 'any' } },
  },
  {
    name: 'a class that can be iterated and has members, as a result',
    given:
      'export class T { #all = [1]; get size() { return 1; } *[Symbol.iterator]() { yield* this.#all; } }',
    direction: 'output',
    want: object({ size: number }),
    accepts: [{ size: 1 }],
    rejects: [[1]],
    codec: { kind: 'object', only: ['size'] },
  },
];

export const objects: TypeRow[] = [
  {
    name: 'an interface',
    given: 'export interface T { a: string; b?: number; c: boolean | undefined; readonly d: null }',
    want: object({ a: string, 'b?': number, 'c?': boolean, d: { type: 'null' } }),
    accepts: [
      { a: 'x', d: null },
      { a: 'x', b: 1, c: true, d: null, more: 1 },
    ],
    rejects: [{ d: null }, { a: 'x', b: '1', d: null }, { a: 'x', b: null, d: null }],
  },
  {
    name: 'an interface without members',
    given: 'export interface T {}',
    want: { type: 'object' },
    accepts: [{}, { a: 1 }],
    rejects: ['a', null],
  },
  {
    name: 'an interface that extends two',
    given: 'interface A { a: string } interface B { b: number } export interface T extends A, B { a: "x" }',
    want: object({ a: { type: 'string', const: 'x' }, b: number }),
    accepts: [{ a: 'x', b: 1 }],
    rejects: [{ a: 'y', b: 1 }, { a: 'x' }],
  },
  {
    name: 'an interface without members as a result',
    given: 'export interface T {}',
    direction: 'output',
    want: {},
    accepts: [{}, { a: 1 }, ['x'], 'x'],
    rejects: [],
    codec: { kind: 'any' },
  },
  {
    name: 'what a mapped type leaves, as a result',
    given: "export type T = Omit<{ a: string }, 'a'>",
    direction: 'output',
    want: object({}),
    accepts: [{}],
    rejects: ['x', []],
  },
  {
    name: 'an index signature',
    given: 'export type T = { [name: string]: number }',
    want: { type: 'object', additionalProperties: number },
    accepts: [{}, { a: 1 }],
    rejects: [{ a: 'x' }],
  },
  {
    name: 'an index signature beside members',
    given: 'export interface T { id: string; [other: string]: unknown }',
    want: { ...object({ id: string }), additionalProperties: {} },
    accepts: [{ id: 'a', x: 1 }],
    rejects: [{ x: 1 }],
  },
  {
    name: 'an index signature of numbers',
    given: 'export type T = { [at: number]: string }',
    want: {
      type: 'object',
      patternProperties: { '^-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:e[+-]?\\d+)?$': string },
    },
    accepts: [{ 1: 'a', x: 1 }],
    rejects: [{ 1: 1 }],
  },
  {
    name: 'an index signature of a template, with a value to revive',
    given: 'export type T = { [at: `at_${string}`]: Date; [n: `n_${string}`]: bigint }',
    want: {
      type: 'object',
      patternProperties: { '^at_[\\s\\S]*$': dateTime, '^n_[\\s\\S]*$': { type: 'integer' } },
    },
    accepts: [{ at_a: text, b: 1 }],
    rejects: [{ at_a: 1 }],
    values: [
      [
        { at_a: text, n_b: 1, c: 1 },
        { at_a: day, n_b: 1n, c: 1 },
      ],
    ],
  },
  {
    name: 'names that objects inherit, and odd ones',
    given:
      "export interface T { constructor: string; toString: number; '': boolean; 'a b': string; '__proto__'?: number }",
    // JSON.parse makes `__proto__` a member like any other.
    want: {
      type: 'object',
      properties: JSON.parse(
        '{"constructor":{"type":"string"},"toString":{"type":"number"},"":{"type":"boolean"},"a b":{"type":"string"},"__proto__":{"type":"number"}}',
      ) as Record<string, never>,
      required: ['constructor', 'toString', '', 'a b'],
    },
    accepts: [{ constructor: 'a', toString: 1, '': true, 'a b': '' }],
    rejects: [{}, { constructor: 'a', toString: 'b', '': true, 'a b': '' }],
  },
  {
    name: 'a class with fields',
    given: 'export class T { a = "x"; b?: number; static c = 1; constructor(readonly d: boolean) {} }',
    want: object({ a: string, d: boolean, 'b?': number }),
    accepts: [{ a: 'x', d: true }],
    rejects: [{ a: 'x' }],
  },
  {
    name: 'a class as a result: what it shows, accessors among it',
    given:
      'export class T { id = 1; private token = "x"; #n = 1; protected p = 1; get label(): string { return this.token + this.#n; } greet() { return 1; } }',
    direction: 'output',
    want: object({ id: number, label: string }),
    accepts: [{ id: 1, label: 'x' }],
    rejects: [{ id: 1 }],
    codec: { kind: 'object', only: ['id', 'label'] },
  },
  {
    name: 'a class that says its JSON form',
    given:
      'export class T { constructor(private n: bigint) {} toJSON() { return { n: this.n, at: new Date() }; } }',
    direction: 'output',
    want: object({ n: { type: 'integer' }, at: dateTime }),
    accepts: [{ n: 1, at: text }],
    rejects: [{ n: 1 }],
    codec: {
      kind: 'toJSON',
      as: { kind: 'object', properties: { n: { kind: 'bigint' }, at: { kind: 'date' } }, only: ['n', 'at'] },
    },
  },
  {
    name: 'a generic class',
    given: 'class Box<V> { value!: V } export interface T { a: Box<string>; b: Box<Date> }',
    want: object({ a: to('Box_string'), b: to('Box_Date') }),
    defs: { Box_string: object({ value: string }), Box_Date: object({ value: dateTime }) },
    accepts: [{ a: { value: 'x' }, b: { value: text } }],
    rejects: [{ a: { value: 1 }, b: { value: text } }],
    values: [
      [
        { a: { value: text }, b: { value: text } },
        { a: { value: text }, b: { value: day } },
      ],
    ],
  },
  {
    name: 'an error as a result',
    given: 'export type T = Error',
    direction: 'output',
    want: object({ name: string, message: string, 'cause?': {} }),
    accepts: [{ name: 'Error', message: 'x' }],
    rejects: [{ name: 'Error' }],
    codec: {
      kind: 'object',
      properties: { cause: { kind: 'any' } },
      only: ['name', 'message', 'cause'],
    },
  },
  {
    name: 'a member that must be absent',
    given: 'export interface T { a: string; b?: never }',
    want: object({ a: string, 'b?': { not: {} } }),
    accepts: [{ a: 'x' }],
    rejects: [
      { a: 'x', b: 1 },
      { a: 'x', b: null },
    ],
  },
  {
    name: 'hidden members are not offered',
    given: 'export interface T { a: string; /** @hidden */ b?: string }',
    want: object({ a: string }),
    accepts: [{ a: 'x' }],
    rejects: [{}],
  },
  {
    name: 'hidden members of a result stay inside',
    given: 'export interface T { a: string; /** @hidden */ b: string }',
    direction: 'output',
    want: object({ a: string }),
    accepts: [{ a: 'x' }],
    rejects: [{}],
    codec: { kind: 'object', without: ['b'], only: ['a'] },
  },
];
