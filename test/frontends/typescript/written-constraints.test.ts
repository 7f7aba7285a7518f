// The checker forgets the alias of a primitive, so constraints are found by the written type.
import { describe, expect, test } from 'vitest';
import type { ts } from 'ts-morph';
import { beforeAll } from 'vitest';
import { expectCompiled, programOf, readerOf } from './type-program.ts';

const prelude = `
/** A port. @minimum 1 @maximum 9 */ export type Port = number;
/** @minLength 2 */ export type Id = string;
/** @minItems 1 */ export type Some<X> = X[];
/** @format date */ export type Day = Date;
export interface Server { port: Port; /** Its name. @maxLength 5 */ name: Id }
export interface Page<X> { items: X[]; first: X; also?: X | null }
export interface Tree<X> { value: X; kids: Tree<X>[] }
export class Box<X> { content!: X }
export type Maybe<X> = X | null;
export type Pair<X, Y = Port> = { left: X; right: Y };
export type Prefixed<X> = { [K in keyof X as \`x_\${K & string}\`]: X[K] };
export type Nullish<X> = { [K in keyof X]: X[K] | null };
export declare function open(): Promise<Port>;
`;

const port = { minimum: 1, maximum: 9 };
const id = { minLength: 2 };

/** Each row: a type, and the constraints at places in its schema. */
const rows: [name: string, type: string, want: Record<string, object>][] = [
  ['itself', 'Port', { '': port }],
  ['a member', '{ a: Port }', { 'properties/a': port }],
  ['an optional member', '{ a?: Port }', { 'properties/a': port }],
  ['a member with null', '{ a: Port | null }', { 'properties/a': port }],
  ['a list', 'Port[]', { items: port }],
  ['a readonly list', 'readonly Port[]', { items: port }],
  ['Array', 'Array<Port>', { items: port }],
  ['ReadonlyArray', 'ReadonlyArray<Port | null>', { items: port }],
  ['a list of lists', 'Port[][]', { 'items/items': port }],
  ['Set', 'Set<Port>', { items: port }],
  ['Map values', 'Map<string, Port>', { additionalProperties: port }],
  ['Map entries', 'Map<Day, Port>', { 'items/prefixItems/1': port }],
  ['Record', 'Record<string, Port>', { additionalProperties: port }],
  ['Record of names', "Record<'a' | 'b', Port>", { 'properties/a': port, 'properties/b': port }],
  ['an index signature', '{ [name: string]: Port }', { additionalProperties: port }],
  ['a tuple', '[Id, Port]', { 'prefixItems/0': id, 'prefixItems/1': port }],
  ['a tuple with names', '[id: Id, port?: Port]', { 'prefixItems/0': id, 'prefixItems/1': port }],
  ['the rest of a tuple', '[Id, ...Port[]]', { 'prefixItems/0': id, items: port }],
  ['a mapped type', "{ [K in 'a' | 'b']: Port }", { 'properties/a': port, 'properties/b': port }],
  ['a mapped type over members', 'Nullish<Server>', { 'properties/port': port, 'properties/name': id }],
  [
    'remapped keys',
    'Prefixed<Server>',
    { 'properties/x_port': port, 'properties/x_name': { ...id, maxLength: 5 } },
  ],
  [
    'a generic interface',
    'Page<Port>',
    { 'properties/items/items': port, 'properties/first': port, 'properties/also': port },
  ],
  ['a generic class', 'Box<Port>', { 'properties/content': port }],
  ['a generic alias', 'Maybe<Port>', { '': port }],
  ['a default type argument', 'Pair<Id>', { 'properties/left': id, 'properties/right': port }],
  ['generics in generics', 'Page<Maybe<Port>>', { 'properties/items/items': port }],
  ['a generic list with a constraint', 'Some<Port>', { '': { minItems: 1 }, items: port }],
  ['a base with an argument', 'Many', { 'properties/first': port }],
  ['NonNullable', 'NonNullable<Port | null>', { '': port }],
  ['Exclude', "Exclude<Port | 'x', 'x'>", { '': port }],
  ['Extract', "Extract<Port | 'x', number>", { '': port }],
  ['Awaited', 'Awaited<Promise<Port>>', { '': port }],
  ['ReturnType', 'Awaited<ReturnType<typeof open>>', { '': port }],
  ['an indexed access', "Server['port']", { '': port }],
  ['docs of the accessed member', "Server['name']", { '': { ...id, maxLength: 5 } }],
  ['an index of a list', 'Port[][number]', { '': port }],
  ['an index of a tuple', '[Id, Port][1]', { '': port }],
  ['an index of all members', '{ a: Port }[keyof { a: Port }]', { '': port }],
  ['an index of all members of an interface', 'Extract<Two[keyof Two], number>', { '': port }],
  ['an index by an alias', 'Server[Key]', { '': port }],
  ['a parameter of a type', 'Parameters<Open>[0]', { '': port }],
  ['a parameter of a function', 'Parameters<typeof close>[1]', { '': port }],
  ['ReturnType of a type', 'ReturnType<Open>', { '': id }],
  ['all members deep', 'Deep<Rack>', { 'properties/all/items/properties/port': port }],
  ['all members of a record', 'Nullish<Record<string, Port>>', { additionalProperties: port }],
  ['Partial', 'Partial<Server>', { 'properties/port': port }],
  ['Pick', "Pick<Server, 'port'>", { 'properties/port': port }],
  ['Omit', "Omit<Server, 'name'>", { 'properties/port': port }],
  ['Partial of a generic', 'Partial<Page<Port>>', { 'properties/first': port }],
  ['Partial of a record', "Partial<Record<'a', Port>>", { 'properties/a': port }],
  ['an intersection', '{ a: Port } & { b: Id }', { 'properties/a': port, 'properties/b': id }],
  ['a conditional type', 'string extends Id ? Port : never', { '': port }],
  ['an alias of a list', 'Ports', { items: port }],
  ['a date', 'Day[]', { items: { format: 'date' } }],
  ['a member of a generic that is a list of aliases', 'Page<Ports>', { 'properties/first/items': port }],
];

