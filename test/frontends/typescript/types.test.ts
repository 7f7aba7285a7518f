// TypeScript types and the schemas they become; Ajv and our own validator agree on what each accepts.
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import type { ts } from 'ts-morph';
import { beforeAll, describe, expect, test } from 'vitest';
import { decode } from '../../../templates/runtime/features/functions/decode.ts';
import { toJson } from '../../../templates/runtime/features/functions/encode.ts';
import { parseJson, writeJson } from '../../../templates/runtime/json-rpc.ts';
import { compileSchema } from '../../runtime/schema/validator.ts';
import { formats } from '../../support/formats.ts';
import type { JsonSchema } from '../../../src/util/json-schema.ts';
import { fitting, intersections, nonStrict, openResults, unions } from './type-rows/combined.ts';
import { builtIns, lists, objects } from './type-rows/containers.ts';
import { docs } from './type-rows/docs.ts';
import { generics, recursion, utilities } from './type-rows/generics.ts';
import { openTypes } from './type-rows/open.ts';
import { enums, primitives, strings } from './type-rows/primitives.ts';
import type { TypeRow } from './type-rows/row.ts';
import { expectCompiled, programOf, type Readings, readerOf } from './type-program.ts';

const groups: Record<string, TypeRow[]> = {
  ...{ primitives, strings, enums, lists, objects, builtIns, utilities, generics, openTypes, recursion },
  ...{ unions, fitting, openResults, intersections, nonStrict, docs },
};
const rows = Object.values(groups).flat();

test('there is a row for each kind of type', () => {
  expect(rows.length).toBeGreaterThanOrEqual(120);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
});

/** Rows of equal options share a program, each with a file of its own. */
const programs = new Map<string, ts.Program>();

beforeAll(() => {
  const shared = new Map<string, TypeRow[]>();
  for (const row of rows) shared.set(keyOf(row), [...(shared.get(keyOf(row)) ?? []), row]);
  for (const [key, some] of shared) {
    const files = Object.fromEntries(some.map((row) => [fileOf(row), row.given]));
    const program = programOf(files, some[0]?.options ?? {});
    expectCompiled(program);
    programs.set(key, program);
  }
});

function keyOf({ options = {} }: TypeRow): string {
  return JSON.stringify(options);
}

function fileOf(row: TypeRow): string {
  return `row-${rows.indexOf(row)}/${row.file ?? 'a.ts'}`;
}

function readRow(row: TypeRow): Readings & { type: ReturnType<Readings['read']> } {
  const program = programs.get(keyOf(row));
  if (program === undefined) throw new Error('no program');
  const readings = readerOf(program);
  const type = readings.read('T', { direction: row.direction ?? 'input', inline: true }, fileOf(row));
  return { ...readings, type };
}

describe.each(Object.entries(groups))('%s', (_, some) => {
  test.each(some)('$name', (row) => {
    const { type, reader } = readRow(row);
    // References have their names once the names are asked for.
    const { schemas, codecs } = reader;
    const { description, ...schema } = type.schema;
    const { description: wanted, ...want } = row.want;
    expect(schema).toEqual(want);
    if (wanted !== undefined) expect(description).toBe(wanted);
    expect(schemas).toEqual(row.defs ?? {});
    expect(type.optional).toBe(row.optional ?? false);
    expectVerdicts({ ...type.schema, $defs: schemas }, row);
    expectValues(row, type.codec, codecs);
  });
});

function expectVerdicts(schema: JsonSchema & object, { accepts, rejects }: TypeRow): void {
  const options = { strict: true, allowUnionTypes: true, strictRequired: false, strictTuples: false };
  const theirs = new Ajv2020({ ...options, formats }).compile(schema as AnySchema);
  expect(accepts.map((value) => [value, theirs(value)])).toEqual(accepts.map((value) => [value, true]));
  expect(rejects.map((value) => [value, theirs(value)])).toEqual(rejects.map((value) => [value, false]));
  // Formats are for those who make values: codecs refuse what is none.
  const withoutFormats = new Ajv2020({ ...options, validateFormats: false }).compile(schema as AnySchema);
  const ours = compileSchema(schema);
  for (const value of [...accepts, ...rejects])
    expect([value, ours(value).length === 0]).toEqual([value, withoutFormats(value)]);
}

function expectValues(row: TypeRow, codec: TypeRow['codec'], codecs: Record<string, unknown>): void {
  if (row.codec !== undefined) expect(codec).toEqual(row.codec);
  // The checker's names of symbols and private members appear nowhere.
  expect(JSON.stringify([codec, codecs])).not.toMatch(/"__[@#]/);
  // A codec is data, and a row that has one says what it does.
  expect(JSON.parse(JSON.stringify(codec ?? null))).toEqual(codec ?? null);
  for (const [json, value] of row.values ?? []) {
    const given = parseJson(writeJson(json));
    expect(decode(given, codec, codecs as never)).toStrictEqual(value);
    expect(JSON.parse(writeJson(toJson(value, codec, codecs as never)))).toEqual(json);
  }
}
