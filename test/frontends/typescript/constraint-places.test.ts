// The checker forgets the alias of a primitive or list. Wherever one may stand, its constraints arrive, or a warning says that
// they don't. Constraints that are types can't be forgotten, so the same place says with them what should arrive.
import { beforeAll, describe, expect, test } from 'vitest';
import type { ts } from 'ts-morph';
import { compileFiles, toolNamed } from './compile-files.ts';
import { type Readings, expectCompiled, programOf, readerOf } from './type-program.ts';

const root = new URL('../../../', import.meta.url).pathname;

const runtime = `declare const constraint: unique symbol;
interface Constraint<K extends string, V> { readonly [constraint]?: Readonly<Record<K, V>> }
export type Minimum<N extends number> = Constraint<'minimum', N>;
export type MinLength<N extends number> = Constraint<'minLength', N>;
export type MinItems<N extends number> = Constraint<'minItems', N>;
`;

const uses = `
export type Ports = Port[];
export type PortMap = Record<string, Port>;
export type PortUnion = Port | null;
export type PortTuple = [Port, string];
export type PortPromise = Promise<Port>;
export type PortFn = (port: Port) => Port;
export interface Named { port: Port; other: string }
export interface HasPort { it: Port }
export type U = { kind: 'a'; a: Port; x: string } | { kind: 'b'; a: Port; y: string };
export type U2 = { kind: 'a'; a: Port } | { kind: 'b'; a: number };
export type Elem<T> = T extends (infer V)[] ? V : never;
export type ElemR<T> = T extends readonly (infer V)[] ? V : never;
export type ArrElem<T> = T extends Array<infer V> ? V : never;
export type Unwrap<T> = T extends Promise<infer V> ? V : T;
export type First<T> = T extends [infer F, ...unknown[]] ? F : never;
export type Last<T> = T extends [...unknown[], infer L] ? L : never;
export type Tail<T> = T extends [unknown, ...infer R] ? R : never;
export type It<T> = T extends { it: infer V } ? V : never;
export type Values<T> = T[keyof T];
export type Arg<T> = T extends (port: infer V) => unknown ? V : never;
export type Ret<T> = T extends (...args: never[]) => infer V ? V : never;
export type MapVal<T> = T extends Record<string, infer V> ? V : never;
export type Dist<T> = T extends string ? never : T;
export type If<C, A, B> = C extends true ? A : B;
export type Flat<T> = { [K in keyof T]: T[K] };
export type Mut<T> = { -readonly [K in keyof T]-?: T[K] };
export type Get<T> = { [K in keyof T as \`get_\${K & string}\`]: () => T[K] };
export type Only<T, V> = { [K in keyof T as T[K] extends V ? K : never]: T[K] };
export type DistOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
export type Dict<K extends string, V> = Record<K, V>;
export type Def<T = Port> = { it: T };
export interface DefI<T = Port> { it: T }
export type Json = Port | Json[] | { [k: string]: Json };
export interface Node { value: Port; next?: Node }
export type Tree<T> = { value: T; kids: Tree<T>[] };
export class Klass { port!: Port; constructor(readonly given: Port, other: string) { void other; } method(p: Port): Port { return p; } }
export class Sub extends Klass { more = '' }
export declare class Acc { get it(): Port; set it(value: Port) }
export abstract class Abs { abstract it: Port }
export declare function open(port: Port, ...rest: Port[]): Port;
export declare function openLater(port: Port): Promise<Port>;
export declare function openNamed(): { it: Port };
export declare const value: Port;
export declare const object: { it: Port; list: Port[] };
export declare const tuple: [Port, string];
export namespace Space { export type Inner = Port; export interface Held { it: Port } }
export type Fn<T> = (value: T) => void;
export interface Overloaded { (a: string): string; (a: Port): Port }
export type Ctor = new (port: Port) => { it: Port };
export interface Methods { m(port: Port): Port }
export interface Getter { readonly it: Port }
export type Alias1 = Port; export type Alias2 = Alias1;
export interface Ext extends Pick<Named, 'port'> { z: string }
export interface Ext2 extends Omit<U3, 'x'> { z: string }
export interface U3 { port: Port; x: string }
export interface Lst extends Array<Port> {}
export type Brand = Port & { __brand: 'x' };
export type Leaves<T> = T extends [infer A, infer B] ? Leaves<A> | Leaves<B> : T;
export type Flattened<T> = T extends (infer V)[] ? Flattened<V> : T;
export type Rest<T extends unknown[]> = [string, ...T];
export type Grown<A, B> = A extends { it: unknown } ? Grown<Required<A>['it'], [B]> | Grown<Readonly<A>['it'], B[]> : A;
export type Deep<T> = T extends object ? { [K in keyof T]: Deep<T[K]> } : T;
export type Parts<T> = T extends { port: infer A; other: infer B } ? { a: A; b: B } : never;
export type ElemOf<T extends readonly unknown[]> = T[number];
export type Head<T extends unknown[]> = T[0];
export type Setter<T> = T extends { m(p: infer A): infer R } ? [A, R] : never;
`;

