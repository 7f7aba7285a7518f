/**
 * `npm run attack`: hostile requests against an emitted server. Each must be refused in the way its row says, and no
 * handler may run and no API be called behind it. Ends with 1 when one was admitted, or when a row was not proved.
 *
 * `--prove` takes the checks of each family out of a copy of the build, and ends with 1 when a row is refused still; `--record` notes
 * the families that are proved.
 */
import { readFamilies } from './lib/attack/families.mjs';
import { findUnprovedRows } from './lib/attack/prove/prove.mjs';
import { findUnprovedFamilies, readRecord, recordFamily } from './lib/attack/prove/record.mjs';
import { figuresOf, missesOf } from './lib/attack/report.mjs';
import { attack } from './lib/attack/run.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readCount, readOptions } from './lib/usage.mjs';

const usage =
  'npm run attack [-- --only <family>,… --rows <pattern> --patience <ms> --prove [--record] --json]';
const text = { type: 'string' };
const flag = { type: 'boolean' };
const { values } = readOptions(usage, {
  options: { only: text, rows: text, patience: text, prove: flag, record: flag, json: flag },
});

const chosen = await chooseFamilies();
const patience = values.patience === undefined ? undefined : readCount(usage, 'patience', values.patience);
process.exitCode = (await (values.prove ? proveRows() : attackServers())) ? 0 : 1;

async function chooseFamilies() {
  const families = await readFamilies();
  const only = values.only?.split(',') ?? families.map(({ family }) => family);
  const unknown = only.filter((name) => !families.some(({ family }) => family === name));
  if (unknown.length > 0) misused(usage, `There is no family ${unknown.join(', ')}.`);
  return families.filter(({ family }) => only.includes(family));
}

/** @returns {Promise<boolean>} whether none was admitted, and each was proved */
async function attackServers() {
  const names = new RegExp(values.rows ?? '');
  const families = chosen.map(({ rows, ...rest }) => ({
    ...rest,
    rows: rows.filter(({ name }) => names.test(name)),
  }));
  const verdicts = await withTempFolder('attack', (folder) =>
    attack(families, folder, console.error, patience),
  );
  const misses = verdicts.filter(({ miss }) => miss !== undefined);
  const unproved = findUnprovedFamilies(chosen, readRecord());
  const commands = unproved.map(
    (family) => `${family}: not proved. node scripts/attack.mjs --prove --record --only '${family}'`,
  );
  print(verdicts, () => [figuresOf(verdicts), missesOf(misses), ...commands].join('\n'));
  return misses.length === 0 && unproved.length === 0;
}

/** @returns {Promise<boolean>} whether each row is admitted without its check */
async function proveRows() {
  const unproved = [];
  for (const family of chosen.filter(({ lacks }) => lacks === undefined)) {
    const refused = await withTempFolder('prove', (folder) => findUnprovedRows(family, folder, patience));
    console.error(`${family.family}: ${family.rows.length} rows, ${refused.length} unproved`);
    unproved.push(...refused.map((name) => `${family.family}: ${name}`));
    if (values.record && refused.length === 0) recordFamily(family);
  }
  print(unproved, () => [...unproved, `${unproved.length} unproved.`].join('\n'));
  return unproved.length === 0;
}

/** @param {unknown} all @param {() => string} words */
function print(all, words) {
  console.log(values.json ? JSON.stringify(all, undefined, 2) : words());
}
