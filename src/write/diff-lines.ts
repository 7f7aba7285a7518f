/** Compares and prints texts line by line. */
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

/** The fewest changes that make `after` of `before` (E. Myers, An O(ND) Difference Algorithm, 1986), in order. */
export function diffLines(before: readonly string[], after: readonly string[]): Hunk[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let [end, newEnd] = [before.length, after.length];
  while (end > start && newEnd > start && before[end - 1] === after[newEnd - 1])
    [end, newEnd] = [end - 1, newEnd - 1];
  const hunks = diffDifferingLines(before.slice(start, end), after.slice(start, newEnd));
  return hunks.map((hunk) => ({
    start: hunk.start + start,
    end: hunk.end + start,
    newStart: hunk.newStart + start,
    newEnd: hunk.newEnd + start,
  }));
}

function diffDifferingLines(before: readonly string[], after: readonly string[]): Hunk[] {
  if (before.length === 0 && after.length === 0) return [];
  const whole = { start: 0, end: before.length, newStart: 0, newEnd: after.length };
  if (before.length === 0 || after.length === 0) return [whole];
  const trail = searchFewestEdits(before, after);
  return trail === undefined ? [whole] : traceHunks(trail, before.length, after.length);
}

/** The furthest place on each diagonal, after 0, 1, 2 … edits. */
function searchFewestEdits(
  before: readonly string[],
  after: readonly string[],
): Map<number, number>[] | undefined {
  const furthest = new Map([[1, 0]]);
  const trail: Map<number, number>[] = [];
  const maxEdits = Math.min(before.length + after.length, MOST_EDITS);
  for (let edits = 0; edits <= maxEdits; edits += 1) {
    trail.push(new Map(furthest));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let at = furthestStep(furthest, diagonal, edits);
      while (at < before.length && at - diagonal < after.length && before[at] === after[at - diagonal])
        at += 1;
      furthest.set(diagonal, at);
      if (at >= before.length && at - diagonal >= after.length) return trail;
    }
  }
  return undefined;
}

/** One edit down (adds a line of the new text) or right (drops one of the old text), whichever gets further. */
function furthestStep(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): number {
  const [above, leftX] = [furthest.get(diagonal + 1) ?? -1, furthest.get(diagonal - 1) ?? -1];
  return isStepDown(diagonal, edits, above, leftX) ? above : leftX + 1;
}

function isStepDown(diagonal: number, edits: number, above: number, leftX: number): boolean {
  return diagonal === -edits || (diagonal !== edits && leftX < above);
}

function traceHunks(trail: readonly Map<number, number>[], oldEnd: number, newEnd: number): Hunk[] {
  const hunks: Hunk[] = [];
  let [at, newAt] = [oldEnd, newEnd];
  for (const [edits, furthest] of [...trail.entries()].toReversed()) {
    if (edits === 0) break;
    const diagonal = at - newAt;
    const [above, leftX] = [furthest.get(diagonal + 1) ?? -1, furthest.get(diagonal - 1) ?? -1];
    const down = isStepDown(diagonal, edits, above, leftX);
    const [from, newFrom] = down ? [above, above - diagonal - 1] : [leftX, leftX - diagonal + 1];
    const [to, newTo] = down ? [from, newFrom + 1] : [from + 1, newFrom];
    const [last] = hunks;
    if (last?.start === to && last.newStart === newTo) hunks[0] = { ...last, start: from, newStart: newFrom };
    else hunks.unshift({ start: from, end: to, newStart: newFrom, newEnd: newTo });
    [at, newAt] = [from, newFrom];
  }
  return hunks;
}

const CONTEXT = 3;

/** A unified diff (POSIX `diff -u`), empty for equal texts. `from` and `to` name the texts. */
export function unifiedDiff(before: string, after: string, from: string, to: string): string {
  const [old, now] = [splitLines(before), splitLines(after)];
  const groups = groupNearHunks(diffLines(old, now));
  if (groups.length === 0) return '';
  return `--- ${from}\n+++ ${to}\n${groups.map((group) => printGroup(group, old, now)).join('')}`;
}

function groupNearHunks(hunks: readonly Hunk[]): Hunk[][] {
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
    lines.push(...prefixLines(' ', old.slice(at, start)), ...prefixLines('-', old.slice(start, end)));
    lines.push(...prefixLines('+', now.slice(newStart, newEnd)));
    at = end;
  }
  lines.push(...prefixLines(' ', old.slice(at, at + behind)));
  const range = formatHunkRange(first.start - before, last.end + behind);
  const newRange = formatHunkRange(first.newStart - before, last.newEnd + behind);
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