/** `Port` is an alias with constraints; `Ports`, `Named` and others of `uses` are written by it. */
const places = `
Port
{ a: Port }
Alias2
Ports
Elem<Ports>
Elem<Port[]>
ElemR<Ports>
ArrElem<Ports>
ArrElem<Array<Port>>
Unwrap<PortPromise>
Unwrap<Promise<Port>>
Awaited<PortPromise>
First<PortTuple>
First<[Port, string]>
Last<[string, Port]>
Tail<[string, Port, Port]>
It<HasPort>
It<{ it: Port }>
Values<HasPort>
Values<{ it: Port }>
Arg<PortFn>
Arg<(port: Port) => void>
Ret<PortFn>
Ret<typeof open>
Ret<() => Port>
MapVal<PortMap>
MapVal<Record<string, Port>>
Dist<Port>
Dist<Port | string>
If<true, Port, string>
Leaves<[[[Port, Port], [Port, Port]], [[Port, Port], [Port, Port]]]>
Flattened<{ it: Port }[][][]>
If<false, string, Port>
Flat<Named>
Flat<{ it: Port }>
Mut<Named>
ReturnType<Get<Named>['get_port']>
Only<Named, number>
DistOmit<U, 'kind'>
Omit<U, 'kind'>
Pick<U, 'a'>
Omit<U2, 'kind'>
Pick<U2, 'a'>
Dict<'a', Port>
Def
DefI
Def<Port>
DefI<Port>
Json
Node
Tree<Ports>
Klass['port']
Klass['given']
InstanceType<typeof Klass>['port']
Pick<InstanceType<typeof Klass>, 'port'>
ConstructorParameters<typeof Klass>
ConstructorParameters<typeof Klass>[0]
ConstructorParameters<Ctor>
ConstructorParameters<Ctor>[0]
InstanceType<Ctor>
Parameters<typeof open>
Parameters<typeof open>[0]
Parameters<typeof open>[1]
Parameters<PortFn>
ReturnType<typeof open>
Awaited<ReturnType<typeof openLater>>
ReturnType<typeof openNamed>
ReturnType<typeof openNamed>['it']
ReturnType<PortFn>
ReturnType<Klass['method']>
Parameters<Klass['method']>[0]
Parameters<Methods['m']>[0]
ReturnType<Methods['m']>
typeof value
typeof object
typeof object.it
typeof tuple
(typeof object)['it']
(typeof object.list)[number]
Space.Inner
Space.Held
Space.Inner[]
ReturnType<Overloaded>
Getter
Acc['it']
Pick<Acc, 'it'>
Abs
Ext
Ext2
Lst
Brand
Rest<[Port]>
Rest<Ports>
Rest<Port[]>
[string, ...Ports]
[string, ...Array<Port>]
[string, ...PortTuple]
[...Ports]
[...Port[], string]
[first: Port, ...rest: Port[]]
[a?: Port]
readonly [Port]
Parts<Named>
Parts<{ port: Port; other: Id }>
ElemOf<Ports>
ElemOf<[Port, Port]>
Head<[Port]>
Head<PortTuple>
Setter<Methods>
Port & {}
(Port & {})[]
{ a: Port } & { b: string }
Named & { z: string }
Pick<Named, 'port'> & { z: string }
Port extends number ? Port : never
Port extends infer X ? X : never
Ports extends (infer X)[] ? X[] : never
Ports extends (infer X extends number)[] ? { a: X } : never
[Port] extends [infer X] ? X : never
NonNullable<PortUnion>
NonNullable<PortUnion>[]
Exclude<PortUnion, null>
Extract<PortUnion, number>
Required<{ a?: Port }>
Required<Named>
Readonly<Ports>
Readonly<PortTuple>
Partial<PortTuple>
Partial<Ports>
Flat<PortTuple>
Flat<Ports>
Some<Port>
Some<string>
Some<Ports>
Elem<Some<Port>>
Elem<Some<string>[]>
Set<Port>
Set<Ports>
ReadonlySet<Port>
Map<string, Port>
Map<string, Ports>
ReadonlyMap<string, Port>
PortMap
PortMap['x']
PortMap[string]
Iterable<Port>
Record<'a', Ports>
Record<'a', PortUnion>
Record<string, PortUnion>
PortUnion
PortUnion[]
Port | string
Port | string[]
Port | number
Ports | Port
Ports[number]
PortTuple[0]
PortTuple[number]
U
U['a']
U2
U2['a']
Extract<U, { kind: 'a' }>
Exclude<U, { kind: 'a' }>
Extract<U, { kind: 'a' }>['a']
Named['port']
Named['port'][]
Pick<Named, 'port'>['port']
Partial<Named>['port']
HasPort[keyof HasPort]
Named[keyof Named]
import('./x.ts').Far
import('./x.ts').FarList
Far
FarList
Again
Renamed
Def2
ns.Far
ns.FarList[number]
Elem<FarList>
Elem<ns.FarList>
Omit<FarUnion, 'kind'>
FarMember
Pick<FarMember, 'far'>
Box<Port>
Box<Ports>
Pair<Ports>
NoInfer<Port>
ThisParameterType<(this: Port) => void>
OmitThisParameter<() => Port> extends () => infer R ? R : never
Awaited<Promise<Ports>>
Promise<Port>[] extends Promise<infer R>[] ? R : never
(Port)[]
{ readonly a?: Port | undefined }
Partial<Pick<Named, 'port'>>
Partial<Omit<U, 'kind'>>
Omit<Named & { z: Port }, 'other'>
Omit<Ext, 'z'>
Omit<Klass, 'method'>
Mut<{ a: Port }>[]
Elem<Mut<{ a: Port }>[]>
Flat<Flat<Named>>
Flat<Flat<Flat<Flat<Flat<Flat<Flat<Flat<Flat<Flat<Flat<Flat<Named>>>>>>>>>>>>
Grown<{ it: { it: Port } }, string>
{ it: Grown<{ it: { it: Port } }, string>[] }
Flat<Pick<Named, 'port'> & { q: Port }>
Omit<{ [K in 'a' | 'b']: Port }, 'a'>
Pick<Record<'a' | 'b', Port>, 'a'>
{ [K in 'a' as \`x_\${K}\`]: Port }
{ [K in keyof Named as Exclude<K, 'other'>]: Named[K] }
{ [K in keyof HasPort]: HasPort[K][] }
`
  .trim()
  .split('\n');

