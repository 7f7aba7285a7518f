/**
 * Resolves names that several operations ask for. Method and path decide, never the order, so reordering a document
 * renames nothing.
 */
import { withHash, withSuffix } from './clean-name.ts';
import { groupBy } from '../../util/group-by.ts';
import { type Candidate, wordsFrom } from './name-candidate.ts';

/** Tries the words of method and path, then longer hashes of them. */
function attempts(limit: number): ((candidate: Candidate) => string)[] {
  const hashed = [8, 12, 24].map(
    (digits) =>
      ({ base, key }: Candidate) =>
        withHash(base, key, limit, digits),
  );
  return [({ base }) => base, (candidate) => withWords(candidate, limit), ...hashed];
}

function withWords({ operation, base, key }: Candidate, limit: number): string {
  const words = wordsFrom(operation);
  return words.length * 2 > limit ? withHash(base, key, limit) : withSuffix(base, words, limit);
}

export function resolveClashes(candidates: readonly Candidate[], limit: number): Map<Candidate, string> {
  const names = new Map<Candidate, string>();
  const taken = new Set<string>();
  let open = candidates;
  for (const attempt of attempts(limit)) {
    open = settle(open, attempt, names, taken);
    if (open.length === 0) return names;
  }
  // Only a repeated method and path reaches this point.
  open.forEach((candidate, index) =>
    names.set(candidate, withSuffix(candidate.base, `${candidate.key.length}_${index}`, limit)),
  );
  return names;
}

/** Names each candidate whose name is unique, and returns the others. */
function settle(
  open: readonly Candidate[],
  attempt: (candidate: Candidate) => string,
  names: Map<Candidate, string>,
  taken: Set<string>,
): Candidate[] {
  const groups = groupBy(open, attempt);
  const left: Candidate[] = [];
  const settled: [Candidate, string][] = [];
  for (const [name, group] of groups) {
    const winner = taken.has(name) ? undefined : findWinner(group);
    if (winner !== undefined) settled.push([winner, name]);
    left.push(...group.filter((candidate) => candidate !== winner));
  }
  for (const [candidate, name] of settled) {
    names.set(candidate, name);
    taken.add(name);
  }
  return left;
}

function findWinner(group: readonly Candidate[]): Candidate | undefined {
  const pinned = group.filter((candidate) => candidate.pinned);
  const strongest = pinned.length > 0 ? pinned : group;
  return strongest.length === 1 ? strongest[0] : undefined;
}
