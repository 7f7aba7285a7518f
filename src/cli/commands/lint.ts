/** Runs `mcpgen lint`. */
import { lstatSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { readFileIfAny } from '../../util/read-file.ts';
import type { Flags } from '../../config/options/option-types.ts';
import type { LintReport } from '../../api/lint.ts';
import { DiagnosticCollector, DiagnosticError } from '../../diagnostics/collector.ts';
import {
  EXIT,
  type Outcome,
  combineOutcomes,
  outcomeOfDiagnostics,
  outcomeWithoutSource,
} from '../outcome.ts';
import type { Host } from '../host.ts';
import { type SourceOptions, runForServers } from '../sources.ts';
import { omitUndefined } from '../../util/collections.ts';
import { withProgress } from '../progress.ts';
import { formatCountWithNoun, printablePath } from '../words.ts';

/** Judges each server of a source, and reports in the form that the flags ask for. */
export async function lintSource(source: string, flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  const run = { flags, host, diagnostics, command: 'mcpgen lint' };
  const outcomes = await runForServers(source, run, (options) => lintServer(source, options, flags, host));
  if (outcomes === undefined) return outcomeWithoutSource(diagnostics);
  return combineOutcomes(outcomes, host);
}

async function lintServer(
  source: string,
  options: SourceOptions,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const { lint } = await import('../../api/lint.ts');
  return withProgress(source, flags, host, async (onStage) => {
    const { client: clients } = flags;
    const run = omitUndefined({ maxTokens: flags.maxTokens });
    const report = await lint({ ...options, ...run, clients, onStage });
    const { lintResult, renderLint } = await import('../render-lint.ts');
    const outcome: Outcome = {
      ...(await outcomeOfDiagnostics(report.diagnostics, report.texts)),
      result: lintResult(report),
      text: report.model && renderLint(report, host.stdout.paint),
    };
    return flags.fix === true && report.model !== undefined
      ? writeFixOverlays(report, outcome, options, host)
      : outcome;
  });
}

/** Writes an overlay for each document with fixes, beside the configuration or in the working folder. */
async function writeFixOverlays(
  { fixes = [] }: LintReport,
  outcome: Outcome,
  { dir = '' }: SourceOptions,
  { cwd }: Host,
): Promise<Outcome> {
  const { printFixes } = await import('../../api/lint.ts');
  const { saveFileOrReport } = await import('../../write/index.ts');
  const diagnostics = new DiagnosticCollector();
  const writtenFiles: string[] = [];
  for (const fix of fixes) {
    const stem = basename(fix.document, extname(fix.document)).replace(/[^\w.-]+/g, '_');
    const file = join(dir, fixes.length === 1 ? 'mcpgen.overlay.yaml' : `mcpgen.${stem}.overlay.yaml`);
    const old = readFileIfAny(resolve(cwd, file));
    const shown = printablePath(file);
    // A repository may have planted it.
    if (lstatSync(resolve(cwd, file), { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      const problem = 'it is a symbolic link';
      diagnostics.report('draft-not-written', { file: shown, problem, fix: 'Replace it with a file.' });
      continue;
    }
    try {
      const text = await printFixes(fix, old === undefined ? undefined : { file: shown, text: old });
      const place = resolve(cwd, file);
      const target = { force: true, shown, within: cwd };
      const copy = text === old ? undefined : await saveFileOrReport(place, text, target, diagnostics);
      const copyNote =
        copy === undefined ? '' : ` What it held is in ${printablePath(join(dir, basename(copy)))}.`;
      writtenFiles.push(
        `  ${shown} ends ${formatCountWithNoun(fix.findings, 'finding')}.${copyNote} Lint and compile with --overlay ${shown}\n`,
      );
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      for (const diagnostic of error.diagnostics) diagnostics.add(diagnostic);
    }
  }
  if (diagnostics.hasErrors)
    return { ...outcome, exitCode: EXIT.errors, diagnostics: [...outcome.diagnostics, ...diagnostics.found] };
  const nothing = '  Nothing can be fixed with words of the source alone.\n';
  return { ...outcome, next: `${outcome.next ?? ''}${writtenFiles.join('') || nothing}` };
}
