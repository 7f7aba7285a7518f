/** The families whose rows `--prove` has shown to be admitted, each with a digest of the names of its rows. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

/** @import { Family } from '../families.mjs' */

const file = new URL('proved.json', import.meta.url);

/** Families of which `--prove` has not shown every row so far. */
const OPEN = [
  'configurations',
  'credentials of callers',
  'long texts',
  'memory',
  'observers',
  'queries of overlays',
  'questions about tokens',
  'regular expressions',
  'repositories',
  'shares of callers',
  'working folders',
];

/** @returns {Record<string, string>} */
export function readRecord() {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** @param {Family[]} families of which each row was admitted */
export function recordFamilies(families) {
  const digests = {
    ...readRecord(),
    ...Object.fromEntries(families.map((one) => [one.family, digestOf(one)])),
  };
  writeFileSync(file, `${JSON.stringify(digests, Object.keys(digests).sort(), 2)}\n`);
}

/**
 * @param {Pick<Family, 'family' | 'rows'>[]} families
 * @param {Record<string, string>} record
 * @returns {string[]} those that have other rows than were proved
 */
export function findUnprovedFamilies(families, record) {
  return families
    .filter((one) => !OPEN.includes(one.family) && record[one.family] !== digestOf(one))
    .map(({ family }) => family);
}

function digestOf({ rows }) {
  const names = rows.map(({ name }) => name).sort();
  return createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16);
}
