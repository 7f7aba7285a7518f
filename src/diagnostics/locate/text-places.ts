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
