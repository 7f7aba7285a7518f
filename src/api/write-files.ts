/** The files of a project put on disk, or compared with it, as the options of the run say. */
import { resolve } from 'node:path';
import { pause } from './compile.ts';
import { CONFIG_FILE } from '../config/options/project-config.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Compiled } from './emit-files.ts';
import type { GeneratedFile, Provenance } from '../emit/index.ts';
import type { GenerateOptions } from './generate.ts';
import { reportNestedProject } from '../project/check-target.ts';
import type { ConfigDecision } from '../project/load-config.ts';
import { type WriteReport, writeProject } from '../write/index.ts';
import { definedMembers, listNames } from '../util/collections.ts';

/** The only step that changes anything; with `check`, files that differ are a diagnostic. */
export async function writeFiles(
  files: GeneratedFile[],
  { dir, project, model, provenance }: Compiled,
  options: GenerateOptions & Pick<ConfigDecision, 'saved'>,
  diagnostics: DiagnosticCollector,
): Promise<WriteReport> {
  await pause(options.signal);
  options.onStage?.('write');
  const { cwd = '.', force = false, keep = false, merge = false } = options;
  const { dryRun = false, check = false, rebuildLock = false, saved = [], signal, outer } = options;
  const own = isOwn(options) ? `mcpgen generate ${dir}` : undefined;
  const again = outer?.command ?? own;
  const target = {
    dir: resolve(cwd, dir),
    label: dir,
    ...definedMembers({ again, outer: outer?.file }),
    force,
    keep,
    merge,
    existing: project,
    rebuildLock,
    hooked: runsCode(options),
    saved,
    known: ownInputs(options, provenance),
    dryRun,
    check,
    stamp: true,
    tools: model.tools.map(({ name }) => name),
    ...definedMembers({ signal }),
  };
  if (!check) reportNestedProject(dir, cwd, diagnostics);
  const report = await writeProject(files, target, diagnostics);
  if (options.source === '-' && !check && !diagnostics.hasErrors) diagnostics.report('source-not-kept', {});
  if (check) reportStale(report, dir, options, diagnostics);
  return report;
}

/** Whether the configuration is code, or names some: a hook of it may add files of any name, or has done so. */
export function runsCode({ hooks, helpers, configFile = '', outer }: GenerateOptions): boolean {
  const isCode = [configFile, outer?.file ?? ''].some((file) => /\.[cm]?[jt]s$/.test(file));
  return hooks !== undefined || helpers !== undefined || isCode;
}

/** Whoever has put a configuration into the folder means it; what it is compiled from may stand beside it. */
function ownInputs(options: GenerateOptions, { inputs }: Provenance): string[] {
  return isOwn(options) ? [options.configFile ?? CONFIG_FILE, ...Object.keys(inputs)] : [];
}

/** Whether the options are those of the folder's own configuration. */
function isOwn({ configFile, configText }: GenerateOptions): boolean {
  return configFile !== undefined || configText !== undefined;
}

function reportStale(
  { written, removed, edited, foreign }: WriteReport,
  dir: string,
  { outer }: GenerateOptions,
  diagnostics: DiagnosticCollector,
): void {
  if (diagnostics.hasErrors) return;
  const count = written.length + removed.length + edited.length + foreign.length;
  if (count === 0) return;
  diagnostics.report('project-stale', {
    dir,
    count,
    edited: edited.length,
    files: listNames(edited),
    command: outer?.command ?? `mcpgen generate ${dir}`,
    config: edited.includes(CONFIG_FILE) ? 'edited' : 'as it is',
    outer: outer?.file ?? '',
  });
}
