/** Reads tagged functions of a program as a SourceModel, with the code to copy. */
import { dirname, resolve } from 'node:path';

import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { SourceTexts } from '../../diagnostics/locate/text-places.ts';
import type { AppFiles, AppOptions } from '../../model/app-files.ts';
import type { Observer } from '../../model/observer.ts';
import type { RunSchemas } from '../../model/schema-runs.ts';
import type { ApiInfo, SourceModel } from '../../model/source-model.ts';
import { findAbove } from '../../util/find-above.ts';
import { collectAppFiles } from './app/carry.ts';
import { reportHiddenCharacters } from './docs/hidden-characters.ts';
import { readManifest } from './app/dependencies.ts';
import { checkLoading, makeAppFiles } from './app/read-app.ts';
import { findTagged } from './functions/find-tagged.ts';
import { readFunctions } from './functions/read-functions.ts';
import { isContext } from './functions/type-kinds.ts';
import { Types } from './functions/types.ts';
import { type OpenedProgram, openProgram } from './program/open-program.ts';
import type { SourceProgram } from './program/source-program.ts';
import { TypeReader } from './schema/type-reader.ts';
import { LibrarySchemas } from './functions/library-schemas.ts';

interface TypeScriptInput {
  /** Paths and globs of the files whose exports are read, relative to `cwd`; one list for each source. */
  groups: readonly (readonly string[])[];
  /** Default: the nearest `tsconfig.json` above the first file; without one strict, NodeNext, ES2023. */
  tsconfig?: string | undefined;
  cwd?: string | undefined;
  /** The emitted project's folder, relative to `cwd`; it holds no sources. */
  target?: string | undefined;
  observer?: Observer | undefined;
  /** Loads schemas that `@schema` names. Default: they are refused. */
  runSchemas?: RunSchemas | undefined;
}

interface TypeScriptReading {
  /** One model for each group; they share schemas and codecs. Undefined if nothing could be read. */
  models: SourceModel[] | undefined;
  app: (options?: AppOptions) => AppFiles;
  /** Reports code that Node could not load. */
  checkLoading: () => void;
  texts: SourceTexts;
}

export function readTypeScript(
  { groups, tsconfig, cwd = '.', target, observer, runSchemas }: TypeScriptInput,
  diagnostics: DiagnosticCollector,
): TypeScriptReading {
  const opened = openProgram({ groups, tsconfig, cwd: resolve(cwd), target, observer }, diagnostics);
  if (opened === undefined) return NOTHING;
  const reading = readOpened(opened, observer, runSchemas);
  opened.source.check();
  return reading;
}

// Diagnostics of code refer to files, which are read again for printing.
const texts: SourceTexts = { textOf: () => undefined };

const NOTHING: TypeScriptReading = {
  models: undefined,
  app: () => {
    throw new Error('The code of a source that could not be read was asked for.');
  },
  checkLoading: () => undefined,
  texts,
};

function readOpened(
  { source, groups }: OpenedProgram,
  observer: Observer | undefined,
  run: RunSchemas | undefined,
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
  const schemas = new LibrarySchemas(tagged.flat(), { source, carried, run });
  const reader = new TypeReader(source.program, source.diagnostics, {
    label: source.label,
    runtimeTypes: source.runtimeTypes,
    isContext: (type) => isContext(type, source),
    readNamed: schemas.read,
  });
  const types = new Types(reader, schemas);
  const capabilities = parts.map((part, index) =>
    readFunctions({ source: part, types, layout: carried.layout }, tagged[index] ?? []),
  );
  reader.finishReading();
  const models = parts.map((part, index): SourceModel => ({
    info: readInfo(part),
    servers: [],
    securitySchemes: {},
    schemas: reader.schemas,
    schemaOrigins: reader.origins,
    codecs: reader.codecs,
    capabilities: capabilities[index] ?? [],
    ...(index === 0 && listIdentifierWords(source)),
    origin: part.files[0] ? part.originAt(part.files[0], 0) : { kind: 'code', file: '', line: 1, column: 1 },
  }));
  return {
    models,
    app: (options) => makeAppFiles({ source, carried }, options),
    checkLoading: () => checkLoading(source, carried),
    texts,
  };
}

/** Code may take `context.api` apart, so all words of its file may be operationIds. */
function listIdentifierWords({ userFiles }: SourceProgram): Pick<SourceModel, 'codeWords'> {
  const texts = userFiles.map(({ text }) => text).filter((text) => /\bapi\b/.test(text));
  const codeWords = texts.flatMap((text) => text.match(/[\w$-]+|(?<=(['"`])).+?(?=\1)/g) ?? []);
  return codeWords.length === 0 ? {} : { codeWords: [...new Set(codeWords)] };
}

function readInfo({ files: [first] }: SourceProgram): ApiInfo {
  // A package.json without a name only sets the module format.
  const readNamed = (folder: string): Record<string, unknown> | undefined => {
    const manifest = readManifest(folder);
    return manifest?.['name'] === undefined ? undefined : manifest;
  };
  const manifest = first && findAbove(dirname(first.fileName), readNamed);
  const { name, version, description, homepage } = manifest ?? {};
  return {
    title: typeof name === 'string' ? (name.split('/').at(-1) ?? name) : 'functions',
    version: typeof version === 'string' ? version : '1.0.0',
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof homepage === 'string' && URL.canParse(homepage) ? { documentationUrl: homepage } : {}),
  };
}
