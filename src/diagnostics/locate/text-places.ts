/** A place in a text. Both are 1-based; columns count UTF-16 code units. */
export interface LineColumn {
  line: number;
  column: number;
}

/** Line feeds end lines; a carriage return before one belongs to the line. */
export function toLineColumn(text: string, offset: number): LineColumn {
  return new LineIndex(text).findLineColumn(offset);
}

/** The starts of lines, each found once: a text of one line is megabytes, and has thousands of places. */
export class LineIndex {
  readonly #text: string;
  readonly #starts = [0];
  /** No line begins between the last start and here. */
  #searched = 0;

  constructor(text: string) {
    this.#text = text;
  }

  findLineColumn(offset: number): LineColumn {
    this.#searchTo(offset);
    let line = this.#starts.length;
    let low = 1;
    while (low < line) {
      const middle = Math.ceil((low + line) / 2);
      if ((this.#starts[middle - 1] ?? 0) <= offset) low = middle;
      else line = middle - 1;
    }
    return { line, column: offset - (this.#starts[line - 1] ?? 0) + 1 };
  }

  #searchTo(offset: number): void {
    while (this.#searched < offset) {
      const end = this.#text.indexOf('\n', this.#searched);
      if (end === -1) this.#searched = this.#text.length;
      else this.#starts.push((this.#searched = end + 1));
      if (end === -1) return;
    }
  }
}

export interface Span {
  start: number;
  end: number;
}

/** Finds places in one text by the tokens of a JSON Pointer. */
export interface DocumentIndex {
  find(tokens: readonly string[], target: 'value' | 'key'): Span;
}

/** The texts of the documents that were read, for code frames and positions. */
export interface SourceTexts {
  /** The text of a file by the name in its origins; undefined if it was not read. */
  textOf(file: string): string | undefined;
}

export const noTexts: SourceTexts = { textOf: () => undefined };
