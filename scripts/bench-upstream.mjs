/**
 * `npm run bench:upstream`: calls of an API through an emitted server beside calls of the same API by `node:http`, and
 * the memory that large files cost, each figure beside its limit. All are measured in one run and take turns.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';

import { Figures, mebibytes, spreadOf, times } from './lib/bench/figures.mjs';
import { ratioOfMedians, takeTurns } from './lib/bench/turns.mjs';
import { endOf, urlOf } from './lib/bench-runtime/process.mjs';
import { compileAdd } from './lib/bench-runtime/project.mjs';
import { startStdioLoad } from './lib/bench-runtime/stdio-load.mjs';
import { newDirectLoad } from './lib/bench-upstream/direct-load.mjs';
import { compileFiles, measureFiles } from './lib/bench-upstream/file-calls.mjs';
import { median } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readCount, readOptions } from './lib/usage.mjs';

const inFlight = 64;
const warmUp = 500;
const fileBytes = 50_000_000;
const usage = 'npm run bench:upstream [-- --calls 4000 --rounds 5 --json]';
const { values } = readOptions(usage, {
  options: {
    calls: { type: 'string', default: '4000' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean' },
  },
});
const calls = readCount(usage, 'calls', values.calls);
const rounds = readCount(usage, 'rounds', values.rounds);
const figures = new Figures();

async function benchCalls(main, base) {
  // The server that is started takes it from here.
  process.env['API_BASE_URL'] = base;
  const ours = await startStdioLoad([main], { inFlight });
  const direct = newDirectLoad(base, { inFlight });
  try {
    await ours.run(warmUp);
    await direct.run(warmUp);
    const turns = await takeTurns(rounds, { ours: () => ours.run(calls), direct: () => direct.run(calls) });
    const ratio = ratioOfMedians(turns.direct, turns.ours);
    const speed = (ms) => `${((calls / median(ms)) * 1000).toFixed(0)}/s`;
    figures.atLeast({
      what: 'stdio',
      ours: speed(turns.ours),
      other: `${speed(turns.direct)} node:http`,
      figure: ratio.ratio,
      limit: 0.9,
      unit: times,
      spread: spreadOf(ratio),
    });
  } finally {
    await Promise.all([ours.close(), direct.close()]);
  }
}

async function benchFiles(main, base, folder) {
  const grown = await measureFiles(main, { base, folder, size: fileBytes });
  for (const [what, growth] of [
    ['memory, a file up', grown.up],
    ['memory, a file down', grown.down],
  ]) {
    if (growth === undefined) figures.note(what, 'not measured: no /proc here');
    else {
      const line = { ours: mebibytes(growth), other: `${mebibytes(fileBytes)} file`, limit: 4, unit: times };
      figures.atMost({ what, figure: growth / fileBytes, ...line });
    }
  }
}

await withTempFolder('bench-upstream', async (folder) => {
  const program = path.join(import.meta.dirname, 'lib/bench-upstream/upstream.mjs');
  const upstream = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const { origin } = await urlOf(upstream);
    await benchCalls(await compileAdd(folder, 'export const handlers = {};\n'), origin);
    await benchFiles(await compileFiles(folder), origin, folder);
  } finally {
    const ended = endOf(upstream);
    upstream.kill('SIGTERM');
    await ended;
  }
});
console.log(values.json ? JSON.stringify(figures, undefined, 2) : String(figures));
process.exitCode = figures.missed > 0 ? 1 : 0;
