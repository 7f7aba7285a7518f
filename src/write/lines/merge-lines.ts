import { diffLines, type Hunk, splitLines } from './diff-lines.ts';

interface Merge {
  /** Absent if there are conflicts. */
  text?: string;
  conflicts: Conflict[];
}

/** Lines that both have changed, or that are adjacent: line numbers of the user's text, from 1. */
export interface Conflict {
  first: number;
  last: number;
}

type Side = 'mine' | 'theirs';
type Owned = Hunk & { side: Side };

/** Merges the user's changes of `base` (`mine`) with the generated ones (`theirs`). */
export function mergeLines(base: string, mine: string, theirs: string): Merge {
  const lines = { base: splitLines(base), mine: splitLines(mine), theirs: splitLines(theirs) };
  const hunks = (['mine', 'theirs'] as const)
    .flatMap((side) => diffLines(lines.base, lines[side]).map((hunk): Owned => ({ ...hunk, side })))
    .sort((one, other) => one.start - other.start || one.end - other.end);
  const conflicts: Conflict[] = [];
  const merged: string[] = [];
  let at = 0;
  for (const group of groupTouching(hunks)) {
    const start = Math.min(...group.map((hunk) => hunk.start));
    const end = Math.max(...group.map((hunk) => hunk.end));
    const own = span(group, 'mine', start, end);
    const other = span(group, 'theirs', start, end);
    merged.push(...lines.base.slice(at, start));
    at = end;
    const [ours, made] = [lines.mine.slice(own.start, own.end), lines.theirs.slice(other.start, other.end)];
    if (!group.some(({ side }) => side === 'mine') || ours.join('') === made.join('')) merged.push(...made);
    else if (!group.some(({ side }) => side === 'theirs')) merged.push(...ours);
    else conflicts.push({ first: own.start + 1, last: Math.max(own.start + 1, own.end) });
  }
  merged.push(...lines.base.slice(at));
  return conflicts.length > 0 ? { conflicts } : { text: merged.join(''), conflicts };
}

/** Groups changes of the same or adjacent lines. */
function groupTouching(hunks: readonly Owned[]): Owned[][] {
  const groups: Owned[][] = [];
  let end = -1;
  for (const hunk of hunks) {
    if (hunk.start <= end) groups.at(-1)?.push(hunk);
    else groups.push([hunk]);
    end = Math.max(end, hunk.end);
  }
  return groups;
}

/** The lines of a side that correspond to lines `start` to before `end` of the base. */
function span(
  group: readonly Owned[],
  side: Side,
  start: number,
  end: number,
): { start: number; end: number } {
  const hunks = group.filter((hunk) => hunk.side === side);
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (first === undefined || last === undefined) return { start, end: start };
  return { start: first.newStart - (first.start - start), end: last.newEnd + (end - last.end) };
}
