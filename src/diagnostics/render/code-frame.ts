import { displayWidth } from './display-width.ts';
import type { Paint } from './paint.ts';
import type { TextLines } from './text-lines.ts';
import { visible } from './visible.ts';

interface FramePlace {
  /** 1-based. */
  line: number;
  /** 1-based, in UTF-16 code units. */
  column: number;
  /** In UTF-16 code units; limited to the line. */
  length: number;
}

interface FrameOptions {
  paint: Paint;
  /** Lines shown before and after the place. Default 1. */
  context?: number;
}

/** Longer lines are cut to this many characters around the place. */
const MAX_LINE = 150;
/** Characters of a long line shown before the place. */
const LEAD = 50;

/** The lines around a place, with carets below it. */
export function codeFrame(lines: TextLines, place: FramePlace, options: FrameOptions): string[] {
  const target = lines.line(place.line);
  if (target === undefined) return [];
  const context = options.context ?? 1;
  const first = Math.max(1, place.line - context);
  const last = lastLine(lines, place.line, context);
  const gutter = String(last).length;
  const frame: string[] = [];
  for (let number = first; number <= last; number += 1) {
    const line = lines.line(number) ?? '';
    if (number === last && number > place.line && line.trim() === '') break;
    const label = options.paint('dim', `${String(number).padStart(gutter)} |`);
    if (number !== place.line) {
      frame.push(`${label} ${showWindow(line, 0)}`.trimEnd());
      continue;
    }
    const start = windowStart(line, place.column);
    frame.push(`${label} ${showWindow(line, start)}`.trimEnd());
    frame.push(
      `${options.paint('dim', `${' '.repeat(gutter)} |`)} ${carets(line, start, place, options.paint)}`,
    );
  }
  return frame;
}

function lastLine(lines: TextLines, line: number, context: number): number {
  let last = line;
  while (last < line + context && lines.has(last + 1)) last += 1;
  return last;
}

function windowStart(line: string, column: number): number {
  return line.length <= MAX_LINE || column <= MAX_LINE - LEAD ? 0 : column - 1 - LEAD;
}

function showWindow(line: string, start: number): string {
  // Keeps surrogate pairs whole.
  const end = start + MAX_LINE + (/[\ud800-\udbff]/.test(line.charAt(start + MAX_LINE - 1)) ? 1 : 0);
  return `${start > 0 ? '…' : ''}${show(line.slice(start, end))}${end < line.length ? '…' : ''}`;
}

function carets(line: string, start: number, { column, length }: FramePlace, paint: Paint): string {
  const from = Math.min(column - 1, line.length);
  const to = Math.min(from + Math.max(1, length), start + MAX_LINE, line.length);
  const before = displayWidth(`${start > 0 ? '…' : ''}${show(line.slice(start, from))}`);
  const under = Math.max(1, displayWidth(show(line.slice(from, to))));
  return `${' '.repeat(before)}${paint('red', '^'.repeat(under))}`;
}

/** Tabs become two spaces; invisible characters are escaped. */
function show(text: string): string {
  return visible(text.replaceAll('\t', '  '));
}
