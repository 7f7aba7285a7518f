/** Reads tagged functions of a program as a SourceModel, with the code to copy. */
import { dirname, resolve } from 'node:path';

import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { SourceTexts } from '../../diagnostics/locate/text-places.ts';
import type { AppFiles, AppOptions } from '../../model/app-files.ts';
import type { Observer } from '../../model/observer.ts';
import type { RunSchemas } from '../../model/schema-runs.ts';
import type { ApiInfo, SourceModel } from '../../model/source-model.ts';
import { findAbove } from '../../util/find-above.ts';
import { BuiltMemory } from './app/built-files.ts';
import { collectAppFiles } from './app/carry.ts';
import { checkLoading } from './app/check-loading.ts';
import { readManifest } from './app/dependencies.ts';
import { makeFaultyFileCheck } from './app/mistaken-files.ts';
import { makeAppFiles } from './app/read-app.ts';
import { reportHiddenCharacters } from './docs/unread-docs.ts';
import { findTagged } from './functions/find-tagged.ts';
import { readFunctions } from './functions/read-functions.ts';
import { isContext } from './functions/type-kinds.ts';
import { Types } from './functions/types.ts';
import { tryWithinStack } from './program/checker-queries.ts';
import { type OpenedProgram, openProgram } from './program/open-program.ts';
import { ProgramMemory } from './program/program-memory.ts';
import type { SourceProgram } from './program/source-program.ts';
import { TypeReader } from './schema/type-reader.ts';
import { LibrarySchemas } from './functions/library-schemas.ts';

export interface TypeScriptInput {
  /** Paths and globs of the files whose exports are read, relative to `cwd`; one list for each source. */
  groups: readonly (readonly string[])[];
  /** Default: the nearest `tsconfig.json` above the first file; without one strict, NodeNext, ES2023. */
  tsconfig?: string | undefined;
  cwd?: string | undefined;
  /** The emitted project's folder, relative to `cwd`; it holds no sources. */
  target?: string | undefined;
  observer?: Observer | undefined;
  /** Pass the same object to each reading: unchanged files are then skipped. */
  memory?: ReadingMemory | undefined;
  /** Loads schemas that `@schema` names. Default: they are refused. */
  runSchemas?: RunSchemas | undefined;
}

interface ReadingMemory {
  typescript?: TypeScriptMemory;
}

export interface TypeScriptReading {
  /** One model for each group; they share schemas and codecs. Undefined if nothing could be read. */
  models: SourceModel[] | undefined;
  app: (options?: AppOptions) => AppFiles;
  /** Reports code that Node could not load. */
  checkLoading: () => Promise<void>;
  texts: SourceTexts;
}

/**
 * Types are read before the program is checked: a checker orders the alternatives of a type by first use, so a check
 * of the changed files alone would give another order. If that runs out of stack, a new program is checked first,
 * which reports the cause.
 */
export function readTypeScript(input: TypeScriptInput, diagnostics: DiagnosticCollector): TypeScriptReading {
  const found = new DiagnosticCollector();
  const reading = tryWithinStack(() => readBeforeCheck(input, found));
  if (reading !== undefined) {
    diagnostics.include(found);
    return reading;
  }
  delete input.memory?.typescript;
  return readAfterCheck({ ...input, memory: undefined }, diagnostics);
}

function readBeforeCheck(
  input: TypeScriptInput,
  diagnostics: DiagnosticCollector,
): TypeScriptReading | undefined {
  const opened = openInput(input, diagnostics);
  if (opened === undefined) return NOTHING;
  const reading = readOpened(opened, input);
  return opened.source.check() ? reading : undefined;
}

function readAfterCheck(input: TypeScriptInput, diagnostics: DiagnosticCollector): TypeScriptReading {
  const opened = openInput(input, diagnostics);
  return opened?.source.check() === true ? readOpened(opened, { ...input, memory: undefined }) : NOTHING;
}

