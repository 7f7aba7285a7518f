/** A replacement in a text; `start` = `end` inserts. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = edits.toSorted((a, b) => a.start - b.start);
  let result = '';
  let from = 0;
  for (const edit of sorted) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return result + text.slice(from);
}
