import { diffLines, type Hunk, splitLines } from './diff-lines.ts';

/** Lines shown around each change. */
const CONTEXT = 3;

/** A unified diff (POSIX `diff -u`), empty for equal texts. `from` and `to` name the texts. */
export function unifiedDiff(before: string, after: string, from: string, to: string): string {
  const [old, now] = [splitLines(before), splitLines(after)];
  const groups = groupNear(diffLines(old, now));
  if (groups.length === 0) return '';
  return `--- ${from}\n+++ ${to}\n${groups.map((group) => printGroup(group, old, now)).join('')}`;
}

/** Groups changes whose context lines overlap. */
function groupNear(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group === undefined || last === undefined || hunk.start - last.end > 2 * CONTEXT) groups.push([hunk]);
    else group.push(hunk);
  }
  return groups;
}

function printGroup(group: readonly Hunk[], old: readonly string[], now: readonly string[]): string {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return '';
  const before = Math.min(CONTEXT, first.start);
  const behind = Math.min(CONTEXT, old.length - last.end);
  const lines: string[] = [];
  let at = first.start - before;
  for (const { start, end, newStart, newEnd } of group) {
    lines.push(...marked(' ', old.slice(at, start)), ...marked('-', old.slice(start, end)));
    lines.push(...marked('+', now.slice(newStart, newEnd)));
    at = end;
  }
  lines.push(...marked(' ', old.slice(at, at + behind)));
  const range = formatRange(first.start - before, last.end + behind);
  const newRange = formatRange(first.newStart - before, last.newEnd + behind);
  return `@@ -${range} +${newRange} @@\n${lines.join('')}`;
}

/** An empty range is named by the line before it. */
function formatRange(start: number, end: number): string {
  const count = end - start;
  return `${String(count === 0 ? start : start + 1)}${count === 1 ? '' : `,${String(count)}`}`;
}

function marked(mark: string, lines: readonly string[]): string[] {
  return lines.map((line) =>
    line.endsWith('\n') ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`,
  );
}
