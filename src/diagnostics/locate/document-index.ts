/** A range of a text, in UTF-16 code units. */
export interface Span {
  start: number;
  end: number;
}

/** Finds places in one text by the tokens of a JSON Pointer. */
export interface DocumentIndex {
  find(tokens: readonly string[], target: 'value' | 'key'): Span;
}
