/** Tables and figures for people. */
import { stripVTControlCharacters, styleText } from 'node:util';

/** Whether colours are wanted on stdout (https://no-color.org). */
const coloured =
  process.env.NO_COLOR === undefined &&
  (process.env.FORCE_COLOR !== undefined || process.stdout.isTTY === true);

/** The text, in colour where colours are wanted. */
export function paint(style, text) {
  return coloured ? styleText(style, text, { validateStream: false }) : text;
}

/** `rows`: numbers are aligned to the right. */
export function table(head, rows) {
  const width = (cell) => [...stripVTControlCharacters(String(cell))].length;
  const widths = head.map((title, column) =>
    Math.max(width(title), ...rows.map((row) => width(row[column] ?? ''))),
  );
  const line = (cells, style) =>
    cells
      .map((cell, column) => {
        const gap = ' '.repeat(widths[column] - width(cell));
        const text = typeof cell === 'number' ? gap + cell : cell + gap;
        return style ? paint(style, text) : text;
      })
      .join('  ')
      .trimEnd();
  return [line(head, 'bold'), ...rows.map((row) => line(row))].join('\n');
}

export function seconds(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** `values`: not empty. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
