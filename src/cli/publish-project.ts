/** Runs `mcpgen publish check`, and writes the LICENSE of `mcpgen publish init`. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Flags, ProjectFileOptions } from '../config/options/option-types.ts';
import { pickOptions } from '../config/options/rows.ts';
import { type Diagnostic, DiagnosticCollector } from '../diagnostics/collector.ts';
import { clientRules } from '../lint/client-rules.ts';
import { directoryRules } from '../lint/directory-rules.ts';
import { LICENSES, PLACES, type PublishedProject, checkPublishingPlace } from '../lint/publish-rules.ts';
import type { CheckedPlace } from '../model/published.ts';
import type { Host } from './host.ts';
import { type InspectedOptions, runForServers } from './inspected-options.ts';
import {
  EXIT,
  type Outcome,
  combineOutcomes,
  exitCodeFor,
  outcomeOfDiagnostics,
  outcomeWithoutSource,
} from './outcome.ts';
import { withProgress } from './progress.ts';
import { formatCountWithNoun, printablePath } from './words.ts';

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

/** Places whose rules for tools `lint` has. */
const LINTED: Readonly<Partial<Record<CheckedPlace, object>>> = {
  claude: { directories: ['claude'], clients: ['claude'] },
  chatgpt: { directories: ['chatgpt'], clients: ['openai'] },
  glama: { directories: ['glama'] },
};
const TOOL_RULES = new Set<string>([...directoryRules, ...clientRules].map(({ name }) => name));

async function checkServer(
  place: CheckedPlace,
  subject: string,
  { dir = subject, ...options }: InspectedOptions,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const { lint } = await import('../api/lint.ts');
  return withProgress(subject, flags, host, async (onStage) => {
    const report = await lint({ ...options, dir, ...LINTED[place], onStage });
    const { model, findings, texts } = report;
    if (model === undefined) return outcomeOfDiagnostics(report.diagnostics, texts);
    const tools = findings.filter(({ rule }) => TOOL_RULES.has(rule)).map(({ diagnostic }) => diagnostic);
    const { hostedUrl, features }: ProjectFileOptions = pickOptions(options, 'project');
    const root = resolve(host.cwd, dir);
    const project = { dir: printablePath(dir), model, hostedUrl, features, read: createFileReader(root) };
    const rules = checkPublishingPlace(place, project);
    const found = [...rules.flatMap(({ found: one }) => one ?? []), ...tools];
    const { title, source, reviewed, byHand } = PLACES[place];
    const verdict = summarizeDirectoryCheck(found, title.replace(/^The /, 'the '), host);
    return {
      ...(await outcomeOfDiagnostics(found, texts)),
      exitCode: exitCodeFor(found),
      result: {
        name: model.name,
        place,
        ready: found.every(({ severity }) => severity !== 'error'),
        source,
        reviewed,
        byHand,
        rules: rules.map(({ found: one, ...rule }) => ({ ...rule, met: one === undefined })),
      },
      text: [
        `${verdict.mark} ${model.name} ${verdict.words} (${source}, read ${reviewed})\n`,
        ...byHand.map((step) => `  by hand: ${step}\n`),
      ].join(''),
    };
  });
}

/** Warnings are left to a person: no program can be sure of them. */
function summarizeDirectoryCheck(
  found: readonly Diagnostic[],
  place: string,
  { stdout }: Host,
): { mark: string; words: string } {
  const countSeverity = (wanted: string): number =>
    found.filter(({ severity }) => severity === wanted).length;
  const [errors, warnings] = [countSeverity('error'), countSeverity('warning')];
  if (errors > 0)
    return {
      mark: stdout.paint('red', '✗'),
      words: `lacks ${formatCountWithNoun(errors, 'thing')} that ${place} asks for`,
    };
  if (warnings > 0)
    return {
      mark: stdout.paint('yellow', '!'),
      words: `may lack ${formatCountWithNoun(warnings, 'thing')} that ${place} asks for`,
    };
  return { mark: stdout.paint('green', '✓'), words: `has what ${place} asks for` };
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

/** Writes the MIT licence if the project has no licence and its holder is known or answers. */
export async function addLicense(dir: string, flags: Flags, outcome: Outcome, host: Host): Promise<Outcome> {
  const root = resolve(host.cwd, dir);
  if (outcome.exitCode !== EXIT.fine || flags.dryRun === true) return outcome;
  if (!existsSync(join(root, 'package.json')) || LICENSES.some((name) => existsSync(join(root, name))))
    return outcome;
  const holder =
    flags.holder ??
    readAuthor(createFileReader(root)('package.json')) ??
    (await askForLicenseHolder(flags, host));
  if (holder === undefined) return outcome;
  const { mitLicense } = await import('../emit/index.ts');
  const { saveFileOrReport } = await import('../write/index.ts');
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

async function askForLicenseHolder(flags: Flags, host: Host): Promise<string | undefined> {
  const { terminal } = host;
  if (terminal === undefined || flags.json === true || flags.quiet === true) return undefined;
  const { askForText } = await import('./init-questions.ts');
  const message = 'Holder of the copyright, for a LICENSE (MIT); empty: none is written';
  const answer = await askForText(message, { ...terminal, signal: host.signal });
  return answer.trim() === '' ? undefined : answer.trim();
}
