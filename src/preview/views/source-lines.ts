/** The text of an operation or a function, as its author wrote it. */
import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import type { Places } from '../../diagnostics/render/place.ts';
import { resolveOrigin } from '../../diagnostics/render/place.ts';
import type { Origin } from '../../model/origin.ts';
import type { ToolView } from '../protocol.ts';

type Source = ToolView['source'];

const MOST_LINES = 600;
const LONGEST_LINE = 2_000;

export function cutAroundPlace(origin: Origin, places: Places): Source {
  const text = places.textOf(origin.file) ?? '';
  const { position } = resolveOrigin(origin, places);
  const lines = text.split(/\r?\n/);
  const line = position?.line ?? 1;
  if (origin.kind === 'code') return cutFunction(origin.file, lines, line);
  const isJson = /^\s*[{[]/.test(text);
  const language = isJson ? 'json' : 'yaml';
  const lineText = lines[line - 1] ?? '';
  if (lineText.length > LONGEST_LINE)
    return { file: origin.file, firstLine: line, lines: printJsonAtPointer(text, origin.pointer), language };
  const last = isJson ? findClosingLine(lines, line, position?.column ?? 1) : findBlockEnd(lines, line);
  return { file: origin.file, firstLine: line, lines: truncateLines(lines.slice(line - 1, last)), language };
}

function truncateLines(lines: string[]): string[] {
  const short = lines
    .slice(0, MOST_LINES)
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
  return lines.length > MOST_LINES ? [...short, '…'] : short;
}

/** Prints the value at a pointer in several lines, since its document has only one. */
function printJsonAtPointer(text: string, pointer: string): string[] {
  try {
    const tokens = pointer
      .split('/')
      .slice(1)
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
    const value = tokens.reduce<unknown>(
      (inner, token) =>
        Array.isArray(inner)
          ? (inner as unknown[])[Number(token)]
          : isRecord(inner)
            ? inner[token]
            : undefined,
      JSON.parse(text),
    );
    return truncateLines((JSON.stringify(value, undefined, 2) ?? '').split('\n'));
  } catch {
    return [];
  }
}

/** The line, from 1, where the brackets that a line opens are closed again. */
function findClosingLine(lines: readonly string[], first: number, column: number): number {
  let depth = 0;
  for (let number = first; number <= Math.min(lines.length, first + MOST_LINES); number++) {
    const line = number === first ? (lines[number - 1] ?? '').slice(column - 1) : (lines[number - 1] ?? '');
    for (const mark of line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').replaceAll(/[^[\]{}]/g, '')) {
      depth += mark === '{' || mark === '[' ? 1 : -1;
      if (depth <= 0) return number;
    }
    if (depth === 0 && number > first) return number;
  }
  return Math.min(lines.length, first + MOST_LINES);
}

/** The last line that is deeper than the first. */
function findBlockEnd(lines: readonly string[], first: number): number {
  const indent = indentationOf(lines[first - 1] ?? '');
  let last = first;
  for (let number = first + 1; number <= lines.length; number++) {
    const line = lines[number - 1] ?? '';
    if (line.trim() === '') continue;
    if (indentationOf(line) <= indent) break;
    last = number;
  }
  return last;
}

function indentationOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Cuts out a function with the comment above it, up to the line that closes it. */
function cutFunction(file: string, lines: readonly string[], line: number): Source {
  let first = line;
  while (first > 1 && /^\s*(?:\*|\/\*|\/\/|@)/.test(lines[first - 2] ?? '')) first -= 1;
  const indent = indentationOf(lines[line - 1] ?? '');
  const isClosed = (text: string): boolean =>
    indentationOf(text) <= indent && /^\s*[})\]]/.test(text) && !text.trimEnd().endsWith('{');
  let last = line;
  const opens = /[{([,]\s*$|=>\s*$/.test(lines[line - 1] ?? '');
  while (opens && last < lines.length && !(last > line && isClosed(lines[last - 1] ?? ''))) last += 1;
  return {
    file,
    firstLine: first,
    lines: truncateLines(lines.slice(first - 1, last)),
    language: 'typescript',
  };
}
