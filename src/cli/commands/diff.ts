import type { Flags } from '../../config/options/option-types.ts';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { DiffSide } from '../../api/diff.ts';
import type { Effect } from '../../diff/change-kinds.ts';
import type { SurfaceDiff } from '../../diff/surface-diff.ts';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { combinedOutcome, type ServerOutcome } from '../combined-outcome.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, exitCodeFor } from '../exit-code.ts';
import type { Host } from '../host.ts';
import { inspectedOptions, type InspectedOptions, inspectedServers } from '../inspected-options.ts';
import { isFolder } from '../is-folder.ts';
import { addOptions } from '../options.ts';
import type { Outcome } from '../outcome.ts';
import { outcomeWithoutSource } from '../outcome-without-source.ts';
import { placesFor } from '../places.ts';
import { startProgress } from '../progress.ts';
import { plural, visibleSource } from '../words.ts';

const EXAMPLES = `Examples:
  mcpgen diff old.yaml new.yaml
  mcpgen diff petstore-mcp                  shows what mcpgen generate would change
  mcpgen diff petstore-mcp new.yaml --fail-on breaking
  git show main:api.yaml | mcpgen diff - api.yaml --markdown
`;

export function addDiff(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('diff')
    .summary('compare what clients see in two versions')
    .description(
      'Compares the tools, resources and prompts of two documents, projects or models, and reports changes that break clients. For a folder, it reads the generated project; for a mcpgen.config.* file, it compiles. Writes nothing.',
    )
    .argument('<old>', 'document, file or glob of annotated functions, folder of a project, or model')
    .argument('[new]', 'as <old>; if absent, what the project <old> would become now')
    .addHelpText('before', EXAMPLES);
  addOptions(command, 'diff');
  command.action(async (old: string, now: string | undefined, flags: Flags) => {
    finish(await diffSources(old, now, flags, host), flags);
  });
}

async function diffSources(old: string, now: string | undefined, flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  if (now === undefined && !(await isFolder(old, host.cwd))) {
    diagnostics.report('invalid-usage', {
      problem: `${visibleSource(old)} is not a project, so a second source is needed to compare it with`,
      suggestion: '',
      command: 'mcpgen diff',
    });
    return outcomeWithoutSource(diagnostics);
  }
  if (now === undefined) return diffProjects(old, flags, host, diagnostics);
  const before = await sideOf(old, flags, host, diagnostics);
  const after = await sideOf(now, flags, host, diagnostics);
  if (before === undefined || after === undefined) return outcomeWithoutSource(diagnostics);
  return compare(before, after, now, flags, host);
}

/** Each project of a configuration, and what it compiles to now. */
async function diffProjects(
  dir: string,
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<Outcome> {
  const servers = await inspectedServers(dir, flags, host, diagnostics);
  if (servers === undefined) return outcomeWithoutSource(diagnostics);
  const outcomes: ServerOutcome[] = [];
  for (const read of servers) {
    const { server, options, diagnostics: found } = await read();
    const after = options && (await compiledWith(options, host, found));
    const outcome =
      after === undefined
        ? outcomeWithoutSource(found)
        : await compare({ project: (await projectOf(options)) ?? dir }, after, dir, flags, host);
    outcomes.push({ outcome, ...(server && { server }) });
  }
  return combinedOutcome(outcomes, host);
}

async function projectOf(options: InspectedOptions | undefined): Promise<string | undefined> {
  const { projectDir } = await import('../../api/compile.ts');
  return options && projectDir(options);
}

async function compare(
  before: DiffSide,
  after: DiffSide,
  subject: string,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const { diff } = await import('../../api/diff.ts');
  const progress = startProgress(subject, flags, host);
  try {
    const compared = await diff({
      before,
      after: 'compile' in after ? { compile: { ...after.compile, onStage: progress.onStage } } : after,
      cwd: host.cwd,
    });
    const outcome = {
      exitCode: exitCodeFor(compared.diagnostics),
      diagnostics: compared.diagnostics,
      places: await placesFor(compared.diagnostics, compared.texts),
    };
    if (compared.diff === undefined) return { ...outcome, result: null };
    return { ...outcome, ...(await described(compared.diff, flags, host)) };
  } finally {
    progress.done();
  }
}

async function described(
  found: SurfaceDiff,
  { markdown = false, failOn }: Flags,
  host: Host,
): Promise<Pick<Outcome, 'result' | 'document' | 'text'> & Partial<Outcome>> {
  const text = markdown
    ? (await import('../render-diff-markdown.ts')).renderMarkdown(found)
    : (await import('../render-diff.ts')).renderDiff(found, host.stdout.paint);
  const failed = failOn === undefined ? 0 : countOf(found, failOn);
  const said = { result: found, document: found, text };
  if (failed === 0) return said;
  const next = `  Ends with exit code 1: ${plural(failed, failOn === 'any' ? 'change' : 'breaking change')} (--fail-on ${failOn}).\n`;
  return { ...said, exitCode: EXIT.errors, next };
}

function countOf({ breaking, changes }: SurfaceDiff, what: Effect | 'any'): number {
  return what === 'any' ? changes.length : breaking;
}

/** A folder as it stands, a model as it was printed; anything else is compiled. */
async function sideOf(
  source: string,
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<DiffSide | undefined> {
  if (await isFolder(source, host.cwd)) return { project: source };
  const model = source.endsWith('.json') ? await modelIn(source, host.cwd) : undefined;
  return model ?? compiledSide(source, flags, host, diagnostics);
}

async function compiledSide(
  source: string,
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<DiffSide | undefined> {
  const options = await inspectedOptions(source, flags, host, diagnostics, 'a side of mcpgen diff');
  return options && compiledWith(options, host, diagnostics);
}

async function compiledWith(
  options: InspectedOptions,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<DiffSide | undefined> {
  if (options.dir === undefined) return { compile: options };
  const { lockedNames } = await import('../../project/locked-names.ts');
  const { readProject } = await import('../../project/existing-project.ts');
  const nameLock = await lockedNames(await readProject(options.dir, host.cwd), {}, diagnostics);
  return diagnostics.hasErrors ? undefined : { compile: { ...options, nameLock } };
}

/** A file that cannot be read is told of when it is compiled. */
async function modelIn(file: string, cwd: string): Promise<DiffSide | undefined> {
  const { parseModel } = await import('../../diff/read-surface.ts');
  try {
    const model = parseModel(readFileSync(resolve(cwd, file), 'utf8'));
    return model === undefined ? undefined : { model };
  } catch {
    return undefined;
  }
}
