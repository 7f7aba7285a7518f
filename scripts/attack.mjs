/**
 * `npm run attack`: hostile requests against an emitted server. Each must be refused in the way its row says, and no
 * handler may run and no API be called behind it. Ends with 1 when one was admitted.
 */
import { readFamilies } from './lib/attack/families.mjs';
import { figuresOf, missesOf } from './lib/attack/report.mjs';
import { attack } from './lib/attack/run.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const usage = 'npm run attack [-- --only <family>,… --json]';
const { values } = readOptions(usage, { options: { only: { type: 'string' }, json: { type: 'boolean' } } });

const all = await readFamilies();
const only = values.only?.split(',') ?? all.map(({ family }) => family);
const unknown = only.filter((name) => !all.some(({ family }) => family === name));
if (unknown.length > 0) misused(usage, `There is no family ${unknown.join(', ')}.`);
const chosen = all.filter(({ family }) => only.includes(family));

const verdicts = await withTempFolder('attack', (folder) =>
  attack(chosen, folder, (family) => console.error(`${family} …`)),
);
const misses = verdicts.filter(({ miss }) => miss !== undefined);
if (values.json) console.log(JSON.stringify(verdicts, undefined, 2));
else console.log(`${figuresOf(verdicts)}\n${missesOf(misses)}`);
process.exitCode = misses.length > 0 ? 1 : 0;
