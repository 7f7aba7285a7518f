/** The text of an operation or a function, as its author wrote it. */
import { type Places, resolveOrigin } from '../../diagnostics/render/place.ts';
import { pointerTokens } from '../../util/json-schema.ts';
import { tryParseJson } from '../../util/try-parse-json.ts';
import type { Origin } from '../../model/origin.ts';
import type { ToolView } from '../protocol.ts';

const MOST_LINES = 600;
const LONGEST_LINE = 2_000;

/** A block begins at the line of its place, with the comment above, and ends before a line that is no deeper, or with its bracket. */
export function cutAroundPlace(origin: Origin, places: Places): ToolView['source'] {
  const text = places.textOf(origin.file) ?? '';
  const lines = text.split(/\r?\n/);
  const line = resolveOrigin(origin, places).position?.line ?? 1;
  const isCode = origin.kind === 'code';
  let first = line;
  while (isCode && first > 1 && /^\s*(?:\*|\/\*|\/\/|@)/.test(lines[first - 2] ?? '')) first -= 1;
  const language = isCode ? 'typescript' : /^\s*[{[]/.test(text) ? 'json' : 'yaml';
  const isOneLine = (lines[line - 1] ?? '').length > LONGEST_LINE;
  const block =
    isOneLine && language === 'json' && !isCode
      ? printJsonAtPointer(text, origin.pointer)
      : lines.slice(first - 1, findBlockEnd(lines, line));
  const shown = block
    .slice(0, MOST_LINES)
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
  return {
    ...{ file: origin.file, firstLine: first, language },
    lines: block.length > MOST_LINES ? [...shown, '…'] : shown,
  };
}

/** Prints the value at a pointer in several lines, since its document has only one. */
function printJsonAtPointer(text: string, pointer: string): string[] {
  const value = pointerTokens(pointer).reduce<unknown>(
    (container, token) => Object(container)[token],
    tryParseJson(text),
  );
  return (JSON.stringify(value, undefined, 2) ?? '').split('\n');
}

/** The number of the last line of the block that begins at `first`. */
function findBlockEnd(lines: readonly string[], first: number): number {
  const indent = indentationOf(lines[first - 1] ?? '');
  let last = first;
  for (let number = first + 1; number <= lines.length; number++) {
    const line = lines[number - 1] ?? '';
    if (line.trim() === '') continue;
    if (indentationOf(line) > indent) {
      last = number;
      continue;
    }
    if (indentationOf(line) < indent || !/^\s*[})\]]/.test(line)) break;
    last = number;
    // `}: Parameters): Result {` only closes the parameters.
    if (!/[{([]\s*$/.test(line)) break;
  }
  return last;
}

function indentationOf(line: string): number {
  return line.length - line.trimStart().length;
}
