/**
 * `npm run fuzz`: more than a million made-up inputs for what reads foreign bytes. Every one must be read, or refused
 * as intended. Ends with 1 when one was not, and prints the smallest like it; that belongs into a test then.
 */
import fc from 'fast-check';
import { targets } from './lib/fuzz/targets.mjs';
import { seconds, table } from './lib/table.mjs';
import { misused, readCount, readOptions } from './lib/usage.mjs';

const usage = 'npm run fuzz [-- --only <target>,… --inputs <count of each> --seed <integer>]';
const text = { type: 'string' };
const { values } = readOptions(usage, { options: { only: text, inputs: text, seed: text } });
const only = values.only?.split(',');
const unknown = only?.filter((name) => !targets.some((target) => target.name === name)) ?? [];
if (unknown.length > 0) misused(usage, `There is no target ${unknown.join(', ')}.`);
const inputs = values.inputs === undefined ? undefined : readCount(usage, 'inputs', values.inputs);
const seed = values.seed === undefined ? Date.now() & 0x7fff_ffff : readCount(usage, 'seed', values.seed);

const load = (path) => import(`../dist/${path}.js`);
const rows = [];
let found = 0;
let total = 0;
for (const target of targets.filter(({ name }) => only?.includes(name) ?? true)) {
  const start = Date.now();
  const numRuns = inputs ?? target.inputs;
  const details = await fc.check(await target.property(load), { numRuns, seed });
  if (details.failed) console.error(`${target.name}: ${fc.defaultReportMessage(details)}\n`);
  found += details.failed ? 1 : 0;
  total += details.numRuns;
  rows.push([
    target.name,
    details.numRuns,
    details.failed ? 'found a case' : 'fine',
    seconds(Date.now() - start),
  ]);
}
console.log(table(['target', 'inputs', '', ''], rows));
console.log(`\n${total} inputs, ${found} cases found (seed ${seed})`);
process.exitCode = found > 0 ? 1 : 0;
