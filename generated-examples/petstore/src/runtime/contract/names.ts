// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** "Did you mean …?": the known word that a misspelt one most likely stands for. */
const LONGEST_COMPARED = 64;

/**
 * The candidate that differs least from `word`: by a third of its length at most, by its end (`tags` for `tag`), or by
 * case, `_` and `-` only.
 */
export function suggest<T extends string>(word: string, candidates: Iterable<T>): T | undefined {
  if (word.length > LONGEST_COMPARED) return undefined;
  const wanted = normalize(word);
  let best: T | undefined;
  let least = Math.min(wanted.length, Math.max(1, Math.round(wanted.length / 3)) + 1);
  for (const candidate of candidates) {
    if (candidate.length > LONGEST_COMPARED) continue;
    const distance = distanceBetween(wanted, normalize(candidate));
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

function normalize(word: string): string {
  return word.toLowerCase().replaceAll(/[_-]/g, '');
}

/** A word that begins with the other, two letters or more, counts as less than one edit; among several the shortest wins. */
function distanceBetween(word: string, candidate: string): number {
  const [shorter, longer] = word.length < candidate.length ? [word, candidate] : [candidate, word];
  if (shorter === longer) return 0;
  if (shorter.length < 2 || !longer.startsWith(shorter)) return editDistance(word, candidate);
  return 0.5 + (longer.length - shorter.length) / (2 * LONGEST_COMPARED);
}

/** Insertions, removals, replacements and swapped neighbours that turn one word into the other (Damerau–Levenshtein). */
function editDistance(from: string, to: string): number {
  let above: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwapped ? (above[j - 2] ?? Infinity) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [above, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}

/**
 * A glob as a test of a whole text: `*` stands for anything within a segment, `**` for anything. Every other
 * character, braces too, is itself, since paths are full of `{parameters}`. The work is at most the length of the text by
 * that of the glob, whatever stands in either.
 */
export function globTest(glob: string): (text: string) => boolean {
  const parts = (glob.match(/\*+|[^*]/gsu) ?? []).map((part) => (part.length > 2 ? '**' : part));
  return (text) => {
    // The places in the glob that what was read so far leads to.
    let places = opened(parts, new Set([0]));
    for (const character of text) {
      const next = new Set<number>();
      for (const place of places) {
        const part = parts[place];
        if (part === '**' || (part === '*' && character !== '/')) next.add(place);
        else if (part === character) next.add(place + 1);
      }
      if (next.size === 0) return false;
      places = opened(parts, next);
    }
    return places.has(parts.length);
  };
}

/** Asterisks may stand for nothing. */
function opened(parts: readonly string[], places: Set<number>): Set<number> {
  for (const place of places) if (parts[place]?.startsWith('*') === true) places.add(place + 1);
  return places;
}
