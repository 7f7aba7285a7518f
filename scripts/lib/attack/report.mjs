/** The result of an attack run, for people. */
import { paint, table } from '../table.mjs';

/**
 * @param {import('./run.mjs').Verdict[]} verdicts
 * @returns {string} a line each family, and one for all
 */
export function figuresOf(verdicts) {
  const families = byFamily(verdicts);
  const rows = [...families].map(([family, ofIt]) => lineOf(family, ofIt));
  return table(
    ['family', 'cases', 'refused', 'made harmless', 'admitted'],
    [...rows, lineOf('all', verdicts)],
  );
}

function lineOf(what, verdicts) {
  const admitted = verdicts.filter(({ miss }) => miss !== undefined).length;
  const harmless = verdicts.filter(({ miss, reached }) => miss === undefined && reached).length;
  return [what, verdicts.length, verdicts.length - admitted - harmless, harmless, admitted];
}

/** Node 20 has no `Map.groupBy`. */
function byFamily(verdicts) {
  const families = new Map();
  for (const one of verdicts) families.set(one.family, [...(families.get(one.family) ?? []), one]);
  return families;
}

/** @param {import('./run.mjs').Verdict[]} misses */
export function missesOf(misses) {
  if (misses.length === 0) return 'No attack was admitted.';
  return misses.map(({ family, name, miss }) => paint('red', `${family}: ${name}: ${miss}`)).join('\n');
}
