/**
 * Which lines are fenced code, the fences among them (CommonMark, "Fenced code blocks"). A fence that is never closed begins
 * none: what follows it would be lost.
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

/** With a backtick behind it, it is code within a line. */
function openingFence(line: string): string | undefined {
  const [, backticks, tildes] = /^\s*(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line) ?? [];
  return backticks ?? tildes;
}

function closes(line: string, fence: string): boolean {
  const end = line.trim();
  return end.length >= fence.length && end === fence.charAt(0).repeat(end.length);
}