const others = `export type FarList = Far[];
export type FarUnion = { kind: 'a'; a: Far } | { kind: 'b'; a: Far };
export interface FarMember { far: Far; other: string }
export class Box<X> { content!: X }
export type Pair<X, Y = Far> = { left: X; right: Y };
export default Far;
`;

interface Kind {
  name: string;
  port: string;
  id: string;
  some: string;
}

const types = "import type { MinItems, MinLength, Minimum } from './runtime/index.ts';\n";

/** The same aliases, with their constraints as tags and as types. */
const kinds: { tags: Kind; types: Kind }[] = [
  {
    tags: {
      name: 'number',
      port: '/** @minimum 1 */ export type Port = number;',
      id: '/** @minLength 2 */ export type Id = string;',
      some: '/** @minItems 1 */ export type Some<X> = X[];',
    },
    types: {
      name: 'number-types',
      port: 'export type Port = number & Minimum<1>;',
      id: 'export type Id = string & MinLength<2>;',
      some: 'export type Some<X> = X[] & MinItems<1>;',
    },
  },
  {
    tags: {
      name: 'list',
      port: '/** @minItems 3 */ export type Port = number[];',
      id: 'export type Id = string;',
      some: 'export type Some<X> = X[];',
    },
    types: {
      name: 'list-types',
      port: 'export type Port = number[] & MinItems<3>;',
      id: 'export type Id = string;',
      some: 'export type Some<X> = X[];',
    },
  },
];

