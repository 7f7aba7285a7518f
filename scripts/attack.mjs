/**
 * `npm run attack`: hostile requests against an emitted server. Each must be refused in the way its row says, and no
 * handler may run and no API be called behind it. Ends with 1 when one was admitted. `--prove` takes the checks of each
 * family out of a copy of the build, and ends with 1 when a row is refused still.
 */
import { readFamilies } from './lib/attack/families.mjs';
import { findUnprovedRows } from './lib/attack/prove/prove.mjs';
import { attack } from './lib/attack/run.mjs';
import { paint, table } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readCount, readOptions } from './lib/usage.mjs';

const usage = 'npm run attack [-- --only <family>,… --rows <pattern> --patience <ms> --prove --json]';
const text = { type: 'string' };
const flag = { type: 'boolean' };
const { values } = readOptions(usage, {
  options: { only: text, rows: text, patience: text, prove: flag, json: flag },
});
const patience = values.patience === undefined ? undefined : readCount(usage, 'patience', values.patience);
const families = await readFamilies();
const only = values.only?.split(',') ?? families.map(({ family }) => family);
for (const name of only)
  if (!families.some(({ family }) => family === name)) misused(usage, `There is no family ${name}.`);
const chosen = families.filter(({ family }) => only.includes(family));
process.exitCode = (await (values.prove ? proveRows() : attackServers())) ? 0 : 1;

/** Whether none was admitted. */
async function attackServers() {
  const names = new RegExp(values.rows ?? '');
  const attacked = chosen.map(({ rows, ...rest }) => ({
    ...rest,
    rows: rows.filter(({ name }) => names.test(name)),
  }));
  const verdicts = await withTempFolder('attack', (folder) =>
    attack(attacked, folder, console.error, patience),
  );
  const misses = verdicts.filter(({ miss }) => miss !== undefined);
  if (values.json) console.log(JSON.stringify(verdicts, undefined, 2));
  else {
    const lines = [...only, 'all'].map((name) => {
      const ofIt = verdicts.filter(({ family }) => name === 'all' || family === name);
      const admitted = ofIt.filter(({ miss }) => miss !== undefined).length;
      const harmless = ofIt.filter(({ miss, reached }) => miss === undefined && reached).length;
      return [name, ofIt.length, ofIt.length - admitted - harmless, harmless, admitted];
    });
    console.log(table(['family', 'cases', 'refused', 'made harmless', 'admitted'], lines));
    for (const { family, name, miss } of misses) console.log(paint('red', `${family}: ${name}: ${miss}`));
    if (misses.length === 0) console.log('No attack was admitted.');
  }
  return misses.length === 0;
}

/** Whether each row is admitted without its check. */
async function proveRows() {
  const unproved = [];
  for (const family of chosen.filter(({ lacks }) => lacks === undefined)) {
    const refused = await withTempFolder('prove', (folder) => findUnprovedRows(family, folder, patience));
    console.error(`${family.family}: ${family.rows.length} rows, ${refused.length} unproved`);
    unproved.push(...refused.map((name) => `${family.family}: ${name}`));
  }
  console.log([...unproved, `${unproved.length} unproved.`].join('\n'));
  return unproved.length === 0;
}
