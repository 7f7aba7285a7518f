/** All diagnostics of one run as a text: errors first, repeats cut short, infos summed up by code. */
import { type Diagnostic, messageOf } from '../diagnostic.ts';
import type { Severity } from '../severity.ts';
import { registry } from '../registry.ts';
import { renderAgent } from './agent.ts';
import { renderGithub } from './github.ts';
import type { Paint } from './paint.ts';
import type { Places } from './place.ts';
import { PrettyRenderer } from './pretty.ts';
import { toRecord } from './record.ts';
import { visible } from './visible.ts';

export type ReportFormat = 'pretty' | 'github' | 'agent';

export interface ReportOptions {
  format: ReportFormat;
  places: Places;
  paint: Paint;
  /** Show every diagnostic in full. */
  verbose?: boolean;
  /** Show errors only. */
  quiet?: boolean;
  /** How annotations name a file. Default: as the user did. */
  annotated?: (file: string) => string;
  /** A sentence after the count of problems. */
  closing?: string | undefined;
}

/** How many diagnostics of one code are shown in full, beside errors in code. */
const SHOWN_PER_CODE = 5;
const RANK: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** The report, ending in a line break; empty when there is nothing to say. */
export function renderReport(found: readonly Diagnostic[], options: ReportOptions): string {
  const told = options.quiet === true ? found.filter(({ severity }) => severity === 'error') : found;
  if (told.length === 0) return '';
  const ordered = bySeverity(told);
  const blocks = options.format === 'pretty' ? prettyBlocks(ordered, options) : lines(ordered, options);
  const summary = options.format === 'pretty' ? summarize(told, options.closing) : undefined;
  const separator = options.format === 'pretty' ? '\n\n' : '\n';
  return `${[...blocks, ...(summary === undefined ? [] : [summary])].join(separator)}\n`;
}

/** Errors, then warnings, then infos; within each as reported. */
function bySeverity(found: readonly Diagnostic[]): Diagnostic[] {
  return [...found].sort((a, b) => RANK[a.severity] - RANK[b.severity]);
}

function summarize(found: readonly Diagnostic[], closing: string | undefined): string | undefined {
  const sentences = [countSeverities(found), tellRaised(found), closing].filter((one) => one !== undefined);
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** `2 of them are warnings without --strict.` */
function tellRaised(found: readonly Diagnostic[]): string | undefined {
  const raised = found.filter(
    ({ name, severity }) => severity === 'error' && registry[name].severity === 'warning',
  );
  if (raised.length === 0) return undefined;
  return `${String(raised.length)} of them ${raised.length === 1 ? 'is a warning' : 'are warnings'} without --strict.`;
}

/** `Found 2 errors, 1 warning.`; infos are not problems and are not counted. */
function countSeverities(found: readonly Diagnostic[]): string | undefined {
  const counts = (['error', 'warning'] as const)
    .map((severity) => ({ severity, count: found.filter((one) => one.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}${count === 1 ? '' : 's'}`);
  return counts.length === 0 ? undefined : `Found ${counts.join(', ')}.`;
}

function lines(ordered: Diagnostic[], { format, places, annotated = String }: ReportOptions): string[] {
  const records = ordered.map((diagnostic) => toRecord(diagnostic, places));
  if (format !== 'github') return records.map(renderAgent);
  return records.map(({ file, ...record }) =>
    renderGithub(file === undefined ? record : { ...record, file: annotated(file) }),
  );
}

function prettyBlocks(ordered: Diagnostic[], { places, paint, verbose = false }: ReportOptions): string[] {
  const renderer = new PrettyRenderer(places, paint);
  const counts = new Map<string, number>();
  for (const each of ordered) counts.set(kindOf(each), (counts.get(kindOf(each)) ?? 0) + 1);
  const seen = new Map<string, number>();
  const blocks: string[] = [];
  const infos: string[] = [];
  for (const diagnostic of ordered) {
    const { severity } = diagnostic;
    const kind = kindOf(diagnostic);
    const nth = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, nth);
    const all = counts.get(kind) ?? 1;
    if (severity === 'info' && !verbose) {
      if (nth === 1) infos.push(infoLine(diagnostic, all, paint));
      continue;
    }
    const inFull = verbose || isOwnMistake(diagnostic);
    if (nth > SHOWN_PER_CODE && !inFull) continue;
    const block = renderer.render(diagnostic, { explain: nth === 1 });
    const cut = nth === SHOWN_PER_CODE && all > nth && !inFull;
    blocks.push(
      cut ? `${block}\n${paint('dim', `  … and ${all - nth} more like this; --verbose shows all`)}` : block,
    );
  }
  return infos.length === 0 ? blocks : [...blocks, infos.join('\n')];
}

/** Errors in code are for whoever runs this to mend, each at its place. */
function isOwnMistake({ severity, origin }: Diagnostic): boolean {
  return severity === 'error' && origin?.kind === 'code';
}

/** What is counted together: those of one code that may be cut short. */
function kindOf(diagnostic: Diagnostic): string {
  return isOwnMistake(diagnostic) ? `${diagnostic.code} in code` : diagnostic.code;
}

function infoLine(diagnostic: Diagnostic, count: number, paint: Paint): string {
  const { code, name } = diagnostic;
  const words = visible(messageOf(diagnostic));
  const many =
    count === 1 ? words : `${count} times, first: ${words} ${paint('dim', '(--verbose shows all)')}`;
  return `${paint('cyan', 'info')} ${paint('dim', code)} ${name}: ${many}`;
}
