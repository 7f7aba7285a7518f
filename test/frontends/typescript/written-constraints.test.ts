// The checker forgets the alias of a primitive, so constraints are found by the written type.
import { describe, expect, test } from 'vitest';
import type { ts } from 'ts-morph';
import { beforeAll } from 'vitest';
import { expectCompiled, programOf, readerOf } from './type-program.ts';

const prelude = `
/** A port. @minimum 1 @maximum 9 */ export type Port = number;
/** @minLength 2 */ export type Id = string;
/** @format date */ export type Day = Date;
export interface Server { port: Port; /** Its name. @maxLength 5 */ name: Id }
export interface Page<X> { items: X[]; first: X; also?: X | null }
export interface Tree<X> { value: X; kids: Tree<X>[] }
`;

const port = { minimum: 1, maximum: 9 };
const id = { minLength: 2 };

/** Each row: a type, and the constraints at places in its schema. */
const rows: [type: string, want: Record<string, object>][] = [
  ['Port', { '': port }],
  ['Alias', { '': port }],
  ['(Port)', { '': port }],
  ['Port | null', { '': port }],
  [
    '{ a: Port; b?: Port; c: Port | null }',
    { 'properties/a': port, 'properties/b': port, 'properties/c': port },
  ],
  ['Port[]', { items: port }],
  ['readonly Port[][]', { 'items/items': port }],
  ['ReadonlyArray<Port | null>', { items: port }],
  ['Set<Port>', { items: port }],
  ['Map<string, Port>', { additionalProperties: port }],
  ['Map<Date, Port>', { 'items/prefixItems/1': port }],
  ['Record<string, Port>', { additionalProperties: port }],
  ['{ [name: string]: Port }', { additionalProperties: port }],
  ['[Id, Port]', { 'prefixItems/0': id, 'prefixItems/1': port }],
  ['[id: Id, port?: Port]', { 'prefixItems/0': id, 'prefixItems/1': port }],
  ['Ports', { items: port }],
  ['Ports | null', { items: port }],
  ['NonNullable<Port | null>', { '': port }],
  ["Exclude<Port | 'x', 'x'>", { '': port }],
  ['Partial<Server>', { 'properties/port': port, 'properties/name': { ...id, maxLength: 5 } }],
  ["Pick<Server, 'port'>", { 'properties/port': port }],
  ["Omit<Server, 'name'>", { 'properties/port': port }],
  ['Day[]', { items: { format: 'date' } }],
  ['Day | string[]', { '': { format: 'date' } }],
];

const more = `
export type Ports = Port[];
export type Alias = Port;
export type Page2 = Page<Port>;
export declare function open(): Port;
`;

let program: ts.Program;

beforeAll(() => {
  program = programOf(
    Object.fromEntries(
      rows.map(([type], at) => [
        `row-${at}.ts`,
        `${prelude}${more}export interface Holder { it: ${type} }\n`,
      ]),
    ),
  );
  expectCompiled(program);
});

describe('constraints of aliases', () => {
  test.each(rows.map((row, at) => [...row, at] as const))('%s', (_, want, at) => {
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
  ['{ [name: Id]: number }', 'Id'],
  ['Map<Id, number>', 'Id'],
  ['Page<Port>', 'Port'],
  ['Page2', 'Page2'],
  ['Tree<Port>', 'Port'],
  ['`x-${Port}`', 'Port'],
  ["Record<'a', Port>", 'Port'],
  ['[Id, ...Port[]]', 'Port'],
  ["Server['port']", "Server['port']"],
  ["Server['name']", "Server['name']"],
  ['ReturnType<typeof open>', 'typeof open'],
  // It is taken away.
  ["Pick<{ a: Port; b: string }, 'b'>"],
  ["Omit<{ a: Port; b: string }, 'a'>"],
];

describe('constraints that cannot arrive are reported where they are written', () => {
  const holders = lost.map(([type], at) => `export interface Holder${at} { it: ${type} }`);
  const text = [prelude, more, ...holders].join('\n');
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
