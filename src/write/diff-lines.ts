/** Compares texts line by line. */

/** Lines `start` to before `end` of the old text became lines `newStart` to before `newEnd` of the new one; from 0. */
interface Hunk {
  start: number;
  end: number;
  newStart: number;
  newEnd: number;
}

/** With more differing lines, the middle of two texts is one change: the time for finding the fewest grows quadratically. */
const MOST_EDITS = 800;

/** Lines with their line breaks, so that a last line without one differs from a line with one. */
function splitLines(text: string): string[] {
  return text.replaceAll('\r\n', '\n').match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The changes that make `after` of `before`, in order. */
export function diffLines(before: readonly string[], after: readonly string[]): Hunk[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let [end, newEnd] = [before.length, after.length];
  while (end > start && newEnd > start && before[end - 1] === after[newEnd - 1])
    [end, newEnd] = [end - 1, newEnd - 1];
  if (start === end && start === newEnd) return [];
  const hunks = findFewestHunks(before.slice(start, end), after.slice(start, newEnd));
  if (hunks === undefined) return [{ start, end, newStart: start, newEnd }];
  return hunks.map((hunk) => ({
    start: hunk.start + start,
    end: hunk.end + start,
    newStart: hunk.newStart + start,
    newEnd: hunk.newEnd + start,
  }));
}

interface Path {
  /** The line of the old text that it has reached. */
  at: number;
  last?: HunkList | undefined;
}

interface HunkList {
  hunk: Hunk;
  before?: HunkList | undefined;
}

/** E. Myers, An O(ND) Difference Algorithm, 1986. */
function findFewestHunks(before: readonly string[], after: readonly string[]): Hunk[] | undefined {
  /** By diagonal: how many more lines of the old text than of the new one were read. */
  const furthest = new Map<number, Path>();
  for (let edits = 0; edits <= MOST_EDITS; edits += 1)
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const path = edits === 0 ? { at: 0 } : addEdit(furthest, diagonal);
      while (
        path.at < before.length &&
        path.at - diagonal < after.length &&
        before[path.at] === after[path.at - diagonal]
      )
        path.at += 1;
      if (path.at >= before.length && path.at - diagonal >= after.length) return listHunks(path.last);
      furthest.set(diagonal, path);
    }
  return undefined;
}

/** Adds a line of the new text, or drops one of the old text, whichever gets further. */
function addEdit(furthest: ReadonlyMap<number, Path>, diagonal: number): Path {
  const [added, dropped] = [furthest.get(diagonal + 1), furthest.get(diagonal - 1)];
  const isAdding = dropped === undefined || (added !== undefined && dropped.at < added.at);
  const { at: start = 0, last } = (isAdding ? added : dropped) ?? {};
  const at = isAdding ? start : start + 1;
  const newEnd = at - diagonal;
  const newStart = isAdding ? newEnd - 1 : newEnd;
  const isNext = last?.hunk.end === start && last.hunk.newEnd === newStart;
  return isNext
    ? { at, last: { hunk: { ...last.hunk, end: at, newEnd }, before: last.before } }
    : { at, last: { hunk: { start, end: at, newStart, newEnd }, before: last } };
}

function listHunks(list: HunkList | undefined): Hunk[] {
  const hunks: Hunk[] = [];
  for (let entry = list; entry !== undefined; entry = entry.before) hunks.unshift(entry.hunk);
  return hunks;
}

const CONTEXT = 3;

/** A unified diff (POSIX `diff -u`), empty for equal texts. `from` and `to` name the texts. */
export function unifiedDiff(before: string, after: string, from: string, to: string): string {
  const [old, now] = [splitLines(before), splitLines(after)];
  const groups: [Hunk, ...Hunk[]][] = [];
  for (const hunk of diffLines(old, now)) {
    const group = groups.at(-1);
    if (group === undefined || hunk.start - (group.at(-1)?.end ?? 0) > 2 * CONTEXT) groups.push([hunk]);
    else group.push(hunk);
  }
  if (groups.length === 0) return '';
  return `--- ${from}\n+++ ${to}\n${groups.map((group) => printGroup(group, old, now)).join('')}`;
}

function printGroup(group: [Hunk, ...Hunk[]], old: readonly string[], now: readonly string[]): string {
  const [first] = group;
  const last = group.at(-1) ?? first;
  const lead = Math.min(CONTEXT, first.start);
  const trail = Math.min(CONTEXT, old.length - last.end);
  const lines: string[] = [];
  let at = first.start - lead;
  for (const { start, end, newStart, newEnd } of group) {
    lines.push(...prefixLines(' ', old.slice(at, start)), ...prefixLines('-', old.slice(start, end)));
    lines.push(...prefixLines('+', now.slice(newStart, newEnd)));
    at = end;
  }
  lines.push(...prefixLines(' ', old.slice(at, at + trail)));
  const range = formatHunkRange(first.start - lead, last.end + trail);
  const newRange = formatHunkRange(first.newStart - lead, last.newEnd + trail);
  return `@@ -${range} +${newRange} @@\n${lines.join('')}`;
}

/** Formats a range as in the head of a unified diff; an empty range has the number of the line before it. */
function formatHunkRange(start: number, end: number): string {
  const count = end - start;
  return `${String(count === 0 ? start : start + 1)}${count === 1 ? '' : `,${String(count)}`}`;
}

function prefixLines(mark: string, lines: readonly string[]): string[] {
  return lines.map((line) =>
    line.endsWith('\n') ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`,
  );
}