function filesOf({ name, port, id, some }: Kind): Record<string, string> {
  const head = `import type { Box, Far, FarList, FarMember, FarUnion, Pair } from './${name}-far.ts';
import type { Again, Renamed } from './${name}-again.ts';
import type Def2 from './${name}-far.ts';
import type * as ns from './${name}-far.ts';
${types}${port}\n${id}\n${some}`;
  const holders = places.map(
    (type, at) => `export interface Holder${at} { it: ${type.replace('./x.ts', `./${name}-far.ts`)} }`,
  );
  return {
    [`${name}-far.ts`]: `${types}${port.replace('type Port', 'type Far')}\n${others}`,
    [`${name}-again.ts`]: `export type { Far as Again } from './${name}-far.ts';\nimport type { Far } from './${name}-far.ts';\nexport type Renamed = Far;\n`,
    [`${name}.ts`]: [head, uses, ...holders].join('\n'),
  };
}

let program: ts.Program;

beforeAll(() => {
  const all = kinds.flatMap((kind) => [kind.tags, kind.types]).map(filesOf);
  program = programOf(Object.assign({ 'runtime/index.ts': runtime }, ...all) as Record<string, string>);
  expectCompiled(program);
});

function readPlace(
  at: number,
  name: string,
  direction: 'input' | 'output',
): { found: string[]; reader: Readings } {
  const reader = readerOf(program, { runtimeTypes: `${root}virtual/runtime` });
  const { schema } = reader.read(`Holder${at}`, { direction }, `${name}.ts`);
  reader.reader.finishReading();
  return { found: findConstraints(schema, reader.reader.schemas).toSorted(), reader };
}

/** The path and value of each constraint, whether or not its schema has a name, or `null` beside it. */
function findConstraints(
  schema: unknown,
  named: Record<string, unknown>,
  open: readonly string[] = [],
): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { $ref } = schema as { $ref?: string };
  if ($ref !== undefined)
    return open.includes($ref) ? [] : findConstraints(named[$ref.slice(8)], named, [...open, $ref]);
  return Object.entries(schema).flatMap(([key, value]) => {
    if (/^min(?:imum|Length|Items)$/.test(key)) return [`: ${key} ${String(value)}`];
    const step = key === 'anyOf' || (Array.isArray(schema) && open.includes('anyOf')) ? '' : `/${key}`;
    const inner = key === 'anyOf' ? [...open, 'anyOf'] : open.filter((each) => each !== 'anyOf');
    return findConstraints(value, named, inner).map((each) => `${step}${each}`);
  });
}

describe.each(kinds)('$tags.name', ({ tags, types: oracle }) => {
  test.each(['input', 'output'] as const)('arrives or warns: %s', (direction) => {
    const wrong = places.flatMap((type, at) => {
      const { found, reader } = readPlace(at, tags.name, direction);
      const { found: wanted } = readPlace(at, oracle.name, direction);
      const lost = wanted.filter((each) => !found.includes(each));
      const extra = found.filter((each) => !wanted.includes(each));
      const warned = reader.problems().filter((each) => each.startsWith('constraint-lost'));
      const isRight = extra.length === 0 && lost.length > 0 === warned.length > 0;
      return isRight ? [] : [{ type, lost, extra, warned }];
    });
    expect(wrong).toEqual([]);
  });
});

