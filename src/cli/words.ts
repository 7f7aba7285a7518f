import { isAbsolute, join, relative } from 'node:path';

import { type Paint, displayWidth, escapeInvisible } from '../diagnostics/render/terminal-text.ts';
import { removeSecretPartsOfUrl } from '../model/without-credentials.ts';

export { quoteShellWord } from '../diagnostics/quoting.ts';

/** `1 tool`, `12 tools`, `1,223 tools`. */
export function formatCountWithNoun(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `13 tools`; with a search surface `1,206 tools, 5 listed`. */
export function formatToolCount(tools: number, { listed }: { listed: number }): string {
  const count = formatCountWithNoun(tools, 'tool');
  return listed === tools ? count : `${count}, ${formatCount(listed)} listed`;
}

/** Separates thousands by commas, whatever the locale. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `310ms`, `4.2s`. */
export function formatDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)}ms` : `${(milliseconds / 1000).toFixed(1)}s`;
}

/** Names the variables that a server needs before its first call. */
export function baseUrlHint(names: readonly string[], dir: string): string {
  const lines = names.map((name) => `${name}=<URL of the API>`);
  return `  First: ${lines.join(' and ')} in ${printablePath(join(dir, '.env'))}\n`;
}

/** Writes a path for messages: `/`-separated, with invisible characters escaped. */
export function printablePath(path: string): string {
  return escapeInvisible(path.replaceAll('\\', '/'));
}

/** Writes the path of a file that ran, relative to `cwd`; packages keep their names. */
export function formatRunFile(file: string, cwd: string): string {
  return isAbsolute(file) ? relative(cwd, file) : file;
}

/** Writes a source for messages: a path, a URL without its secrets, or `standard input`. */
export function printableSource(source: string): string {
  return source === '-' ? 'standard input' : printablePath(removeSecretPartsOfUrl(source));
}

const WIDTH = 90;

export function wrapText(text: string, indent: string): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(/\s+/)) {
    if (line.length > indent.length && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = indent;
    }
    line += line.length > indent.length ? ` ${word}` : word;
  }
  return [...lines, line].join('\n');
}

/** Width of a column at most: a wider cell shifts the rest of its line instead. */
const WIDEST_CELL = 48;

/** Prints rows in columns under a heading; empty if there are no rows. */
export function formatSection(title: string, rows: string[][], paint: Paint): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => row.map(escapeInvisible));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.min(WIDEST_CELL, Math.max(...cells.map((row) => displayWidth(row[column] ?? '')))),
  );
  const lines = cells.map(
    (row) =>
      `  ${row
        .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(cell))))
        .join('  ')
        .trimEnd()}\n`,
  );
  return `${paint('bold', title)}\n${lines.join('')}`;
}
