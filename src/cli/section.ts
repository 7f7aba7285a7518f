import { displayWidth } from '../diagnostics/render/display-width.ts';
import type { Paint } from '../diagnostics/render/paint.ts';
import { visible } from '../diagnostics/render/visible.ts';

/** Wider cells shift the rest of their line, so that the columns stay narrow. */
const WIDEST_CELL = 48;

/** Rows in columns under a heading; empty if there are no rows. */
export function section(title: string, rows: string[][], paint: Paint): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => row.map(visible));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.min(WIDEST_CELL, Math.max(...cells.map((row) => displayWidth(row[column] ?? '')))),
  );
  const lines = cells.map(
    (row) =>
      `  ${row
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
  );
  return `${paint('bold', title)}\n${lines.join('')}`;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
