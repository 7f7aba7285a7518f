/** A place in a text. Both are 1-based; columns count UTF-16 code units. */
export interface LineColumn {
  line: number;
  column: number;
}

/** Line feeds end lines; a carriage return before one belongs to the line. */
export function lineColumnOf(text: string, offset: number): LineColumn {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}
