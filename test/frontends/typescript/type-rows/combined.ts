import { dateTime, list, number, object, string, to, type TypeRow } from './row.ts';

const day = new Date('2026-01-31T09:00:00.000Z');
const text = day.toISOString();
const value = (one: string | number | boolean) => ({ type: typeof one as 'string', const: one });

export const unions: TypeRow[] = [
  {
    name: 'a discriminated union, by text',
    given: "export type T = { kind: 'cat'; lives: number } | { kind: 'dog'; born: Date }",
    want: {
      oneOf: [object({ kind: value('cat'), lives: number }), object({ kind: value('dog'), born: dateTime })],
    },
    accepts: [
      { kind: 'cat', lives: 9 },
      { kind: 'dog', born: text },
    ],
    rejects: [{ kind: 'dog', lives: 9 }, { lives: 9 }],
    values: [
      [
        { kind: 'dog', born: text },
        { kind: 'dog', born: day },
      ],
      [
        { kind: 'cat', lives: 9 },
        { kind: 'cat', lives: 9 },
      ],
    ],
  },
  {
    name: 'a discriminated union of named types, by number, and null',
    given:
      'interface A { v: 1; a: string } interface B { v: 2; b: string } export interface T { x: A | B | null }',
    want: object({ x: { oneOf: [to('A'), to('B'), { type: 'null' }] } }),
    defs: { A: object({ v: value(1), a: string }), B: object({ v: value(2), b: string }) },
    accepts: [{ x: null }, { x: { v: 1, a: 'x' } }],
    rejects: [{ x: { v: 2, a: 'x' } }],
  },
  {
    name: 'a discriminator of several values',
    given: "export type T = { t: 'a' | 'b'; x: string } | { t: 'c'; y: string }",
    want: {
      oneOf: [
        object({ t: { type: 'string', enum: ['a', 'b'] }, x: string }),
        object({ t: value('c'), y: string }),
      ],
    },
    accepts: [{ t: 'b', x: 'x' }],
    rejects: [{ t: 'c', x: 'x' }],
  },
  {
    name: 'an undiscriminated union',
    given: 'export type T = { a: string } | { b: Date }',
    want: { anyOf: [object({ a: string }), object({ b: dateTime })] },
    accepts: [{ a: 'x' }, { b: text }, { a: 'x', b: text }],
    rejects: [{}, { b: 1 }],
    values: [
      [{ b: text }, { b: day }],
      [{ a: 'x' }, { a: 'x' }],
    ],
  },
  {
    name: 'a tag with a value that two have does not tell them apart',
    given: "export type T = { k: 'a' | 'b'; x: string } | { k: 'b'; y: string }",
    want: {
      anyOf: [
        object({ k: { type: 'string', enum: ['a', 'b'] }, x: string }),
        object({ k: value('b'), y: string }),
      ],
    },
    accepts: [
      { k: 'b', x: '', y: '' },
      { k: 'b', y: '' },
    ],
    rejects: [{ k: 'a', y: '' }],
  },
  {
    name: 'an optional tag does not tell them apart',
    given: "export type T = { k?: 'a'; x: string } | { k: 'b' }",
    want: { anyOf: [object({ 'k?': value('a'), x: string }), object({ k: value('b') })] },
    accepts: [{ x: 'x' }, { k: 'b' }],
    rejects: [{ k: 'a' }],
  },
  {
    name: 'of two tags, the one that all require',
    given: "export type T = { o?: 'x'; k: 'a' } | { o?: 'y'; k: 'b' }",
    want: {
      oneOf: [object({ 'o?': value('x'), k: value('a') }), object({ 'o?': value('y'), k: value('b') })],
    },
    accepts: [{ k: 'a' }, { o: 'y', k: 'b' }],
    rejects: [{ o: 'y', k: 'a' }, { o: 'x' }],
  },
  {
    name: 'a result that may be any object beside a text',
    given: 'export type T = { a: string | object }',
    direction: 'output',
    want: object({ a: {} }),
    accepts: [{ a: '' }, { a: {} }, { a: [] }],
    rejects: [{}],
  },
  {
    name: 'one or the other, never both',
    given: 'export type T = { id: string; name?: never } | { name: string; id?: never }',
    want: {
      anyOf: [object({ id: string, 'name?': { not: {} } }), object({ name: string, 'id?': { not: {} } })],
    },
    accepts: [{ id: 'a' }, { name: 'a' }],
    rejects: [{ id: 'a', name: 'a' }, {}],
  },
  {
    name: 'a map or an object is told by its JSON',
    given: 'export type T = Map<string, number> | { a: string; at: Date }',
    want: { anyOf: [{ type: 'object', additionalProperties: number }, object({ a: string, at: dateTime })] },
    accepts: [{ b: 1 }, { a: 'x', at: text }],
    rejects: [{ b: 'x' }, []],
    values: [
      [{ b: 1 }, new Map([['b', 1]])],
      [{}, new Map()],
      [
        { a: 'x', at: text },
        { a: 'x', at: day },
      ],
    ],
  },
  {
    name: 'a named union within another keeps its name',
    given:
      "type Side = 'left' | 'right'; export interface T { a: Side | 'none'; b: Side | null; c?: Side; d: Side[] }",
    want: object({
      a: { anyOf: [value('none'), to('Side')] },
      b: { anyOf: [to('Side'), { type: 'null' }] },
      'c?': to('Side'),
      d: list(to('Side')),
    }),
    defs: { Side: { type: 'string', enum: ['left', 'right'] } },
    accepts: [{ a: 'none', b: null, d: ['left'] }],
    rejects: [
      { a: 'up', b: null, d: [] },
      { a: 'left', d: [] },
    ],
  },
  {
    name: 'alternatives that mean the same JSON count once',
    given: 'export type T = Uint8Array | Buffer | ArrayBuffer',
    want: { type: 'string', contentEncoding: 'base64' },
    accepts: ['aGk='],
    rejects: [1],
  },
];

