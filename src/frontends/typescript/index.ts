/** The front end for annotated TypeScript: a program → tagged functions → SourceModel, and the code that it calls. */
import { dirname, resolve } from 'node:path';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { SourceTexts } from '../../diagnostics/locate/source-texts.ts';
import type { AppFiles } from '../../model/app-files.ts';
import type { ApiInfo, SourceModel } from '../../model/source-model.ts';
import { readManifest } from './app/dependencies.ts';
import { layoutOf } from './app/layout.ts';
import { readApp } from './app/read-app.ts';
import { readFunctions } from './functions/read-functions.ts';
import { Types } from './functions/types.ts';
import { openProgram } from './program/open-program.ts';
import type { SourceProgram } from './program/source-program.ts';
import { typeReader } from './schema/type-reader.ts';

export interface TypeScriptInput {
  /** Paths and globs of the files whose exports are taken, relative to `cwd`. */
  files: string[];
  /** Default: the nearest `tsconfig.json` above the first file; without one strict, NodeNext, ES2023. */
  tsconfig?: string;
}

export interface TypeScriptReading {
  /** Undefined when nothing could be read; after other errors it is there, so that the rest of them is found too. */
  model: SourceModel | undefined;
  /** The user's code as the project carries it; made when asked for. */
  app: () => AppFiles;
  texts: SourceTexts;
}

/** Reads annotated functions. Faults are diagnostics. */
export function readTypeScript(
  { files, tsconfig, cwd = '.' }: TypeScriptInput & { cwd?: string | undefined },
  diagnostics: DiagnosticCollector,
): TypeScriptReading {
  const source = openProgram({ files, tsconfig, cwd: resolve(cwd) }, diagnostics);
  // Diagnostics point at lines of files, which are read again for what is printed.
  const texts: SourceTexts = { textOf: () => undefined };
  if (source === undefined || source.files.length === 0)
    return { model: undefined, app: () => unread(), texts };
  const layout = layoutOf(source.userFiles);
  const reader = typeReader(source.program, diagnostics, { label: source.label });
  const capabilities = readFunctions({ source, types: new Types(reader), layout });
  const model: SourceModel = {
    info: infoOf(source),
    servers: [],
    securitySchemes: {},
    schemas: reader.schemas,
    schemaOrigins: reader.origins,
    codecs: reader.codecs,
    capabilities,
    origin: originOf(source),
  };
  return { model, app: () => readApp(source, layout), texts };
}

function unread(): never {
  throw new Error('The code of a source that could not be read was asked for.');
}

function originOf({ files: [first], originAt }: SourceProgram): SourceModel['origin'] {
  return first === undefined ? { kind: 'code', file: '', line: 1, column: 1 } : originAt(first, 0);
}

/** What the nearest package.json says of itself. */
function infoOf({ files: [first] }: SourceProgram): ApiInfo {
  const manifest = first === undefined ? {} : nearestManifest(dirname(first.fileName));
  const { name, version, description, homepage } = manifest;
  return {
    title: typeof name === 'string' ? (name.split('/').at(-1) ?? name) : 'functions',
    version: typeof version === 'string' ? version : '1.0.0',
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof homepage === 'string' && URL.canParse(homepage) ? { documentationUrl: homepage } : {}),
  };
}

/** One without a name only says how modules are read. */
function nearestManifest(folder: string): Record<string, unknown> {
  const manifest = readManifest(folder);
  if (manifest?.['name'] !== undefined) return manifest;
  const parent = dirname(folder);
  return parent === folder ? {} : nearestManifest(parent);
}
