/** One diagnostic for a person: place, words, JSON pointer, code frame, second places, hint. */
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

  /** Without a line break at the end. `explain` adds the command that tells more. */
  render(diagnostic: Diagnostic, { explain = false } = {}): string {
    const { code, hint, origin, related = [] } = diagnostic;
    const place = origin === undefined ? undefined : resolvePlace(origin, this.#places);
    return [
      this.#header(diagnostic, place),
      ...(place === undefined ? [] : this.#where(place, 1)),
      ...related.flatMap((other) => this.#related(other)),
      ...(hint === undefined
        ? []
        : [`${INDENT}${this.#paint('bold', 'hint:')} ${visibleLines(hint, `${INDENT}      `)}`]),
      ...(explain ? [this.#paint('dim', `${INDENT}more: mcpgen explain ${code}`)] : []),
    ].join('\n');
  }

  #header(diagnostic: Diagnostic, place: ResolvedPlace | undefined): string {
    const { severity, code, name } = diagnostic;
    const label = place === undefined ? '' : `${this.#paint('bold', visible(placeLabel(place)))} - `;
    const kind = this.#paint(STYLES[severity], severity);
    return `${label}${kind} ${this.#paint('dim', code)} ${name}: ${visibleLines(messageOf(diagnostic), INDENT)}`;
  }

  #where(place: ResolvedPlace, context: number): string[] {
    const { pointer } = place;
    return [
      ...(pointer === undefined || pointer === ''
        ? []
        : [this.#paint('dim', `${INDENT}at #${visible(pointer)}`)]),
      ...this.#frame(place, context),
    ];
  }

  #related({ message, origin }: RelatedPlace): string[] {
    const place = resolvePlace(origin, this.#places);
    return [
      `${INDENT}${this.#paint('bold', visible(placeLabel(place)))} - ${visibleLines(message, INDENT)}`,
      ...this.#where(place, 0),
    ];
  }

  /** Of a problem with the document as a whole its first line says nothing. */
  #frame({ file, pointer, position }: ResolvedPlace, context: number): string[] {
    if (position === undefined || pointer === '') return [];
    const lines = this.#linesOf(file);
    if (lines === undefined) return [];
    return codeFrame(lines, position, { paint: this.#paint, context }).map((line) => `${INDENT}${line}`);
  }

  #linesOf(file: string): TextLines | undefined {
    if (!this.#lines.has(file)) {
      const text = this.#places.textOf(file);
      this.#lines.set(file, text === undefined ? undefined : new TextLines(text));
    }
    return this.#lines.get(file);
  }
}
