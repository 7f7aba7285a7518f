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
  observer?.pattern(findAmbient);
  const runtime = toPosixPath(pathOfBuiltPart('templates/runtime/index.d.ts'));
  const options = { ...setup.options, paths: { ...setup.options.paths, 'mcpgen/runtime': [runtime] } };
  const host = compilerHost(options, cwd);
  const rootNames = [...paths, ...setup.ambient];
  const program = ts.createProgram({ rootNames, options, host });
  if (observer !== undefined) observeProgram(program, observer);
  const described = makeSourceProgram(program, paths, toPosixPath(resolve(runtime, '..')), cwd, diagnostics);
  // TypeScript's own errors are reported before those of the reading.
  const faults = new DiagnosticCollector();
  diagnostics.include(faults);
  let isChecked = false;
  const check = (): void => {
    if (!isChecked) reportTypeErrors({ ...described, diagnostics: faults });
    isChecked = true;
  };
  return {
    source: { ...described, check },
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
      const bundled = ts.versionMajorMinor;
      const installed = installedTypeScript(dirname(file.fileName)) ?? bundled;
      // The user's TypeScript may find other errors than the one that reads the code.
      const other = installed.startsWith(bundled) ? '' : installed;
      diagnostics.report('typescript-error', { number: fault.code, message, own: bundled, other }, { at });
    }
  }
}

/** Files of packages are left out, since a change of their `package.json` shows a new version. A missing file may come later. */
function observeProgram(program: ts.Program, observer: Observer): void {
  for (const file of program.getSourceFiles()) {
    if (file.fileName.includes('/node_modules/')) continue;
    observer.file(file.fileName);
    for (const { literal } of moduleSpecifiers(file)) {
      if (!literal.text.startsWith('.')) continue;
      const path = posix.join(posix.dirname(file.fileName), literal.text);
      const stem = path.replace(/\.[cm]?jsx?$/, '');
      const places = ['', '.ts', '.tsx', '.mts', '.cts', '.d.ts', '.js', '/index.ts', '/index.js'].flatMap(
        (end) => [`${path}${end}`, `${stem}${end}`],
      );
      if (!places.some((place) => program.getSourceFile(place)))
        for (const place of places) observer.file(place);
    }
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
