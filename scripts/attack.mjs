/**
 * `npm run attack`: hostile requests against an emitted server. Each must be refused in the way its row says, and no
 * handler may run and no API be called behind it. Ends with 1 when one was admitted.
 *
 * `--against` runs the rows on the build of another checkout, such as an older commit: it tells which of them that build lets in.
 *
 * `--prove` takes checks out of a copy of the runtime, one at a time, and ends with 1 when no row is admitted then.
 */
import { readFamilies } from './lib/attack/families.mjs';
import path from 'node:path';

import { openCopy } from './lib/attack/prove/copy.mjs';
import { readChecks } from './lib/attack/prove/checks.mjs';
import { missesOfRows, prove, tableOf } from './lib/attack/prove/prove.mjs';
import { findRowsWithoutProof } from './lib/attack/prove/rows-without-proof.mjs';
import { figuresOf, missesOf, refusedIn } from './lib/attack/report.mjs';
import { attack } from './lib/attack/run.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readCount, readOptions } from './lib/usage.mjs';

const usage =
  'npm run attack [-- --only <family>,… --rows <pattern> --patience <ms> --against <checkout> --prove [--check <words>] --json]';
const text = { type: 'string' };
const flag = { type: 'boolean' };
const { values } = readOptions(usage, {
  options: { only: text, json: flag, prove: flag, check: text, patience: text, rows: text, against: text },
});

const run = values.prove ? proveChecks : values.against === undefined ? attackServers : attackBuild;
process.exitCode = (await run()) ? 0 : 1;

/** @returns {Promise<boolean>} whether none was admitted */
async function attackServers() {
  const { chosen, named } = await chooseFamilies();
  const families = chosen.map(({ rows, ...rest }) => ({
    ...rest,
    rows: rows.filter(({ name }) => named.test(name)),
  }));
  const verdicts = await withTempFolder('attack', (folder) =>
    attack(families, folder, console.error, readPatience()),
  );
  const misses = verdicts.filter(({ miss }) => miss !== undefined);
  const unproved = findRowsWithoutProof(chosen, await readChecks());
  print(verdicts, () => [figuresOf(verdicts), missesOf(misses), ...unproved].join('\n'));
  return misses.length === 0 && unproved.length === 0;
}

/** @returns {Promise<boolean>} whether that build lets in each row */
async function attackBuild() {
  const { chosen, named } = await chooseFamilies();
  const checkout = path.resolve(values.against);
  const verdicts = await withTempFolder('against', async (folder) => {
    const copy = await openCopy(folder, checkout);
    return copy.attack(
      chosen.map(({ family }) => family),
      named,
      readCount(usage, 'patience', values.patience ?? '60000'),
    );
  });
  const refused = refusedIn(verdicts);
  print(verdicts, () => [figuresOf(verdicts), ...refused].join('\n'));
  return refused.length === 0;
}

function readPatience() {
  return values.patience === undefined ? undefined : readCount(usage, 'patience', values.patience);
}

async function chooseFamilies() {
  const all = await readFamilies();
  const only = values.only?.split(',') ?? all.map(({ family }) => family);
  const unknown = only.filter((name) => !all.some(({ family }) => family === name));
  if (unknown.length > 0) misused(usage, `There is no family ${unknown.join(', ')}.`);
  const named = new RegExp(values.rows ?? '');
  return { chosen: all.filter(({ family }) => only.includes(family)), named };
}

/** @returns {Promise<boolean>} whether a row is admitted without each, and of all checks each row that they name */
async function proveChecks() {
  const only = values.only?.split(',');
  const all = await readChecks();
  const chosen = all.filter(
    ({ check, families }) =>
      check.includes(values.check ?? '') &&
      (only === undefined || families.some((each) => only.includes(each))),
  );
  if (chosen.length === 0) misused(usage, 'There is no such check.');
  const proofs = await withTempFolder('prove', (folder) =>
    prove(
      chosen,
      folder,
      ({ check, noticed, miss }) => console.error(`${check}: ${miss ?? noticed[0]}`),
      readPatience(),
    ),
  );
  const missed = proofs.filter(({ miss }) => miss !== undefined).length;
  const isWhole = chosen.length === all.length;
  const rows = isWhole ? missesOfRows(await readFamilies(), all, proofs) : [];
  print([...proofs, ...rows], () =>
    [
      tableOf([...proofs, ...rows]),
      `${proofs.length} checks, ${missed} without which no row named for them was admitted.`,
      ...(isWhole ? [`${rows.length} rows that checks name were not admitted.`] : []),
    ].join('\n'),
  );
  return missed === 0 && rows.length === 0;
}

/** @param {unknown} all @param {() => string} words */
function print(all, words) {
  console.log(values.json ? JSON.stringify(all, undefined, 2) : words());
}
