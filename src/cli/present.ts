/** Prints an outcome: the result on stdout and messages on stderr, or one JSON document on stdout. */
import type { ReportOptions } from '../config/options/option-types.ts';
import { withoutCommands } from '../diagnostics/render/github.ts';
import { renderJson } from '../diagnostics/render/json.ts';
import { toRecord } from '../diagnostics/render/record.ts';
import { renderReport } from '../diagnostics/render/report.ts';
import { filesRun } from '../diagnostics/running-code.ts';
import { definedMembers } from '../util/defined-members.ts';
import { EXIT } from './exit-code.ts';
import type { Host } from './host.ts';
import type { JsonDocument } from './json-output.ts';
import type { Outcome } from './outcome.ts';
import { withCode } from './places.ts';
import { runFile } from './words.ts';
import { reportFormat } from './report-format.ts';
import { workspacePath } from './workspace-path.ts';

export function present(outcome: Outcome, flags: ReportOptions, host: Host): void {
  const bare = outcome.exitCode === EXIT.fine ? outcome.document : undefined;
  if (flags.json !== true || bare !== undefined) presentDiagnostics(outcome, flags, host);
  if (flags.json === true) {
    host.stdout.write(renderJson(bare ?? envelope(outcome, host)));
    return;
  }
  if (outcome.annotations !== undefined) host.stdout.write(outcome.annotations);
  if (outcome.text !== undefined) host.stdout.write(inert(outcome.text, host));
  if (outcome.next !== undefined && flags.quiet !== true) host.stderr.write(outcome.next);
}

/** The document `--json` prints. */
function envelope(
  { exitCode, diagnostics, places, result }: Outcome,
  { cwd }: Host,
): Omit<JsonDocument, 'result'> & Pick<Outcome, 'result'> {
  const code = filesRun().map((file) => runFile(file, cwd).replaceAll('\\', '/'));
  return {
    ok: exitCode === EXIT.fine,
    exitCode,
    diagnostics: diagnostics.map((diagnostic) => toRecord(diagnostic, places)),
    result: result ?? null,
    ...definedMembers({ code: code.length === 0 ? undefined : code }),
  };
}

function presentDiagnostics(
  { diagnostics, places, closing }: Outcome,
  flags: ReportOptions,
  host: Host,
): void {
  const format = reportFormat(host.env);
  const report = renderReport(diagnostics, {
    format,
    places: withCode(places, diagnostics, host.cwd),
    paint: host.stderr.paint,
    verbose: flags.verbose === true,
    quiet: flags.quiet === true,
    annotated: (file) => workspacePath(file, host),
    closing,
  });
  // Annotations are workflow commands, in which each text is escaped already.
  if (report !== '') host.stderr.write(format === 'github' ? report : inert(report, host));
}

/** GitHub Actions runs commands in printed text, and the text of documents is not trusted. */
function inert(text: string, { env }: Host): string {
  return env['GITHUB_ACTIONS'] === 'true' ? withoutCommands(text) : text;
}
