import { existsSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { ts } from 'ts-morph';

import type { DiagnosticCollector } from '../../../diagnostics/collector.ts';
import { findInstalledVersion } from '../app/dependencies.ts';
import { toPosixPath } from './find-files.ts';

interface CompilerSetup {
  options: ts.CompilerOptions;
  /** Declaration files that apply to all code. */
  ambient: string[];
}

/** Reads the options; undefined, after a report, if the tsconfig cannot be used. */
export function readCompilerSetup(
  file: string,
  cwd: string,
  tsconfig: string | undefined,
  diagnostics: DiagnosticCollector,
  system: ts.System = ts.sys,
): CompilerSetup | undefined {
  const configFile = tsconfig ?? ts.findConfigFile(dirname(file), (name) => ts.sys.fileExists(name));
  if (configFile === undefined) return { options: optionsWithoutConfig(file), ambient: [] };
  const parsed = parseTsconfig(configFile, cwd, diagnostics, system);
  if (parsed === undefined) return undefined;
  const referenced =
    tsconfig === undefined ? referencedConfig(parsed, file, cwd, diagnostics, system) : undefined;
  const { options: written, fileNames } = referenced ?? parsed;
  const { outFile, outDir, rootDir, tsBuildInfoFile, ...options } = written;
  void [outFile, outDir, rootDir, tsBuildInfoFile];
  return {
    options: {
      // An older TypeScript has other defaults.
      ...(Number.parseInt(installedTypeScript(dirname(configFile)) ?? '6', 10) < 6 && OLDER_DEFAULTS),
      ...options,
      ...FIXED,
    },
    ambient: fileNames.filter((name) => /\.d\.[mc]?ts$/.test(name)),
  };
}

const OLDER_DEFAULTS = { strict: false, types: ['*'], noUncheckedSideEffectImports: false };

const FIXED: ts.CompilerOptions = {
  noEmit: true,
  composite: false,
  incremental: false,
  declaration: false,
  declarationMap: false,
  emitDeclarationOnly: false,
  allowJs: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  // Declarations decide which files a change affects, so they contain every member and no comment.
  removeComments: true,
  stripInternal: false,
  // Node calls no namespace, but TypeScript before 6.0 lets code call it.
  esModuleInterop: true,
  allowSyntheticDefaultImports: true,
  // The order of members in a schema must not depend on an option.
  stableTypeOrdering: false,
};

function parseTsconfig(
  file: string,
  cwd: string,
  diagnostics: DiagnosticCollector,
  system: ts.System,
): ts.ParsedCommandLine | undefined {
  const label = toPosixPath(relative(cwd, file)) || file;
  const read = ts.readConfigFile(file, (name) => system.readFile(name));
  const parsed =
    read.error === undefined
      ? ts.parseJsonConfigFileContent(read.config, system, dirname(file), undefined, file)
      : undefined;
  const faults = [read.error, ...(parsed?.errors ?? [])].filter(
    // A configuration without files is fine, since the files are named here.
    (fault) => fault !== undefined && ![18002, 18003].includes(fault.code),
  );
  let isUsable = true;
  for (const fault of faults) {
    const message = ts.flattenDiagnosticMessageText(fault?.messageText ?? '', ' ');
    if (parsed !== undefined && fault !== undefined && UNKNOWN.has(fault.code)) {
      const [, option = ''] = /'(?:--)?(\w+)'/.exec(message) ?? [];
      diagnostics.report('tsconfig-option-unknown', { file: label, option, own: ts.versionMajorMinor });
    } else {
      diagnostics.report('tsconfig-unusable', { file: label, message });
      isUsable = false;
    }
  }
  return isUsable ? parsed : undefined;
}

/** Errors of unknown options, of those that look misspelt, and of unknown values. */
const UNKNOWN = new Set([5023, 5025, 6046]);

function referencedConfig(
  { fileNames, projectReferences = [] }: ts.ParsedCommandLine,
  file: string,
  cwd: string,
  diagnostics: DiagnosticCollector,
  system: ts.System,
): ts.ParsedCommandLine | undefined {
  if (fileNames.includes(file)) return undefined;
  for (const reference of projectReferences) {
    const path = ts.resolveProjectReferencePath(reference);
    const parsed = existsSync(path) ? parseTsconfig(path, cwd, diagnostics, system) : undefined;
    if (parsed?.fileNames.includes(file) === true) return parsed;
  }
  return undefined;
}

function optionsWithoutConfig(file: string): ts.CompilerOptions {
  const hasNode = findInstalledVersion('@types/node', dirname(file)) !== undefined;
  return {
    ...FIXED,
    strict: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    // Without Node's types, others declare `fetch`, `URL`, `console` and `Symbol.dispose`.
    lib: hasNode ? ['lib.es2023.d.ts'] : ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'],
    types: hasNode ? ['node'] : [],
    resolveJsonModule: true,
  };
}

/** Finds the version of the user's TypeScript. */
export function installedTypeScript(folder: string): string | undefined {
  return findInstalledVersion('typescript', folder);
}
