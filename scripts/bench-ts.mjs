/**
 * `npm run bench:ts`: how long annotated functions take to compile, and to compile again when one file has changed, beside what
 * TypeScript takes to check the same files. All take turns, A B C A B C, after one round that is not counted; each compilation
 * writes into a fresh folder, and one process watches all the while. Then the server's first list, beside a bare Node.js.
 */
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { reportStart } from './lib/bench/cold-start.mjs';
import { Figures, spreadOf, times } from './lib/bench/figures.mjs';
import { ratioOfMedians, takeTurns } from './lib/bench/turns.mjs';
import { fileCount, functionCount, writeProject } from './lib/bench-ts/project.mjs';
import { Watched } from './lib/bench-ts/watched.mjs';
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
/** Turns of cold starts, which are short. */
const STARTS = 30;

/** TypeScript's own command, whatever `tsc` is elsewhere. */
const tsc = inRepository('node_modules/typescript/bin/tsc');

async function bench(folder) {
  const cwd = path.join(folder, 'measured');
  const files = await writeProject(cwd);
  let count = 0;
  const compile = (out) => timeNode([cli, 'ts', ...files, '-o', path.join(folder, out), '--quiet'], cwd);
  await compile('watched');
  const watched = await Watched.start(path.join(folder, 'watched'));
  const programs = {
    ours: () => compile(`out-${count++}`),
    theirs: () => timeNode([tsc, '--noEmit', '-p', '.'], cwd),
    one: () => watched.change(path.join(cwd, files[0]), otherWords),
    shared: () => watched.change(path.join(cwd, 'src/shared/paging.ts'), otherMembers),
  };
  await takeTurns(1, programs);
  watched.cpu.length = 0;
  const { ours, theirs, one, shared } = await takeTurns(rounds, programs);
  await watched.stop();
  const ratio = ratioOfMedians(ours, theirs);
  figures.atMost({
    what: `compile ${functionCount} functions in ${fileCount} files`,
    ours: seconds(median(ours)),
    other: `${seconds(median(theirs))} tsc --noEmit`,
    figure: ratio.ratio,
    limit: 1.3,
    unit: times,
    spread: spreadOf(ratio),
  });
  reportChange('after a change of one of them', one, theirs, 600);
  reportChange(`after a change of an interface that all ${fileCount} import`, shared, theirs, 900);
  if (watched.cpu.length > 0)
    figures.note('processor, for each change', `${median(watched.cpu).toFixed(2)} s`);
  // `npm install` would bring the packages that the functions import.
  await symlink(path.join(cwd, 'node_modules'), path.join(folder, 'watched/node_modules'));
  const project = path.join(folder, 'watched');
  await reportStart(figures, `first list of the server with ${functionCount} functions`, {
    main: path.join(project, 'dist/main.js'),
    folder: project,
    rounds: STARTS,
    limit: 1.2,
  });
}

const otherWords = (text, count) => text.replace('Lists the ', `Lists (${count}) the `);

const otherMembers = (text, count) =>
  text.replace('cursor?: string;', `cursor?: string;\n  more${count}?: string;`);

function reportChange(what, ours, theirs, limit) {
  const { ratio, ...spread } = ratioOfMedians(ours, theirs);
  figures.atMost({
    what,
    ours: `${times(ratio)} tsc${spreadOf(spread)}`,
    other: `${seconds(median(theirs))} tsc --noEmit`,
    figure: median(ours),
    limit,
    unit: seconds,
  });
}

async function timeNode(args, cwd) {
  return (await runOrThrow(process.execPath, args, { cwd })).ms;
}

await withTempFolder('bench-ts', bench);
console.log(values.json ? JSON.stringify(figures, undefined, 2) : String(figures));
process.exitCode = figures.missed > 0 ? 1 : 0;
