// The same types read by ts-json-schema-generator: how many schemas accept and reject what the type does.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { type Config, SchemaGenerator, createFormatter, createParser } from 'ts-json-schema-generator';
import type TypeScript from 'typescript';
import { expect, test } from 'vitest';
import { commonFormats } from '../../../templates/runtime/schema/formats.ts';
import { programOf, readerOf } from './type-program.ts';
import { fitting, intersections, unions } from './type-rows/combined.ts';
import { builtIns, lists, objects } from './type-rows/containers.ts';
import { docs } from './type-rows/docs.ts';
import { generics, recursion, utilities } from './type-rows/generics.ts';
import { enums, primitives, strings } from './type-rows/primitives.ts';
import type { TypeRow } from './type-rows/row.ts';

/** The generator has a TypeScript of its own. */
const ts = createRequire(import.meta.resolve('ts-json-schema-generator'))('typescript') as typeof TypeScript;

const all = [
  primitives,
  strings,
  enums,
  lists,
  objects,
  builtIns,
  utilities,
  generics,
  recursion,
  unions,
  fitting,
];
const rows = [...all, intersections, docs]
  .flat()
  .filter(
    ({ direction, file, options }) => direction === undefined && file === undefined && options === undefined,
  );

const formats = Object.fromEntries(
  Object.entries(commonFormats).map(([name, validate]) => [name, { type: 'string' as const, validate }]),
);

/** A schema that cannot be made or compiled is wrong. */
function isRight({ accepts, rejects }: TypeRow, make: () => unknown): boolean {
  try {
    const schema = make() as AnySchema & { $schema?: string };
    delete schema.$schema;
    const fits = new Ajv2020({ formats, strict: false }).compile(schema);
    return accepts.every((value) => fits(value) === true) && rejects.every((value) => fits(value) === false);
  } catch {
    return false;
  }
}

/** One program for all; the generator is shown one file of it. */
async function generatorOf(folder: string): Promise<(at: number) => unknown> {
  const file = (at: number): string => path.join(folder, `row-${at}.ts`);
  await Promise.all(rows.map(({ given }, at) => writeFile(file(at), given)));
  const program = ts.createProgram(
    rows.map((_, at) => file(at)),
    {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2023,
      types: [],
    },
  );
  return (at) => {
    const source = program.getSourceFile(file(at));
    const shown = Object.create(program, {
      getSourceFiles: { value: () => [source] },
      getRootFileNames: { value: () => [file(at)] },
    }) as never;
    const config: Config = { type: 'T', skipTypeCheck: true };
    const parser = createParser(shown, config as never);
    return new SchemaGenerator(shown, parser, createFormatter(config as never), config as never).createSchema(
      'T',
    );
  };
}

test('of at least 150 types, ours are all right', async () => {
  expect(rows.length).toBeGreaterThanOrEqual(150);
  const program = programOf(Object.fromEntries(rows.map(({ given }, at) => [`row-${at}.ts`, given])));
  const folder = await mkdtemp(path.join(tmpdir(), 'mcpgen-peers-'));
  try {
    const generate = await generatorOf(folder);
    const ours = rows.filter((row, at) =>
      isRight(row, () => {
        const { read, reader } = readerOf(program);
        const { schema } = read('T', { inline: true }, `row-${at}.ts`);
        return { ...schema, $defs: reader.schemas };
      }),
    );
    const theirs = rows.filter((row, at) => isRight(row, () => generate(at)));
    console.log(`${rows.length} types: mcpgen ${ours.length}, ts-json-schema-generator ${theirs.length}`);
    expect(rows.filter((row) => !ours.includes(row)).map(({ name }) => name)).toEqual([]);
    expect(theirs.length).toBeLessThan(ours.length);
    // The comparison is fair only if it reads most of them.
    expect(theirs.length).toBeGreaterThan(rows.length / 4);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
