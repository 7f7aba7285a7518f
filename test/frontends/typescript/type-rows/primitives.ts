import { boolean, number, object, string, to, type TypeRow } from './row.ts';

const numberText = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:e[+-]?\\d+)?';

export const primitives: TypeRow[] = [
  {
    name: 'bigint',
    given: 'export type T = bigint',
    want: { type: 'integer' },
    accepts: [1],
    rejects: [1.5, '1'],
    values: [[5, 5n]],
  },
  {
    name: 'undefined',
    given: 'export type T = undefined',
    want: { type: 'null' },
    optional: true,
    accepts: [null],
    rejects: [0],
  },
  { name: 'unknown', given: 'export type T = unknown', want: {}, accepts: [1, null, []], rejects: [] },
  {
    name: '{}: everything but null',
    given: 'export type T = {}',
    want: { not: { type: 'null' } },
    accepts: [1, 'a', {}, []],
    rejects: [null],
  },
  {
    name: 'a string literal',
    given: "export type T = 'a'",
    want: { type: 'string', const: 'a' },
    accepts: ['a'],
    rejects: ['b', null],
  },
  {
    name: 'a bigint literal',
    given: 'export type T = 7n',
    want: { type: 'integer', const: 7 },
    accepts: [7],
    rejects: [8],
    values: [[7, 7n]],
  },
  {
    name: 'string literals, in the order in which they are written',
    given: "const first: 'b' = 'b'; void first; export type T = 'c' | 'b' | 'a'",
    want: { type: 'string', enum: ['c', 'b', 'a'] },
    accepts: ['a', 'b', 'c'],
    rejects: ['d', ''],
  },
  {
    name: 'literals of several kinds',
    given: "export type T = 'auto' | 1 | 2 | true",
    want: { type: ['string', 'number', 'boolean'], enum: ['auto', 1, 2, true] },
    accepts: ['auto', 1, true],
    rejects: [3, false, '1'],
  },
  {
    name: 'a literal or any string',
    given: "export type T = 'auto' | (string & {})",
    want: { anyOf: [{ type: 'string', const: 'auto' }, string] },
    accepts: ['auto', 'x'],
    rejects: [1],
  },
  {
    name: 'primitives beside one another',
    given: 'export type T = string | number | boolean | null',
    want: { type: ['string', 'number', 'boolean', 'null'] },
    accepts: ['a', 1, false, null],
    rejects: [[], {}],
  },
  {
    name: 'the wrappers of primitives',
    given: 'export interface T { a: String; b: Number; c: Boolean }',
    want: object({ a: string, b: number, c: boolean }),
    accepts: [{ a: 'a', b: 1, c: true }],
    rejects: [{ a: 1, b: 1, c: true }],
  },
];

export const strings: TypeRow[] = [
  {
    name: 'a template with a number',
    given: 'export type T = `id-${number}`',
    want: { type: 'string', pattern: `^id-${numberText}$` },
    accepts: ['id-1', 'id--2.5', 'id-1e+21'],
    rejects: ['id-', 'id-x', 'xid-1', 'id-01'],
  },
  {
    name: 'a template with a string',
    given: 'export type T = `https://${string}`',
    want: { type: 'string', pattern: '^https:\\/\\/[\\s\\S]*$' },
    accepts: ['https://', 'https://a\nb'],
    rejects: ['http://a'],
  },
  {
    name: 'a template of literals is their product',
    given: "export type T = `${'row' | 'column'}-${1 | 2}`",
    want: { type: 'string', enum: ['row-1', 'row-2', 'column-1', 'column-2'] },
    accepts: ['row-1', 'column-2'],
    rejects: ['row-3'],
  },
  {
    name: 'characters that mean something in a pattern',
    given: 'export type T = `(${number})+[a-z]*$^|?{1}.\\\\`',
    want: { type: 'string', pattern: `^\\(${numberText}\\)\\+\\[a-z\\]\\*\\$\\^\\|\\?\\{1\\}\\.\\\\$` },
    accepts: ['(1)+[a-z]*$^|?{1}.\\'],
    rejects: ['(1)+a*$^|?{1}.\\', '((1))'],
  },
  {
    name: 'Uppercase of any string',
    given: 'export type T = Uppercase<string>',
    want: { type: 'string', pattern: '^[^a-z]*$' },
    accepts: ['A-1', ''],
    rejects: ['Ab'],
  },
  {
    name: 'Capitalize of any string',
    given: 'export type T = Capitalize<string>',
    want: { type: 'string', pattern: '^(?:[^a-z][\\s\\S]*)?$' },
    accepts: ['Ab', '', '1a'],
    rejects: ['ab'],
  },
  {
    name: 'a generic brand, by name',
    given:
      "type Brand<B, N> = B & { __brand: N }; type Id = Brand<string, 'Id'>; export interface T { id: Id; ids: Id[] }",
    want: object({ id: to('Id'), ids: { type: 'array', items: to('Id') } }),
    defs: { Id: string },
    accepts: [{ id: 'a', ids: ['b'] }],
    rejects: [{ id: 1, ids: [] }],
  },
];

export const enums: TypeRow[] = [
  {
    name: 'a numeric enum: what the numbers mean is said',
    given: 'export enum T { Red, Green = 5, Blue }',
    want: { type: 'number', enum: [0, 5, 6], description: '0 = Red; 5 = Green; 6 = Blue' },
    accepts: [0, 5, 6],
    rejects: [1, 'Red'],
  },
  {
    name: 'a string enum',
    given: "export enum T { Up = 'up', Down = 'down' }",
    want: { type: 'string', enum: ['up', 'down'] },
    accepts: ['up'],
    rejects: ['Up'],
  },
  {
    name: 'a heterogeneous enum',
    given: "export enum T { No = 0, Yes = 'yes' }",
    want: { type: ['number', 'string'], enum: [0, 'yes'], description: '0 = No; yes' },
    accepts: [0, 'yes'],
    rejects: ['0', 1],
  },
  {
    name: 'an enum with a computed member takes any number',
    given: "export enum T { A = 'x'.length, B = 2 }",
    want: { type: 'number' },
    accepts: [1, 2],
    rejects: ['A'],
  },
  {
    name: 'members with docs',
    given: "export enum T { /** Quick. */ Fast = 'fast', Slow = 'slow' }",
    want: { type: 'string', enum: ['fast', 'slow'], description: 'fast: Quick.; slow' },
    accepts: ['fast'],
    rejects: [0],
  },
  {
    name: 'an enum as a member is named, and may be null',
    given:
      "enum Color { Red = 'red', Blue = 'blue' } export interface T { a: Color; b: Color | null; c?: Color }",
    want: object({ a: to('Color'), b: { anyOf: [to('Color'), { type: 'null' }] }, 'c?': to('Color') }),
    defs: { Color: { type: 'string', enum: ['red', 'blue'] } },
    accepts: [
      { a: 'red', b: null },
      { a: 'red', b: 'blue', c: 'red' },
    ],
    rejects: [
      { a: null, b: null },
      { a: 'green', b: null },
    ],
  },
  {
    name: 'some members of an enum',
    given:
      "enum Color { Red = 'red', Blue = 'blue', Green = 'green' } export type T = Color.Red | Color.Blue",
    want: { type: 'string', enum: ['red', 'blue'] },
    accepts: ['red'],
    rejects: ['green'],
  },
];
