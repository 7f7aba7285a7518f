/** The outcome of a command that writes, or would write, a project. */
import { existsSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';

import { readJsonObject } from '../util/read-file.ts';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import type { ServerGeneration } from '../api/check.ts';
import type { Flags } from '../config/options/option-types.ts';
import { registry } from '../diagnostics/registry.ts';
import { renderGithubAnnotation } from '../diagnostics/render/record.ts';
import type { ServerModel } from '../model/server-model.ts';
import { removeSecretPartsOfUrl } from '../model/without-credentials.ts';
import { omitUndefined } from '../util/collections.ts';
import { findAbove } from '../util/find-above.ts';
import type { WriteReport } from '../write/index.ts';
import type { Host } from './host.ts';
import type { RunResult, ServerSummary } from './json-output.ts';
import { EXIT, type Outcome, outcomeOfDiagnostics } from './outcome.ts';
import { isShortReport, reportFormat, toWorkspacePath } from './present.ts';
import { renderDiffs } from './render-edits.ts';
import {
  baseUrlHint,
  formatCountWithNoun,
  formatToolCount,
  quoteShellWord,
  formatDuration,
  printablePath,
  printableSource,
} from './words.ts';

export async function generationOutcome(
  generation: ServerGeneration,
  flags: Flags,
  milliseconds: number,
  host: Host,
): Promise<Outcome> {
  const { check = false, dryRun = false, verbose = false } = flags;
  const { diagnostics, texts, source, dir, model, report, server } = generation;
  const result: RunResult = {
    ...omitUndefined({ source: source && removeSecretPartsOfUrl(source), dir }),
    ...(model && summarizeServer(model)),
    ...report,
  };
  const outcome = { ...(await outcomeOfDiagnostics(diagnostics, texts)), result };
  const { exitCode } = outcome;
  if (source === undefined || dir === undefined || model === undefined || report === undefined)
    return check ? outcome : { ...outcome, closing: 'Nothing was written.' };
  if (check && exitCode === EXIT.fine)
    return { ...outcome, text: upToDateLine(dir, report, milliseconds, host) };
  if (check) {
    const isOnGithub = reportFormat(host.env) === 'github';
    const annotations = isOnGithub ? printStaleAnnotations(toWorkspacePath(dir, host), report) : '';
    return { ...outcome, annotations, text: describeStaleFiles(report, verbose) };
  }
  if (dryRun) return { ...outcome, text: describeDryRun(dir, report, exitCode, verbose) };
  if (exitCode !== EXIT.fine && report.edited.length > 0) return refusalOutcome(outcome, report, flags, host);
  if (exitCode !== EXIT.fine) return outcome;
  const { countListed } = await import('../api/inspect.ts');
  const counts = { tools: model.tools.length, listed: countListed(model) };
  const text = `${successLine(source, dir, counts, report, milliseconds, host)}\n`;
  const needsUrl = diagnostics.some(({ name }) => name === 'no-absolute-server');
  return {
    ...outcome,
    text,
    next: describeKeptFiles(report, server) + describeNextSteps(dir, report, needsUrl, host),
  };
}

/** Because of edited files nothing was written, so what the run would have done besides is not told, unless all is asked for. */
function refusalOutcome(outcome: Outcome, { diffs }: WriteReport, flags: Flags, host: Host): Outcome {
  const diagnostics = isShortReport(flags, host)
    ? outcome.diagnostics.filter(({ severity }) => severity === 'error')
    : outcome.diagnostics;
  return { ...outcome, diagnostics, edits: diffs };
}

/** Describes the user's files that were taken over or kept. `server` is one of several. */
function describeKeptFiles({ saved, taken }: WriteReport, server?: string): string {
  const where = server === undefined ? '' : ` in ${server}`;
  const done = Object.entries({ 'Yours now': taken, Kept: saved });
  return done
    .filter(([, paths]) => paths.length > 0)
    .map(([what, paths]) => `  ${what}${where}: ${paths.map(printablePath).join(', ')}\n`)
    .join('');
}

/** Lists the commands that put the server into a client; none if nothing changed. */
function describeNextSteps(
  dir: string,
  { written, removed }: WriteReport,
  needsUrl: boolean,
  { cwd, env }: Host,
): string {
  if (![...written, ...removed].some(isOutsideBuild)) return '';
  const isHere = resolve(cwd, dir) === resolve(cwd);
  const folder = isHere ? '' : ` ${quoteShellWord(printablePath(dir))}`;
  const first = needsUrl ? baseUrlHint(['API_BASE_URL'], dir) : '';
  const prefix = isHere ? '' : ` --prefix${folder}`;
  const install = needsInstall(resolve(cwd, dir)) ? `npm install --omit=dev${prefix} && ` : '';
  const hasMock = existsSync(resolve(cwd, dir, 'src/runtime/features/mock'));
  const mock = hasMock ? ' (at its end, ` -- --mock` answers without the API)' : '';
  // npx puts no `mcpgen` on the PATH, so the next step needs npx too.
  const npx = env['npm_lifecycle_script']?.startsWith('mcpgen') === true ? 'npx ' : '';
  return `${first}  Next: ${install}${npx}mcpgen install${folder} --client claude-code${mock}\n`;
}

function summarizeServer({
  name,
  version,
  tools,
  resources,
  resourceTemplates,
  prompts,
}: ServerModel): ServerSummary {
  return {
    name,
    version,
    tools: tools.length,
    resources: resources.length,
    resourceTemplates: resourceTemplates.length,
    prompts: prompts.length,
  };
}

/** `✓ petstore.yaml → ./petstore-mcp · 12 tools · 24 files · 310ms` */
function successLine(
  source: string,
  dir: string,
  { tools, listed }: { tools: number; listed: number },
  report: WriteReport,
  milliseconds: number,
  { stdout }: Host,
): string {
  const { written, unchanged } = report;
  const changed = written.filter(isOutsideBuild).length;
  const built = written.length > changed ? ', dist/ built again' : '';
  const changes =
    unchanged.length === 0 ? '' : changed === 0 ? `, none changed${built}` : `, ${changed} changed`;
  return [
    `${stdout.paint('green', '✓')} ${printableSource(source)} → ${stdout.paint('bold', formatFolder(dir))}`,
    formatToolCount(tools, { listed }),
    `${countFiles(report)}${changes}`,
    formatDuration(milliseconds),
  ].join(' · ');
}

/** Counts the files of the project that were written, were there, or are the user's; those of dist/ do not count. */
function countFiles({ written, unchanged, kept }: WriteReport): string {
  return formatCountWithNoun([...written, ...unchanged, ...kept].filter(isOutsideBuild).length, 'file');
}

/** Built files are not counted, since git ignores them. */
function isOutsideBuild(path: string): boolean {
  return !path.startsWith('dist/');
}

function describeDryRun(
  dir: string,
  { written, removed, saved, taken, edited, foreign }: WriteReport,
  exitCode: number,
  verbose: boolean,
): string {
  const foldUnlessVerbose = (paths: string[]): string[] =>
    verbose ? paths.map(printablePath) : foldRuntimeAndBuild(paths);
  const lines = [
    ...foldUnlessVerbose(written).map((path) => `write   ${path}`),
    ...saved.map((path) => `save    ${printablePath(path)}`),
    ...taken.map((path) => `keep    ${printablePath(path)}`),
    ...foldUnlessVerbose(removed).map((path) => `remove  ${path}`),
    ...edited.map((path) => `edited  ${printablePath(path)}`),
    ...foreign.map((path) => `foreign ${printablePath(path)}`),
  ];
  if (exitCode !== EXIT.fine) return lines.map((line) => `${line}\n`).join('');
  return [
    ...lines,
    `Nothing was written: a run without --dry-run would write ${formatCountWithNoun(written.length, 'file')} in ${dir === '.' ? 'this folder' : formatFolder(dir)}.`,
    '',
  ].join('\n');
}

/** Names the files that a run removes before it does. */
export function createRemovalNotice(
  { quiet = false }: Flags,
  { stderr }: Host,
): (dir: string, paths: readonly string[]) => void {
  return (dir, paths) => {
    if (!quiet) stderr.write(`Removes from ${formatFolder(dir)}: ${foldRuntimeAndBuild(paths).join(', ')}\n`);
  };
}

/** Shows the runtime and the build as one line each, since they are the same in every project. */
function foldRuntimeAndBuild(paths: readonly string[]): string[] {
  const folds = ['src/runtime/', 'dist/'];
  const shown = paths.filter((path) => !folds.some((fold) => path.startsWith(fold))).map(printablePath);
  const folded = folds
    .map((fold) => ({ fold, count: paths.filter((path) => path.startsWith(fold)).length }))
    .filter(({ count }) => count > 0)
    .map(({ fold, count }) => `${fold} (${formatCountWithNoun(count, 'file')})`);
  return [...shown, ...folded];
}

/** `✓ ./petstore-mcp is up to date · 338 files · 90ms` */
function upToDateLine(dir: string, report: WriteReport, milliseconds: number, { stdout }: Host): string {
  const count = countFiles(report);
  return `${stdout.paint('green', '✓')} ${formatFolder(dir)} is up to date · ${count} · ${formatDuration(milliseconds)}\n`;
}

function describeStaleFiles(report: WriteReport, verbose: boolean): string {
  const { written, removed, edited, foreign, diffs } = report;
  const lines = [
    ...written.map((path) => `differs  ${printablePath(path)}`),
    ...edited.map((path) => `edited   ${printablePath(path)}`),
    ...foreign.map((path) => `foreign  ${printablePath(path)}`),
    ...removed.map((path) => `obsolete ${printablePath(path)}`),
  ];
  const list = lines.map((line) => `${line}\n`).join('');
  return `${list}${renderDiffs(diffs, verbose)}`;
}

function formatFolder(dir: string): string {
  const path = printablePath(dir);
  return /^(\.{0,2}\/|[A-Za-z]:|\.$|\.\.$)/.test(path) ? path : `./${path}`;
}

const counts = {
  written: 'is not what mcpgen would write.',
  edited: 'is generated, and was edited by hand.',
  foreign: 'is in the way: mcpgen did not write it.',
  removed: 'is no longer generated.',
} as const;

/**
 * Annotations of a pull request (GitHub Actions workflow commands), one line for each file that differs. `dir` is the project's
 * folder, relative to the repository.
 */
export function printStaleAnnotations(dir: string, report: WriteReport): string {
  const kinds = ['written', 'edited', 'foreign', 'removed'] as const;
  const lines = kinds.flatMap((kind) =>
    report[kind].map((path) => {
      const diff = report.diffs.find((diff) => diff.path === path)?.diff;
      return renderGithubAnnotation({
        code: registry['project-stale'].code,
        name: 'project-stale',
        severity: 'error',
        message: `${path} ${counts[kind]}`,
        file: posix.join(dir.replaceAll('\\', '/'), path),
        ...omitUndefined({ line: diff === undefined ? undefined : firstDifferingLine(diff) }),
      });
    }),
  );
  return lines.map((line) => `${line}\n`).join('');
}

/** Finds the number of the first line that differs, in the file on disk. */
function firstDifferingLine(diff: string): number {
  const [, line = '1'] = /^@@ -(\d+)/m.exec(diff) ?? [];
  return Math.max(1, Number(line));
}

/** Whether the project has dependencies, and no package was ever installed in its folder or above. */
function needsInstall(project: string): boolean {
  const dependencies = readJsonObject(join(project, 'package.json'))?.['dependencies'];
  const hasDependencies = isRecord(dependencies) && Object.keys(dependencies).length > 0;
  return (
    hasDependencies &&
    findAbove(project, (folder) => existsSync(join(folder, 'node_modules')) || undefined) === undefined
  );
}
