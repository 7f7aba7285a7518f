import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Flags } from '../../config/options/option-types.ts';
import { type Diagnostic, DiagnosticCollector } from '../../diagnostics/collector.ts';
import { LICENSES, PLACES, type PublishedProject, checkPublishingPlace } from '../../lint/publish-rules.ts';
import type { CheckedPlace, PublishTarget } from '../../model/published.ts';
import type { Host } from '../host.ts';
import { type InspectedOptions, runForServers } from '../inspected-options.ts';
import {
  EXIT,
  type Outcome,
  combineOutcomes,
  exitCodeFor,
  outcomeOfDiagnostics,
  outcomeWithoutSource,
} from '../outcome.ts';
import { runRegeneration } from '../run-generation.ts';
import { withProgress } from '../progress.ts';
import { formatCountWithNoun, printablePath } from '../words.ts';

/** Reports what a place misses in each server's project of a folder. */
export async function checkPublishing(
  place: CheckedPlace,
  dir: string,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  const outcomes = await runForServers(dir, flags, host, diagnostics, (options) =>
    checkServer(place, dir, options, flags, host),
  );
  return outcomes === undefined ? outcomeWithoutSource(diagnostics) : combineOutcomes(outcomes, host);
}

async function checkServer(
  place: CheckedPlace,
  subject: string,
  { dir = subject, ...options }: InspectedOptions,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const { inspect } = await import('../../api/inspect.ts');
  return withProgress(subject, flags, host, async (onStage) => {
    const { model, diagnostics, texts } = await inspect({ ...options, dir, onStage });
    if (model === undefined) return outcomeOfDiagnostics(diagnostics, texts);
    const read = createFileReader(resolve(host.cwd, dir));
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

function createFileReader(root: string): PublishedProject['read'] {
  return (path) => {
    try {
      return readFileSync(join(root, path), 'utf8');
    } catch {
      return undefined;
    }
  };
}

export async function initPublishing(
  target: PublishTarget,
  dir: string,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  return addLicense(dir, flags, await runRegeneration(dir, flags, { addTargets: [target] }, host), host);
}

/** Writes the MIT licence if the project has no licence and its author, the holder, is known. */
async function addLicense(dir: string, flags: Flags, outcome: Outcome, host: Host): Promise<Outcome> {
  const root = resolve(host.cwd, dir);
  if (outcome.exitCode !== EXIT.fine || flags.dryRun === true) return outcome;
  if (!existsSync(join(root, 'package.json')) || LICENSES.some((name) => existsSync(join(root, name))))
    return outcome;
  const holder = readAuthor(createFileReader(root)('package.json'));
  if (holder === undefined) return outcome;
  const { mitLicense } = await import('../../emit/index.ts');
  const { saveFileOrReport } = await import('../../write/index.ts');
  const diagnostics = new DiagnosticCollector();
  const shown = join(dir, 'LICENSE');
  await saveFileOrReport(
    join(root, 'LICENSE'),
    mitLicense(holder),
    { force: false, shown, within: root },
    diagnostics,
  );
  if (diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
  return { ...outcome, text: `${outcome.text ?? ''}wrote ${printablePath(shown)} (MIT, ${holder})\n` };
}

function readAuthor(manifest = '{}'): string | undefined {
  try {
    const { author } = JSON.parse(manifest) as { author?: string | { name?: string } };
    const name = typeof author === 'object' ? author.name : author?.replace(/ *[<(].*/, '');
    return name === '' ? undefined : name;
  } catch {
    return undefined;
  }
}