test.each(['Record<Id, string>', 'Record<`x-${Id}`, string>', 'Map<Id, string>', '`x-${Id}`'])(
  'keys and parts of a text keep no constraint, also if it is a type: %s',
  (type) => {
    const text = `import type { MinLength } from './runtime/index.ts';\ntype Id = string & MinLength<2>;\nexport interface Holder { it: ${type} }`;
    const given = programOf({ 'runtime/index.ts': runtime, 'a.ts': text });
    expectCompiled(given);
    const { read, problems } = readerOf(given, { runtimeTypes: `${root}virtual/runtime` });
    read('Holder');
    expect(problems()).toEqual(['constraint-lost a.ts:3:31']);
  },
);

const aliases = `/** @minimum 1 */ type Port = number;
type Ports = Port[];
type Args = [port: Port, other: string];
type Pair = [Port, string];
type Fn = (port: Port) => void;
interface Given { port: Port; other: string }
`;

const functions = `
export function f(port: Port, b: string): void { void [port, b]; }
export function f({ port }: { port: Port }): void { void port; }
export function f({ port, other }: { port: Port; other?: string } ): void { void [port, other]; }
export function f(...ports: Port[]): void { void ports; }
export function f(...ports: Ports): void { void ports; }
export function f(...ports: readonly Port[]): void { void ports; }
export function f(...ports: Array<Port>): void { void ports; }
export function f(...args: [Port, string]): void { void args; }
export function f(...args: Args): void { void args; }
export function f(...args: Pair): void { void args; }
export function f(...args: Parameters<Fn>): void { void args; }
export function f(...args: [string, ...Port[]]): void { void args; }
export function f(...args: [string, ...Ports]): void { void args; }
export function f(...args: [string, ...rest: Ports]): void { void args; }
export const f: Fn = (port) => { void port; };
export const f: (port: Port) => void = (port) => { void port; };
export const f = (port: Port): void => { void port; };
export const f = wrap((port: Port, b: string): void => { void [port, b]; }); function wrap<A extends unknown[], R>(g: (...args: A) => R): (...args: A) => R { return g; }
export const f = wrap((p: { port: Port }): void => { void p; }); function wrap<A, R>(g: (a: A) => R): (a: A) => R { return g; }
export const f = wrap((p: Port): void => { void p; }); function wrap<A, R>(g: (a: A) => R): (a: A) => R { return g; }
export const f = wrap((p: Port): void => { void p; }); function wrap<A, R>(g: (a: A) => R): (a: A, b: string) => R { return (a) => g(a); }
export function f<T extends Port>(a: T, b: string): void { void [a, b]; }
export function f<T = Port>(a: T, b: string): void { void [a, b]; }
export function f(a: Port = 3, b: string): void { void [a, b]; }
export function f(a?: Port): void { void a; }
export function f(a: Port | undefined, b: string): void { void [a, b]; }
export function f(b: string): Port { return b.length; }
export async function f(b: string): Promise<Port> { return b.length; }
export async function f(b: string): PP { return b.length; } type PP = Promise<Port>;
export function f(b: string): Promise<Port> | Port { return b.length; }
export async function f(b: string): Promise<Port[]> { return [b.length]; }
export async function f(b: string): Promise<{ port: Port }> { return { port: b.length }; }
export function* f(b: string): Generator<Port> { yield b.length; }
export function* f(b: string): Iterable<Port> { yield b.length; }
export function* f(b: string): IterableIterator<Port> { yield b.length; }
export async function* f(b: string): AsyncGenerator<Port> { yield b.length; }
export async function* f(b: string): AsyncGenerator<Port, void> { yield b.length; }
export async function* f(b: string): AsyncGenerator<string, Port> { yield b; return 1; }
export async function* f(b: string): AsyncGenerator<{ progress: number }, Port> { yield { progress: b.length }; return 1; }
export async function* f(b: string): AsyncIterable<Port> { yield b.length; }
export async function* f(b: string): AsyncIterableIterator<Port> { yield b.length; }
export function* f(b: string): Generator<string, Port> { yield b; return 1; }
export function f(b: string): { content: { type: 'text'; text: string }[]; structuredContent: { port: Port } } { void b; return { content: [], structuredContent: { port: 1 } }; }
export function f(b: string): Full<{ port: Port }> { void b; return { content: [], structuredContent: { port: 1 } }; } interface Full<T> { content: { type: 'text'; text: string }[]; structuredContent: T }
export const f: (b: string) => Port = (b) => b.length;
export const f = wrap((b: string): Port => b.length); function wrap<A extends unknown[], R>(g: (...args: A) => R): (...args: A) => R { return g; }
export const f = (b: string): Port => b.length;
export function f(a: Port, b: string): void; export function f(a: string, b: string): void; export function f(a: unknown, b: string): void { void [a, b]; }
export const f = { g(a: Port): void { void a; } }.g;
export function f(this: void, a: Port): void { void a; }
export const f = ((a: Port): void => { void a; }) satisfies Fn;
export const f = ((a): void => { void a; }) as Fn;
export function f(a: { ports: Ports }): void { void a; }
export function f(a: Pick<Given, 'port'>): void { void a; }
export function f(a: Record<string, Port>): void { void a; }
export function f(a: Partial<Record<'x' | 'y', Port>>): void { void a; }
`
  .trim()
  .split('\n');

