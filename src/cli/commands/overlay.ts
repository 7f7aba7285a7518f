import type { Flags } from '../../config/options/option-types.ts';
import { basename, extname, resolve } from 'node:path';
import type { Command } from 'commander';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { CompileOptions } from '../../api/compile.ts';
import { isDocument, type SourceInput } from '../../config/options/sources.ts';
import type { OverlayDraft } from '../../api/overlay-draft.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodeFor } from '../exit-code.ts';
import type { Host } from '../host.ts';
import { inspectedOptions } from '../inspected-options.ts';
import { addHelpOption, addOptions } from '../options.ts';
import type { Outcome } from '../outcome.ts';
import { outcomeWithoutSource } from '../outcome-without-source.ts';
import { placesFor } from '../places.ts';
import { startProgress } from '../progress.ts';
import { plural, shellWord, visiblePath, visibleSource } from '../words.ts';

const EXAMPLES = `Examples:
  mcpgen overlay init petstore.yaml
  mcpgen overlay init petstore.yaml -o names.overlay.yaml
  mcpgen openapi petstore.yaml --overlay petstore.overlay.yaml
`;

export function addOverlay(program: Command, context: CommandContext): void {
  const command = program
    .command('overlay')
    .summary('write an OpenAPI Overlay with all tool names and descriptions')
    .description(
      'OpenAPI Overlays hold changes to a document in a separate file. mcpgen openapi applies them with --overlay.',
    )
    .helpCommand(false)
    .addHelpText('before', EXAMPLES);
  addInit(command, context);
  addHelpOption(command);
}

function addInit(overlay: Command, { host, finish }: CommandContext): void {
  const command = overlay
    .command('init')
    .summary('write a first overlay')
    .description(
      'Writes an overlay with the name, title and description of each tool of a document, ready to edit. Unedited, it changes nothing.',
    )
    .argument(
      '<source>',
      'OpenAPI document: file, http(s) URL, or - for standard input; or a project folder, which supplies the tool names',
    )
    .addHelpText('before', EXAMPLES);
  addOptions(command, 'overlay init');
  command.action(async (source: string, flags: Flags) => {
    finish(await init(source, flags, host), flags);
  });
}

async function init(source: string, flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  const options = await documentOptions(source, flags, host, diagnostics);
  if (options === undefined) return outcomeWithoutSource(diagnostics);
  const { draftOverlay } = await import('../../api/overlay-draft.ts');
  const progress = startProgress(source, flags, host);
  try {
    const into = (name?: string): string => flags.overlayFile ?? fileFor(options.source, name);
    const draft = await draftOverlay({ ...options, onStage: progress.onStage }, into);
    const { diagnostics: found, texts, text } = draft;
    const places = await placesFor(found, texts);
    const outcome = { exitCode: exitCodeFor(found), diagnostics: found, places };
    if (text === undefined) return { ...outcome, result: null };
    if (flags.overlayFile === '-') return { ...outcome, result: { overlay: text, tools: draft.tools }, text };
    const file = into(draft.name);
    const problem = await save(resolve(host.cwd, file), text, flags.force ?? false);
    if (problem !== undefined) return refused(file, problem);
    return {
      ...outcome,
      result: { file, tools: draft.tools, elsewhere: draft.elsewhere, kept: draft.kept },
      ...said(options, file, draft),
    };
  } finally {
    progress.done();
  }
}

/** A project's document is called as the project calls it, names of its lock included. */
async function documentOptions(
  source: string,
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<CompileOptions | undefined> {
  const options = await inspectedOptions(source, flags, host, diagnostics, 'mcpgen overlay init');
  if (options === undefined) return undefined;
  const { sources, typescript, dir } = options;
  if (typescript !== undefined || sources?.every(isBare) === false || (sources?.length ?? 1) > 1) {
    const problem = `an overlay changes one document, but ${visibleSource(source)} has other sources`;
    const suggestion = ' Name the document.';
    diagnostics.report('invalid-usage', { problem, suggestion, command: 'mcpgen overlay init' });
    return undefined;
  }
  if (dir === undefined) return options;
  const { lockedNames } = await import('../../project/locked-names.ts');
  const { readProject } = await import('../../project/existing-project.ts');
  const nameLock = await lockedNames(await readProject(dir, host.cwd), {}, diagnostics);
  return diagnostics.hasErrors ? undefined : { ...options, nameLock };
}

/** A prefix would be put before the names that have it already. */
function isBare(source: SourceInput): boolean {
  return isDocument(source) && source.prefix === undefined;
}

/** Beside other files of the API, by the document's name; by the server's where it has none. */
function fileFor(source: string, name = 'api'): string {
  const isFile = source !== '-' && !/^https?:\/\//i.test(source);
  return `${isFile ? basename(source, extname(source)) : name}.overlay.yaml`;
}

/** What is wrong, as a clause. */
async function save(path: string, text: string, force: boolean): Promise<string | undefined> {
  const { saveFile } = await import('../../write/index.ts');
  try {
    await saveFile(path, text, { force });
    return undefined;
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (isThere) return 'the file exists';
    return error instanceof Error ? error.message : String(error);
  }
}

function refused(file: string, problem: string): Outcome {
  const diagnostics = new DiagnosticCollector();
  diagnostics.report('overlay-not-written', { file: visiblePath(file), problem });
  return outcomeWithoutSource(diagnostics);
}

function said(
  { source, dir }: CompileOptions,
  file: string,
  { tools, elsewhere, kept }: OverlayDraft,
): Pick<Outcome, 'text' | 'next'> {
  const path = visiblePath(file);
  const stays = kept.length === 0 ? '' : `  Kept: ${plural(kept.length, 'action')} that you wrote.\n`;
  const rest =
    elsewhere.length === 0
      ? ''
      : `  Left out: ${plural(elsewhere.length, 'tool')} with operations in other files, which an overlay cannot change.\n`;
  const compile =
    dir === undefined
      ? `compile with it: mcpgen openapi ${shellWord(visibleSource(source))} --overlay ${shellWord(path)}`
      : `add it to "overlays" in the configuration and run: mcpgen generate ${shellWord(visiblePath(dir))}`;
  return {
    text: `wrote ${path}: ${plural(tools, 'tool')}\n`,
    next: `${stays}${rest}  Edit it, then ${compile}\n`,
  };
}
