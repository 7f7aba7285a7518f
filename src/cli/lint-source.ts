/** Runs `mcpgen lint`. */
import { getOwnMember } from '../../templates/runtime/contract/json-value.ts';
import type { Flags } from '../config/options/option-types.ts';
import { lstatSync, readFileSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import type { LintReport } from '../api/lint.ts';
import { createDiagnostic, type Diagnostic, DiagnosticCollector } from '../diagnostics/collector.ts';
import { findDefinition, suggestDefinitions } from '../diagnostics/find-definition.ts';
import { renderReport } from '../diagnostics/render/report.ts';
import { findDroppedScores, parseBaselineScores } from '../lint/baseline.ts';
import type { LintResult } from './json-output.ts';
import {
  EXIT,
  type Outcome,
  combineOutcomes,
  exitCodeFor,
  outcomeOfDiagnostics,
  outcomeWithoutSource,
} from './outcome.ts';
import type { Host } from './host.ts';
import { type InspectedOptions, runForServers } from './inspected-options.ts';
import { omitUndefined } from '../util/collections.ts';
import { toWorkspacePath } from './present.ts';
import { withProgress } from './progress.ts';
import { formatCountWithNoun, printablePath } from './words.ts';

/** Judges each server of a source, and reports in the form that the flags ask for. */
export async function lintSource(source: string, flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  if (!checkFlags(flags, diagnostics)) return outcomeWithoutSource(diagnostics);
  const outcomes = await runForServers(source, flags, host, diagnostics, (options) =>
    lintServer(source, options, flags, host),
  );
  if (outcomes === undefined) return outcomeWithoutSource(diagnostics);
  const combined = combineOutcomes(outcomes, host);
  if (flags.lintFormat !== 'sarif' || outcomes.length === 1) return combined;
  const { joinSarif, renderSarif } = await import('./lint-formats.ts');
  const toPath = (file: string): string => toWorkspacePath(file, host);
  const runs = outcomes.map(({ server = '', outcome: { text, diagnostics: found, places } }) => ({
    server,
    // A server whose configuration cannot be read has diagnostics alone.
    text: text ?? renderSarif(found, places, toPath),
  }));
  return { ...combined, text: joinSarif(runs) };
}

/** Checks that the flags fit together, before a source is read. */
function checkFlags(
  { lintFailOn = [], maxScoreDrop, baseline }: Flags,
  diagnostics: DiagnosticCollector,
): boolean {
  for (const query of lintFailOn.filter((each) => !isSeverity(each) && findDefinition(each) === undefined))
    diagnostics.report('unknown-diagnostic', { query, suggestion: suggestDefinitions(query).join(', ') });
  if (maxScoreDrop !== undefined && baseline === undefined) {
    const problem = '--max-score-drop needs an earlier report';
    diagnostics.report('invalid-usage', {
      problem,
      suggestion: ' Name it with --baseline.',
      command: 'mcpgen lint',
    });
  }
  return !diagnostics.hasErrors;
}

function isSeverity(what: string): boolean {
  return Object.hasOwn(RANK, what.toLowerCase());
}

async function lintServer(
  source: string,
  options: InspectedOptions,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const { lint } = await import('../api/lint.ts');
  return withProgress(source, flags, host, async (onStage) => {
    const { client: clients, directory: directories } = flags;
    const run = omitUndefined({ maxTokens: flags.maxTokens });
    const report = await lint({ ...options, ...run, clients, directories, onStage });
    const outcome = await outcomeOfDiagnostics(report.diagnostics, report.texts);
    const described = await makeReportOutcome(report, outcome, flags, host);
    return flags.fix === true && report.model !== undefined
      ? writeFixOverlays(report, described, options, host)
      : described;
  });
}

/** Writes an overlay for each document with fixes, beside the configuration or in the working folder. */
async function writeFixOverlays(
  { fixes = [] }: LintReport,
  outcome: Outcome,
  { dir = '' }: InspectedOptions,
  { cwd }: Host,
): Promise<Outcome> {
  const { printFixes } = await import('../api/lint.ts');
  const { saveFileOrReport } = await import('../write/index.ts');
  const diagnostics = new DiagnosticCollector();
  const written: string[] = [];
  for (const fix of fixes) {
    const stem = basename(fix.document, extname(fix.document)).replace(/[^\w.-]+/g, '_');
    const file = join(dir, fixes.length === 1 ? 'mcpgen.overlay.yaml' : `mcpgen.${stem}.overlay.yaml`);
    const old = readText(resolve(cwd, file));
    const text = await printFixes(fix, old === undefined ? undefined : { file, text: old });
    const shown = printablePath(file);
    if (isLink(resolve(cwd, file)))
      diagnostics.report('overlay-not-written', { file: shown, problem: 'it is a symbolic link' });
    else if (text !== old)
      await saveFileOrReport(resolve(cwd, file), text, { force: true, shown, within: cwd }, diagnostics);
    written.push(
      `  ${shown} ends ${formatCountWithNoun(fix.findings, 'finding')}. Lint and compile with --overlay ${shown}\n`,
    );
  }
  if (diagnostics.hasErrors)
    return { ...outcome, exitCode: EXIT.errors, diagnostics: [...outcome.diagnostics, ...diagnostics.found] };
  const nothing = '  Nothing can be fixed with words of the source alone.\n';
  return { ...outcome, next: `${outcome.next ?? ''}${written.join('') || nothing}` };
}

async function makeReportOutcome(
  report: LintReport,
  found: Outcome,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const { lintResult, renderLint } = await import('./render-lint.ts');
  const result = lintResult(report);
  const drops = findScoreDrops(result, report, flags, host);
  const diagnostics = [...found.diagnostics, ...drops];
  const outcome = { ...found, result, diagnostics, ...decideExitCode(diagnostics, flags) };
  const { lintFormat = 'text' } = flags;
  const isCompiled = report.model !== undefined;
  if (!isCompiled && (lintFormat === 'text' || lintFormat === 'markdown')) return found;
  if (lintFormat === 'text') return { ...outcome, text: renderLint(report, host.stdout.paint) };
  const { renderLintMarkdown, renderSarif } = await import('./lint-formats.ts');
  const { places } = outcome;
  const toPath = (file: string): string => toWorkspacePath(file, host);
  const printed = { ...outcome, diagnostics: [] };
  if (lintFormat === 'markdown')
    return { ...printed, text: renderLintMarkdown(result, diagnostics, places, toPath) };
  if (lintFormat === 'sarif') return { ...printed, text: renderSarif(diagnostics, places, toPath) };
  const annotations = renderReport(diagnostics, {
    format: 'github',
    places,
    paint: withoutColour,
    annotated: toPath,
  });
  return { ...printed, annotations };
}

const withoutColour = (_style: unknown, text: string): string => text;

/** Compares with the report that `--baseline` names. */
function findScoreDrops(
  result: LintResult,
  { model }: LintReport,
  { baseline: file, maxScoreDrop = 0 }: Flags,
  { cwd }: Host,
): readonly Diagnostic[] {
  if (file === undefined) return [];
  const read = readText(resolve(cwd, file));
  const baseline = read === undefined ? 'it cannot be read' : parseBaselineScores(read, result.name);
  const origins = new Map(model?.tools.map(({ name, origin }) => [name, origin]));
  return typeof baseline === 'string'
    ? [createDiagnostic('baseline-unusable', { file: printablePath(file), problem: baseline })]
    : findDroppedScores(result, baseline, maxScoreDrop, origins);
}

/** A repository may have planted a link that leads out of it. */
function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const RANK: Record<string, number> = { info: 0, warning: 1, error: 2 };

/** Returns the exit code, and the line that says why it is 1 without an error. */
function decideExitCode(
  diagnostics: readonly Diagnostic[],
  { lintFailOn = ['error'] }: Flags,
): Pick<Outcome, 'exitCode' | 'next'> {
  const exitCode = exitCodeFor(diagnostics);
  const wanted = lintFailOn.map((each) => each.toLowerCase());
  const least = Math.min(...wanted.map((each) => getOwnMember(RANK, each) ?? Infinity));
  const failed = diagnostics.filter(
    ({ severity, code, name }) =>
      (RANK[severity] ?? 0) >= least || wanted.includes(code.toLowerCase()) || wanted.includes(name),
  );
  if (exitCode !== EXIT.fine || failed.length === 0) return { exitCode };
  const next = `  Ends with exit code 1: ${formatCountWithNoun(failed.length, 'finding')} (--fail-on ${lintFailOn.join(',')}).\n`;
  return { exitCode: EXIT.errors, next };
}
