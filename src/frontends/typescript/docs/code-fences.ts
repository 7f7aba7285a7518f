/**
 * Marks the lines of fenced code (CommonMark, "Fenced code blocks"). An unclosed fence is ignored, or the rest would
 * be lost.
 */
export function fencedLines(lines: readonly string[]): boolean[] {
  const fenced = lines.map(() => false);
  for (let at = 0; at < lines.length; at += 1) {
    const fence = openingFence(lines[at] ?? '');
    const length = fence === undefined ? -1 : lines.slice(at + 1).findIndex((line) => closes(line, fence));
    if (length === -1) continue;
    fenced.fill(true, at, at + length + 2);
    at += length + 1;
  }
  return fenced;
}

/** A backtick after the fence makes it inline code. */
function openingFence(line: string): string | undefined {
  const [, backticks, tildes] = /^\s*(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line) ?? [];
  return backticks ?? tildes;
}

function closes(line: string, fence: string): boolean {
  const end = line.trim();
  return end.length >= fence.length && end === fence.charAt(0).repeat(end.length);
}
