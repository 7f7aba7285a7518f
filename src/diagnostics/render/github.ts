/** GitHub Actions workflow commands: each diagnostic becomes an annotation on its line. */
import { messageOf } from '../diagnostic.ts';
import type { Severity } from '../severity.ts';
import type { DiagnosticRecord } from './record.ts';
import { visibleLines } from './visible.ts';

const COMMANDS: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'notice' };

export function renderGithub(record: DiagnosticRecord): string {
  const properties = [
    property('file', record.file),
    property('line', record.line),
    property('col', record.column),
    property('title', `${record.code} ${record.name}`),
  ].filter((part) => part !== undefined);
  const message = messageOf(record);
  const words = record.hint === undefined ? message : `${message}\n${record.hint}`;
  return `::${COMMANDS[record.severity]} ${properties.join(',')}::${escapeData(visibleLines(words, ''))}`;
}

function property(name: string, value: string | number | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = escapeData(visibleLines(String(value), ''));
  return `${name}=${text.replaceAll(':', '%3A').replaceAll(',', '%2C')}`;
}

/**
 * Text of a document, so that GitHub Actions runs no command in it: a line that begins with `::`, or `##[` anywhere in one.
 * The runner cuts blanks off a line before it looks.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n]*:)(?=:)/gm, '$1 ').replaceAll('##[', '## [');
}

/** A raw line break would end the command and let document text start another. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
