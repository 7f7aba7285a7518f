import { boolean, dateTime, list, number, object, string, to, type TypeRow } from './row.ts';

export const docs: TypeRow[] = [
  {
    name: 'descriptions of types and members',
    given: `
/** A place on the map. */
export interface T {
  /** Its name, as people there
   * write it. */
  name: string;
  /** {@link Point | Where} it is, see {@link Map}. */ at: number; /** How high. */ height: number
}`,
    want: object({
      name: { ...string, description: 'Its name, as people there write it.' },
      at: { ...number, description: 'Where it is, see Map.' },
      height: { ...number, description: 'How high.' },
    }),
    accepts: [{ name: '', at: 1, height: 2 }],
    rejects: [{}],
  },
  {
    name: 'constraints of numbers',
    given: `export interface T {
  /** @minimum 1 @maximum 14 */ a: number;
  /** @exclusiveMinimum 0 @exclusiveMaximum 1 */ b: number;
  /** Steps. @multipleOf 5 */ c: number }`,
    want: object({
      a: { ...number, minimum: 1, maximum: 14 },
      b: { ...number, exclusiveMinimum: 0, exclusiveMaximum: 1 },
      c: { ...number, description: 'Steps.', multipleOf: 5 },
    }),
    accepts: [{ a: 14, b: 0.5, c: 10 }],
    rejects: [
      { a: 15, b: 0.5, c: 10 },
      { a: 1, b: 1, c: 10 },
      { a: 1, b: 0.5, c: 11 },
    ],
  },
  {
    name: 'constraints of strings',
    given: `export interface T {
  /** @minLength 1 @maxLength 3 */ a: string;
  /** @pattern ^[^@\\s]+@[a-z]+$ */ b: string;
  /** @format email */ c: string;
  /** @pattern /^\\d+$/ */ d?: string }`,
    want: object({
      a: { ...string, minLength: 1, maxLength: 3 },
      b: { ...string, pattern: '^[^@\\s]+@[a-z]+$' },
      c: { ...string, format: 'email' },
      'd?': { ...string, pattern: '^\\d+$' },
    }),
    accepts: [{ a: 'abc', b: 'a@b', c: 'a@b.example' }],
    rejects: [
      { a: '', b: 'a@b', c: 'a@b.example' },
      { a: 'a', b: 'a', c: 'a@b.example' },
      { a: 'a', b: 'a@b', c: 'x' },
    ],
  },
  {
    name: 'constraints of lists',
    given: 'export interface T { /** @minItems 1 @maxItems 2 @uniqueItems */ a: string[] }',
    want: object({ a: { ...list(string), minItems: 1, maxItems: 2, uniqueItems: true } }),
    accepts: [{ a: ['a', 'b'] }],
    rejects: [{ a: [] }, { a: ['a', 'a'] }],
  },
  {
    name: 'defaults and examples',
    given: `export interface T {
  /** @default 3 @example 5 */ a?: number;
  /** @default metric @example "a b" @example c d */ b?: string;
  /** @default ["x"] */ c?: string[];
  /** @default null */ d?: string | null;
  /** @default 5 */ e?: string;
  /** @default 'x' */ f?: 'x' | 'y' }`,
    want: object({
      'a?': { ...number, default: 3, examples: [5] },
      'b?': { ...string, default: 'metric', examples: ['a b', 'c d'] },
      'c?': { ...list(string), default: ['x'] },
      'd?': { type: ['string', 'null'], default: null },
      'e?': { ...string, default: '5' },
      'f?': { ...string, enum: ['x', 'y'], default: 'x' },
    }),
    accepts: [{}],
    rejects: [{ a: 'x' }],
  },
  {
    name: 'defaults that could be taken for code',
    given: `export interface T {
  /** @default "undefined" */ a?: string;
  /** @default 'a.b()' */ b?: string;
  /** @default as it stands (or so) */ c?: string;
  /** @defaultValue \`false\` */ d?: boolean;
  /** Words. @defaultValue \`"a b"\` @minLength 1 */ e?: string;
  /** @default a.b */ f?: 'a.b' | 'c.d';
  /** @default 10n */ g?: bigint;
  /** @default ./a.txt */ h?: string;
  /** @default null */ i?: string | null }`,
    want: object({
      'a?': { ...string, default: 'undefined' },
      'b?': { ...string, default: 'a.b()' },
      'c?': { ...string, default: 'as it stands (or so)' },
      'd?': { ...boolean, default: false },
      'e?': { ...string, description: 'Words.', default: 'a b', minLength: 1 },
      'f?': { ...string, enum: ['a.b', 'c.d'], default: 'a.b' },
      'g?': { type: 'integer', default: 10 },
      'h?': { ...string, default: './a.txt' },
      'i?': { type: ['string', 'null'], default: null },
    }),
    accepts: [{}],
    rejects: [{ a: 1 }],
  },
  {
    name: 'code is no example value',
    given:
      'export interface T {\n  /**\n   * Words.\n   * @example\n   * ```ts\n   * f("@minimum 1")\n   * ```\n   * @minLength 2\n   */\n  a: string;\n}',
    want: object({ a: { ...string, description: 'Words.', minLength: 2 } }),
    accepts: [{ a: 'ab' }],
    rejects: [{ a: 'a' }],
  },
  {
    name: 'deprecated and a title',
    given: 'export interface T { /** @deprecated Use b. @title An A */ a?: string }',
    want: object({
      'a?': { ...string, deprecated: true, title: 'An A', description: 'Deprecated: Use b.' },
    }),
    accepts: [{}],
    rejects: [{ a: 1 }],
  },
  {
    name: '@schema replaces the schema, and other tags add to it',
    given:
      'export interface T { /** Words. @schema {"type":"string","format":"uuid"} @default x */ a?: any; /** @schema {"type":"string"} */ at: Date }',
    want: object({ 'a?': { ...string, format: 'uuid', description: 'Words.', default: 'x' }, at: string }),
    accepts: [{ at: 'now' }],
    rejects: [{ a: 'x', at: '' }],
    values: [
      [
        { a: 'x', at: '2026-01-31T09:00:00.000Z' },
        { a: 'x', at: new Date('2026-01-31T09:00:00Z') },
      ],
    ],
    codec: { kind: 'object', properties: { at: { kind: 'date' } }, defaults: { a: 'x' } },
  },
  {
    name: '@schema of a whole type',
    given:
      'import type * as fs from "node:fs"; /** @schema {"type":"string"} */ interface Handle { stat: fs.Stats; close(): void } export interface T { h: Handle }',
    want: object({ h: to('Handle') }),
    defs: { Handle: string },
    accepts: [{ h: 'x' }],
    rejects: [{ h: {} }],
  },
  {
    name: 'an alias of a primitive brings its docs',
    given: `
/** An id. @format uuid */ type Id = string;
/** @minimum 0 */ type Count = number;
/** Of a user. */ type UserId = Id;
export interface T { id: UserId; ids: Id[]; other?: Id | null; /** How many. @maximum 5 */ count: Count }`,
    want: object({
      id: { ...string, description: 'Of a user.', format: 'uuid' },
      ids: list({ ...string, description: 'An id.', format: 'uuid' }),
      'other?': { type: ['string', 'null'], description: 'An id.', format: 'uuid' },
      count: { ...number, minimum: 0, description: 'How many.', maximum: 5 },
    }),
    accepts: [{ id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff', ids: [], count: 5 }],
    rejects: [
      { id: 'x', ids: [], count: 1 },
      { id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff', ids: [], count: -1 },
    ],
  },
  {
    name: 'docs of a named type stand with it, those of a member beside the reference',
    given:
      '/** A color. */ enum Color { Red = "red", Blue = "blue" } export interface T { /** Of the car. @default red */ a?: Color }',
    want: object({ 'a?': { ...to('Color'), description: 'Of the car.', default: 'red' } }),
    defs: { Color: { ...string, enum: ['red', 'blue'], description: 'A color.' } },
    accepts: [{ a: 'red' }],
    rejects: [{ a: 'green' }],
  },
  {
    name: 'docs are inherited, and go through mapped types',
    given: `
interface Base { /** The id. @minLength 2 */ id: string }
interface User extends Base { id: string; /** Born. */ at: Date }
class Impl implements Base { id = '' }
export interface T { a: Partial<User>; b: Pick<Impl, 'id'> }`,
    want: object({
      a: object({
        'id?': { ...string, description: 'The id.', minLength: 2 },
        'at?': { ...dateTime, description: 'Born.' },
      }),
      b: object({ id: { ...string, description: 'The id.', minLength: 2 } }),
    }),
    accepts: [{ a: {}, b: { id: 'ab' } }],
    rejects: [{ a: {}, b: { id: 'a' } }],
  },
  {
    name: 'paragraphs, lists and code stay apart',
    given:
      'export interface T {\n  /**\n   * One\n   * two.\n   *\n   * Three:\n   * - a\n   * - b\n   */\n  a: string }',
    want: object({ a: { ...string, description: 'One two.\n\nThree:\n- a\n- b' } }),
    accepts: [{ a: '' }],
    rejects: [{}],
  },
  {
    name: 'JavaScript with JSDoc types',
    file: 'a.js',
    given: `
/**
 * @typedef {object} Item
 * @property {number} [count=1] - How many.
 * @property {string} id The id. @minLength 1
 */
/** @typedef {{ items: Item[], done?: boolean }} T */
export {};`,
    want: object({ items: list(to('Item')), 'done?': boolean }),
    defs: {
      Item: object({
        id: { ...string, description: 'The id.', minLength: 1 },
        'count?': { ...number, description: 'How many.' },
      }),
    },
    accepts: [{ items: [{ id: 'a' }] }],
    rejects: [{ items: [{ id: '' }] }],
  },
];
