import { existsSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import type { Flags } from '../../config/options/option-types.ts';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { CompileOptions } from '../../api/options.ts';
import { isDocument } from '../../config/options/sources.ts';
import type { OverlayDraft } from '../../api/overlay-draft.ts';
import { type Outcome, outcomeOfDiagnostics, outcomeWithoutSource } from '../outcome.ts';
import type { Host } from '../host.ts';
import { readServer, addLockedNames } from '../sources.ts';
import { withProgress } from '../progress.ts';
import { formatCountWithNoun, quoteShellWord, printablePath, printableSource } from '../words.ts';

export async function runOverlayInit(source: string, flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  const options = await readDocumentOptions(source, flags, host, diagnostics);
  if (options === undefined) return outcomeWithoutSource(diagnostics);
  const { draftOverlay } = await import('../../api/overlay-draft.ts');
  return withProgress(source, flags, host, async (onStage) => {
    const draft = await draftOverlay({ ...options, onStage });
    const { text, tools, elsewhere } = draft;
    const outcome = await outcomeOfDiagnostics(draft.diagnostics, draft.texts);
    if (text === undefined) return outcome;
    if (flags.output === '-') return { ...outcome, result: { overlay: text, tools }, text };
    const file = flags.output ?? overlayFileName(options.source, draft.name);
    const { isSaved, saveFileOrReport } = await import('../../write/index.ts');
    const [path, shown, { force = false }] = [resolve(host.cwd, file), printablePath(file), flags];
    if (!force && existsSync(path) && !(await isSaved(path, text)))
      diagnostics.report('draft-not-written', { file: shown, problem: 'the file exists' });
    else await saveFileOrReport(path, text, { force, shown, within: host.cwd }, diagnostics);
    if (diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
    return { ...outcome, result: { file, tools, elsewhere }, ...describeDraft(options, file, draft) };
  });
}

/** Options of a single document. A project's document has the tool names of the project. */
async function readDocumentOptions(
  source: string,
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<CompileOptions | undefined> {
  const run = { flags, host, diagnostics, command: 'mcpgen overlay init' };
  const options = await readServer([source], run);
  if (options === undefined) return undefined;
  const { sources, typescript } = options;
  // Names in the overlay would get a prefix twice.
  if (
    typescript !== undefined ||
    sources?.every((source) => isDocument(source) && source.prefix === undefined) === false ||
    (sources?.length ?? 1) > 1
  ) {
    const problem = `an overlay changes one document, but ${printableSource(source)} has other sources`;
    const suggestion = ' Name the document.';
    diagnostics.report('invalid-usage', { problem, suggestion, command: 'mcpgen overlay init' });
    return undefined;
  }
  return addLockedNames(options, host, diagnostics);
}

/** Names the overlay after the document, or after the server if the document is no file. */
function overlayFileName(source: string, name = 'api'): string {
  const isFile = source !== '-' && !/^https?:\/\//i.test(source);
  return `${isFile ? basename(source, extname(source)) : name}.overlay.yaml`;
}

function describeDraft(
  { source, dir, sources, overlays = [], cwd = '.' }: CompileOptions,
  file: string,
  { tools, elsewhere }: OverlayDraft,
): Pick<Outcome, 'text' | 'next'> {
  const path = printablePath(file);
  const rest =
    elsewhere.length === 0
      ? ''
      : `  Left out: ${formatCountWithNoun(elsewhere.length, 'tool')} with operations in other files, which an overlay cannot change.\n`;
  const namedOverlays = [
    ...overlays,
    ...(sources ?? []).filter(isDocument).flatMap((one) => one.overlays ?? []),
  ];
  const isNamed = namedOverlays.some((overlay) => resolve(cwd, overlay) === resolve(cwd, file));
  const compile =
    dir === undefined
      ? `compile with it: mcpgen openapi ${quoteShellWord(printableSource(source))} --overlay ${quoteShellWord(path)}`
      : `${isNamed ? '' : `name ${path} in "overlays" of the configuration, and `}run: mcpgen generate ${quoteShellWord(printablePath(dir))}`;
  return {
    text: `wrote ${path}: ${formatCountWithNoun(tools, 'tool')}\n`,
    next: `${rest}  Edit it, then ${compile}\n`,
  };
}
