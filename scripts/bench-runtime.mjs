/**
 * `npm run bench:runtime`: the speed and memory of an emitted server beside the official SDKs and bare Node, each
 * figure beside its limit. All are measured in one run and take turns, so the ratios hold where the times do not.
 */
import path from 'node:path';

import { reportStart } from './lib/bench/cold-start.mjs';
import { Figures, mebibytes, spreadOf, times } from './lib/bench/figures.mjs';
import { ratioOfMedians } from './lib/bench/turns.mjs';
import { startHttpLoad } from './lib/bench-runtime/http-load.mjs';
import { audience, startIssuer } from './lib/bench-runtime/issuer.mjs';
import {
  compileAdd,
  compileAddFunction,
  compileGuarded,
  compileMeasured,
} from './lib/bench-runtime/project.mjs';
import { installSdk2 } from './lib/bench-runtime/sdk-2.mjs';
import { startStdioLoad } from './lib/bench-runtime/stdio-load.mjs';
import { takeTurnsOfLoads } from './lib/bench-runtime/turns-of-loads.mjs';
import { median, seconds } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readCount, readOptions } from './lib/usage.mjs';

const inFlight = 64;
const startRounds = 15;
const usage = 'npm run bench:runtime [-- --calls 16000 --rounds 3 --sets 3 --long-calls 100000 --json]';
const { values } = readOptions(usage, {
  options: {
    calls: { type: 'string', default: '16000' },
    rounds: { type: 'string', default: '3' },
    sets: { type: 'string', default: '3' },
    'long-calls': { type: 'string', default: '100000' },
    json: { type: 'boolean' },
  },
});
const calls = readCount(usage, 'calls', values.calls);
const size = {
  calls,
  rounds: readCount(usage, 'rounds', values.rounds),
  sets: readCount(usage, 'sets', values.sets),
};
const longCalls = readCount(usage, 'long-calls', values['long-calls']);
const figures = new Figures();

/** Names of the servers in the table. */
const names = { ours: 'a handler', sdk1: 'SDK 1.x', sdk2: 'SDK 2.x', bare: 'bare Node' };

/** Lets the servers take turns, and says how fast each was, and how large it is afterwards. */
async function measure(start, servers, size) {
  const resident = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
  const starts = Object.fromEntries(Object.entries(servers).map(([name, args]) => [name, () => start(args)]));
  const turns = await takeTurnsOfLoads(
    starts,
    { ...size, measure: (load, calls) => load.run(calls) },
    (loads) => {
      for (const [name, load] of Object.entries(loads)) resident[name].push(load.resident());
    },
  );
  return { turns, resident };
}

/** Adds a line for each of `limits`: how many times as fast `our` server must be. */
function noteSpeeds(what, { turns }, calls, limits, our = 'ours') {
  const speed = (name) => `${((calls / median(turns[name])) * 1000).toFixed(0)}/s`;
  for (const [name, limit] of Object.entries(limits)) {
    const ratio = ratioOfMedians(turns[name], turns[our]);
    figures.atLeast({
      what,
      ours: speed(our),
      other: `${speed(name)} ${names[name]}`,
      figure: ratio.ratio,
      limit,
      unit: times,
      spread: spreadOf(ratio),
    });
  }
}

function noteMemory(what, { resident }) {
  const bytes = (name) => median(resident[name]);
  for (const name of ['sdk1', 'sdk2']) {
    if (resident.ours.includes(undefined)) return figures.note(what, 'not measured: no /proc here');
    figures.atMost({
      what,
      ours: mebibytes(bytes('ours')),
      other: `${mebibytes(bytes(name))} ${names[name]}`,
      figure: bytes('ours') / bytes(name),
      limit: 1,
      unit: times,
    });
  }
}

