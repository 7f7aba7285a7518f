/** Proves that the table can fail: each row is admitted without its check. */
import { isProof } from '../admission.mjs';
import { openCopy } from './copy.mjs';

/** @import { Family } from '../families.mjs' */

/**
 * Takes the checks of a family out, one at a time, and runs the rows that each names.
 * @param {Family} family
 * @param {string} folder fresh and empty
 * @param {number} [patience] with each row, in ms
 * @returns {Promise<string[]>} the rows that are refused still
 */
export async function findUnprovedRows({ family, rows, checks }, folder, patience) {
  const copy = await openCopy(folder);
  const refused = [];
  for (const check of checks) {
    const names = rows.map(({ name }) => name).filter((name) => check.rows.test(name));
    const putBack = await copy.without(check);
    const pattern = `^(?:${names.map(escaped).join('|')})$`;
    const verdicts = await copy.attack(family, pattern, patience).finally(putBack);
    const admitted = verdicts.filter((verdict) => isProof(check, verdict)).map(({ name }) => name);
    refused.push(...names.filter((name) => !admitted.includes(name)));
  }
  return refused;
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
