/** Shows files that differ as unified diffs; long ones are cut. */
import { escapeInvisible } from '../diagnostics/render/terminal-text.ts';
import type { FileDiff } from '../write/index.ts';
import { formatCountWithNoun, printablePath } from './words.ts';

/** Number of lines that are shown of one diff. */
const SHOWN_LINES = 40;

/** Number of columns that are shown of a line, since generated data has long lines. */
const SHOWN_COLUMNS = 200;

/** Most lines of a refusal: its errors, and the edits below them. The three lines that tell of progress make it 20. */
const REFUSAL_LINES = 17;

/** Shows how mcpgen would change each edited file, below a report of `above` lines. */
export function renderShortenedEdits(edits: readonly FileDiff[], verbose: boolean, above: number): string {
  const text = edits
    .map(
      ({ path, diff }) =>
        `${printablePath(path)} was edited; mcpgen would change it so:\n${renderDiffText(diff, verbose)}\n`,
    )
    .join('');
  const lines = text.trimEnd().split('\n');
  const longest = Math.max(1, REFUSAL_LINES - above);
  if (verbose || lines.length <= longest) return text;
  const shown = lines.slice(0, longest - 1);
  const files = edits.length === 1 ? '' : ` about ${formatCountWithNoun(edits.length, 'edited file')}`;
  const rest = formatCountWithNoun(lines.length - shown.length, 'more line');
  return [...shown, `… ${rest}${files} (--verbose shows all)\n`].join('\n');
}

export function renderDiffs(diffs: readonly FileDiff[], verbose: boolean): string {
  return diffs.map(({ diff }) => renderDiffText(diff, verbose)).join('');
}

function renderDiffText(diff: string, verbose: boolean): string {
  const lines = diff.trimEnd().split('\n');
  const shown = verbose ? lines : shortenLines(lines.slice(0, SHOWN_LINES));
  const more = lines.length - shown.length;
  const rest = more === 0 ? [] : [`… ${formatCountWithNoun(more, 'more line')} (--verbose shows all)`];
  return [...shown.map(escapeInvisible), ...rest].map((line) => `${line}\n`).join('');
}

/** Cuts long lines, those of a change around their first difference. */
function shortenLines(lines: readonly string[]): string[] {
  const columns = new Map<number, number>();
  for (let start = 0; start < lines.length; start++) {
    const removed = countLines(lines, start, '-');
    const added = countLines(lines, start + removed, '+');
    for (let index = start; index < start + Math.min(removed, added); index++) {
      const column = findDifference(lines[index] ?? '', lines[index + removed] ?? '');
      columns.set(index, column).set(index + removed, column);
    }
    start += removed;
  }
  return lines.map((line, index) => shortenLine(line, columns.get(index) ?? 0));
}

function countLines(lines: readonly string[], start: number, sign: string): number {
  const end = lines.findIndex((line, index) => index >= start && !line.startsWith(sign));
  return (end === -1 ? lines.length : end) - start;
}

/** Finds the first column, behind the sign, at which two lines differ. */
function findDifference(one: string, other: string): number {
  let column = 1;
  while (column < one.length && one[column] === other[column]) column++;
  return column;
}

function shortenLine(line: string, column: number): string {
  if (line.length <= SHOWN_COLUMNS) return line;
  const start = Math.max(1, column - SHOWN_COLUMNS / 2);
  const end = start + SHOWN_COLUMNS - 1;
  return `${line.slice(0, 1)}${start > 1 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}
