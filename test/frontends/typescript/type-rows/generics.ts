import { boolean, dateTime, list, number, object, string, to, type TypeRow, titled } from './row.ts';

const day = new Date('2026-01-31T09:00:00.000Z');
const text = day.toISOString();

const user = 'interface User { id: string; name?: string; at: Date } ';
const wholeUser = object({ id: string, 'name?': string, at: dateTime });
const ada = { id: 'a', at: text };

export const utilities: TypeRow[] = [
  {
    name: 'Partial',
    given: `${user}export type T = Partial<User>`,
    want: object({ 'id?': string, 'name?': string, 'at?': dateTime }),
    accepts: [{}, ada],
    rejects: [{ id: 1 }],
    values: [[{ at: text }, { at: day }]],
  },
  {
    name: 'Pick',
    given: `${user}export type T = Pick<User, 'id' | 'name'>`,
    want: object({ id: string, 'name?': string }),
    accepts: [{ id: 'a' }],
    rejects: [{ name: 'a' }],
  },
  {
    name: 'Omit',
    given: `${user}export type T = Omit<User, 'at'>`,
    want: object({ id: string, 'name?': string }),
    accepts: [{ id: 'a' }],
    rejects: [{}],
  },
  {
    name: 'Omit of everything',
    given: `${user}export type T = Omit<User, keyof User>`,
    want: { type: 'object' },
    accepts: [{}],
    rejects: ['a'],
  },
  {
    name: 'Record of strings',
    given: 'export type T = Record<string, number>',
    want: { type: 'object', additionalProperties: number },
    accepts: [{ a: 1 }],
    rejects: [{ a: 'x' }],
  },
  {
    name: 'Record of literals',
    given: "export type T = Record<'width' | 'height', number>",
    want: object({ width: number, height: number }),
    accepts: [{ width: 1, height: 2 }],
    rejects: [{ width: 1 }],
  },
  {
    name: 'Record of an enum',
    given: "enum E { A = 'a', B = 'b' } export type T = Partial<Record<E, boolean>>",
    want: object({ 'a?': boolean, 'b?': boolean }),
    accepts: [{ a: true }],
    rejects: [{ b: 1 }],
  },
  {
    name: 'Record of a template',
    given: 'export type T = Record<`x-${string}`, string>',
    want: { type: 'object', patternProperties: { '^x-[\\s\\S]*$': string } },
    accepts: [{ 'x-a': 'b' }],
    rejects: [{ 'x-a': 1 }],
  },
  {
    name: 'Record of numbers',
    given: 'export type T = Record<number, string>',
    want: {
      type: 'object',
      patternProperties: { '^-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:e[+-]?\\d+)?$': string },
    },
    accepts: [{ 1: 'a' }],
    rejects: [{ 1: 1 }],
  },
  {
    name: 'NonNullable of unknown',
    given: 'export type T = NonNullable<unknown>',
    want: { not: { type: 'null' } },
    accepts: [1, 'a', {}],
    rejects: [null],
  },
  {
    name: 'Parameters',
    given: 'declare function f(a: string, b?: number): void; export type T = Parameters<typeof f>',
    want: { type: 'array', prefixItems: [titled('a'), titled('b', number)], minItems: 1, maxItems: 2 },
    accepts: [['a'], ['a', 1]],
    rejects: [[1]],
  },
  {
    name: 'ReturnType',
    given: "declare function f(): { a: 'x' }; export type T = ReturnType<typeof f>",
    want: object({ a: { type: 'string', const: 'x' } }),
    accepts: [{ a: 'x' }],
    rejects: [{ a: 'y' }],
  },
  {
    name: 'Awaited',
    given: 'export type T = Awaited<Promise<Promise<string>>>',
    want: string,
    accepts: ['a'],
    rejects: [1],
  },
  {
    name: 'ThisType leaves no trace',
    given: 'export type T = { a: string } & ThisType<{ b: number }>',
    want: object({ a: string }),
    accepts: [{ a: 'x' }],
    rejects: [{}],
  },
  {
    name: 'one inside of another',
    given: `${user}export type T = Readonly<Partial<Pick<User, 'id'>>> & Required<Pick<User, 'name'>>`,
    want: object({ 'id?': string, name: string }),
    accepts: [{ name: 'x' }],
    rejects: [{ id: 'x' }],
  },
];

