/** Prints an outcome: the result on stdout and messages on stderr, or one JSON document on stdout. */
import { isAbsolute, relative, resolve, sep } from 'node:path';

import type { ReportOptions } from '../config/options/option-types.ts';
import { breakWorkflowCommands } from '../diagnostics/render/record.ts';
import { type ReportFormat, listRecords, renderReport } from '../diagnostics/render/report.ts';
import { renderJson } from '../diagnostics/render/terminal-text.ts';
import { listRunFiles } from '../diagnostics/running-code.ts';
import { omitUndefined } from '../util/collections.ts';
import type { Host } from './host.ts';
import type { JsonDocument } from './json-output.ts';
import { EXIT, type Outcome, addCodeTexts } from './outcome.ts';
import { renderShortenedEdits } from './render-edits.ts';
import { formatRunFile } from './words.ts';

export function writeOutcome(outcome: Outcome, flags: ReportOptions, host: Host): void {
  const bare = outcome.exitCode === EXIT.fine ? outcome.document : undefined;
  const { stdout, stderr } = host;
  const report = flags.json !== true || bare !== undefined ? renderDiagnostics(outcome, flags, host) : '';
  if (report !== '') stderr.write(report);
  if (flags.json === true) {
    stdout.write(renderJson(bare ?? jsonEnvelope(outcome, flags, host)));
    return;
  }
  const { annotations = '', edits = [], next } = outcome;
  if (annotations !== '') stdout.write(annotations);
  const text = `${outcome.text ?? ''}${renderShortenedEdits(edits, flags.verbose === true, report.split('\n').length - 1)}`;
  if (text !== '') stdout.write(withoutWorkflowCommands(text, host));
  if (next !== undefined && flags.quiet !== true) stderr.write(next);
}

function jsonEnvelope(
  { exitCode, diagnostics, places, result }: Outcome,
  { verbose = false }: ReportOptions,
  { cwd }: Host,
): Omit<JsonDocument, 'result'> & Pick<Outcome, 'result'> {
  const code = listRunFiles().map((file) => formatRunFile(file, cwd).replaceAll('\\', '/'));
  return {
    ok: exitCode === EXIT.fine,
    exitCode,
    diagnostics: listRecords(diagnostics, places, verbose),
    result: result ?? null,
    ...omitUndefined({ code: code.length === 0 ? undefined : code }),
  };
}

function renderDiagnostics(
  { diagnostics, places, closing }: Outcome,
  flags: ReportOptions,
  host: Host,
): string {
  const format = reportFormat(host.env);
  const report = renderReport(diagnostics, {
    format,
    places: addCodeTexts(places, diagnostics, host.cwd),
    paint: host.stderr.paint,
    verbose: flags.verbose === true,
    quiet: flags.quiet === true,
    annotated: (file) => toWorkspacePath(file, host),
    closing,
  });
  // Annotations are workflow commands, in which each text is escaped already.
  return format === 'github' ? report : withoutWorkflowCommands(report, host);
}

/** GitHub Actions runs commands in printed text, and the text of documents is not trusted. */
function withoutWorkflowCommands(text: string, { env }: Host): string {
  return env['GITHUB_ACTIONS'] === 'true' ? breakWorkflowCommands(text) : text;
}

/** Annotations on GitHub, else text for people. */
export function reportFormat(env: Host['env']): ReportFormat {
  return env['GITHUB_ACTIONS'] === 'true' ? 'github' : 'pretty';
}

/** Whether a person reads the report, and has not asked for all of it. */
export function isShortReport({ json, verbose }: ReportOptions, { env }: Host): boolean {
  return json !== true && verbose !== true && reportFormat(env) === 'pretty';
}

/** Reads `--json` from the arguments themselves, since parsing them may have failed. */
export function hasJsonFlag(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).includes('--json');
}

/** `file` relative to the repository (`GITHUB_WORKSPACE`), for annotations. URLs, `<stdin>` and files elsewhere stay as they are. */
export function toWorkspacePath(file: string, { cwd, env }: Pick<Host, 'cwd' | 'env'>): string {
  const root = env['GITHUB_WORKSPACE'] ?? '';
  if (root === '' || /^(?:<|[a-z][a-z+.-]+:)/i.test(file)) return file;
  const path = relative(root, resolve(cwd, file));
  if (isAbsolute(path) || path.split(sep)[0] === '..') return file;
  return sep === '/' ? path : path.replaceAll(sep, '/');
}
