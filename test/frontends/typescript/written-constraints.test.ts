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
`;

const port = { minimum: 1, maximum: 9 };
const id = { minLength: 2 };

/** Each row: a type, and the constraints at places in its schema. */
const rows: [type: string, want: Record<string, object>][] = [
  ['Port', { '': port }],
  ['Alias', { '': port }],
  ['Port | null', { '': port }],
  [
    '{ a: Port; b?: Port; c: Port | null }',
    { 'properties/a': port, 'properties/b': port, 'properties/c': port },
  ],
  ['Port[]', { items: port }],
  ['readonly Port[][]', { 'items/items': port }],
  ['Set<Port>', { items: port }],
  ['Map<string, Port>', { additionalProperties: port }],
  ['Map<Date, Port>', { 'items/prefixItems/1': port }],
  ['Record<string, Port>', { additionalProperties: port }],
  ['{ [name: string]: Port }', { additionalProperties: port }],
  ['[Id, Port]', { 'prefixItems/0': id, 'prefixItems/1': port }],
  ['Ports', { items: port }],
  ['NonNullable<Port | null>', { '': port }],
  ['Partial<Server>', { 'properties/port': port, 'properties/name': { ...id, maxLength: 5 } }],
  ["Omit<Server, 'name'>", { 'properties/port': port }],
  ['Day[]', { items: { format: 'date' } }],
];

const more = `
export type Ports = Port[];
export type Alias = Port;
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
