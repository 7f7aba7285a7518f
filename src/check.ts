/** Whether an emitted project is what would be written today. */
import { resolve } from 'node:path';
import { DiagnosticCollector } from './diagnostics/collector.ts';
import { type GenerateOptions, type Generation, generate } from './generate.ts';
import { projectOptions } from './project-options.ts';
import { recover } from './write/index.ts';

/** Members that a project's own config can't hold. */
export type RunOptions = Pick<
  GenerateOptions,
  | 'stdin'
  | 'fetch'
  | 'signal'
  | 'onStage'
  | 'force'
  | 'keep'
  | 'merge'
  | 'skip'
  | 'dryRun'
  | 'check'
  | 'rename'
  | 'limits'
  | 'observer'
  | 'memory'
> & {
  /** Folder of the project, in place of what the configuration says. */
  output?: string;
};

/**
 * Compiles the project in `dir` again, in memory, and compares: `ok` is false when a file differs, is missing, is no
 * longer generated, or was edited by hand. `dist/` and `src/handlers/` are not judged. Nothing is written.
 */
export async function check(dir: string, options: RunOptions & { cwd?: string } = {}): Promise<Generation> {
  return regenerate(dir, { ...options, check: true });
}

/** Compiles the project in `dir` again, with the options in its `mcpgen.config.*`. */
export async function regenerate(
  dir: string,
  options: RunOptions & { cwd?: string } = {},
): Promise<Generation> {
  const { cwd = '.', output, ...run } = options;
  const diagnostics = new DiagnosticCollector();
  // Before the configuration is read: it is one of the files that a run which was killed may have left half done.
  const isWhole = await recover(resolve(cwd, dir), diagnostics);
  const project = isWhole && (await projectOptions(dir, cwd, diagnostics, output, run.observer));
  if (project === false || project === undefined) {
    return { ok: false, dir, diagnostics: diagnostics.found, texts: { textOf: () => undefined } };
  }
  const generation = await generate({ ...project, ...run });
  return { ...generation, diagnostics: [...diagnostics.found, ...generation.diagnostics] };
}