test('constraints arrive at every parameter and result of a function', async () => {
  const files = functions.map((text, at) => [
    `f${at}.ts`,
    `${aliases}\n/** Does it. @tool f${at} */\n${text}\n`,
  ]);
  const compiled = await compileFiles(Object.fromEntries(files) as Record<string, string>);
  expect(compiled.messages.filter((each) => !each.includes('many-tools'))).toEqual([]);
  const listed = functions.map((text, at) => {
    const { inputSchema, outputSchema } = toolNamed(`f${at}`, compiled);
    return [text, JSON.stringify([inputSchema, outputSchema]).includes('"minimum":1')];
  });
  expect(listed.filter(([, arrives]) => arrives === false)).toEqual([]);
});

test('types that make others without end are read to a limit, and what is not found there is reported', async () => {
  const compiled = await compileFiles({
    'a.ts': `/** @minimum 1 */ type Port = number;
type Grown<A, B> = A extends { it: unknown } ? Grown<Required<A>['it'], [B]> | Grown<Readonly<A>['it'], B[]> : A;
type Flat<T> = { [K in keyof T]: T[K] };
/** Does it. @tool lost */
export function lost(a: Grown<{ it: { it: Port } }, 'x'>, b: string): void { void [a, b]; }
/** Does it. @tool silent */
export function silent(a: Grown<{ it: { it: number } }, 'x'>, b: string): void { void [a, b]; }
type Elem<T> = T extends (infer V)[] ? V : never;
/** Does it. @tool inferred */
export function inferred(a: ${'Elem<'.repeat(12)}Port${'[]'.repeat(12)}${'>'.repeat(12)}, b: string): void { void [a, b]; }
/** Does it. @tool deep */
export function deep(a: ${'Flat<'.repeat(20)}{ port: Port }${'>'.repeat(20)}, b: string): void { void [a, b]; }
`,
  });
  expect(compiled.problems).toEqual(['a.ts:5:43 warning constraint-lost']);
  expect(toolNamed('inferred', compiled).inputSchema).toMatchObject({ properties: { a: { minimum: 1 } } });
  const { $defs } = toolNamed('deep', compiled).inputSchema as { $defs: Record<string, unknown> };
  expect(Object.values($defs)).toMatchObject([{ properties: { port: { minimum: 1 } } }]);
});
