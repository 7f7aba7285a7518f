/** Price of Redis: calls a second, commands, and memory. */
import { ratioOfMedians, takeTurns } from '../../bench/turns.mjs';
import { mebibytes, spreadOf, times } from '../../bench/figures.mjs';
import { startHttpLoad } from '../../bench-runtime/http-load.mjs';
import { compileAdd } from '../../bench-runtime/project.mjs';
import { startStdioLoad } from '../../bench-runtime/stdio-load.mjs';
import { median } from '../../table.mjs';
import { STATE_SECRET } from '../fleet.mjs';
import { pause } from '../load.mjs';
import { linkRedis } from '../project.mjs';
import { RedisTap } from '../redis-tap.mjs';
import { withRedis } from '../redis.mjs';

const IN_FLIGHT = 64;
const WARM_UP = 2_000;
/** Milliseconds in which a server may greet Redis. */
const SETTLE_MS = 1_000;

/** @type {import('../scenarios.mjs').Run} */
export async function redisCost(task) {
  await linkRedis(task.folder);
  const main = await compileAdd(task.folder, undefined, ['--feature', 'redis']);
  await withRedis(task.folder, async (redis) => {
    await compareSpeeds(task, main, redis);
    await countCommands(task, main, redis);
  });
}

async function compareSpeeds({ figures, size: { calls, rounds } }, main, redis) {
  const http = [main, '--transport', 'http', '--port', '0', '--rate-limit'];
  const env = { MCP_STATE_SECRET: STATE_SECRET };
  const withUrl = { ...env, MCP_REDIS_URL: redis.url };
  const loads = {
    shared: await startHttpLoad([...http, '100000000'], { inFlight: IN_FLIGHT, env: withUrl }),
    off: await startHttpLoad([...http, 'off'], { inFlight: IN_FLIGHT, env: withUrl }),
    without: await startHttpLoad([...http, '100000000'], { inFlight: IN_FLIGHT, env }),
  };
  try {
    for (const load of Object.values(loads)) await load.run(WARM_UP);
    const runs = Object.entries(loads).map(([name, load]) => [name, () => load.run(calls)]);
    const turns = await takeTurns(rounds, Object.fromEntries(runs));
    const speed = (name) => `${((calls / median(turns[name])) * 1_000).toFixed(0)}/s`;
    const compare = (what, ours, other) => {
      const ratio = ratioOfMedians(turns[other], turns[ours]);
      const line = {
        what,
        ours: speed(ours),
        other: speed(other),
        figure: ratio.ratio,
        limit: 0.85,
        unit: times,
      };
      figures.atLeast({ ...line, spread: spreadOf(ratio) });
    };
    compare('limits counted in Redis, beside limits of one process', 'shared', 'without');
    compare('no limits with Redis, beside one process', 'off', 'without');
    const [ours, other] = [loads.shared.resident(), loads.without.resident()];
    figures.note('memory with Redis', `${mebibytes(ours)}, ${mebibytes(other)} without`);
  } finally {
    for (const load of Object.values(loads)) await load.close();
  }
}

async function countCommands({ figures, size: { calls } }, main, redis) {
  const unit = (value) => `${value} commands`;
  const env = (tap) => ({ ...process.env, MCP_STATE_SECRET: STATE_SECRET, MCP_REDIS_URL: tap.url });
  const withTap = async (what, start, isSilent) => {
    const tap = await RedisTap.open(redis.port);
    const load = await start(tap);
    await pause(SETTLE_MS);
    const before = isSilent ? 0 : tap.count;
    await load.run(calls);
    const sent = tap.count - before;
    const names = [...tap.commands].map(([name, count]) => `${count} ${name}`).join(', ');
    figures.atMost({ what, other: names.slice(0, 80), figure: sent, limit: 0, unit });
    await load.close();
    await tap.close();
  };
  const flags = [main, '--transport', 'http', '--port', '0', '--rate-limit', 'off'];
  await withTap(
    `${calls} calls over HTTP without limits`,
    (tap) => startHttpLoad(flags, { inFlight: IN_FLIGHT, env: env(tap) }),
    false,
  );
  await withTap(
    `${calls} calls over stdio, and its start`,
    (tap) => startStdioLoad([main], { inFlight: IN_FLIGHT, env: env(tap), stderr: 'ignore' }),
    true,
  );
}
