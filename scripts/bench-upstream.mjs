/**
 * `npm run bench:upstream`: calls of an API through an emitted server beside calls of the same API by `node:http(s)` and
 * through a peer's emitted server, and the memory that large files cost, each figure beside its limit. All are measured
 * in one run and take turns, each in a process of its own. Where the machine has other work, the times at work (CPU)
 * say more than the speeds.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';

import { Figures, mebibytes, spreadOf, times } from './lib/bench/figures.mjs';
import { ratioOfMedians, takeTurns } from './lib/bench/turns.mjs';
import { endOf, urlOf } from './lib/bench-runtime/process.mjs';
import { startStdioLoad } from './lib/bench-runtime/stdio-load.mjs';
import { compileOurs, compilePeers } from './lib/bench-upstream/compile.mjs';
import { startDirectLoad } from './lib/bench-upstream/direct-load.mjs';
import { document as files, measureFiles } from './lib/bench-upstream/file-calls.mjs';
import { document as items, operations, peerQuestion, question } from './lib/bench-upstream/items.mjs';
import { authority } from './lib/bench-upstream/tls.mjs';
import { median } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readCount, readOptions } from './lib/usage.mjs';
import { peerName } from './lib/wire/peer.mjs';

const inFlight = 64;
/** Until Node has compiled what runs often. */
const warmUp = 5_000;
const fileBytes = 50_000_000;
/** Near the longest that a line on stdio takes as base64. */
const inlineBytes = 12_000_000;
const usage = 'npm run bench:upstream [-- --calls 1000 --rounds 15 --json]';
const { values } = readOptions(usage, {
  options: {
    calls: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '15' },
    json: { type: 'boolean' },
  },
});
const calls = readCount(usage, 'calls', values.calls);
const rounds = readCount(usage, 'rounds', values.rounds);
const figures = new Figures();

async function benchCalls(programs, base) {
  const { protocol } = new URL(base);
  const trusted = protocol === 'https:' ? { NODE_EXTRA_CA_CERTS: authority } : {};
  const env = { ...withoutDetours(process.env), ...trusted, API_BASE_URL: base };
  const ours = await startStdioLoad([programs.ours], { inFlight, env });
  const peer = await startStdioLoad([programs.peer], { inFlight, env, stderr: 'ignore' });
  const direct = startDirectLoad(base, { inFlight });
  try {
    for (const [name, operation] of Object.entries(operations)) {
      await compare(`${protocol.slice(0, -1)}, ${name}`, {
        ours: { load: ours, asked: question(operation) },
        direct: { load: direct, asked: name },
        peer: { load: peer, asked: peerQuestion(operation) },
      });
    }
  } finally {
    await Promise.all([ours, direct, peer].map((load) => load.close()));
  }
}

/** The direct calls know of no proxies and of no other authorities either. */
function withoutDetours(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/_proxy$|^NODE_EXTRA_CA/i.test(name)));
}

/** Names of the legs in the table, and the ratio that ours must reach. */
const others = {
  direct: { name: 'node:http(s)', limit: 0.75 },
  peer: { name: peerName, limit: 4 },
};

async function compare(what, legs) {
  for (const { load, asked } of Object.values(legs)) await load.run(warmUp, asked);
  const before = mapValues(legs, ({ load }) => load.cpu());
  const turns = await takeTurns(
    rounds,
    mapValues(
      legs,
      ({ load, asked }) =>
        () =>
          load.run(calls, asked),
    ),
  );
  const microsecondsOf = (name) => ((legs[name].load.cpu() - before[name]) / (calls * rounds)) * 1000;
  const speed = (name) => `${((calls / median(turns[name])) * 1000).toFixed(0)}/s`;
  for (const [name, { name: other, limit }] of Object.entries(others)) {
    const ratio = ratioOfMedians(turns[name], turns.ours);
    figures.atLeast({
      what: `stdio, ${what}`,
      ours: speed('ours'),
      other: `${speed(name)} ${other}`,
      figure: ratio.ratio,
      limit,
      unit: times,
      spread: spreadOf(ratio),
    });
  }
  if (before.ours !== undefined) {
    const cpu = Object.keys(legs).map((name) => `${name} ${microsecondsOf(name).toFixed(0)} µs`);
    figures.note(`stdio, ${what}, CPU of a call`, cpu.join(', '));
  }
}

function mapValues(record, change) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

async function benchFiles(folder, base) {
  const main = await compileOurs(folder, files);
  const grown = await measureFiles(main, { base, folder, size: fileBytes, inline: inlineBytes });
  for (const [what, growth, size, limit] of [
    ['memory, a file up', grown.up, fileBytes, 4],
    ['memory, a file down', grown.down, fileBytes, 4],
    ['memory, bytes in an argument', grown.inline, inlineBytes, 7],
  ]) {
    if (growth === undefined) figures.note(what, 'not measured: no /proc here');
    else {
      const line = { ours: mebibytes(growth), other: `${mebibytes(size)} given`, limit, unit: times };
      figures.atMost({ what, figure: growth / size, ...line });
    }
  }
}

async function withUpstream(options, work) {
  const program = path.join(import.meta.dirname, 'lib/bench-upstream/upstream.mjs');
  const upstream = spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    await work((await urlOf(upstream)).origin);
  } finally {
    const ended = endOf(upstream);
    upstream.kill('SIGTERM');
    await ended;
  }
}

await withTempFolder('bench-upstream', async (folder) => {
  const programs = { ours: await compileOurs(folder, items), peer: await compilePeers(folder, items) };
  await withUpstream([], async (base) => {
    await benchCalls(programs, base);
    await benchFiles(folder, base);
  });
  await withUpstream(['--tls'], (base) => benchCalls(programs, base));
});
console.log(values.json ? JSON.stringify(figures, undefined, 2) : String(figures));
process.exitCode = figures.missed > 0 ? 1 : 0;
