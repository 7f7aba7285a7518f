import { messageOf } from '../diagnostic.ts';
import type { DiagnosticRecord, PlaceRecord } from './record.ts';
import { visible } from './visible.ts';

/** One line per diagnostic, for programs and models that read the output as text. */
export function renderAgent(record: DiagnosticRecord): string {
  const { code, name, severity, hint = '', pointer = '', related = [] } = record;
  const parts = [`${label(record)}${severity} ${code} ${name}: ${visible(messageOf(record))}`];
  if (pointer !== '') parts.push(`at #${visible(pointer)}`);
  parts.push(...related.map((other) => `see ${label(other)}${visible(other.message)}`));
  if (hint !== '') parts.push(`hint: ${visible(hint)}`);
  return parts.join(' | ');
}

function label({ file, line, column }: PlaceRecord): string {
  if (file === undefined) return '';
  return line === undefined ? `${visible(file)} ` : `${visible(file)}:${line}:${column ?? 1} `;
}
