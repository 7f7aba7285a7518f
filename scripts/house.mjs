/**
 * `npm run house`: the sizes of the code base and of what it emits. `--emitted` compiles the documents. The road of a call is read from a
 * server that was built. `--sample <n> --seed <integer>` draws comments and names for a reading without the glossary.
 */
import path from 'node:path';

import { LIMITS, readCallRoad } from './lib/house/call-road.mjs';
import { circlesIn } from './lib/house/circles.mjs';
import { emittedSizes } from './lib/house/emitted.mjs';
import { readModules } from './lib/house/modules.mjs';
import { draw } from './lib/house/sample.mjs';
import { inRepository, root } from './lib/repository.mjs';
import { run } from './lib/run.mjs';
import { table } from './lib/table.mjs';
import { readCount, readOptions } from './lib/usage.mjs';

const usage = 'npm run house [-- --emitted --sample <count> --seed <integer> --json]';
const { values } = readOptions(usage, {
  options: {
    emitted: { type: 'boolean' },
    json: { type: 'boolean' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

const folders = ['src', 'templates/runtime'];
const modules = new Map(folders.map((folder) => [folder, readModules(path.join(root, folder))]));

if (values.sample !== undefined) {
  const all = [...modules.values()].flat();
  console.log(draw(all, readCount(usage, 'sample', values.sample), readCount(usage, 'seed', values.seed)));
} else {
  const sizes = Object.fromEntries([...modules].map(([folder, all]) => [folder, sizesOf(all)]));
  const emitted = values.emitted ? await emittedSizes() : undefined;
  const road = await readCallRoad();
  const unusedExports = await countUnusedExports();
  console.log(
    values.json
      ? JSON.stringify({ sizes, unusedExports, road, emitted }, undefined, 2)
      : printed(sizes, unusedExports, road, emitted),
  );
}

/** knip counts the exports and types that no module imports. */
async function countUnusedExports() {
  const { stdout } = await run(
    process.execPath,
    [inRepository('node_modules/knip/bin/knip.js'), '--reporter', 'json'],
    { cwd: root },
  );
  const { issues } = JSON.parse(stdout);
  return issues.reduce((sum, { exports = [], types = [] }) => sum + exports.length + types.length, 0);
}

function sizesOf(all) {
  const functions = all.flatMap((module) => module.functions);
  const lengths = functions.map(({ lines }) => lines).sort((a, b) => a - b);
  const comments = all.flatMap((module) => module.comments);
  const share = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  return {
    files: all.length,
    lines: all.reduce((sum, { lines }) => sum + lines, 0),
    'files under 25 lines': all.filter(({ lines }) => lines < 25).length,
    'files over 400 lines': all.filter(({ lines }) => lines > 400).length,
    functions: functions.length,
    'lines of a function, p90': lengths[Math.floor(lengths.length * 0.9)] ?? 0,
    'lines of a function, most': lengths.at(-1) ?? 0,
    'functions named …Of': share(
      functions.filter(({ name }) => /[a-z]Of$/.test(name)).length,
      functions.length,
    ),
    'comments without a subject': share(comments.filter(({ opens }) => opens).length, comments.length),
    'circles of value imports': circlesIn(all, false).length,
    'circles with types': circlesIn(all, true).length,
    'conditional spreads': all.reduce((sum, { spreads }) => sum + spreads, 0),
  };
}

function printed(sizes, unusedExports, road, emitted) {
  const names = Object.keys(Object.values(sizes)[0] ?? {});
  const code = table(
    ['', ...folders],
    names.map((name) => [name, ...folders.map((each) => sizes[each][name])]),
  );
  const call =
    `Exports of src that no module imports: ${unusedExports}.\n\nA warm tools/call runs ${road.functions} functions (at most ${LIMITS.functions}) in ${road.files} files of the runtime ` +
    `(at most ${LIMITS.files}); \`npm run road\` lists them.`;
  if (emitted === undefined) return `${code}\n\n${call}`;
  const head = [
    'emitted, without dist/',
    'files',
    'kB',
    'of it generated data',
    'runtime files',
    'runtime lines',
  ];
  return `${code}\n\n${call}\n\n${table(head, emitted)}`;
}