async function benchStdio(ours, functions, sdk2) {
  const start = (args) => startStdioLoad(args, { inFlight });
  const servers = {
    ours: [ours],
    functions: [functions],
    sdk1: [peer('sdk-1-stdio')],
    sdk2: [path.join(sdk2, 'sdk-2-stdio.mjs')],
  };
  const short = await measure(start, servers, size);
  noteSpeeds('stdio', short, calls, { sdk1: 3, sdk2: 4 });
  noteSpeeds('stdio, a function', short, calls, { sdk1: 3, sdk2: 4, ours: 0.75 }, 'functions');
  noteMemory('stdio, memory', short);
  const { sdk1 } = servers;
  const alone = await measure(
    (args) => startStdioLoad(args, { inFlight: 1 }),
    { ours: servers.ours, sdk1, bare: [peer('bare-stdio')] },
    size,
  );
  noteSpeeds('stdio, one at a time', alone, calls, { sdk1: 1.5, bare: 0.6 });
  const long = await measure(start, { ours: servers.ours, sdk1 }, { calls: longCalls, rounds: 1, sets: 1 });
  noteSpeeds(`stdio, ${longCalls} calls`, long, longCalls, { sdk1: 2.5 });
}

async function benchHttp(ours, sdk2) {
  const servers = {
    ours: [ours, '--transport', 'http', '--port', '0', '--rate-limit', 'off'],
    sdk1: [peer('sdk-1-http')],
    sdk2: [path.join(sdk2, 'sdk-2-http.mjs')],
    bare: [peer('bare-http')],
  };
  const measured = await measure((args) => startHttpLoad(args, { inFlight }), servers, size);
  noteSpeeds('HTTP, a session', measured, calls, { sdk1: 3.5, sdk2: 3.5, bare: 0.75 });
  noteMemory('HTTP, memory', measured);
}

async function benchModern(ours, sdk2) {
  const servers = {
    ours: [ours, '--transport', 'http', '--port', '0', '--rate-limit', 'off'],
    sdk2: [path.join(sdk2, 'sdk-2-http-modern.mjs')],
    bare: [peer('bare-http')],
  };
  const start = (args) => startHttpLoad(args, { inFlight, isModern: true });
  const measured = await measure(start, servers, size);
  noteSpeeds('HTTP, 2026-07-28', measured, calls, { sdk2: 3.5, bare: 0.75 });
}

/** Cost of a token with each call; it is known after the first. */
async function benchToken(ours, guarded) {
  const issuer = await startIssuer();
  const env = { MCP_AUTH_ISSUER: issuer.url, MCP_AUTH_AUDIENCE: audience };
  try {
    await benchHttpBeside({
      what: 'HTTP, with a token',
      ours,
      other: [guarded, { env, token: issuer.token }],
      limit: 1.15,
    });
  } finally {
    issuer.close();
  }
}

/** Cost of metrics, which nobody reads meanwhile. */
async function benchMetrics(ours, measured) {
  await benchHttpBeside({
    what: 'HTTP, with metrics',
    ours,
    other: [measured, { env: { MCP_METRICS_PORT: '0' } }],
    limit: 1.03,
  });
}

/** Compares the time of a session's calls with that of the plain server. */
async function benchHttpBeside({ what, ours, other, limit }) {
  const flags = ['--transport', 'http', '--port', '0', '--rate-limit', 'off'];
  const start = ([program, settings]) => startHttpLoad([program, ...flags], { inFlight, ...settings });
  const { turns } = await measure(start, { ours: [ours, {}], other }, size);
  const ratio = ratioOfMedians(turns.other, turns.ours);
  figures.atMost({
    what,
    ours: seconds(median(turns.other)),
    other: `${seconds(median(turns.ours))} without`,
    figure: ratio.ratio,
    limit,
    unit: times,
    spread: spreadOf(ratio),
  });
}

function peer(name) {
  return path.join(import.meta.dirname, `lib/bench-runtime/peers/${name}.mjs`);
}

await withTempFolder('bench-runtime', async (folder) => {
  const main = await compileAdd(folder);
  const functions = await compileAddFunction(folder);
  const sdk2 = await installSdk2(path.join(folder, 'sdk-2'));
  await reportStart(figures, 'cold start', {
    main: main,
    folder: path.dirname(main),
    rounds: startRounds,
    limit: 1.3,
  });
  await benchStdio(main, functions, sdk2);
  await benchHttp(main, sdk2);
  await benchModern(main, sdk2);
  await benchToken(main, await compileGuarded(folder));
  await benchMetrics(main, await compileMeasured(folder));
});
console.log(values.json ? JSON.stringify(figures, undefined, 2) : String(figures));
process.exitCode = figures.missed > 0 ? 1 : 0;