export const generics: TypeRow[] = [
  {
    name: 'an instance has a name of its own',
    given: `${user}interface Page<V> { items: V[]; next?: string } export interface T { users: Page<User>; names: Page<string>; lists: Page<string[]> }`,
    want: object({ users: to('Page_User'), names: to('Page_string'), lists: to('Page_string_Array') }),
    defs: {
      Page_User: object({ items: list(to('User')), 'next?': string }),
      User: wholeUser,
      Page_string: object({ items: list(string), 'next?': string }),
      Page_string_Array: object({ items: list(list(string)), 'next?': string }),
    },
    accepts: [{ users: { items: [ada] }, names: { items: ['a'] }, lists: { items: [['a']] } }],
    rejects: [{ users: { items: ['a'] }, names: { items: ['a'] }, lists: { items: [] } }],
    values: [
      [
        { users: { items: [ada] }, names: { items: [] }, lists: { items: [] } },
        { users: { items: [{ id: 'a', at: day }] }, names: { items: [] }, lists: { items: [] } },
      ],
    ],
  },
  {
    name: 'a default',
    given: 'interface Box<V = number> { value: V } export interface T { box: Box }',
    want: object({ box: to('Box_number') }),
    defs: { Box_number: object({ value: number }) },
    accepts: [{ box: { value: 1 } }],
    rejects: [{ box: { value: 'a' } }],
  },
  {
    name: 'an open parameter is its default, else its constraint',
    given:
      'export class T<A = string, B extends number = 5, C extends boolean = boolean> { a!: A; b!: B; c!: C }',
    want: object({ a: string, b: { type: 'number', const: 5 }, c: boolean }),
    accepts: [{ a: 'x', b: 5, c: true }],
    rejects: [{ a: 'x', b: 6, c: true }],
  },
  {
    name: 'a recursive generic',
    given: 'interface Tree<V> { value: V; children: Tree<V>[] } export type T = { tree: Tree<Date> }',
    want: object({ tree: to('Tree_Date') }),
    defs: { Tree_Date: object({ value: dateTime, children: list(to('Tree_Date')) }) },
    accepts: [{ tree: { value: text, children: [{ value: text, children: [] }] } }],
    rejects: [{ tree: { value: text, children: [{ value: 1, children: [] }] } }],
    values: [
      [
        { tree: { value: text, children: [{ value: text, children: [] }] } },
        { tree: { value: day, children: [{ value: day, children: [] }] } },
      ],
    ],
  },
  {
    name: 'a conditional type',
    given:
      'type Flat<V> = V extends (infer I)[] ? I : V; export type T = { a: Flat<string[]>; b: Flat<number> }',
    want: object({ a: string, b: number }),
    accepts: [{ a: 'x', b: 1 }],
    rejects: [{ a: [], b: 1 }],
  },
  {
    name: 'a mapped type with as',
    given: `${user}type Prefixed<V> = { [K in keyof V as \`user_\${string & K}\`]: V[K] }; export type T = Prefixed<User>`,
    want: object({ user_id: string, 'user_name?': string, user_at: dateTime }),
    accepts: [{ user_id: 'a', user_at: text }],
    rejects: [ada],
    values: [
      [
        { user_id: 'a', user_at: text },
        { user_id: 'a', user_at: day },
      ],
    ],
  },
  {
    name: 'a mapped type that leaves members out and changes modifiers',
    given: `${user}type Plain<V> = { -readonly [K in keyof V as V[K] extends Date ? never : K]-?: V[K] }; export type T = Plain<User>`,
    want: object({ id: string, name: string }),
    accepts: [{ id: 'a', name: 'x' }],
    rejects: [{ id: 'a' }],
  },
  {
    name: 'a deep partial',
    given:
      'type DeepPartial<V> = V extends object ? { [K in keyof V]?: DeepPartial<V[K]> } : V; interface A { b: { c: string; d: number } } export type T = DeepPartial<A>',
    want: object({ 'b?': object({ 'c?': string, 'd?': number }) }),
    accepts: [{}, { b: {} }],
    rejects: [{ b: { c: 1 } }],
  },
  {
    name: 'a deep partial of lists',
    given: `
      type DeepPartial<V> = V extends (infer I)[] ? DeepPartial<I>[] : V extends object ? { [K in keyof V]?: DeepPartial<V[K]> } : V;
      interface User { id: string; tags: number[] }
      export interface T { patch?: DeepPartial<User> | undefined; all: DeepPartial<User[]> }`,
    want: object({
      'patch?': object({ 'id?': string, 'tags?': list(number) }),
      all: list(object({ 'id?': string, 'tags?': list(number) })),
    }),
    accepts: [{ patch: { id: 'a' }, all: [{}] }],
    rejects: [{ patch: { id: 1 }, all: [] }],
  },
  {
    name: 'typeof a const object, and satisfies',
    given: 'export const T = { a: 1, b: ["x"], c: { d: true } } satisfies Record<string, unknown>',
    want: object({ a: number, b: list(string), c: object({ d: boolean }) }),
    accepts: [{ a: 2, b: [], c: { d: false } }],
    rejects: [{ a: 'x', b: [], c: { d: true } }],
  },
  {
    name: 'a result or an error',
    given:
      'type Result<V, E = string> = { ok: true; value: V } | { ok: false; error: E }; export interface T { r: Result<Date> }',
    want: object({ r: to('Result_Date_string') }),
    defs: {
      Result_Date_string: {
        oneOf: [
          object({ ok: { type: 'boolean', const: true }, value: dateTime }),
          object({ ok: { type: 'boolean', const: false }, error: string }),
        ],
      },
    },
    accepts: [{ r: { ok: true, value: text } }, { r: { ok: false, error: 'x' } }],
    rejects: [{ r: { ok: true, error: 'x' } }],
    values: [[{ r: { ok: true, value: text } }, { r: { ok: true, value: day } }]],
  },
  {
    name: 'instances with arguments without names are told apart by content',
    given:
      'interface Box<V> { value: V } export interface T { a: Box<{ x: string }>; b: Box<{ y: number }> }',
    want: object({ a: to('Box_object_2b8600'), b: to('Box_object_d71021') }),
    defs: {
      Box_object_2b8600: object({ value: object({ x: string }) }),
      Box_object_d71021: object({ value: object({ y: number }) }),
    },
    accepts: [{ a: { value: { x: 'a' } }, b: { value: { y: 1 } } }],
    rejects: [{ a: { value: { y: 1 } }, b: { value: { y: 1 } } }],
  },
];

