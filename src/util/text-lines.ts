/** A place in a text. Both are 1-based; columns count UTF-16 code units. */
export interface LineColumn {
  line: number;
  column: number;
}

/** Line feeds end lines; a carriage return before one belongs to the line. */
export function toLineColumn(text: string, offset: number): LineColumn {
  return new TextLines(text).findLineColumn(offset);
}

/** The lines of a text. Each start is found once, and only when asked for: a document has megabytes, and thousands of places. */
export class TextLines {
  readonly #text: string;
  readonly #starts = [0];
  #isComplete = false;

  constructor(text: string) {
    this.#text = text;
  }

  findLineColumn(offset: number): LineColumn {
    while (!this.#isComplete && (this.#starts.at(-1) ?? 0) <= offset) this.#findNext();
    let line = this.#starts.length;
    let low = 1;
    while (low < line) {
      const middle = Math.ceil((low + line) / 2);
      if ((this.#starts[middle - 1] ?? 0) <= offset) low = middle;
      else line = middle - 1;
    }
    return { line, column: offset - (this.#starts[line - 1] ?? 0) + 1 };
  }

  /** `number` is 1-based. */
  hasLine(number: number): boolean {
    while (this.#starts.length < number && !this.#isComplete) this.#findNext();
    return number >= 1 && number <= this.#starts.length;
  }

  /** Line `number` (1-based) without its line break. */
  readLine(number: number): string | undefined {
    if (!this.hasLine(number)) return undefined;
    const start = this.#starts[number - 1];
    const end = this.#text.indexOf('\n', start);
    const line = this.#text.slice(start, end === -1 ? undefined : end);
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }

  #findNext(): void {
    const end = this.#text.indexOf('\n', this.#starts.at(-1));
    if (end === -1) this.#isComplete = true;
    else this.#starts.push(end + 1);
  }
}
