/**
 * The program of the process that loads schemas: reads a list of `WantedFile` from stdin, and writes answers to descriptor 3, since
 * the user's code may print to stdout.
 */
import { readFileSync, writeSync } from 'node:fs';

import { isRecord } from '../../templates/runtime/json-rpc.ts';
import type { MadeJson, MadeSchema, SchemaProblem, WantedFile } from '../model/schema-runs.ts';

/** Characters of an error that are passed on. */
const LONGEST = 500;

const TARGET = { target: 'draft-2020-12' };

const files = JSON.parse(readFileSync(0, 'utf8')) as WantedFile[];

let count = 0;

process.on('uncaughtException', (thrown) => {
  const [guilty, ...waitingFiles] = files.slice(count);
  writeSchemaLine({ problem: describeFailure(thrown) });
  for (const { url } of waitingFiles)
    writeSchemaLine(url === guilty?.url ? { problem: describeFailure(thrown) } : null);
  process.exit(1);
});

for (const file of files) writeSchemaLine(await readExportedSchema(file));
// Sockets and timers of the user's code would keep the process alive.
process.exit(0);

/** Writes a line for each schema, so that a process that ends early shows which one failed. Null stands for a schema that is not wanted. */
function writeSchemaLine(schema: MadeSchema | null): void {
  count += 1;
  const bytes = Buffer.from(`${JSON.stringify(schema)}\n`);
  for (let at = 0; at < bytes.length;) at += writeSync(3, bytes, at);
}

async function readExportedSchema({ url, export: name }: WantedFile): Promise<MadeSchema> {
  try {
    const module = (await import(url)) as object;
    return convertStandardSchema(await Reflect.get(module, name));
  } catch (thrown) {
    return { problem: describeFailure(thrown) };
  }
}

function convertStandardSchema(value: unknown): MadeSchema {
  const standard = readMember(value, '~standard');
  if (!isRecord(standard)) {
    // zod has had the interface since 4.2 only.
    const isZod = readMember(value, '_def') !== undefined && readMember(value, 'safeParse') !== undefined;
    return { problem: isZod ? { kind: 'old-library', vendor: 'zod' } : { kind: 'no-schema' } };
  }
  const { vendor, jsonSchema, validate } = standard;
  if (!isRecord(jsonSchema))
    return { problem: { kind: 'old-library', vendor: typeof vendor === 'string' ? vendor : '' } };
  return {
    input: convertToJsonSchema(jsonSchema['input']),
    output: convertToJsonSchema(jsonSchema['output']),
    validates: typeof validate === 'function',
  };
}

/** A schema of ArkType is a function. */
function readMember(value: unknown, name: string): unknown {
  return Reflect.get(Object(value) as object, name);
}

function convertToJsonSchema(convert: unknown): MadeJson {
  if (typeof convert !== 'function') return { problem: { kind: 'no-schema' } };
  try {
    return { schema: Reflect.apply(convert, undefined, [TARGET]) as unknown };
  } catch (thrown) {
    return { problem: { kind: 'not-in-json', reason: firstLine(thrown) } };
  }
}

function describeFailure(thrown: unknown): SchemaProblem {
  return { kind: 'failed', reason: firstLine(thrown) };
}

function firstLine(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return (message.split('\n')[0] ?? '').slice(0, LONGEST);
}