function openInput(
  { groups, tsconfig, cwd = '.', target, observer, memory }: TypeScriptInput,
  diagnostics: DiagnosticCollector,
): OpenedProgram | undefined {
  const kept = memory && (memory.typescript ??= new TypeScriptMemory());
  return openProgram(
    { groups, tsconfig, cwd: resolve(cwd), target, observer, memory: kept?.program },
    diagnostics,
  );
}

// Diagnostics of code refer to files, which are read again for printing.
const texts: SourceTexts = { textOf: () => undefined };

const NOTHING: TypeScriptReading = {
  models: undefined,
  app: () => {
    throw new Error('The code of a source that could not be read was asked for.');
  },
  checkLoading: async () => undefined,
  texts,
};

function readOpened(
  { source, groups }: OpenedProgram,
  { observer, memory, runSchemas: run }: Pick<TypeScriptInput, 'observer' | 'memory' | 'runSchemas'>,
): TypeScriptReading {
  if (source.files.length === 0) return NOTHING;
  reportHiddenCharacters(source);
  const parts = groups.map((files): SourceProgram => ({ ...source, files }));
  const tagged = parts.map(findTagged);
  const carried = collectAppFiles(
    source,
    tagged.flat().map(({ file }) => file),
    observer,
  );
  const built = memory?.typescript?.built ?? new BuiltMemory();
  const schemas = new LibrarySchemas(tagged.flat(), { source, carried, run, memory: built });
  const reader = new TypeReader(source.program, source.diagnostics, {
    label: source.label,
    runtimeTypes: source.runtimeTypes,
    isContext: (type) => isContext(type, source),
    readNamed: schemas.read,
  });
  const types = new Types(reader, source.checker, schemas);
  const capabilities = parts.map((part, index) =>
    readFunctions({ source: part, types, layout: carried.layout }, tagged[index] ?? []),
  );
  types.finishReading();
  if (source.check()) {
    const isMistaken = makeFaultyFileCheck(source, carried.modules);
    reader.reportUntypedValues(isMistaken);
    schemas.reportFaults(source, isMistaken);
  }
  const models = parts.map((part, index): SourceModel => ({
    info: readInfo(part),
    servers: [],
    securitySchemes: {},
    schemas: reader.schemas,
    schemaOrigins: reader.origins,
    codecs: reader.codecs,
    capabilities: capabilities[index] ?? [],
    ...(index === 0 && listIdentifierWords(source)),
    origin: originOfSource(part),
  }));
  return {
    models,
    app: (options) => makeAppFiles({ source, carried, memory: built }, options),
    checkLoading: () => checkLoading(source, carried),
    texts,
  };
}

/** Code may take `context.api` apart, so all words of its file may be operationIds. */
function listIdentifierWords({ userFiles }: SourceProgram): Pick<SourceModel, 'words'> {
  const texts = userFiles.map(({ text }) => text).filter((text) => /\bapi\b/.test(text));
  const words = texts.flatMap((text) => text.match(/[\w$-]+|(?<=(['"`])).+?(?=\1)/g) ?? []);
  return words.length === 0 ? {} : { words: [...new Set(words)] };
}

function originOfSource({ files: [first], originAt }: SourceProgram): SourceModel['origin'] {
  return first === undefined ? { kind: 'code', file: '', line: 1, column: 1 } : originAt(first, 0);
}

function readInfo({ files: [first] }: SourceProgram): ApiInfo {
  const manifest = first && findAbove(dirname(first.fileName), readNamedManifest);
  const { name, version, description, homepage } = manifest ?? {};
  return {
    title: typeof name === 'string' ? (name.split('/').at(-1) ?? name) : 'functions',
    version: typeof version === 'string' ? version : '1.0.0',
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof homepage === 'string' && URL.canParse(homepage) ? { documentationUrl: homepage } : {}),
  };
}

/** A package.json without a name only sets the module format. */
function readNamedManifest(folder: string): Record<string, unknown> | undefined {
  const manifest = readManifest(folder);
  return manifest?.['name'] === undefined ? undefined : manifest;
}

export class TypeScriptMemory {
  readonly program = new ProgramMemory();
  readonly built = new BuiltMemory();
}
