/** Renders the diagnostics of a run: errors first, few of each code, infos as one line per code. */
import type { Diagnostic } from '../collector.ts';
import type { Severity } from '../define.ts';
import {
  type DiagnosticRecord,
  messageWithServer,
  renderGithubAnnotation,
  diagnosticToRecord,
} from './record.ts';
import { type Paint, escapeInvisible } from './terminal-text.ts';
import type { Places } from './place.ts';
import { PrettyRenderer } from './pretty.ts';

export type ReportFormat = 'pretty' | 'github';

export interface RenderOptions {
  format: ReportFormat;
  places: Places;
  paint: Paint;
  verbose?: boolean;
  quiet?: boolean;
  /** The path of a file in annotations. Default: as given. */
  annotated?: (file: string) => string;
  /** A sentence after the count of problems. */
  closing?: string | undefined;
}

const SHOWN_PER_CODE = 5;
const RANK: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** The report with a line break at the end; empty without diagnostics. */
export function renderReport(diagnostics: readonly Diagnostic[], options: RenderOptions): string {
  const { format, quiet = false, closing } = options;
  const shown = quiet ? diagnostics.filter(({ severity }) => severity === 'error') : diagnostics;
  if (shown.length === 0) return '';
  const ordered = [...shown].sort((a, b) => RANK[a.severity] - RANK[b.severity]);
  if (format === 'github') return `${renderAnnotations(ordered, options).join('\n')}\n`;
  const summary = [describeCounts(shown), describeRaisedWarnings(shown), closing].filter(
    (one) => one !== undefined,
  );
  const blocks = [...renderPrettyBlocks(ordered, options), summary.join(' ')];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** `2 of them are warnings without --strict.` */
function describeRaisedWarnings(diagnostics: readonly Diagnostic[]): string | undefined {
  const count = diagnostics.filter(({ raised }) => raised === true).length;
  if (count === 0) return undefined;
  return `${count} of them ${count === 1 ? 'is a warning' : 'are warnings'} without --strict.`;
}

/** `Found 2 errors, 1 warning.` */
function describeCounts(diagnostics: readonly Diagnostic[]): string | undefined {
  const counts = (['error', 'warning'] as const)
    .map((severity) => ({ severity, count: diagnostics.filter((one) => one.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}${count === 1 ? '' : 's'}`);
  return counts.length === 0 ? undefined : `Found ${counts.join(', ')}.`;
}

/** Most records of one kind that are listed: a large document has thousands, most of them alike. */
const RECORDS_PER_CODE = 100;

/** In the order found; of each kind the first 100, unless `verbose`. */
export function listRecords(
  diagnostics: readonly Diagnostic[],
  places: Places,
  verbose: boolean,
): DiagnosticRecord[] {
  const counts = countDiagnosticGroups(diagnostics);
  const seen = new Map<string, number>();
  return diagnostics.flatMap((diagnostic) => {
    if (verbose || isErrorInCode(diagnostic)) return [diagnosticToRecord(diagnostic, places)];
    const kind = makeGroupKey(diagnostic);
    const nth = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, nth);
    if (nth > RECORDS_PER_CODE) return [];
    const record = diagnosticToRecord(diagnostic, places);
    const more = (counts.get(kind) ?? 0) - nth;
    return [nth === RECORDS_PER_CODE && more > 0 ? { ...record, more } : record];
  });
}

function countDiagnosticGroups(diagnostics: readonly Diagnostic[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const diagnostic of diagnostics)
    counts.set(makeGroupKey(diagnostic), (counts.get(makeGroupKey(diagnostic)) ?? 0) + 1);
  return counts;
}

function renderAnnotations(
  ordered: Diagnostic[],
  { places, annotated = String, verbose = false }: RenderOptions,
): string[] {
  return listRecords(ordered, places, verbose).map(({ file, ...record }) =>
    renderGithubAnnotation(file === undefined ? record : { ...record, file: annotated(file) }),
  );
}

function renderPrettyBlocks(
  ordered: Diagnostic[],
  { places, paint, verbose = false }: RenderOptions,
): string[] {
  const renderer = new PrettyRenderer(places, paint);
  const counts = countDiagnosticGroups(ordered);
  const seen = new Map<string, number>();
  const blocks: string[] = [];
  const infos: string[] = [];
  for (const diagnostic of ordered) {
    const { severity } = diagnostic;
    const kind = makeGroupKey(diagnostic);
    const nth = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, nth);
    const all = counts.get(kind) ?? 1;
    if (severity === 'info' && !verbose) {
      if (nth === 1) infos.push(renderInfoLine(diagnostic, all, paint));
      continue;
    }
    const inFull = verbose || isErrorInCode(diagnostic);
    if (nth > SHOWN_PER_CODE && !inFull) continue;
    const block = renderer.render(diagnostic, { explain: nth === 1 });
    const cut = nth === SHOWN_PER_CODE && all > nth && !inFull;
    blocks.push(
      cut ? `${block}\n${paint('dim', `  … and ${all - nth} more like this; --verbose shows all`)}` : block,
    );
  }
  return infos.length === 0 ? blocks : [...blocks, infos.join('\n')];
}

/** Errors in code are all shown, since the user has to fix each. */
function isErrorInCode({ severity, origin }: Diagnostic): boolean {
  return severity === 'error' && origin?.kind === 'code';
}

function makeGroupKey(diagnostic: Diagnostic): string {
  return isErrorInCode(diagnostic) ? `${diagnostic.code} in code` : diagnostic.code;
}

function renderInfoLine(diagnostic: Diagnostic, count: number, paint: Paint): string {
  const { code, name } = diagnostic;
  const text = escapeInvisible(messageWithServer(diagnostic));
  const many = count === 1 ? text : `${count} times, first: ${text} ${paint('dim', '(--verbose shows all)')}`;
  return `${paint('cyan', 'info')} ${paint('dim', code)} ${name}: ${many}`;
}
