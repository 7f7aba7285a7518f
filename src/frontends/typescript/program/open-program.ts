import { dirname, posix, relative, resolve } from 'node:path';
import { ts } from 'ts-morph';

import { DiagnosticCollector } from '../../../diagnostics/collector.ts';
import type { Observer } from '../../../model/observer.ts';
import { toPackageName } from '../app/dependencies.ts';
import { listRequiredFiles, moduleSpecifiers } from '../app/module-specifiers.ts';
import { findUnbuiltProject } from '../app/package-module.ts';
import { pathOfBuiltPart, compilerHost } from './compiler-host.ts';
import { readCompilerSetup, installedTypeScript, reportOtherConfigs } from './compiler-options.ts';
import { findFiles, findFolderWithManifest, observeFiles, toPosixPath } from './find-files.ts';
import type { ProgramMemory } from './program-memory.ts';
import { type SourceProgram, originAt, makeNodeOrigin } from './source-program.ts';

interface ProgramInput {
  groups: readonly (readonly string[])[];
  cwd: string;
  target?: string | undefined;
  tsconfig?: string | undefined;
  observer?: Observer | undefined;
  memory?: ProgramMemory | undefined;
}

export interface OpenedProgram {
  source: SourceProgram;
  groups: readonly (readonly ts.SourceFile[])[];
}

/** Opens the program; undefined, after a report, if there is nothing to open. */
export function openProgram(
  { groups, cwd, target, tsconfig, observer, memory }: ProgramInput,
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
  if (config === undefined) reportOtherConfigs(paths, setup, cwd, diagnostics);
  const runtime = runtimeTypesPath();
  const options = { ...setup.options, paths: { ...setup.options.paths, 'mcpgen/runtime': [runtime] } };
  const host = compilerHost(options, cwd);
  const rootNames = [...paths, ...setup.ambient];
  const program = createProgramWithRequiredFiles(
    rootNames,
    options,
    (names) =>
      memory?.createProgram(names, options, host) ?? ts.createProgram({ rootNames: names, options, host }),
  );
  if (observer !== undefined) observeProgram(program, observer);
  const described = makeSourceProgram(program, paths, toPosixPath(resolve(runtime, '..')), cwd, diagnostics);
  const listFileErrors = (file: ts.SourceFile) =>
    memory?.listFileErrors(file) ?? program.getSemanticDiagnostics(file);
  return {
    source: { ...described, check: makeCheckOnce(described, listFileErrors) },
    groups: fileGroups.map((group) => group.flatMap((path) => findParsedFile(path, program))),
  };
}

/** Reads required code too, and what that requires. */
function createProgramWithRequiredFiles(
  rootNames: readonly string[],
  options: ts.CompilerOptions,
  create: (rootNames: string[]) => ts.Program,
): ts.Program {
  const names = new Set(rootNames);
  for (;;) {
    const program = create([...names]);
    const ownFiles = program.getSourceFiles().filter(({ fileName }) => !fileName.includes('/node_modules/'));
    const missing = listRequiredFiles(ownFiles, options).filter(
      (file) => program.getSourceFile(file) === undefined,
    );
    if (missing.every((file) => names.has(file))) return program;
    for (const file of missing) names.add(file);
  }
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
function makeCheckOnce(
  opened: Omit<SourceProgram, 'check'>,
  faultsIn: (file: ts.SourceFile) => readonly ts.Diagnostic[],
): () => void {
  const faults = new DiagnosticCollector();
  opened.diagnostics.include(faults);
  let isChecked = false;
  return () => {
    if (!isChecked) reportTypeErrors({ ...opened, diagnostics: faults }, faultsIn);
    isChecked = true;
  };
}

/** Matches a type of `mcpgen/runtime` that refuses the schema of a form: its argument says why. */
const FORM_MISTAKE = /\bFormMistake<"([^"]*)">/;

function reportTypeErrors(
  { program, userFiles, originAt, diagnostics }: Omit<SourceProgram, 'check'>,
  faultsIn: (file: ts.SourceFile) => readonly ts.Diagnostic[],
): void {
  for (const file of userFiles) {
    const syntax = program.getSyntacticDiagnostics(file);
    // Type errors in a file with syntax errors are only consequences.
    const faults = syntax.length > 0 ? syntax : faultsIn(file);
    for (const fault of faults) {
      if (fault.category !== ts.DiagnosticCategory.Error) continue;
      const text = joinMessageText(fault);
      const message = FORM_MISTAKE.exec(text)?.[1] ?? text;
      const at = originAt(fault.file ?? file, fault.start ?? 0);
      const unbuilt = findUnbuiltBehind(fault, program.getCurrentDirectory());
      const parameters = {
        number: fault.code,
        message,
        unbuilt,
        ...compareTypeScriptVersions(dirname(file.fileName)),
      };
      diagnostics.report('typescript-error', parameters, { at });
    }
  }
}

/** A called namespace (TS7038) is explained by a related message alone. */
function joinMessageText({ messageText, relatedInformation = [] }: ts.Diagnostic): string {
  const related = relatedInformation.filter(({ code }) => code === 7038);
  return [messageText, ...related.map((relatedFault) => relatedFault.messageText)]
    .map((text) => ts.flattenDiagnosticMessageText(text, '\n').replace(/\n */g, ' '))
    .map((sentence) => sentence.replace(/(?<![.?!])$/, '.'))
    .join(' ');
}

/** `other` is the user's TypeScript if it is not the one that reads the code, which may find other errors. */
function compareTypeScriptVersions(folder: string): { own: string; other: string } {
  const own = ts.versionMajorMinor;
  const installed = installedTypeScript(folder);
  return { own, other: installed === undefined || installed.startsWith(`${own}.`) ? '' : installed };
}

/** TS2307, TS2792 and TS2882 report a module that is not found. */
function isMissingModule({ code }: ts.Diagnostic): boolean {
  return code === 2307 || code === 2792 || code === 2882;
}

/** Finds an unbuilt project behind a missing module or missing types (TS7016). */
function findUnbuiltBehind(fault: ts.Diagnostic, cwd: string): string {
  const { file, start, length } = fault;
  if (file === undefined || start === undefined || length === undefined) return '';
  if (!isMissingModule(fault) && fault.code !== 7016) return '';
  return findUnbuiltProject(file.text.slice(start + 1, start + length - 1), file.fileName, cwd);
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

function observeModule(name: string, from: ts.SourceFile, program: ts.Program, observer: Observer): void {
  const folder = posix.dirname(from.fileName);
  if (!name.startsWith('.')) {
    const packageName = toPackageName(name);
    const project = packageName === undefined ? undefined : findFolderWithManifest(folder);
    // The manifest is observed even if it is missing.
    if (packageName !== undefined && project !== undefined)
      observer.file(posix.join(project, 'node_modules', packageName, 'package.json'));
    return;
  }
  const places = listCandidates(posix.join(folder, name));
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
