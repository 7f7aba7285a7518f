// The same types read by ts-json-schema-generator: how many schemas accept and reject what the type does.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { type Config, SchemaGenerator, createFormatter, createParser } from 'ts-json-schema-generator';
import type TypeScript from 'typescript';
import { expect, test } from 'vitest';
import { formats } from '../../support/formats.ts';
import { programOf, readerOf } from './type-program.ts';
import { type TypeRow, comparable as rows, docs } from './type-rows/comparable.ts';

/** The generator has a TypeScript of its own. */
const ts = createRequire(import.meta.resolve('ts-json-schema-generator'))('typescript') as typeof TypeScript;

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

/** Schemas by row that `npm run peers` had another peer make; null where it refused. */
interface Peer {
  name: string;
  schemas: (object | null)[];
}

async function readPeer(): Promise<Peer | undefined> {
  const file = process.env['PEER_SCHEMAS'];
  return file === undefined ? undefined : (JSON.parse(await readFile(file, 'utf8')) as Peer);
}

/** Constraints of comments are no types, so they are counted apart. */
function counted(right: readonly TypeRow[]): string {
  const ofDocs = right.filter((row) => docs.includes(row)).length;
  return `${right.length} (${right.length - ofDocs} + ${ofDocs} of comments)`;
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
    const counts = [`mcpgen ${counted(ours)}`, `ts-json-schema-generator ${counted(theirs)}`];
    const peer = await readPeer();
    if (peer !== undefined) {
      const made = rows.filter((row, at) => isRight(row, () => peer.schemas[at]));
      counts.push(`${peer.name} ${counted(made)}`);
    }
    console.log(`${counted(rows)} types: ${counts.join(', ')}`);
    expect(rows.filter((row) => !ours.includes(row)).map(({ name }) => name)).toEqual([]);
    expect(theirs.length).toBeLessThan(ours.length);
    // The comparison is fair only if it reads most of them.
    expect(theirs.length).toBeGreaterThan(rows.length / 4);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
