/** Reads a small document as the command line would, and returns what tests compare. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Diagnostic, DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import type { SourceTexts } from '../../../src/diagnostics/locate/text-places.ts';
import { type OpenApiInput, readOpenApi } from '../../../src/frontends/openapi/index.ts';
import type { Operation, SourceModel } from '../../../src/model/source-model.ts';
import { expectWellPut } from '../../support/well-put.ts';

export interface Reading {
  model: SourceModel | undefined;
  texts: SourceTexts;
  found: readonly Diagnostic[];
  /** `warning dangling-ref /paths/~1a/get`, in order. */
  told: string[];
}

/** A document (an object is read as JSON) from standard input. */
export async function read(document: unknown, input: Partial<OpenApiInput> = {}): Promise<Reading> {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  return readSource('-', { stdin: () => Promise.resolve(Buffer.from(text)), ...input });
}

export async function readSource(source: string, input: Partial<OpenApiInput> = {}): Promise<Reading> {
  const diagnostics = new DiagnosticCollector();
  const { model, texts } = await readOpenApi({ source, ...input }, diagnostics);
  const { found } = diagnostics;
  expectWellPut(found);
  return { model, texts, found, told: found.map(tell) };
}

function tell({ severity, name, origin }: Diagnostic): string {
  if (origin === undefined) return `${severity} ${name}`;
  const place = origin.kind === 'document' ? origin.pointer : `${origin.line}:${origin.column}`;
  return `${severity} ${name} ${place}`;
}

/** The model of a document that must be readable. */
export async function modelOf(document: unknown, input: Partial<OpenApiInput> = {}): Promise<SourceModel> {
  const { model, told } = await read(document, input);
  if (model === undefined) throw new Error(`no model: ${told.join('; ')}`);
  return model;
}

export function operationsOf(model: SourceModel): Operation[] {
  return model.capabilities.filter((capability) => capability.kind === 'operation');
}

export function firstOperation(model: SourceModel): Operation {
  const [operation] = operationsOf(model);
  if (operation === undefined) throw new Error('no operation');
  return operation;
}

const info = { title: 'T', version: '1' };
const servers = [{ url: 'https://api.example.com' }];

/** A 3.1 document with these members beside `info` and `servers`. */
export function openapi(members: object, version = '3.1.0'): object {
  return { openapi: version, info, servers, ...members };
}

/** A 3.1 document with one operation, `GET /a`. */
export function withOperation(operation: object, members: object = {}, version = '3.1.0'): object {
  return openapi({ paths: { '/a': { get: { responses: {}, ...operation } } }, ...members }, version);
}

/** A document whose one JSON response has the schema, and these components beside it. */
export function withSchema(schema: unknown, schemas: object = {}, version = '3.1.0'): object {
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } };
  return withOperation({ responses }, { components: { schemas } }, version);
}

/** A Swagger 2.0 document with one operation, `POST /a`. */
export function swagger(operation: object, members: object = {}): object {
  const paths = { '/a': { post: { responses: {}, ...operation } } };
  return { swagger: '2.0', info, host: 'api.example.com', paths, ...members };
}

/** A value without some of its members, for comparing the rest. */
export function without(value: object | undefined, ...names: string[]): object {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => !names.includes(name)));
}

/** A folder with these files, gone after the test. */
export function folderOf(files: Record<string, unknown>): string {
  const root = mkdtempSync(join(tmpdir(), 'mcpgen-test-'));
  onTestFinished(() => {
    rmSync(root, { recursive: true, force: true });
  });
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
    );
  }
  return root;
}
