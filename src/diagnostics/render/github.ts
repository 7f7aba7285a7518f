import { messageOf } from '../diagnostic.ts';
import type { Severity } from '../severity.ts';
import type { DiagnosticRecord } from './record.ts';
import { visibleLines } from './visible.ts';

const COMMANDS: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'notice' };

/** A workflow command of GitHub Actions, which annotates the line of the diagnostic. */
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

/** Breaks workflow commands of GitHub Actions in a text: lines that begin with `::`, after blanks too, and `##[` anywhere. */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n]*:)(?=:)/gm, '$1 ').replaceAll('##[', '## [');
}

/** An unescaped line break would end the command, and the text after it could begin another one. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
