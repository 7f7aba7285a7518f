import { resolve } from 'node:path';
import { readFileIfAny } from '../../util/read-file.ts';
import type { Flags } from '../../config/options/option-types.ts';
import { targetProblem } from '../../config/options/values.ts';
import { type Diagnostic, DiagnosticCollector } from '../../diagnostics/collector.ts';
import { PLACES, type PublishedProject, checkPublishingPlace } from '../../lint/publish-rules.ts';
import { type CheckedPlace, isPublishTarget } from '../../model/published.ts';
import type { Host } from '../host.ts';
import { type SourceOptions, runForServers } from '../sources.ts';
import {
  type Outcome,
  combineOutcomes,
  exitCodeFor,
  outcomeOfDiagnostics,
  outcomeWithoutSource,
} from '../outcome.ts';
import { withProgress } from '../progress.ts';
import { formatCountWithNoun, printablePath } from '../words.ts';

/** The word that is no target is the folder of the project. */
export async function addPublishTargets(words: string[], flags: Flags, host: Host): Promise<Outcome> {
  const [dir = '.', other] = words.filter((word) => !isPublishTarget(word));
  if (other !== undefined) {
    const diagnostics = new DiagnosticCollector();
    const expected = `Only one word may be the folder of the project; ${targetProblem(dir) ?? ''}.`;
    diagnostics.report('invalid-option', { option: '<target>', value: dir, expected });
    return outcomeWithoutSource(diagnostics);
  }
  const { runRegeneration } = await import('../run-generation.ts');
  return runRegeneration(dir, flags, { addTargets: words.filter(isPublishTarget) }, host);
}

/** Reports what a place misses in each server's project of a folder. */
export async function checkPublishing(
  place: CheckedPlace,
  dir: string,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  const run = { flags, host, diagnostics, command: 'mcpgen publish check' };
  const outcomes = await runForServers(dir, run, (options) => checkServer(place, dir, options, flags, host));
  return outcomes === undefined ? outcomeWithoutSource(diagnostics) : combineOutcomes(outcomes, host);
}

async function checkServer(
  place: CheckedPlace,
  subject: string,
  { dir = subject, ...options }: SourceOptions,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const { inspect } = await import('../../api/inspect.ts');
  return withProgress(subject, flags, host, async (onStage) => {
    const { model, diagnostics, texts } = await inspect({ ...options, dir, onStage });
    if (model === undefined) return outcomeOfDiagnostics(diagnostics, texts);
    const read: PublishedProject['read'] = (path) => readFileIfAny(resolve(host.cwd, dir, path));
    const rules = checkPublishingPlace(place, { dir: printablePath(dir), model, read });
    const findings = rules.flatMap(({ finding }) => finding ?? []);
    const { title, source, reviewed, byHand } = PLACES[place];
    const verdict = summarizeDirectoryCheck(
      findings,
      title.replace(/^(The|An) /, (article) => article.toLowerCase()),
      host,
    );
    return {
      ...(await outcomeOfDiagnostics(findings, texts)),
      exitCode: exitCodeFor(findings),
      result: {
        name: model.name,
        place,
        ready: findings.every(({ severity }) => severity !== 'error'),
        source,
        reviewed,
        byHand,
        rules: rules.map(({ finding, ...rule }) => ({ ...rule, met: finding === undefined })),
      },
      text: [
        `${verdict.mark} ${model.name} ${verdict.summary} (${source}, read ${reviewed})\n`,
        ...byHand.map((step) => `  by hand: ${step}\n`),
      ].join(''),
    };
  });
}

/** Warnings are left to a person: no program can be sure of them. */
function summarizeDirectoryCheck(
  diagnostics: readonly Diagnostic[],
  place: string,
  { stdout }: Host,
): { mark: string; summary: string } {
  const countSeverity = (wanted: string): number =>
    diagnostics.filter(({ severity }) => severity === wanted).length;
  const [errors, warnings] = [countSeverity('error'), countSeverity('warning')];
  if (errors > 0)
    return {
      mark: stdout.paint('red', '✗'),
      summary: `lacks ${formatCountWithNoun(errors, 'thing')} that ${place} asks for`,
    };
  if (warnings > 0)
    return {
      mark: stdout.paint('yellow', '!'),
      summary: `may lack ${formatCountWithNoun(warnings, 'thing')} that ${place} asks for`,
    };
  return { mark: stdout.paint('green', '✓'), summary: `has what ${place} asks for` };
}
