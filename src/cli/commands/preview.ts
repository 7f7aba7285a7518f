import type { Flags } from '../../config/options/option-types.ts';
import { type Outcome, outcomeWithoutSource, successOutcome, loadDiagnosticCollector } from '../outcome.ts';
import type { Host } from '../host.ts';

export async function runPreview(sources: [string, ...string[]], flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = await loadDiagnosticCollector();
  const { previewSource } = await import('../preview-source.ts');
  const source = await previewSource(sources, flags, host, diagnostics);
  // A configuration that is missing or wrong ends the command; what compiling finds is shown on the page.
  if (source === undefined || (await source.read({ diagnostics })) === undefined)
    return outcomeWithoutSource(diagnostics);
  const { startPreview } = await import('../../preview/preview.ts');
  const { previewPort: port, previewReadOnly: readOnly = false, noOpen = false, quiet = false } = flags;
  const { env, signal } = host;
  const printError = (thrown: unknown): void =>
    host.stderr.write(`${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`);
  const { readSendingConsent } = await import('../compile-options.ts');
  const consent = readSendingConsent(flags, host);
  const settings = { port, readOnly, env, consent, signal, report: printError };
  const started = await startPreview(source, settings).catch((thrown: unknown) => {
    const because = describePortError(thrown);
    if (because === undefined) throw thrown;
    diagnostics.report('invalid-option', {
      option: '--port',
      value: String(port),
      expected: `${because} Give another port, or none for a free one.`,
    });
  });
  if (started === undefined) return outcomeWithoutSource(diagnostics);
  host.stdout.write(`${started.address}\n`);
  if (!quiet) host.stderr.write('  The address works once, in one tab. Ctrl-C ends the page.\n');
  if (!noOpen) {
    const { openBrowser } = await import('../open-browser.ts');
    openBrowser(started.address, env, host.cwd);
  }
  await started.done;
  await started.close();
  return successOutcome(null);
}

/** Says why the port can't be used; `undefined` for other errors. */
function describePortError(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error && 'code' in thrown)) return undefined;
  if (thrown.code === 'EADDRINUSE') return 'Another program uses it.';
  return thrown.code === 'EACCES' ? 'The system does not let you use it.' : undefined;
}
