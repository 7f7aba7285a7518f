/** The families whose rows `--prove` has shown to be admitted, each with a digest of its module. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

/** @import { Family } from '../families.mjs' */

const file = new URL('proved.json', import.meta.url);

/** @returns {Record<string, string>} */
export function readRecord() {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** @param {Family} family each row of which was admitted */
export function recordFamily(family) {
  const digests = { ...readRecord(), [family.family]: digestOf(family) };
  writeFileSync(file, `${JSON.stringify(digests, Object.keys(digests).sort(), 2)}\n`);
}

/**
 * @param {Pick<Family, 'family' | 'text' | 'rows'>[]} families
 * @param {Record<string, string>} record
 * @returns {string[]} those that are not as they were proved
 */
export function findUnprovedFamilies(families, record) {
  return families.filter((one) => record[one.family] !== digestOf(one)).map(({ family }) => family);
}

/** Of the module that makes its rows and says their checks, and of the names of its rows, which other modules may choose. */
function digestOf({ text, rows }) {
  const names = rows.map(({ name }) => name);
  return createHash('sha256')
    .update([text, ...names].join('\n'))
    .digest('hex')
    .slice(0, 16);
}
