/**
 * `npm run bench:against -- <checkout>`: servers of this build beside servers that another build made, such as that of an older
 * commit. Both take turns, pair by pair. A line fails when the new servers are slower by more than 3 %, as far as the pairs can
 * tell: the lower bound of the 95 % interval of the ratio is above the limit.
 */
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { coldStart } from './lib/bench/cold-start.mjs';
import { Figures, times } from './lib/bench/figures.mjs';
import { intervalOf, takeTurns } from './lib/bench/turns.mjs';
import { startHttpLoad } from './lib/bench-runtime/http-load.mjs';
import { audience, startIssuer } from './lib/bench-runtime/issuer.mjs';
import { endOf, urlOf } from './lib/bench-runtime/process.mjs';
import { compileAdd, compileGuarded } from './lib/bench-runtime/project.mjs';
import { startStdioLoad } from './lib/bench-runtime/stdio-load.mjs';
import { compileOurs } from './lib/bench-upstream/compile.mjs';
import { document as items, operations, question } from './lib/bench-upstream/items.mjs';
import { cli } from './lib/repository.mjs';
import { median, seconds } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readCount, readOptions } from './lib/usage.mjs';

const LIMIT = 1.03;
const inFlight = 64;
const warmUp = 4_000;
const overHttp = ['--transport', 'http', '--port', '0', '--rate-limit', 'off'];
const usage = 'npm run bench:against -- <checkout, built> [--pairs 24 --calls 3000 --json]';
const { values, positionals } = readOptions(usage, {
  allowPositionals: true,
  options: {
    pairs: { type: 'string', default: '24' },
    calls: { type: 'string', default: '3000' },
    json: { type: 'boolean' },
  },
});
const [checkout] = positionals;
if (checkout === undefined) misused(usage, 'Name the checkout to compare with.');
const pairs = readCount(usage, 'pairs', values.pairs);
const calls = readCount(usage, 'calls', values.calls);
const compilers = { now: cli, before: path.resolve(checkout, 'dist/bin/mcpgen.js') };
const figures = new Figures();

/** The API asks for a key, so that answers are searched for it. */
const keyed = {
  ...items,
  security: [{ key: [] }],
  components: {
    ...items.components,
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  },
};
const key = 'a-key/of+twenty&four=ch';

function note(what, { now, before }) {
  const { ratio, lower, upper } = intervalOf(now, before);
  figures.atMost({
    what,
    ours: seconds(median(now)),
    other: `${seconds(median(before))} before`,
    figure: lower,
    limit: LIMIT,
    unit: times,
    spread: ` to ${times(upper)}, mean ${ratio.toFixed(3)}`,
  });
}

/** @param {(build: string) => Promise<import('./lib/bench-runtime/stdio-load.mjs').Load>} start */
async function compare(what, start, asked) {
  const loads = { now: await start('now'), before: await start('before') };
  try {
    for (const load of Object.values(loads)) await load.run(warmUp, asked);
    const run = (build) => () => loads[build].run(calls, asked);
    note(what, await takeTurns(pairs, { now: run('now'), before: run('before') }));
  } finally {
    await Promise.all(Object.values(loads).map((load) => load.close()));
  }
}

async function withBoth(folder, compile) {
  const made = {};
  for (const [build, compiler] of Object.entries(compilers)) {
    const own = path.join(folder, build);
    await mkdir(own, { recursive: true });
    made[build] = await compile(own, compiler);
  }
  return made;
}

async function benchStart(mains) {
  const run = (build) => async () => (await coldStart(mains[build], [], path.dirname(mains[build]))).ms;
  const runs = { now: run('now'), before: run('before') };
  await takeTurns(2, runs);
  note('cold start', await takeTurns(pairs * 2, runs));
}

async function benchGuarded(folder) {
  const guarded = await withBoth(folder, compileGuarded);
  const issuer = await startIssuer();
  const env = { MCP_AUTH_ISSUER: issuer.url, MCP_AUTH_AUDIENCE: audience };
  const start = (build) =>
    startHttpLoad([guarded[build], ...overHttp], { inFlight, env, token: issuer.token });
  try {
    await compare('HTTP, with a token', start);
  } finally {
    issuer.close();
  }
}

async function benchUpstream(folder) {
  const mains = await withBoth(folder, (own, compiler) => compileOurs(own, keyed, compiler));
  const program = path.join(import.meta.dirname, 'lib/bench-upstream/upstream.mjs');
  const upstream = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const { origin } = await urlOf(upstream);
    const env = { ...process.env, API_BASE_URL: origin, API_KEY_KEY: key };
    const start = (build) => startStdioLoad([mains[build]], { inFlight, env, stderr: 'ignore' });
    for (const [name, operation] of Object.entries(operations))
      await compare(`stdio, an API with a key, ${name}`, start, question(operation));
  } finally {
    const ended = endOf(upstream);
    upstream.kill('SIGTERM');
    await ended;
  }
}

await withTempFolder('bench-against', async (folder) => {
  const mains = await withBoth(folder, (own, compiler) => compileAdd(own, undefined, [], compiler));
  await benchStart(mains);
  await compare('stdio', (build) => startStdioLoad([mains[build]], { inFlight }));
  const http = (isModern) => (build) => startHttpLoad([mains[build], ...overHttp], { inFlight, isModern });
  await compare('HTTP, a session', http(false));
  await compare('HTTP, 2026-07-28', http(true));
  await benchGuarded(folder);
  await benchUpstream(folder);
});
console.log(values.json ? JSON.stringify(figures, undefined, 2) : String(figures));
process.exitCode = figures.missed > 0 ? 1 : 0;
