import { boolean, dateTime, list, number, object, string, to, type TypeRow } from './row.ts';

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
    name: 'a discriminator that is an enum',
    given: "enum K { A = 'a', B = 'b' } export type T = { k: K.A; x: string } | { k: K.B }",
    want: { oneOf: [object({ k: value('a'), x: string }), object({ k: value('b') })] },
    accepts: [{ k: 'b' }],
    rejects: [{ k: 'a' }, { k: 'c' }],
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
    name: 'a map, a set or a text, by name',
    given: 'type M = ReadonlyMap<string, Date>; export interface T { of: M | ReadonlySet<number> | string }',
    want: object({
      of: { anyOf: [to('M'), { type: 'array', items: number, uniqueItems: true }, string] },
    }),
    defs: { M: { type: 'object', additionalProperties: dateTime } },
    accepts: [{ of: { a: text } }, { of: [1] }, { of: 'x' }],
    rejects: [{ of: { a: 1 } }, { of: [1, 1] }],
    values: [
      [{ of: { a: text } }, { of: new Map([['a', day]]) }],
      [{ of: [1] }, { of: new Set([1]) }],
      [{ of: 'x' }, { of: 'x' }],
    ],
  },
  {
    name: 'a class with private members or a result',
    given:
      'class Key { #n = 1; private m = 2; id = "a"; get n() { return this.#n + this.m; } } export type T = Key | { w: 1 }',
    direction: 'output',
    want: { anyOf: [to('Key'), object({ w: value(1) })] },
    defs: { Key: object({ id: string, n: number }) },
    accepts: [{ id: 'a', n: 3 }],
    rejects: [{ id: 'a' }],
    codec: {
      kind: 'union',
      branches: [
        {
          types: ['object'],
          required: ['id', 'n'],
          accepts: to('Key'),
          codec: { kind: 'ref', name: 'Key' },
        },
        {
          types: ['object'],
          required: ['w'],
          accepts: object({ w: value(1) }),
          codec: { kind: 'object', only: ['w'] },
        },
      ],
      schemas: { Key: object({ id: string, n: number }) },
    },
  },
  {
    name: 'an object or its list',
    given: 'interface A { at: Date } export type T = A | A[]',
    want: { anyOf: [to('A'), list(to('A'))] },
    defs: { A: object({ at: dateTime }) },
    accepts: [{ at: text }, [{ at: text }]],
    rejects: [1, [[]]],
    values: [
      [{ at: text }, { at: day }],
      [[{ at: text }], [{ at: day }]],
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
    name: 'values and objects',
    given: "export type T = 'all' | { ids: string[] } | false",
    want: { anyOf: [{ type: ['string', 'boolean'], enum: ['all', false] }, object({ ids: list(string) })] },
    accepts: ['all', false, { ids: [] }],
    rejects: [true, 'x', {}],
  },
  {
    name: 'two kinds of text that are revived',
    given: 'export type T = Date | URL',
    want: { anyOf: [dateTime, { type: 'string', format: 'uri' }] },
    accepts: [text, 'https://a.example/'],
    rejects: [1],
    values: [
      [text, day],
      ['https://a.example/', new URL('https://a.example/')],
    ],
  },
  {
    name: 'bigint or text',
    given: 'export type T = bigint | string',
    want: { type: ['integer', 'string'] },
    accepts: [1, 'x'],
    rejects: [1.5],
    values: [
      [1, 1n],
      ['1', '1'],
    ],
  },
  {
    name: 'what may be undefined, at the top',
    given: 'export type T = string | undefined',
    want: string,
    optional: true,
    accepts: ['a'],
    rejects: [null],
  },
  {
    name: 'alternatives that mean the same JSON count once',
    given: 'export type T = Uint8Array | Buffer | ArrayBuffer',
    want: { type: 'string', contentEncoding: 'base64' },
    accepts: ['aGk='],
    rejects: [1],
  },
  {
    name: 'a union of results',
    given: 'export type T = Date | Map<string, bigint> | { a: Uint8Array } | string',
    direction: 'output',
    want: {
      anyOf: [
        dateTime,
        { type: 'object', additionalProperties: { type: 'integer' } },
        object({ a: { type: 'string', contentEncoding: 'base64' } }),
        string,
      ],
    },
    accepts: [text, { x: 1 }, { a: 'aGk=' }],
    rejects: [1, { x: 'y' }],
  },
];

export const fitting: TypeRow[] = [
  {
    name: 'of two alternatives that fit, the one that says more',
    given: 'export type T = { at: string } | { at: Date; b: number }',
    want: { anyOf: [object({ at: string }), object({ at: dateTime, b: number })] },
    accepts: [{ at: 'x' }, { at: text, b: 1 }],
    rejects: [{ b: 1 }],
    values: [
      [
        { at: text, b: 1 },
        { at: day, b: 1 },
      ],
      [{ at: text }, { at: text }],
    ],
  },
  {
    name: 'of two alternatives that say as much, the one that leaves the argument as it is',
    given: 'export type T = { at: Date } | { at: string }',
    want: { anyOf: [object({ at: dateTime }), object({ at: string })] },
    accepts: [{ at: text }, { at: 'x' }],
    rejects: [{}],
    values: [[{ at: text }, { at: text }]],
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
    name: 'a named intersection',
    given: 'type Stamped = { at: Date } & { by: string }; export interface T { log: Stamped[] }',
    want: object({ log: list(to('Stamped')) }),
    defs: { Stamped: object({ at: dateTime, by: string }) },
    accepts: [{ log: [{ at: text, by: 'a' }] }],
    rejects: [{ log: [{ at: text }] }],
    values: [[{ log: [{ at: text, by: 'a' }] }, { log: [{ at: day, by: 'a' }] }]],
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
    name: 'an object with a brand made of a symbol',
    given:
      'declare const checked: unique symbol; export type T = { a: string } & { readonly [checked]: true }',
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
  {
    name: 'a branded list',
    given: "export type T = string[] & { __brand: 'Names' }",
    want: list(string),
    accepts: [['a']],
    rejects: [[1]],
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
  {
    name: 'without strict, a date that may be null',
    given: 'export type T = { at: Date | null }',
    options: { strict: false },
    want: object({ at: { type: ['string', 'null'], format: 'date-time' } }),
    accepts: [{ at: null }, { at: text }],
    rejects: [{ at: 'x' }],
    values: [[{ at: null }, { at: null }]],
  },
  {
    name: 'without strict, an optional tag does not tell them apart either',
    given: "export type T = { k?: 'a'; x?: string } | { k?: 'b' }",
    options: { strict: false },
    want: { anyOf: [object({ 'k?': value('a'), 'x?': string }), object({ 'k?': value('b') })] },
    accepts: [{}, { k: 'b' }],
    rejects: [{ k: 'c' }, 1],
  },
  {
    name: 'without strict, other alternatives stay',
    given: 'export type T = { a: string | number | null; b: boolean }',
    options: { strict: false },
    want: object({ a: { type: ['string', 'number', 'null'] }, b: boolean }),
    accepts: [
      { a: null, b: true },
      { a: 1, b: true },
    ],
    rejects: [{ a: true, b: true }],
  },
];
