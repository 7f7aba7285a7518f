/** Whether a row was let in, which is more than that it was refused in other words. */

/** A status of success that stands alone: one with the code of an error is a refusal. */
const SERVED = /(?<![\w.])(?:2\d\d|101)(?=$|[,;])/g;

/**
 * @param {{ want: string, reaches?: Record<string, number> }} row
 * @param {string} got what came of it
 * @param {Record<string, number>} rises of the witness
 * @returns {boolean} that it was answered with success more often than its row says, or that a figure rose by more
 */
export function isAdmitted({ want, reaches = {} }, got, rises) {
  const isBeyond = ([what, rise]) => rise > (reaches[what] ?? 0);
  return servedIn(got) > servedIn(want) || Object.entries(rises).some(isBeyond);
}

function servedIn(text) {
  return text.match(SERVED)?.length ?? 0;
}

/**
 * Whether a verdict without a check proves that its row can fail: the check names the row, and the row was let in.
 * @param {Pick<import('./prove/check.mjs').Check, 'rows' | 'admits'>} check
 * @param {Pick<import('./run.mjs').Verdict, 'name' | 'admitted' | 'miss'>} verdict
 */
export function isProof({ rows, admits }, { name, admitted, miss = '' }) {
  return rows.test(name) && (admitted || admits?.test(miss) === true);
}