const more = `
export interface Many extends Page<Port> { count: number }
export type Ports = Port[];
export type Key = 'port';
export interface Rack { all: Server[] }
export type Deep<T> = { [K in keyof T]?: T[K] extends object ? Deep<T[K]> : T[K] };
export interface Two { a: Port; b: Id }
export type Open = (port: Port) => Id;
export declare function close(id: Id, port: Port): void;
`;

let program: ts.Program;

beforeAll(() => {
  program = programOf(
    Object.fromEntries(
      rows.map(([, type], at) => [
        `row-${at}.ts`,
        `${prelude}${more}export interface Holder { it: ${type} }\n`,
      ]),
    ),
  );
  expectCompiled(program);
});

describe('constraints of aliases', () => {
  test.each(rows.map((row, at) => [...row, at] as const))('%s', (_, __, want, at) => {
    const readings = readerOf(program);
    const { schema } = readings.read('Holder', { inline: true }, `row-${at}.ts`);
    const { schemas } = readings.reader;
    const whole = { ...schema, $defs: schemas };
    for (const [way, keywords] of Object.entries(want)) {
      const found = follow(whole, ['properties', 'it', ...way.split('/').filter((step) => step !== '')]);
      expect([way, found], JSON.stringify(whole)).toMatchObject([way, keywords]);
    }
    readings.reader.finishReading();
    expect(readings.problems()).toEqual([]);
  });
});

/** Each row: a type, and the alias in it whose constraints can't arrive. */
const lost: [type: string, name?: string][] = [
  ['Port | number', 'Port'],
  ['Record<Id, number>', 'Id'],
  ['Record<`x-${Id}`, number>', 'Id'],
  ['Partial<Record<Id, number>>', 'Id'],
  ['Dictionary<Id>', 'Id'],
  ['{ [name in Id]: number }', 'Id'],
  ['{ [name: Id]: number }', 'Id'],
  ['Map<Id, Date>', 'Id'],
  ['Map<Id, number>', 'Id'],
  ['Tree<Port>', 'Port'],
  ['`x-${Port}`', 'Port'],
  ['Uppercase<Id>', 'Id'],
  ['keyof Record<Id, number>', 'Id'],
  ["Omit<{ kind: 'a'; port: Port } | { kind: 'b'; port: number }, 'kind'>", 'Port'],
  // It is taken away.
  ["Pick<{ a: Port; b: string }, 'b'>"],
  ["Omit<{ a: Port; b: string }, 'a'>"],
  ["Pick<{ a: Port; b: number }, 'b'>"],
  ['[Port, string][1]'],
  ['[Port, number][1]'],
  ["{ a: Port; b: string }['b']"],
  ['{ a: Exclude<Port | Id, number> }'],
  ['{ a: Extract<Port | string, string> }'],
  ['Pick<Server, never>'],
  ['Port extends string ? Port : boolean'],
  ['[Port, number] extends [unknown, infer X] ? X : never'],
];

describe('constraints that cannot arrive are reported where they are written', () => {
  const holders = lost.map(([type], at) => `export interface Holder${at} { it: ${type} }`);
  const text = [prelude, 'export type Dictionary<K extends string> = Record<K, number>;', ...holders].join(
    '\n',
  );
  let holding: ts.Program;

  beforeAll(() => {
    holding = programOf({ 'a.ts': text });
    expectCompiled(holding);
  });

  test.each(lost.map(([type, name], at) => [type, name, at] as const))('%s', (_, name, at) => {
    const readings = readerOf(holding);
    readings.read(`Holder${at}`);
    readings.reader.finishReading();
    const holder = holders[at] ?? '';
    const line = text.split('\n').indexOf(holder) + 1;
    const column = holder.indexOf(name ?? '', holder.indexOf(' it: ')) + 1;
    expect(readings.problems()).toEqual(name === undefined ? [] : [`constraint-lost a.ts:${line}:${column}`]);
  });
});

function follow(root: unknown, steps: string[]): unknown {
  let found: unknown = root;
  for (const step of ['', ...steps]) {
    if (step !== '') found = (found as Record<string, unknown>)[step];
    for (;;) {
      const { $ref, anyOf } = (found ?? {}) as { $ref?: string; anyOf?: { type?: string }[] };
      if ($ref !== undefined) found = (root as { $defs: Record<string, unknown> }).$defs[$ref.slice(8)];
      else if (anyOf !== undefined) found = anyOf.find(({ type }) => type !== 'null');
      else break;
    }
  }
  return found;
}
