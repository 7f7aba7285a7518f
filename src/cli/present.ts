/** Prints an outcome: the result on stdout and messages on stderr, or one JSON document on stdout. */
import { isAbsolute, relative, resolve, sep } from 'node:path';

import type { ReportOptions } from '../config/options/option-types.ts';
import { breakWorkflowCommands } from '../diagnostics/render/record.ts';
import { type ReportFormat, listRecords, renderReport } from '../diagnostics/render/report.ts';
import { renderJsonPieces } from '../diagnostics/render/terminal-text.ts';
import { listRunFiles } from '../diagnostics/running-code.ts';
import { omitUndefined } from '../util/collections.ts';
import type { Host, Output } from './host.ts';
import type { JsonDocument } from './json-output.ts';
import { EXIT, type Outcome, addCodeTexts } from './outcome.ts';
import { renderShortenedEdits } from './render-edits.ts';
import { formatRunFile } from './words.ts';

export function writeOutcome(outcome: Outcome, flags: ReportOptions, host: Host): void {
  for (const { output, text } of listOutcomeParts(outcome, flags, host)) output.write(text);
}

/**
 * Waits until the reader has taken each part, so that a long document is not kept in memory. Resolves to false if Ctrl-C
 * ended it: only a document of a command that changes nothing is cut short.
 */
export async function writeOutcomeInParts(
  outcome: Outcome,
  flags: ReportOptions,
  host: Host,
): Promise<boolean> {
  const isDocument = flags.json === true && outcome.document !== undefined;
  for (const part of listOutcomeParts(outcome, flags, host)) {
    if (isDocument && host.signal.aborted) return false;
    const isOpen = await writePart(part);
    // `mcpgen inspect … --json | head`
    if (isDocument && !isOpen) break;
  }
  return true;
}

/** Writes one part. Resolves to false if the reader has closed the output. */
function writePart({ output, text }: Part): Promise<boolean> {
  return new Promise((resolve) => {
    output.write(text, (error) => {
      resolve(!error);
    });
  });
}

interface Part {
  output: Output;
  text: string;
}

function* listOutcomeParts(outcome: Outcome, flags: ReportOptions, host: Host): Generator<Part> {
  const bare = outcome.exitCode === EXIT.fine ? outcome.document : undefined;
  const { stdout, stderr } = host;
  const report = flags.json !== true || bare !== undefined ? renderDiagnostics(outcome, flags, host) : '';
  if (report !== '') yield { output: stderr, text: report };
  if (flags.json === true) {
    for (const text of joinIntoChunks(renderJsonPieces(bare ?? jsonEnvelope(outcome, flags, host))))
      yield { output: stdout, text };
    return;
  }
  if (outcome.annotations !== undefined) yield { output: stdout, text: outcome.annotations };
  const edits = renderShortenedEdits(outcome.edits ?? [], flags.verbose === true, countLines(report));
  const text = `${outcome.text ?? ''}${edits}`;
  if (text !== '') yield { output: stdout, text: withoutWorkflowCommands(text, host) };
  if (outcome.next !== undefined && flags.quiet !== true) yield { output: stderr, text: outcome.next };
}

/** Number of characters that one write has at most. */
const CHUNK = 64 * 1024;

function* joinIntoChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
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

/** Counts the lines of a text that ends in a line break. */
function countLines(text: string): number {
  return text.split('\n').length - 1;
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

/** Chooses the format: `MCPGEN_FORMAT`, else annotations on GitHub, else text for people. */
export function reportFormat(env: Host['env']): ReportFormat {
  const format = env['MCPGEN_FORMAT'];
  if (isReportFormat(format)) return format;
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

export function isReportFormat(value: unknown): value is ReportFormat {
  return value === 'pretty' || value === 'github' || value === 'agent';
}

/** `file` relative to the repository (`GITHUB_WORKSPACE`), for annotations. URLs, `<stdin>` and files elsewhere stay as they are. */
export function toWorkspacePath(file: string, { cwd, env }: Pick<Host, 'cwd' | 'env'>): string {
  const root = env['GITHUB_WORKSPACE'] ?? '';
  if (root === '' || /^(?:<|[a-z][a-z+.-]+:)/i.test(file)) return file;
  const path = relative(root, resolve(cwd, file));
  if (isAbsolute(path) || path.split(sep)[0] === '..') return file;
  return sep === '/' ? path : path.replaceAll(sep, '/');
}