export const recursion: TypeRow[] = [
  {
    name: 'an interface that contains itself',
    given: 'interface Node { value: number; next: Node | null } export interface T { head?: Node }',
    want: object({ 'head?': to('Node') }),
    defs: { Node: object({ value: number, next: { anyOf: [to('Node'), { type: 'null' }] } }) },
    accepts: [{}, { head: { value: 1, next: { value: 2, next: null } } }],
    rejects: [{ head: { value: 1 } }, { head: { value: 1, next: { value: 'x', next: null } } }],
  },
  {
    name: 'a generic alias that contains itself, of an argument without a name',
    given: 'type L<V> = { head: V; tail: L<V> | null }; export type T = L<{ n: bigint }>',
    want: object({
      head: object({ n: { type: 'integer' } }),
      tail: { anyOf: [to('L_object'), { type: 'null' }] },
    }),
    defs: {
      L_object: object({
        head: object({ n: { type: 'integer' } }),
        tail: { anyOf: [to('L_object'), { type: 'null' }] },
      }),
    },
    accepts: [{ head: { n: 1 }, tail: { head: { n: 2 }, tail: null } }],
    rejects: [{ head: { n: 1 } }, { head: { n: 'x' }, tail: null }],
    values: [
      [
        { head: { n: 1 }, tail: { head: { n: 2 }, tail: null } },
        { head: { n: 1n }, tail: { head: { n: 2n }, tail: null } },
      ],
    ],
  },
  {
    name: 'two that contain each other',
    given: 'interface A { b?: B } interface B { a?: A; at?: Date } export interface T { a: A }',
    want: object({ a: to('A') }),
    defs: { A: object({ 'b?': to('B') }), B: object({ 'a?': to('A'), 'at?': dateTime }) },
    accepts: [{ a: { b: { a: {} } } }],
    rejects: [{ a: { b: { at: 1 } } }],
    values: [[{ a: { b: { a: { b: { at: text } } } } }, { a: { b: { a: { b: { at: day } } } } }]],
  },
  {
    name: 'JSON',
    given:
      'type Json = string | number | boolean | null | Json[] | { [name: string]: Json }; export interface T { data: Json }',
    want: object({ data: to('Json') }),
    defs: {
      Json: {
        anyOf: [
          string,
          number,
          boolean,
          list(to('Json')),
          { type: 'object', additionalProperties: to('Json') },
          { type: 'null' },
        ],
      },
    },
    accepts: [{ data: [1, { a: [null, 'x'] }] }],
    rejects: [{}],
  },
  {
    name: 'a list that contains itself',
    given: 'type Nested = (string | Nested)[]; export interface T { a: Nested }',
    want: object({ a: to('Nested') }),
    defs: { Nested: list({ anyOf: [string, to('Nested')] }) },
    accepts: [{ a: ['x', ['y', []]] }],
    rejects: [{ a: [['x', 1]] }],
  },
  {
    name: 'a type without a name that contains itself',
    given:
      'interface Tree { id: string; parts?: Partial<Tree>[] } export interface T { tree: Partial<Tree> }',
    want: object({ tree: to('Partial_Tree') }),
    defs: { Partial_Tree: object({ 'id?': string, 'parts?': list(to('Partial_Tree')) }) },
    accepts: [{ tree: { parts: [{ parts: [{ id: 'x' }] }] } }],
    rejects: [{ tree: { parts: [{ parts: [{ id: 1 }] }] } }],
  },
];
