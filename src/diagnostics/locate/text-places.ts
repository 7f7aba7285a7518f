/** A place in a text. Both are 1-based; columns count UTF-16 code units. */
export interface LineColumn {
  line: number;
  column: number;
}

/** Line feeds end lines; a carriage return before one belongs to the line. */
export function toLineColumn(text: string, offset: number): LineColumn {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
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
