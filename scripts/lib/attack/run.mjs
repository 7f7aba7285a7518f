/** Runs the rows of families, and judges each: rows of one family one after the other, since they share a target. */
import { mkdir, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { openServer } from './server.mjs';

/** Longer than any limit of the server that rows wait for. */
const PATIENCE_MS = 60_000;

/** Families under way at the same time: rows mostly wait, for limits of time and for processes to start. */
const AT_ONCE = 3;

/** `tell`: called at the beginning of each; `patience`: milliseconds that a row may take, before it counts as a miss. */
export async function attack(families, folder, tell = () => undefined, patience = PATIENCE_MS) {
  const verdicts = families.map(() => []);
  const waiting = families.entries();
  const work = async () => {
    for (const [at, { family, rows, lacks, open = openServer }] of waiting) {
      if (rows.length === 0) continue;
      tell(lacks === undefined ? `${family} …` : `${family}: left out, there is no ${lacks}`);
      if (lacks !== undefined) continue;
      const home = path.join(folder, family);
      await mkdir(home);
      const judged = await judgeAll(rows, () => openIn(home, open), patience);
      verdicts[at] = judged.map((verdict) => ({ family, ...verdict }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return verdicts.flat();
}

/** In a fresh folder of its own, below `home`. */
async function openIn(home, open) {
  return open(await mkdtemp(path.join(home, 'target-')));
}

/** All on one target, while it lives: behind a row that it did not outlive comes another one. */
async function judgeAll(rows, openTarget, patience) {
  const verdicts = [];
  let target;
  try {
    for (const row of rows) {
      target ??= await openTarget();
      const { isAlive, ...verdict } = await judge(row, target, patience);
      verdicts.push(verdict);
      if (isAlive) continue;
      await target.close();
      target = undefined;
    }
  } finally {
    await target?.close();
  }
  return verdicts;
}

/** `isAlive`: that the target still tells what it did. */
async function judge({ name, want, reaches = {}, attack }, target, patience) {
  const before = await target.witness();
  const attempt = async () => attack(target);
  const got = await patiently(attempt(), patience).catch((error) => `failed: ${error.message}`);
  const after = await patiently(target.witness(), patience).catch(() => undefined);
  const reached = Object.keys(reaches).length > 0;
  const rises = after === undefined ? {} : risesOf(before, after);
  const wrong = [
    ...(got === want ? [] : [`wanted ${want}, got ${got}`]),
    ...(after === undefined ? ['the target answers no more'] : wrongIn(rises, reaches)),
  ];
  const admitted = isAdmitted({ want, reaches }, got, rises);
  const verdict = { name, got, reached, admitted, isAlive: after !== undefined };
  return wrong.length === 0 ? verdict : { ...verdict, miss: wrong.join('; ') };
}

function wrongIn(rises, reaches) {
  return isDeepStrictEqual(rises, reaches) ? [] : [`reached ${JSON.stringify(rises)}`];
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

/** A status of success that stands alone: one with the code of an error is a refusal. */
const SERVED = /(?<![\w.])(?:2\d\d|101)(?=$|[,;])/g;

/**
 * `got`: what came of it; `rises`: of the witness; returns that it was answered with success more often than its row
 * says, or that a figure rose by more.
 */
export function isAdmitted({ want, reaches = {} }, got, rises) {
  const isBeyond = ([what, rise]) => rise > (reaches[what] ?? 0);
  return servedIn(got) > servedIn(want) || Object.entries(rises).some(isBeyond);
}

function servedIn(text) {
  return text.match(SERVED)?.length ?? 0;
}

/** Whether a verdict without a check proves that its row can fail: the check names the row, and the row was let in. */
export function isProof({ rows, admits }, { name, admitted, miss = '' }) {
  return rows.test(name) && (admitted || admits?.test(miss) === true);
}
