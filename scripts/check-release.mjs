/**
 * `npm run check:release`: the judges that are too slow for every commit, one after another; `.ci/run` has a slice of
 * most. Prints the seconds and the verdict of each, goes on after a failure, and ends with 1 if one failed. Times are
 * judged, so nothing else should run.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';

import { inRepository, root } from './lib/repository.mjs';
import { paint, seconds, table } from './lib/table.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const usage = [
  'npm run check:release [-- --only <name> --corpus <folder> --libraries <folder>]',
  '--only may be repeated. --corpus holds OpenAPI documents (default ../shared/corpus). --libraries is a folder with a package.json',
  'whose dependencies are installed and read (default: this repository).',
].join('\n');
const { values } = readOptions(usage, {
  options: {
    only: { type: 'string', multiple: true },
    corpus: { type: 'string', default: inRepository('../shared/corpus') },
    libraries: { type: 'string', default: root },
  },
});
const corpus = path.resolve(values.corpus);

const VITEST = '../node_modules/vitest/vitest';
/** `FC_RUNS` of the judges that are property tests. */
const RUNS = { settings: '500', fuzz: '10000' };

/** Name, script of this folder, its arguments. */
const judges = [
  ['attack', 'attack', '--prove'],
  ['settings', VITEST, 'run', 'test/project/settings-stay.test.ts'],
  ['corpus', 'corpus', corpus],
  ['steady', 'wire-corpus', 'steady', corpus],
  ['prism', 'wire-corpus', 'prism', corpus],
  ['spector', 'wire-spector'],
  ['peers', 'peers'],
  ['conformance', 'conformance'],
  ['libraries', 'libraries', path.resolve(values.libraries)],
  ['clients', 'clients', '--corpus', corpus],
  ['real', 'e2e-real', '--corpus', corpus],
  ['history', 'e2e-history', corpus],
  ['gallery', 'gallery', corpus],
  ['examples', 'e2e-examples'],
  ['page', 'e2e-page', '--corpus', corpus],
  ['publish', 'e2e-publish'],
  ['deploy', 'e2e-deploy'],
  ['fuzz', VITEST, 'run', 'test/fuzz'],
  ['soak', 'soak'],
  ['nodes', 'nodes', '--full'],
  ['bench', 'bench', '--corpus', corpus],
  ['bench-runtime', 'bench-runtime'],
  ['bench-search', 'bench-search', corpus],
  ['bench-turns', 'bench-turns'],
];
const names = judges.map(([name]) => name);
for (const name of values.only ?? []) if (!names.includes(name)) misused(usage, `There is no judge ${name}.`);

const rows = [];
for (const [name, script, ...args] of judges) {
  if (values.only !== undefined && !values.only.includes(name)) continue;
  console.log(paint('bold', `\n=== ${name}`));
  const start = performance.now();
  const file = inRepository('scripts', `${script}.mjs`);
  const { status, signal } = spawnSync(process.execPath, [file, ...args], {
    cwd: root,
    env: { ...process.env, ...(name in RUNS && { FC_RUNS: RUNS[name] }) },
    stdio: 'inherit',
  });
  const verdict = status === 0 ? 'fine' : `failed (${signal ?? status})`;
  rows.push([name, seconds(performance.now() - start), verdict]);
  console.log(`=== ${rows.at(-1).join(': ')}`);
}
console.log(`\n${table(['judge', 'time', 'verdict'], rows)}`);
process.exitCode = rows.every(([, , verdict]) => verdict === 'fine') ? 0 : 1;
