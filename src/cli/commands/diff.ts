import { resolve } from 'node:path';
import { readFileIfAny } from '../../util/read-file.ts';
import type { Flags } from '../../config/options/option-types.ts';
import type { DiffSide } from '../../api/options.ts';
import type { SurfaceDiff } from '../../diff/surface-diff.ts';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import {
  EXIT,
  type Outcome,
  combineOutcomes,
  outcomeOfDiagnostics,
  outcomeWithoutSource,
} from '../outcome.ts';
import type { Host } from '../host.ts';
import { readServer, runForServers, addLockedNames } from '../sources.ts';
import { isFolder } from '../source-kind.ts';
import { withProgress } from '../progress.ts';
import { formatCountWithNoun, printableSource } from '../words.ts';

export async function runDiff(
  old: string,
  now: string | undefined,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  if (now === undefined && !(await isFolder(old, host.cwd))) {
    diagnostics.report('invalid-usage', {
      problem: `${printableSource(old)} is not a project, so a second source is needed to compare it with`,
      suggestion: '',
      command: 'mcpgen diff',
    });
    return outcomeWithoutSource(diagnostics);
  }
  if (now === undefined) return compareProjectsToSources(old, flags, host, diagnostics);
  const before = await readDiffSide(old, flags, host, diagnostics);
  const after = await readDiffSide(now, flags, host, diagnostics);
  if (before === undefined || after === undefined) return outcomeWithoutSource(diagnostics);
  return runComparison(before, after, now, flags, host);
}

async function compareProjectsToSources(
  dir: string,
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<Outcome> {
  const run = { flags, host, diagnostics, command: 'mcpgen diff' };
  const outcomes = await runForServers(dir, run, async (options, serverDiagnostics) => {
    const compile = await addLockedNames(options, host, serverDiagnostics);
    if (compile === undefined) return outcomeWithoutSource(serverDiagnostics);
    const { resolveProjectDir } = await import('../../api/compile.ts');
    const project = (await resolveProjectDir(options)) ?? dir;
    return runComparison({ project }, { compile }, dir, flags, host);
  });
  return outcomes === undefined ? outcomeWithoutSource(diagnostics) : combineOutcomes(outcomes, host);
}

async function runComparison(
  before: DiffSide,
  after: DiffSide,
  subject: string,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const { diff } = await import('../../api/diff.ts');
  return withProgress(subject, flags, host, async (onStage) => {
    const compared = await diff({
      before,
      after: 'compile' in after ? { compile: { ...after.compile, onStage } } : after,
      cwd: host.cwd,
    });
    const outcome = await outcomeOfDiagnostics(compared.diagnostics, compared.texts);
    return compared.diff === undefined
      ? outcome
      : { ...outcome, ...(await makeDiffOutcome(compared.diff, flags, host)) };
  });
}

async function makeDiffOutcome(diff: SurfaceDiff, { failOn }: Flags, host: Host): Promise<Partial<Outcome>> {
  const { renderDiff } = await import('../render-diff.ts');
  const outcome = { result: diff, document: diff, text: renderDiff(diff, host.stdout.paint) };
  const failed = failOn === undefined ? 0 : failOn === 'any' ? diff.changes.length : diff.breaking;
  if (failed === 0) return outcome;
  const next = `  Ends with exit code 1: ${formatCountWithNoun(failed, failOn === 'any' ? 'change' : 'breaking change')} (--fail-on ${failOn}).\n`;
  return { ...outcome, exitCode: EXIT.errors, next };
}

/** Reads a generated project or a printed model as it is; compiles anything else. */
async function readDiffSide(
  source: string,
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<DiffSide | undefined> {
  if (await isFolder(source, host.cwd)) return { project: source };
  const model = source.endsWith('.json') ? await readModel(source, host.cwd) : undefined;
  if (model !== undefined) return model;
  const run = { flags, host, diagnostics, command: 'mcpgen diff' };
  const options = await readServer([source], run, 'a side of mcpgen diff');
  const compile = options && (await addLockedNames(options, host, diagnostics));
  return compile && { compile };
}

/** Reports nothing: a file that cannot be read is reported when it is compiled. */
async function readModel(file: string, cwd: string): Promise<DiffSide | undefined> {
  const { parseModel } = await import('../../diff/read-surface.ts');
  const model = parseModel(readFileIfAny(resolve(cwd, file)) ?? '');
  return model && { model };
}
