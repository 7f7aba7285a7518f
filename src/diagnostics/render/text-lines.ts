/** The lines of a text, searched on demand, since most places are near the top of a large document. */
export class TextLines {
  readonly #text: string;
  /** Offsets of the known lines. */
  readonly #starts: number[] = [0];
  #complete = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** `number` is 1-based. */
  has(number: number): boolean {
    while (this.#starts.length < number && !this.#complete) this.#findNext();
    return number >= 1 && number <= this.#starts.length;
  }

  /** Line `number` (1-based) without its line break. */
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
