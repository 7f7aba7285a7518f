/**
 * `npm run bench:ts`: how long annotated functions take to compile, beside what TypeScript takes to check the same files.
 * The two take turns, A B A B, after one round that is not counted; each compilation writes into a fresh folder.
 */
import path from 'node:path';
import { Figures, spreadOf, times } from './lib/bench/figures.mjs';
import { ratioOfMedians, takeTurns } from './lib/bench/turns.mjs';
import { fileCount, functionCount, writeProject } from './lib/bench-ts/project.mjs';
import { cli, inRepository } from './lib/repository.mjs';
import { runOrThrow } from './lib/run.mjs';
import { median, seconds } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readCount, readOptions } from './lib/usage.mjs';

const usage = 'npm run bench:ts [-- --rounds <n>] [--json]';
const { values } = readOptions(usage, {
  options: { rounds: { type: 'string', default: '7' }, json: { type: 'boolean', default: false } },
});
const rounds = readCount(usage, 'rounds', values.rounds);
const figures = new Figures();

/** TypeScript's own command, whatever `tsc` is elsewhere. */
const tsc = inRepository('node_modules/typescript/bin/tsc');

async function benchCompile(folder) {
  const cwd = path.join(folder, 'measured');
  const files = await writeProject(cwd);
  let count = 0;
  const programs = {
    ours: () => timeNode([cli, 'ts', ...files, '-o', path.join(folder, `out-${count++}`), '--quiet'], cwd),
    theirs: () => timeNode([tsc, '--noEmit', '-p', '.'], cwd),
  };
  await takeTurns(1, programs);
  const { ours, theirs } = await takeTurns(rounds, programs);
  const ratio = ratioOfMedians(ours, theirs);
  figures.atMost({
    what: `compile ${functionCount} functions in ${fileCount} files`,
    ours: seconds(median(ours)),
    other: `${seconds(median(theirs))} tsc --noEmit`,
    figure: ratio.ratio,
    limit: 1.5,
    unit: times,
    spread: spreadOf(ratio),
  });
}

async function timeNode(args, cwd) {
  return (await runOrThrow(process.execPath, args, { cwd })).ms;
}

await withTempFolder('bench-ts', benchCompile);
console.log(values.json ? JSON.stringify(figures, undefined, 2) : String(figures));
process.exitCode = figures.missed > 0 ? 1 : 0;
