import { dirname, posix, relative, resolve } from 'node:path';
import { ts } from 'ts-morph';

import { DiagnosticCollector } from '../../../diagnostics/collector.ts';
import type { Observer } from '../../../model/observer.ts';
import { moduleSpecifiers } from '../app/module-specifiers.ts';
import { pathOfBuiltPart, compilerHost } from './compiler-host.ts';
import { readCompilerSetup, installedTypeScript } from './compiler-options.ts';
import { findFiles, observeFiles, toPosixPath } from './find-files.ts';
import { type SourceProgram, originAt, makeNodeOrigin } from './source-program.ts';

interface ProgramInput {
  groups: readonly (readonly string[])[];
  cwd: string;
  target?: string | undefined;
  tsconfig?: string | undefined;
  observer?: Observer | undefined;
}

export interface OpenedProgram {
  source: SourceProgram;
  groups: readonly (readonly ts.SourceFile[])[];
}

/** Opens the program; undefined, after a report, if there is nothing to open. */
export function openProgram(
  { groups, cwd, target, tsconfig, observer }: ProgramInput,
  diagnostics: DiagnosticCollector,
): OpenedProgram | undefined {
  const fileGroups = groups.map((patterns) => findFiles(patterns, { cwd, target }, diagnostics));
  const paths = [...new Set(fileGroups.flat())].sort();
  if (observer !== undefined)
    for (const patterns of groups) observeFiles(patterns, { cwd, target }, observer);
  const [first] = paths;
  if (first === undefined) return undefined;
  const config = tsconfig === undefined ? undefined : resolve(cwd, tsconfig);
  const setup = readCompilerSetup(first, cwd, config, diagnostics, observedSystem(observer));
  if (setup === undefined) return undefined;
  const findAmbient = (): string[] =>
    readCompilerSetup(first, cwd, config, new DiagnosticCollector())?.ambient ?? [];
  for (const folder of setup.folders) observer?.pattern(folder, findAmbient);
  const runtime = runtimeTypesPath();
  const options = { ...setup.options, paths: { ...setup.options.paths, 'mcpgen/runtime': [runtime] } };
  const host = compilerHost(options, cwd);
  const rootNames = [...paths, ...setup.ambient];
  const program = ts.createProgram({ rootNames, options, host });
  if (observer !== undefined) observeProgram(program, observer);
  const described = makeSourceProgram(program, paths, toPosixPath(resolve(runtime, '..')), cwd, diagnostics);
  return {
    source: { ...described, check: makeCheckOnce(described) },
    groups: fileGroups.map((group) => group.flatMap((path) => findParsedFile(path, program))),
  };
}

function makeSourceProgram(
  program: ts.Program,
  paths: readonly string[],
  runtime: string,
  cwd: string,
  diagnostics: DiagnosticCollector,
): Omit<SourceProgram, 'check'> {
  const formatFileName = ({ fileName }: ts.SourceFile): string => toPosixPath(relative(cwd, fileName));
  const isUserFile = (file: ts.SourceFile): boolean =>
    // A linked workspace package in TypeScript cannot run by itself, so it belongs to the user's code.
    !(program.isSourceFileFromExternalLibrary(file) && file.isDeclarationFile) &&
    !program.isSourceFileDefaultLibrary(file) &&
    !file.fileName.includes('/node_modules/') &&
    !file.fileName.startsWith(`${runtime}/`);
  return {
    program,
    checker: program.getTypeChecker(),
    files: paths.flatMap((path) => findParsedFile(path, program)),
    userFiles: program.getSourceFiles().filter(isUserFile),
    runtimeTypes: runtime,
    label: formatFileName,
    originOf: (node) => makeNodeOrigin(node, formatFileName),
    originOfTag: ({ file, offset }) => originAt(file, offset, formatFileName),
    originAt: (file, offset) => originAt(file, offset, formatFileName),
    diagnostics,
  };
}

/** Returns the file, unless it has syntax errors. */
function findParsedFile(path: string, program: ts.Program): ts.SourceFile[] {
  const file = program.getSourceFile(path);
  return file === undefined || program.getSyntacticDiagnostics(file).length > 0 ? [] : [file];
}

function runtimeTypesPath(): string {
  return toPosixPath(pathOfBuiltPart('templates/runtime/index.d.ts'));
}

/** TypeScript's own errors are reported before those of the reading. */
function makeCheckOnce(opened: Omit<SourceProgram, 'check'>): () => void {
  const faults = new DiagnosticCollector();
  opened.diagnostics.include(faults);
  let isChecked = false;
  return () => {
    if (!isChecked) reportTypeErrors({ ...opened, diagnostics: faults });
    isChecked = true;
  };
}

function reportTypeErrors({ program, userFiles, originAt, diagnostics }: Omit<SourceProgram, 'check'>): void {
  for (const file of userFiles) {
    const syntax = program.getSyntacticDiagnostics(file);
    // Type errors in a file with syntax errors are only consequences.
    const faults = syntax.length > 0 ? syntax : program.getSemanticDiagnostics(file);
    for (const fault of faults) {
      if (fault.category !== ts.DiagnosticCategory.Error) continue;
      const flatText = ts.flattenDiagnosticMessageText(fault.messageText, '\n').replace(/\n */g, ' ');
      const message = flatText.replace(/(?<![.?!])$/, '.');
      const at = originAt(fault.file ?? file, fault.start ?? 0);
      const parameters = {
        number: fault.code,
        message,
        ...compareTypeScriptVersions(dirname(file.fileName)),
      };
      diagnostics.report('typescript-error', parameters, { at });
    }
  }
}

/** `other` is the user's TypeScript if it is not the one that reads the code, which may find other errors. */
function compareTypeScriptVersions(folder: string): { own: string; other: string } {
  const own = ts.versionMajorMinor;
  const installed = installedTypeScript(folder);
  return { own, other: installed === undefined || installed.startsWith(`${own}.`) ? '' : installed };
}

/** Files of packages are left out, since a change of their `package.json` shows a new version. */
function observeProgram(program: ts.Program, observer: Observer): void {
  for (const file of program.getSourceFiles()) {
    if (file.fileName.includes('/node_modules/')) continue;
    observer.file(file.fileName);
    for (const { literal } of moduleSpecifiers(file)) observeModule(literal.text, file, program, observer);
  }
}

function observedSystem(observer: Observer | undefined): ts.System {
  if (observer === undefined) return ts.sys;
  return {
    ...ts.sys,
    readFile: (path, encoding) => {
      if (!path.includes('/node_modules/')) observer.file(path);
      return ts.sys.readFile(path, encoding);
    },
  };
}

/** A missing file may come later. */
function observeModule(name: string, from: ts.SourceFile, program: ts.Program, observer: Observer): void {
  if (!name.startsWith('.')) return;
  const places = listCandidates(posix.join(posix.dirname(from.fileName), name));
  if (places.some((place) => program.getSourceFile(place) !== undefined)) return;
  for (const place of places) observer.file(place);
}

function listCandidates(path: string): string[] {
  const stem = path.replace(/\.[cm]?jsx?$/, '');
  const withExtensions =
    stem === path ? [] : ['.ts', '.tsx', '.mts', '.cts', '.d.ts'].map((end) => `${stem}${end}`);
  const open = ['.ts', '.tsx', '.d.ts', '.js', '/index.ts', '/index.js'].map((end) => `${path}${end}`);
  return [path, ...withExtensions, ...open];
}
