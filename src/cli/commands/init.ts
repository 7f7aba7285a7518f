import type { Flags } from '../../config/options/option-types.ts';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeFault } from '../../config/options/shape.ts';
import { checkConfig, isFaulty } from '../../config/options/parse-config.ts';
import { findConfig } from '../../config/load/find-config.ts';
import {
  type RememberedOptions,
  printCodeConfig,
  printProjectConfig,
} from '../../config/options/make-config.ts';
import {
  type ConfigSource,
  type SourceInput,
  isDocument,
  listSourceFiles,
  sourceName,
} from '../../config/options/sources.ts';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { DEFAULT_FEATURES } from '../../model/features.ts';
import { omitUndefined } from '../../util/collections.ts';
import { type Outcome, outcomeWithoutSource, successOutcome } from '../outcome.ts';
import type { Host } from '../host.ts';
import { pickRunOptions } from '../compile-options.ts';
import { isCodeFile } from '../source-kind.ts';
import { printablePath, quoteShellWord } from '../words.ts';

/** Usual names of OpenAPI documents, in the order in which they are looked for. */
const USUAL = ['openapi', 'swagger', 'api'].flatMap((name) =>
  ['yaml', 'yml', 'json'].map((end) => `${name}.${end}`),
);

export async function runInit(sourceArguments: string[], flags: Flags, host: Host): Promise<Outcome> {
  const { cwd } = host;
  const diagnostics = new DiagnosticCollector();
  const { format = 'json', name, surface, auth } = flags;
  const [existing] = listConfigs('.', cwd);
  // The same run may have written a configuration in code before it was killed.
  if (existing !== undefined && (format === 'json' || existing !== `mcpgen.config.${format}`)) {
    diagnostics.report('config-exists', { file: existing });
    return outcomeWithoutSource(diagnostics);
  }
  const usual = USUAL.filter((name) => existsSync(resolve(cwd, name))).slice(0, 1);
  const sources = makeSourceInputs(sourceArguments.length > 0 ? sourceArguments : usual, flags);
  const features = flags.features && [...DEFAULT_FEATURES, ...flags.features];
  const settings = omitUndefined({ name, surface, auth, features });
  if (sources.length === 0) diagnostics.report('nothing-to-configure', {});
  else reportUnusableSources({ sources, ...settings }, flags, diagnostics);
  if (!diagnostics.hasErrors) await reportMissingSources(sources, flags, host, diagnostics);
  if (diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
  const output = name?.replace(/^@[^/]*\//, '') ?? (await deriveProjectFolder(sources, flags, host));
  const dir = format === 'json' ? output : '.';
  const [file = join(dir, `mcpgen.config.${format}`)] = listConfigs(dir, cwd);
  const { isSaved, saveFileOrReport } = await import('../../write/index.ts');
  const text =
    format === 'json'
      ? printProjectConfig({ cwd, ...nameSources(sources), ...settings }, dir)
      : printCodeConfig(sources, output, settings);
  if (existsSync(resolve(cwd, file)) && !(await isSaved(resolve(cwd, file), text))) {
    diagnostics.report('config-exists', { file });
    return outcomeWithoutSource(diagnostics);
  }
  await saveFileOrReport(resolve(cwd, file), text, { force: false, shown: file, within: cwd }, diagnostics);
  if (diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
  const done = successOutcome(
    { file, sources, ...settings },
    `wrote ${file}\n`,
    `  Next: mcpgen generate${dir === '.' ? '' : ` ${quoteShellWord(printablePath(dir))}`}\n`,
  );
  return { ...done, diagnostics: diagnostics.found };
}

/** One document or functions alone are named as by a command without a configuration. */
function nameSources(sources: SourceInput[]): Omit<RememberedOptions, 'cwd'> {
  const [only, other] = sources;
  if (only === undefined || other !== undefined) return { source: '', sources };
  if (!isDocument(only)) return { source: '', typescript: { files: listSourceFiles(only) } };
  const { openapi, ...options } = only;
  return { source: openapi, ...options };
}

function listConfigs(dir: string, cwd: string): string[] {
  return findConfig(dir, cwd).names.map((name) => join(dir, name));
}

/** Names the folder as a command without a configuration does. An unread source has no name. */
async function deriveProjectFolder(sources: SourceInput[], flags: Flags, host: Host): Promise<string> {
  const { resolveProjectDir } = await import('../../api/compile.ts');
  const source = sources.map(sourceName).join(', ');
  return (await resolveProjectDir({ ...pickRunOptions(host, flags), source, sources })) ?? 'mcp-server';
}

function reportUnusableSources(
  config: { sources: ConfigSource[] },
  { include, exclude }: Flags,
  diagnostics: DiagnosticCollector,
): void {
  const reportInvalidUsage = (problem: string): void =>
    void diagnostics.report('invalid-usage', { problem, suggestion: '', command: 'mcpgen init' });
  if ((include ?? exclude) !== undefined && !config.sources.some(isDocument))
    reportInvalidUsage('--include and --exclude select operations of a document, and no source is one');
  const checked = checkConfig(config);
  if (isFaulty(checked)) for (const fault of checked.faults) reportInvalidUsage(describeFault(fault));
}

/** Only these problems are reported now: compiling reports the others, once all settings are written. */
const ABSENT: readonly string[] = ['nothing-selected', 'selector-matches-nothing'];

/** Reports sources that do not exist, and selectors that match nothing. */
async function reportMissingSources(
  sources: SourceInput[],
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  const { reportMissingSource } = await import('../../api/missing-sources.ts');
  for (const source of sources) await reportMissingSource(source, host, diagnostics);
  if (diagnostics.hasErrors || (flags.include ?? flags.exclude) === undefined) return;
  const { inspect } = await import('../../api/inspect.ts');
  const source = sources.map(sourceName).join(', ');
  const inspection = await inspect({ ...pickRunOptions(host, flags), source, sources });
  for (const diagnostic of inspection.diagnostics)
    if (ABSENT.includes(diagnostic.name)) diagnostics.add(diagnostic);
}

/** All files of functions are one source. */
function makeSourceInputs(
  sourceArguments: readonly string[],
  { include, exclude }: Pick<Flags, 'include' | 'exclude'>,
): SourceInput[] {
  const code = sourceArguments.filter(isCodeFile);
  const documents = sourceArguments
    .filter((source) => !isCodeFile(source))
    .map((openapi) => omitUndefined({ openapi, include, exclude }));
  return code.length === 0 ? documents : [...documents, { typescript: code }];
}
