import type { DiagnosticName, ParametersOf } from '../../../diagnostics/registry.ts';
import type { Origin } from '../../../model/origin.ts';
import { toLineColumn } from '../../../util/text-lines.ts';
import type { Report } from '../report.ts';
import type { DuplicateKey } from './text-faults.ts';

/** The entry document's failure is reported under its own name; behind a reference it becomes `ref-unreadable`. */
export interface LoadFailure {
  failed: true;
  /** A clause for a sentence, without a full stop: `it is empty`. */
  reason: string;
  report: (report: Report, at?: Origin) => void;
}

export function loadFailure<N extends DiagnosticName>(
  name: N,
  parameters: ParametersOf<N>,
  reason: string,
  place?: Origin,
): LoadFailure {
  return {
    failed: true,
    reason,
    report: (report, at) => {
      report(name, parameters, { at: place ?? at });
    },
  };
}

export function isLoadFailure(value: object): value is LoadFailure {
  return 'failed' in value;
}

export function tooDeepFailure(source: string, limit: number): LoadFailure {
  const reason = `it nests deeper than ${limit} levels`;
  return loadFailure('source-unreadable', { source, reason }, reason);
}

export function syntaxFailure(
  parameters: ParametersOf<'invalid-syntax'>,
  text: string,
  offset = 0,
): LoadFailure {
  const { source: file, format, problem } = parameters;
  const place: Origin = { kind: 'code', file, ...toLineColumn(text, offset) };
  return loadFailure('invalid-syntax', parameters, `it is not valid ${format}: ${problem}`, place);
}

export interface ParsedText {
  value: unknown;
  format: 'json' | 'yaml';
  /** The repaired text has the same lines. */
  text?: string;
  /** Number of YAML aliases. If any, the value is no tree and can be far larger than the text. */
  aliases?: number;
  /** Keys that a mapping repeats; the last value wins. */
  duplicateKeys?: DuplicateKey[];
}
