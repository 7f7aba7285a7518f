/** Renders one diagnostic for people: place, message, JSON pointer, code frame, related places and hint. */
import type { Diagnostic, RelatedPlace } from '../collector.ts';
import { TextLines } from '../../util/text-lines.ts';
import { messageWithServer } from './record.ts';
import type { Severity } from '../define.ts';
import { type Places, type ResolvedPlace, formatPlace, resolveOrigin } from './place.ts';
import {
  type Paint,
  type Style,
  displayWidth,
  escapeInvisible,
  escapeInvisibleInLines,
} from './terminal-text.ts';

const STYLES: Record<Severity, Style> = { error: 'red', warning: 'yellow', info: 'cyan' };
const INDENT = '  ';

export class PrettyRenderer {
  readonly #places: Places;
  readonly #paint: Paint;
  readonly #lines = new Map<string, TextLines | undefined>();

  constructor(places: Places, paint: Paint) {
    this.#places = places;
    this.#paint = paint;
  }

  /** Without a line break at the end. `explain` adds the command for details. */
  render(diagnostic: Diagnostic, { explain = false } = {}): string {
    const { code, hint, origin, related = [] } = diagnostic;
    const place = origin && resolveOrigin(origin, this.#places);
    const lines = [this.#renderHeader(diagnostic, place)];
    if (place !== undefined) lines.push(...this.#renderWhere(place, 1));
    lines.push(...related.flatMap((other) => this.#renderRelated(other)));
    if (hint !== undefined)
      lines.push(
        `${INDENT}${this.#paint('bold', 'hint:')} ${escapeInvisibleInLines(hint, `${INDENT}      `)}`,
      );
    if (explain) lines.push(this.#paint('dim', `${INDENT}more: mcpgen explain ${code}`));
    return lines.join('\n');
  }

  #renderHeader(diagnostic: Diagnostic, place: ResolvedPlace | undefined): string {
    const { severity, code, name } = diagnostic;
    const label = place === undefined ? '' : `${this.#paint('bold', escapeInvisible(formatPlace(place)))} - `;
    const kind = this.#paint(STYLES[severity], severity);
    return `${label}${kind} ${this.#paint('dim', code)} ${name}: ${escapeInvisibleInLines(messageWithServer(diagnostic), INDENT)}`;
  }

  #renderWhere(place: ResolvedPlace, context: number): string[] {
    const { pointer = '' } = place;
    const frame = this.#renderFrame(place, context);
    return pointer === ''
      ? frame
      : [this.#paint('dim', `${INDENT}at #${escapeInvisible(pointer)}`), ...frame];
  }

  #renderRelated({ message, origin }: RelatedPlace): string[] {
    const place = resolveOrigin(origin, this.#places);
    return [
      `${INDENT}${this.#paint('bold', escapeInvisible(formatPlace(place)))} - ${escapeInvisibleInLines(message, INDENT)}`,
      ...this.#renderWhere(place, 0),
    ];
  }

  /** A problem of the whole document has no frame, since its first line is not the cause. */
  #renderFrame({ file, pointer, position }: ResolvedPlace, context: number): string[] {
    if (position === undefined || pointer === '') return [];
    const lines = this.#readLines(file);
    if (lines === undefined) return [];
    return renderCodeFrame(lines, position, { paint: this.#paint, context }).map(
      (line) => `${INDENT}${line}`,
    );
  }

  #readLines(file: string): TextLines | undefined {
    if (!this.#lines.has(file)) {
      const text = this.#places.textOf(file);
      this.#lines.set(file, text === undefined ? undefined : new TextLines(text));
    }
    return this.#lines.get(file);
  }
}

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
export function renderCodeFrame(lines: TextLines, place: FramePlace, options: FrameOptions): string[] {
  const target = lines.readLine(place.line);
  if (target === undefined) return [];
  const context = options.context ?? 1;
  const first = Math.max(1, place.line - context);
  const last = findLastFrameLine(lines, place.line, context);
  const gutter = String(last).length;
  const frame: string[] = [];
  for (let number = first; number <= last; number += 1) {
    const line = lines.readLine(number) ?? '';
    if (number === last && number > place.line && line.trim() === '') break;
    const label = options.paint('dim', `${String(number).padStart(gutter)} |`);
    if (number !== place.line) {
      frame.push(`${label} ${cutToWindow(line, 0)}`.trimEnd());
      continue;
    }
    const start = line.length <= MAX_LINE || place.column <= MAX_LINE - LEAD ? 0 : place.column - 1 - LEAD;
    frame.push(`${label} ${cutToWindow(line, start)}`.trimEnd());
    frame.push(
      `${options.paint('dim', `${' '.repeat(gutter)} |`)} ${renderCarets(line, start, place, options.paint)}`,
    );
  }
  return frame;
}

function findLastFrameLine(lines: TextLines, line: number, context: number): number {
  let last = line;
  while (last < line + context && lines.hasLine(last + 1)) last += 1;
  return last;
}

function cutToWindow(line: string, start: number): string {
  // Keeps surrogate pairs whole.
  const end = start + MAX_LINE + (/[\ud800-\udbff]/.test(line.charAt(start + MAX_LINE - 1)) ? 1 : 0);
  return `${start > 0 ? '…' : ''}${escapeSourceLine(line.slice(start, end))}${end < line.length ? '…' : ''}`;
}

function renderCarets(line: string, start: number, { column, length }: FramePlace, paint: Paint): string {
  const from = Math.min(column - 1, line.length);
  const to = Math.min(from + Math.max(1, length), start + MAX_LINE, line.length);
  const before = displayWidth(`${start > 0 ? '…' : ''}${escapeSourceLine(line.slice(start, from))}`);
  const under = Math.max(1, displayWidth(escapeSourceLine(line.slice(from, to))));
  return `${' '.repeat(before)}${paint('red', '^'.repeat(under))}`;
}

/** Tabs become two spaces; invisible characters are escaped. */
function escapeSourceLine(text: string): string {
  return escapeInvisible(text.replaceAll('\t', '  '));
}
