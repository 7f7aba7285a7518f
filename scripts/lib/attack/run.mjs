/** Runs the rows of families, one after the other, and judges each. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { openServer } from './server.mjs';

/** Longer than any limit of the server that rows wait for. */
const PATIENCE_MS = 60_000;

/**
 * @typedef {object} Verdict
 * @property {string} family
 * @property {string} name
 * @property {string} got how it was refused
 * @property {boolean} reached that it was let through in a form that does no harm
 * @property {string} [miss] what is wrong; absent: nothing
 */

/**
 * @param {import('./families.mjs').Family[]} families
 * @param {string} folder
 * @param {(family: string) => void} [tell] called at the beginning of each
 * @param {number} [patience] milliseconds that a row may take, before it counts as a miss
 * @returns {Promise<Verdict[]>}
 */
export async function attack(families, folder, tell = () => undefined, patience = PATIENCE_MS) {
  const verdicts = [];
  for (const { family, rows, open = openServer } of families) {
    if (rows.length === 0) continue;
    tell(family);
    const home = path.join(folder, family);
    await mkdir(home);
    const target = await open(home);
    try {
      for (const row of rows) verdicts.push({ family, ...(await judge(row, target, patience)) });
    } finally {
      await target.close();
    }
  }
  return verdicts;
}

/**
 * @param {import('./families.mjs').Row<any>} row
 * @param {import('./families.mjs').Target} target
 * @param {number} patience
 * @returns {Promise<Omit<Verdict, 'family'>>}
 */
async function judge({ name, want, reaches = {}, attack }, target, patience) {
  const before = await target.witness();
  const got = await patiently(attack(target), patience).catch((error) => `failed: ${error.message}`);
  const rises = risesOf(before, await target.witness());
  const reached = Object.keys(reaches).length > 0;
  const wrong = [
    ...(got === want ? [] : [`wanted ${want}, got ${got}`]),
    ...(isDeepStrictEqual(rises, reaches) ? [] : [`reached ${JSON.stringify(rises)}`]),
  ];
  return { name, got, reached, ...(wrong.length === 0 ? {} : { miss: wrong.join('; ') }) };
}

function risesOf(before, after) {
  const rises = Object.entries(after).map(([what, count]) => [what, count - before[what]]);
  return Object.fromEntries(rises.filter(([, rise]) => rise !== 0));
}

async function patiently(work, ms) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
