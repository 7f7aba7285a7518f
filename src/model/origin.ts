/** Where an item comes from, so that any later diagnostic can point at it. */
export type Origin = DocumentOrigin | CodeOrigin;

/** A place in a JSON or YAML document. Line and column are found only when a diagnostic is printed. */
export interface DocumentOrigin {
  kind: 'document';
  /** The file as the user named it (relative stays relative), a URL, or `<stdin>`. */
  file: string;
  /** JSON Pointer (RFC 6901); `''` is the whole document. */
  pointer: string;
  /** Set when the key is meant, not the value under it. */
  on?: 'key';
}

/** A place in TypeScript or JavaScript source. */
export interface CodeOrigin {
  kind: 'code';
  file: string;
  /** 1-based. */
  line: number;
  /** 1-based, in UTF-16 code units. */
  column: number;
}
