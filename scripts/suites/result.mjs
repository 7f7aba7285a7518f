// Report of one suite, returned by every module of this folder.

/**
 * @typedef {object} SuiteResult
 * @property {string} suite
 * @property {number} passed
 * @property {string[]} failures one line each
 * @property {Map<string, number>} skips reason → how many
 * @property {boolean} [informative] failures are shown but do not fail the run
 */

/** @returns {SuiteResult} */
export function emptyResult(suite, informative = false) {
  return { suite, passed: 0, failures: [], skips: new Map(), informative };
}

/** Counts one case. */
export function record(result, name, problem) {
  if (problem === undefined) result.passed++;
  else result.failures.push(`${name}: ${problem}`);
}

/** Counts cases that are left out, and why. */
export function skip(result, reason, count = 1) {
  result.skips.set(reason, (result.skips.get(reason) ?? 0) + count);
}
