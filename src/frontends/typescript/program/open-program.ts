/** Opens the user's code as one program with one checker, and reports what TypeScript finds wrong with it. */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Project, ts } from 'ts-morph';
import type { DiagnosticCollector } from '../../../diagnostics/collector.ts';
import { packageRoot } from '../../../version.ts';
import { originAt, originOf } from '../origin.ts';
import { compilerSetup } from './compiler-options.ts';
import { findFiles, withSlashes } from './find-files.ts';
import type { SourceProgram } from './source-program.ts';

export interface ProgramInput {
  /** Paths and globs, taken from `cwd`. */
  files: readonly string[];
  cwd: string;
  /** Default: the nearest above the first file. */
  tsconfig?: string | undefined;
}

/** Undefined when there is nothing to open; it has been reported. Faults in the code are reported, and not the end. */
export function openProgram(
  { files: patterns, cwd, tsconfig }: ProgramInput,
  diagnostics: DiagnosticCollector,
): SourceProgram | undefined {
  const paths = findFiles(patterns, cwd, diagnostics);
  const [first] = paths;
  if (first === undefined) return undefined;
  const config = tsconfig === undefined ? undefined : resolve(cwd, tsconfig);
  const setup = compilerSetup(first, cwd, config, diagnostics);
  if (setup === undefined) return undefined;
  const runtime = runtimeTypes();
  const project = new Project({
    compilerOptions: {
      ...setup.options,
      paths: { ...setup.options.paths, 'mcpgen/runtime': [runtime] },
    },
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
  });
  for (const path of [...paths, ...setup.ambient]) project.addSourceFileAtPath(path);
  const program = project.getProgram().compilerObject;
  const opened = describe(program, paths, withSlashes(resolve(runtime, '..')), cwd, diagnostics);
  reportFaults(opened);
  return opened;
}

function describe(
  program: ts.Program,
  paths: readonly string[],
  runtime: string,
  cwd: string,
  diagnostics: DiagnosticCollector,
): SourceProgram {
  const label = ({ fileName }: ts.SourceFile): string => withSlashes(relative(cwd, fileName));
  const isUsers = (file: ts.SourceFile): boolean =>
    !program.isSourceFileFromExternalLibrary(file) &&
    !program.isSourceFileDefaultLibrary(file) &&
    !file.fileName.includes('/node_modules/') &&
    !file.fileName.startsWith(`${runtime}/`);
  return {
    program,
    checker: program.getTypeChecker(),
    files: paths.flatMap((path) => readable(path, program)),
    userFiles: program.getSourceFiles().filter(isUsers),
    runtimeTypes: runtime,
    label,
    originOf: (node) => originOf(node, label),
    originOfTag: ({ file, offset }) => originAt(file, offset, label),
    originAt: (file, offset) => originAt(file, offset, label),
    diagnostics,
  };
}

/** What stands in a file that can't be parsed is anybody's guess. */
function readable(path: string, program: ts.Program): ts.SourceFile[] {
  const file = program.getSourceFile(path);
  return file === undefined || program.getSyntacticDiagnostics(file).length > 0 ? [] : [file];
}

/** The types of `mcpgen/runtime`, whether or not it is installed: those of this very compiler. */
function runtimeTypes(): string {
  const built = fileURLToPath(new URL('dist/templates/runtime/index.d.ts', packageRoot()));
  if (!existsSync(built)) throw new Error('mcpgen is not built: run `npm run build` in it first.');
  return withSlashes(built);
}

function reportFaults({ program, userFiles, originAt, diagnostics }: SourceProgram): void {
  for (const file of userFiles) {
    const syntax = program.getSyntacticDiagnostics(file);
    // Of code that can't be parsed the rest follows.
    for (const fault of syntax.length > 0 ? syntax : program.getSemanticDiagnostics(file)) {
      if (fault.category !== ts.DiagnosticCategory.Error) continue;
      const message = ts.flattenDiagnosticMessageText(fault.messageText, ' ').replace(/\.?$/, '.');
      const at = originAt(fault.file ?? file, fault.start ?? 0);
      diagnostics.report('typescript-error', { number: fault.code, message }, { at });
    }
  }
}
