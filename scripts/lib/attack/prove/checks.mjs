/** The checks that can be taken out, by what they are about: a file of `checks/` each. */
import { readdir } from 'node:fs/promises';

/**
 * @typedef {object} Check
 * @property {string} check what it keeps out
 * @property {[from: string, to: string][]} edits what takes it out: texts of what is built, each there once
 * @property {string[]} files where they stand
 * @property {string[]} families whose rows are run
 * @property {RegExp} [rows] one of which must be admitted without it alone, by their names. Default: it is taken out with others only
 * @property {boolean} [each] that each of them must. Default: false
 * @property {RegExp} [admits] the miss of a row that was let in, or took what is bounded, where neither an answer of success nor
 *   the witness shows it
 */

/** The runtime as projects get it, with OAuth and without. */
const RUNTIMES = ['dist/runtime.json'];

const folder = new URL('checks/', import.meta.url);

/** @returns {Promise<Check[]>} */
export async function readChecks() {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.mjs')).sort();
  const all = await Promise.all(files.map((name) => import(new URL(name, folder).href)));
  return all.flatMap(({ checks }) => checks).map((one) => ({ files: RUNTIMES, ...one }));
}

/**
 * One whose condition refuses: it never does.
 * @param {string} check @param {string} condition without the parentheses of `if`
 * @param {string | string[]} families @param {RegExp} [rows]
 * @returns {Check}
 */
export function refusal(check, condition, families, rows) {
  return { check, edits: [[`if (${condition})`, 'if (false)']], families: [families].flat(), rows };
}

/**
 * @param {string} check @param {[from: string, to: string]} edit
 * @param {string | string[]} families @param {RegExp} [rows]
 * @returns {Check}
 */
export function replacement(check, edit, families, rows) {
  return { check, edits: [edit], families: [families].flat(), rows };
}
