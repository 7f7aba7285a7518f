import type { Flags } from '../../config/options/option-types.ts';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { type Outcome, outcomeWithoutSource, successOutcome } from '../outcome.ts';
import type { Host } from '../host.ts';
import { resolve } from 'node:path';
import { findConfig } from '../../config/load/find-config.ts';
import type { PreviewSource, PreviewedServer } from '../../preview/source.ts';
import { omitUndefined } from '../../util/collections.ts';
import { makeConfigRun, readSendingConsent } from '../compile-options.ts';
import { isCodeFile } from '../source-kind.ts';
import { type SourceRun, isProject, listServers } from '../sources.ts';

export async function runPreview(sources: [string, ...string[]], flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  const source = await makePreviewSource(sources, flags, host, diagnostics);
  // A configuration that is missing or wrong ends the command; what compiling finds is shown on the page.
  if (source === undefined || (await source.read({ diagnostics })) === undefined)
    return outcomeWithoutSource(diagnostics);
  const { startPreview } = await import('../../preview/preview.ts');
  const { env, signal } = host;
  const printError = (thrown: unknown): void =>
    host.stderr.write(`${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`);
  const consent = readSendingConsent(flags, host);
  const started = await startPreview(source, { env, consent, signal, report: printError });
  host.stdout.write(`${started.address}\n`);
  if (flags.quiet !== true)
    host.stderr.write('  The address works once, in one tab. Ctrl-C ends the page.\n');
  await started.done;
  await started.close();
  return successOutcome(null);
}

/** Reads the source to preview; `undefined` after wrong usage. */
export async function makePreviewSource(
  sources: readonly [string, ...string[]],
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<PreviewSource | undefined> {
  const { cwd } = host;
  const [source] = sources;
  const command = 'mcpgen preview';
  if (source === '-') {
    const problem = 'standard input is read once, and a preview compiles again after each change';
    diagnostics.report('invalid-usage', { problem, suggestion: ' Name a file.', command });
    return undefined;
  }
  const read: PreviewSource['read'] = async (run) => {
    const servers = await listServers(sources, { flags, host, command, ...run } satisfies SourceRun);
    if (servers === undefined) return undefined;
    const previewedServers: PreviewedServer[] = [];
    for (const readOptions of servers) previewedServers.push(await readOptions());
    return previewedServers;
  };
  if (await isProject(source, host)) {
    const { dir, names } = findConfig(source, cwd);
    return {
      ...{ cwd, folder: resolve(cwd, dir), read },
      ...omitUndefined({ config: names[0] }),
      readConfig: async (server, readDiagnostics) => {
        const { readSingleServer } = await import('../../config/load/read-config.ts');
        return readSingleServer(source, { ...makeConfigRun(flags, host, readDiagnostics), server }, command);
      },
    };
  }
  const { reportMissingSource } = await import('../../api/missing-sources.ts');
  const input = sources.every(isCodeFile) ? { typescript: [...sources] } : { openapi: source };
  await reportMissingSource(input, host, diagnostics);
  return diagnostics.hasErrors ? undefined : { cwd, folder: resolve(cwd), read };
}
