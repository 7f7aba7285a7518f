/**
 * `npm run attack`: hostile requests against an emitted server. Each must be refused in the way its row says, and no
 * handler may run and no API be called behind it. Ends with 1 when one was admitted.
 *
 * `--against` runs the rows on the build of another checkout, such as an older commit: it tells which of them that build lets in.
 *
 * `--prove` takes the checks of each family out of a copy of the runtime, and ends with 1 when a row is refused still; `--record` notes
 * the families that are proved. `--prove --check <words>` takes those checks out one at a time; each must have a row that notices.
 */
import { readFamilies } from './lib/attack/families.mjs';
import path from 'node:path';

import { openCopy } from './lib/attack/prove/copy.mjs';
import { readChecks } from './lib/attack/prove/checks.mjs';
import { findUnprovedRows, proveChecks, tableOf } from './lib/attack/prove/prove.mjs';
import { findUnprovedFamilies, readRecord, recordFamilies } from './lib/attack/prove/record.mjs';
import { figuresOf, missesOf, refusedIn } from './lib/attack/report.mjs';
import { attack } from './lib/attack/run.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readCount, readOptions } from './lib/usage.mjs';

const usage =
  'npm run attack [-- --only <family>,… --rows <pattern> --patience <ms> --against <checkout> --prove [--record | --check <words>] --json]';
const text = { type: 'string' };
const flag = { type: 'boolean' };
const { values } = readOptions(usage, {
  options: {
    only: text,
    json: flag,
    prove: flag,
    record: flag,
    check: text,
    patience: text,
    rows: text,
    against: text,
  },
});

process.exitCode = (await chooseRun()()) ? 0 : 1;

function chooseRun() {
  if (values.prove) return values.check === undefined ? proveRows : proveAlone;
  return values.against === undefined ? attackServers : attackBuild;
}

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
  const unproved = findUnprovedFamilies(chosen, readRecord());
  const rest = unproved.map(
    (family) => `${family}: not proved. node scripts/attack.mjs --prove --record --only '${family}'`,
  );
  print(verdicts, () => [figuresOf(verdicts), missesOf(misses), ...rest].join('\n'));
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

/** @returns {Promise<boolean>} whether each row is admitted without the checks of its family */
async function proveRows() {
  const { chosen } = await chooseFamilies();
  const checks = await readChecks();
  const proved = [];
  const unproved = [];
  for (const one of chosen.filter(({ lacks }) => lacks === undefined)) {
    const left = await withTempFolder('prove', (folder) =>
      findUnprovedRows(one, checks, folder, readPatience()),
    );
    console.error(`${one.family}: ${one.rows.length} rows, ${left.length} unproved`);
    if (left.length === 0) proved.push(one);
    unproved.push(...left.map((name) => `${one.family}: ${name}`));
    if (values.record) recordFamilies(proved);
  }
  print(unproved, () => [...unproved, `${unproved.length} unproved.`].join('\n'));
  return unproved.length === 0;
}

/** @returns {Promise<boolean>} whether a row is admitted without each check alone */
async function proveAlone() {
  const only = values.only?.split(',');
  const chosen = (await readChecks()).filter(
    ({ check, families, rows }) =>
      rows !== undefined &&
      check.includes(values.check) &&
      (only === undefined || families.some((each) => only.includes(each))),
  );
  if (chosen.length === 0) misused(usage, 'There is no such check.');
  const proofs = await withTempFolder('prove', (folder) =>
    proveChecks(
      chosen,
      folder,
      ({ check, noticed, miss }) => console.error(`${check}: ${miss ?? noticed[0]}`),
      readPatience(),
    ),
  );
  const missed = proofs.filter(({ miss }) => miss !== undefined).length;
  print(proofs, () =>
    [
      tableOf(proofs),
      `${proofs.length} checks, ${missed} without which no row named for them was admitted.`,
    ].join('\n'),
  );
  return missed === 0;
}

/** @param {unknown} all @param {() => string} words */
function print(all, words) {
  console.log(values.json ? JSON.stringify(all, undefined, 2) : words());
}
