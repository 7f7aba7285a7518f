/** The candidate that takes the fewest edits to reach, when few are enough to call it a slip. */
export function nearest<T extends string>(text: string, candidates: readonly T[]): T | undefined {
  let best: { candidate: T; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = candidate.startsWith(text) || text.startsWith(candidate) ? 1 : edits(text, candidate);
    if (distance <= Math.max(2, candidate.length / 2) && (best === undefined || distance < best.distance)) {
      best = { candidate, distance };
    }
  }
  return best?.candidate;
}

/** Levenshtein distance. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const substitution = (row[j] ?? 0) + (character === b.charAt(j) ? 0 : 1);
      next.push(Math.min(substitution, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
