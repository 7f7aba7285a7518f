/** Renders one diagnostic for people: place, message, JSON pointer, code frame, related places and hint. */
import { type Diagnostic, messageOf, type RelatedPlace } from '../diagnostic.ts';
import type { Severity } from '../severity.ts';
import { codeFrame } from './code-frame.ts';
import type { Paint, Style } from './paint.ts';
import { type Places, placeLabel, type ResolvedPlace, resolvePlace } from './place.ts';
import { TextLines } from './text-lines.ts';
import { visible, visibleLines } from './visible.ts';

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
    const place = origin && resolvePlace(origin, this.#places);
    const lines = [this.#header(diagnostic, place)];
    if (place !== undefined) lines.push(...this.#where(place, 1));
    lines.push(...related.flatMap((other) => this.#related(other)));
    if (hint !== undefined)
      lines.push(`${INDENT}${this.#paint('bold', 'hint:')} ${visibleLines(hint, `${INDENT}      `)}`);
    if (explain) lines.push(this.#paint('dim', `${INDENT}more: mcpgen explain ${code}`));
    return lines.join('\n');
  }

  #header(diagnostic: Diagnostic, place: ResolvedPlace | undefined): string {
    const { severity, code, name } = diagnostic;
    const label = place === undefined ? '' : `${this.#paint('bold', visible(placeLabel(place)))} - `;
    const kind = this.#paint(STYLES[severity], severity);
    return `${label}${kind} ${this.#paint('dim', code)} ${name}: ${visibleLines(messageOf(diagnostic), INDENT)}`;
  }

  #where(place: ResolvedPlace, context: number): string[] {
    const { pointer = '' } = place;
    const frame = this.#frame(place, context);
    return pointer === '' ? frame : [this.#paint('dim', `${INDENT}at #${visible(pointer)}`), ...frame];
  }

  #related({ message, origin }: RelatedPlace): string[] {
    const place = resolvePlace(origin, this.#places);
    return [
      `${INDENT}${this.#paint('bold', visible(placeLabel(place)))} - ${visibleLines(message, INDENT)}`,
      ...this.#where(place, 0),
    ];
  }

  /** A problem of the whole document has no frame, since its first line is not the cause. */
  #frame({ file, pointer, position }: ResolvedPlace, context: number): string[] {
    if (position === undefined || pointer === '') return [];
    const lines = this.#readLines(file);
    if (lines === undefined) return [];
    return codeFrame(lines, position, { paint: this.#paint, context }).map((line) => `${INDENT}${line}`);
  }

  #readLines(file: string): TextLines | undefined {
    if (!this.#lines.has(file)) {
      const text = this.#places.textOf(file);
      this.#lines.set(file, text === undefined ? undefined : new TextLines(text));
    }
    return this.#lines.get(file);
  }
}
