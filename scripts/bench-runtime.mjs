/**
 * `npm run bench:runtime`: the speed and memory of an emitted server beside the official SDKs and bare Node, each figure
 * beside its limit. All are measured in one run and take turns, so the ratios hold where the times do not.
 */
import { spawn } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';

import { AUDIENCE, Issuer } from './lib/attack/issuer.mjs';
import { reportStart } from './lib/bench/cold-start.mjs';
import { Figures, mebibytes, times } from './lib/bench/figures.mjs';
import { startHttpLoad, startStdioLoad, takeTurnsOfLoads } from './lib/bench-runtime/loads.mjs';
import { compileAdd, compileAddFunction, linkModules } from './lib/bench-runtime/project.mjs';
import { urlOf } from './lib/bench-runtime/process.mjs';
import { installRedis, withRedis } from './lib/nodes/redis.mjs';
import { runOrThrow } from './lib/run.mjs';
import { median } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readCount, readOptions } from './lib/usage.mjs';

const usage = 'npm run bench:runtime [-- --calls 16000 --rounds 3 --sets 3]';
const text = { type: 'string' };
const { values } = readOptions(usage, { options: { calls: text, rounds: text, sets: text } });
const calls = readCount(usage, 'calls', values.calls ?? '16000');
const rounds = readCount(usage, 'rounds', values.rounds ?? '3');
const sets = readCount(usage, 'sets', values.sets ?? '3');
const figures = new Figures();

const HTTP = ['--transport', 'http', '--port', '0', '--rate-limit', 'off'];
const PACKAGES = ['@modelcontextprotocol/server@2.4.0', '@modelcontextprotocol/node@2.1.2', 'zod@4.6.7'];

/** Names of the servers in the table. */
const names = { ours: 'a handler', sdk1: 'SDK 1.x', sdk2: 'SDK 2.x', bare: 'bare Node' };

/** Lets the servers take turns. `limits`: how many times as fast as each other one must be ours, or a second one of ours. */
async function measure(what, start, servers, limits, size = { calls, rounds, sets }) {
  const starts = Object.entries(servers).map(([name, args]) => [name, () => start(args)]);
  const { turns, resident } = await takeTurnsOfLoads(Object.fromEntries(starts), size);
  for (const [ours, others] of Object.entries(limits))
    for (const [name, limit] of Object.entries(others)) {
      const label = ours === 'ours' ? what : `${what}, a function`;
      figures.faster(label, size.calls, turns[ours], turns[name], names[name], limit);
    }
  return resident;
}

function noteMemory(what, resident) {
  if (resident.ours.includes(undefined)) return figures.note(what, 'not measured: no /proc here');
  const ours = median(resident.ours);
  for (const name of ['sdk1', 'sdk2']) {
    const theirs = median(resident[name]);
    const words = { ours: mebibytes(ours), other: `${mebibytes(theirs)} ${names[name]}` };
    figures.atMost({ what, ...words, figure: ours / theirs, limit: 1, unit: times });
  }
}

/** The time of a session's calls beside that of the plain server. */
async function benchBeside(what, ours, main, settings, limit) {
  const starts = {
    ours: () => startHttpLoad([ours, ...HTTP]),
    other: () => startHttpLoad([main, ...HTTP], settings),
  };
  const { turns } = await takeTurnsOfLoads(starts, { calls, rounds, sets });
  figures.slower(what, turns.other, turns.ours, 'without', limit);
}

await withTempFolder('bench-runtime', async (folder) => {
  const peer = (name) => path.join(import.meta.dirname, `lib/bench-runtime/peers/${name}.mjs`);
  const installed = path.join(folder, 'sdk-2');
  await mkdir(installed);
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error'];
  await runOrThrow('npm', ['install', ...PACKAGES, '--prefix', installed, ...flags]);
  const sdk2 = path.join(installed, 'sdk-2.mjs');
  await copyFile(peer('sdk-2'), sdk2);
  await linkModules(folder, 'jose', '@redis/client');

  const main = await compileAdd(folder, 'plain');
  await reportStart(figures, 'cold start', { main, folder: path.dirname(main), rounds: 15, limit: 1.3 });

  const bare = (transport) => [peer('bare'), transport];
  const stdio = { ours: [main], sdk1: [peer('sdk-1'), 'stdio'], sdk2: [sdk2, 'stdio'] };
  const functions = [await compileAddFunction(folder)];
  const short = await measure(
    'stdio',
    startStdioLoad,
    { ...stdio, functions },
    { ours: { sdk1: 3, sdk2: 4 }, functions: { sdk1: 3, sdk2: 4, ours: 0.75 } },
  );
  noteMemory('stdio, memory', short);
  const { ours, sdk1 } = stdio;
  await measure(
    'stdio, one at a time',
    (args) => startStdioLoad(args, { inFlight: 1 }),
    { ours, sdk1, bare: bare('stdio') },
    { ours: { sdk1: 1.5, bare: 0.6 } },
  );
  const long = { calls: 6 * calls, rounds: 1, sets: 1 };
  await measure(`stdio, ${long.calls} calls`, startStdioLoad, { ours, sdk1 }, { ours: { sdk1: 2.5 } }, long);

  const http = { ours: [main, ...HTTP], sdk2: [sdk2, 'http'], bare: bare('http') };
  const session = await measure(
    'HTTP, a session',
    startHttpLoad,
    { ...http, sdk1: [peer('sdk-1'), 'http'] },
    { ours: { sdk1: 3.5, sdk2: 3.5, bare: 0.75 } },
  );
  noteMemory('HTTP, memory', session);
  await measure(
    'HTTP, 2026-07-28',
    (args) => startHttpLoad(args, { isModern: true }),
    { ...http, sdk2: [sdk2, 'modern'] },
    { ours: { sdk2: 3.5, bare: 0.75 } },
  );

  const issuer = await Issuer.open();
  const guarded = await compileAdd(folder, 'guarded', ['--auth', 'oauth']);
  const env = { MCP_AUTH_ISSUER: issuer.url, MCP_AUTH_AUDIENCE: AUDIENCE };
  await benchBeside('HTTP, with a token', main, guarded, { env, token: await issuer.token() }, 1.15);
  await issuer.close();
  const measured = await compileAdd(folder, 'measured', ['--feature', 'metrics']);
  await benchBeside('HTTP, with metrics', main, measured, { env: { MCP_METRICS_PORT: '0' } }, 1.03);
  const api = spawn(process.execPath, bare('api'), { stdio: ['ignore', 'ignore', 'pipe'] });
  const calling = { ...process.env, API_BASE_URL: (await urlOf(api)).origin };
  await measure(
    'stdio, an API',
    (args) => startStdioLoad(args, { env: calling }),
    { ours: [await compileAdd(folder, 'calling', [], '')], bare: bare('calling') },
    { ours: { bare: 0.75 } },
  );
  api.kill();

  await installRedis();
  const shared = await compileAdd(folder, 'shared', ['--feature', 'redis']);
  await withRedis(folder, ({ url }) =>
    benchBeside(
      'HTTP, with Redis',
      main,
      shared,
      { env: { MCP_REDIS_URL: url, MCP_STATE_SECRET: 'a secret of the bench, long enough for all' } },
      1.18,
    ),
  );
});
figures.print();
