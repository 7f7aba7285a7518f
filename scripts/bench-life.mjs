/**
 * `npm run bench:life -- <document>`: what the second run costs: `mcpgen generate` with nothing changed and `mcpgen check`,
 * each beside a full generation, and `mcpgen --help` beside `node -e 0`. All take turns, A B C D E, after one round that is
 * not counted. Ends with 1 when a limit is missed.
 */
import path from 'node:path';

import { Figures, spreadOf, times } from './lib/bench/figures.mjs';
import { ratioOf, takeTurns } from './lib/bench/turns.mjs';
import { cli } from './lib/repository.mjs';
import { runOrThrow } from './lib/run.mjs';
import { median, seconds } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readCount, readOptions } from './lib/usage.mjs';

const usage = 'npm run bench:life -- <document> [--rounds <n>] [--json]';
const { values, positionals } = readOptions(usage, {
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '9' }, json: { type: 'boolean', default: false } },
});
const rounds = readCount(usage, 'rounds', values.rounds);
const [document] = positionals;
if (document === undefined) misused(usage, 'No document is given.');

const figures = new Figures();

async function bench(folder) {
  const time = async (...args) => (await runOrThrow(process.execPath, args, { cwd: folder })).ms;
  const source = path.resolve(document);
  let count = 0;
  const full = () => time(cli, 'openapi', source, '-o', `full-${count++}`);
  await time(cli, 'openapi', source, '-o', 'project');
  const programs = {
    full,
    generate: () => time(cli, 'generate', 'project'),
    check: () => time(cli, 'check', 'project'),
    help: () => time(cli, '--help'),
    bare: () => time('-e', '0'),
  };
  await takeTurns(1, programs);
  const taken = await takeTurns(rounds, programs);
  const name = path.basename(document);
  note(`generate ${name}, nothing changed`, taken.generate, taken.full, 'a full generation', 0.6);
  note(`check ${name}`, taken.check, taken.full, 'a full generation', 0.6);
  note('--help', taken.help, taken.bare, 'node -e 0', 1.5);
}

function note(what, ours, theirs, other, limit) {
  const ratio = ratioOf(ours, theirs);
  figures.atMost({
    what,
    ours: seconds(median(ours)),
    other: `${seconds(median(theirs))} ${other}`,
    figure: ratio.ratio,
    limit,
    unit: times,
    spread: spreadOf(ratio),
  });
}

await withTempFolder('bench-life', bench);
console.log(values.json ? JSON.stringify(figures, undefined, 2) : String(figures));
process.exitCode = figures.missed > 0 ? 1 : 0;
