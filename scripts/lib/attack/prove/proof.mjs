/** Judges a removed check by its rows: one of them must have been let in. */

/**
 * @typedef {object} Proof
 * @property {string} check
 * @property {string[]} noticed `family: name` of rows that were admitted
 * @property {string[]} otherwise rows that were refused still, in other words: they show nothing
 * @property {string} [miss] what is wrong; absent: nothing
 */

/**
 * @param {Pick<import('./checks.mjs').Check, 'check' | 'rows' | 'each' | 'admits'>} one
 * @param {Pick<import('../run.mjs').Verdict, 'family' | 'name' | 'admitted' | 'miss'>[]} verdicts without it
 * @returns {Proof}
 */
export function proofOf({ check, rows, each = false, admits }, verdicts) {
  if (verdicts.length === 0) return failed(check, `no row is named ${rows}`);
  const isOne = (verdict) => isNoticed({ admits }, verdict);
  const noticed = verdicts.filter(isOne).map(({ family, name }) => `${family}: ${name}`);
  const others = verdicts.filter((verdict) => !isOne(verdict));
  const otherwise = others.filter(({ miss }) => miss !== undefined).map(({ name }) => name);
  const [other] = others;
  const proof = { check, noticed, otherwise };
  if (noticed.length === 0) return { ...proof, miss: `no row was admitted, of ${verdicts.length}` };
  return each && other !== undefined ? { ...proof, miss: `was not admitted: ${other.name}` } : proof;
}

/**
 * @param {Pick<import('./checks.mjs').Check, 'admits'>} check that was taken out
 * @param {Pick<import('../run.mjs').Verdict, 'admitted' | 'miss'>} verdict
 */
export function isNoticed({ admits }, { admitted, miss }) {
  return admitted || (miss !== undefined && admits?.test(miss) === true);
}

/** @param {string} check @param {string} miss @returns {Proof} */
export function failed(check, miss) {
  return { check, noticed: [], otherwise: [], miss };
}
