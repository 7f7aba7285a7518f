/**
 * `npm run bench:ts`: how long annotated functions take to compile, and to compile again when one file has changed,
 * beside what TypeScript takes to check the same files. All take turns, A B C A B C, after one round that is not
 * counted; each compilation writes into a fresh folder, and one process watches all the while. Then the server's
 * first list, beside a bare Node.js.
 */
import { symlink } from 'node:fs/promises';
import path from 'node:path';

import { reportStart } from './lib/bench/cold-start.mjs';
import { Figures, takeTurns } from './lib/bench/figures.mjs';
import { fileCount, functionCount, writeProject } from './lib/bench-ts/project.mjs';
import { Watched } from './lib/bench-ts/watched.mjs';
import { cli, inRepository } from './lib/repository.mjs';
import { runOrThrow } from './lib/run.mjs';
import { median, seconds } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readCount, readOptions } from './lib/usage.mjs';

const usage = 'npm run bench:ts [-- --rounds <n>]';
const { values } = readOptions(usage, { options: { rounds: { type: 'string', default: '7' } } });
const rounds = readCount(usage, 'rounds', values.rounds);
const figures = new Figures();

/** TypeScript's own command, whatever `tsc` is elsewhere. */
const tsc = inRepository('node_modules/typescript/bin/tsc');

async function bench(folder) {
  const cwd = path.join(folder, 'measured');
  const project = path.join(folder, 'watched');
  const files = await writeProject(cwd);
  const time = async (...args) => (await runOrThrow(process.execPath, args, { cwd })).ms;
  let count = 0;
  const compile = (out) => time(cli, 'ts', ...files, '-o', path.join(folder, out), '--quiet');
  await compile('watched');
  const watched = await Watched.start(project);
  const programs = {
    ours: () => compile(`out-${count++}`),
    theirs: () => time(tsc, '--noEmit', '-p', '.'),
    one: () => watched.change(path.join(cwd, files[0]), otherWords),
    shared: () => watched.change(path.join(cwd, 'src/shared/paging.ts'), otherMembers),
  };
  await takeTurns(1, programs);
  const { ours, theirs, one, shared } = await takeTurns(rounds, programs);
  await watched.stop();
  const functions = `${functionCount} functions in ${fileCount} files`;
  figures.slower(`compile ${functions}`, ours, theirs, 'tsc --noEmit', 1.3);
  for (const [what, ms, limit] of [
    ['after a change of one of them', one, 600],
    [`after a change of an interface that all ${fileCount} import`, shared, 900],
  ])
    figures.atMost({ what, figure: median(ms), limit, unit: seconds });
  // `npm install` would bring the packages that the functions import.
  await symlink(path.join(cwd, 'node_modules'), path.join(project, 'node_modules'));
  const main = path.join(project, 'dist/main.js');
  const what = `first list of the server with ${functionCount} functions`;
  await reportStart(figures, what, { main, folder: project, rounds: 30, limit: 1.2 });
}

const otherWords = (text, count) => text.replace('Lists the ', `Lists (${count}) the `);

const otherMembers = (text, count) =>
  text.replace('cursor?: string;', `cursor?: string;\n  more${count}?: string;`);

await withTempFolder('bench-ts', bench);
figures.print();