export const openResults: TypeRow[] = [
  {
    name: 'a result that may be an object without a JSON form may be anything',
    given: 'export type T = string | { x: WeakMap<object, string> }',
    direction: 'output',
    want: {},
    accepts: ['a', { x: {} }],
    rejects: [],
    codec: { kind: 'any' },
  },
  {
    name: 'so may one that may be an object with a function',
    given: 'export type T = { a: string } | { a: number; f: () => void }',
    direction: 'output',
    want: {},
    accepts: [{ a: 'x' }, { a: 1 }],
    rejects: [],
    codec: {
      kind: 'union',
      branches: [
        { types: ['object'], required: ['a'], codec: { kind: 'object', only: ['a'] } },
        { codec: { kind: 'any' } },
      ],
    },
  },
  {
    name: 'a result that may be a function is the rest',
    given: 'export type T = string | (() => void)',
    direction: 'output',
    want: string,
    accepts: ['a'],
    rejects: [1],
  },
  {
    name: 'functions that a class has as members are behaviour',
    given: 'export class T { n = 1; double = () => 2 * this.n }',
    direction: 'output',
    want: object({ n: number }),
    accepts: [{ n: 1 }],
    rejects: [{}],
  },
];

export const intersections: TypeRow[] = [
  {
    name: 'objects become one',
    given: 'interface A { a: string } export type T = A & { b?: number }',
    want: object({ a: string, 'b?': number }),
    accepts: [{ a: 'x' }],
    rejects: [{ b: 1 }],
  },
  {
    name: 'members of both are met by both',
    given: "export type T = { a: 'x' | 'y'; b: string } & { a: 'y' | 'z' }",
    want: object({ a: value('y'), b: string }),
    accepts: [{ a: 'y', b: '' }],
    rejects: [{ a: 'x', b: '' }],
  },
  {
    name: 'with a union',
    given: "export type T = { id: string } & ({ k: 'a'; x: number } | { k: 'b' })",
    want: {
      oneOf: [object({ id: string, k: value('a'), x: number }), object({ id: string, k: value('b') })],
    },
    accepts: [{ id: '', k: 'b' }],
    rejects: [{ k: 'b' }, { id: '', k: 'a' }],
  },
  {
    name: 'an index signature and members',
    given: 'export type T = { a: string } & Record<string, string | number>',
    want: { ...object({ a: string }), additionalProperties: { type: ['string', 'number'] } },
    accepts: [{ a: 'x', b: 1 }],
    rejects: [{ a: 'x', b: true }],
  },
  {
    name: 'an object with a brand',
    given: "export type T = { a: string } & { readonly __brand: 'Checked' }",
    want: object({ a: string }),
    accepts: [{ a: 'x' }],
    rejects: [{}],
  },
  {
    name: '__typename is no brand',
    given: "export type T = { a: string } & { __typename: 'User' }",
    want: object({ a: string, __typename: value('User') }),
    accepts: [{ a: 'x', __typename: 'User' }],
    rejects: [{ a: 'x' }],
  },
  {
    name: 'a tag beside other members is no brand',
    given: "export type T = { _tag: 'Some'; value: string } & { b: number }",
    want: object({ _tag: value('Some'), value: string, b: number }),
    accepts: [{ _tag: 'Some', value: 'x', b: 1 }],
    rejects: [{ value: 'x', b: 1 }],
  },
];

export const nonStrict: TypeRow[] = [
  {
    name: 'without strict, what is written may be null',
    given: 'export interface T { a: string | null; b?: string; c: number | undefined; d: string }',
    options: { strict: false },
    want: object({ a: { type: ['string', 'null'] }, 'b?': string, 'c?': number, d: string }),
    accepts: [{ a: null, d: 'x' }],
    rejects: [{ a: null }, { a: null, d: null }],
  },
];
