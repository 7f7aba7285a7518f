/** The lines of a text, found once; a line is cut out only when asked for, since a minified document is one line. */
export class TextLines {
  readonly #text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.#text = text;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** How many lines there are; at least 1. */
  get count(): number {
    return this.#starts.length;
  }

  /** Line `number` (1-based) without its end; `undefined` outside the text. */
  line(number: number): string | undefined {
    const start = this.#starts[number - 1];
    if (start === undefined) return undefined;
    const next = this.#starts[number];
    const line = this.#text.slice(start, next === undefined ? undefined : next - 1);
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}
