/**
 * The lines of a text, found as far as they are asked for: most places stand near the top of a large document. A line
 * is cut out only when asked for, since a minified document is one line.
 */
export class TextLines {
  readonly #text: string;
  /** Where the known lines start. */
  readonly #starts: number[] = [0];
  #complete = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether there is a line `number` (1-based). */
  has(number: number): boolean {
    while (this.#starts.length < number && !this.#complete) this.#findNext();
    return number >= 1 && number <= this.#starts.length;
  }

  /** Line `number` (1-based) without its end; `undefined` outside the text. */
  line(number: number): string | undefined {
    if (!this.has(number)) return undefined;
    const start = this.#starts[number - 1];
    const end = this.#text.indexOf('\n', start);
    const line = this.#text.slice(start, end === -1 ? undefined : end);
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }

  #findNext(): void {
    const end = this.#text.indexOf('\n', this.#starts.at(-1));
    if (end === -1) this.#complete = true;
    else this.#starts.push(end + 1);
  }
}
