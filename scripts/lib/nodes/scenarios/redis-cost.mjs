/** Price of Redis: calls a second, commands, and memory. */
import { mebibytes } from '../../bench/figures.mjs';
import { startHttpLoad } from '../../bench-runtime/http-load.mjs';
import { compileAdd } from '../../bench-runtime/project.mjs';
import { startStdioLoad } from '../../bench-runtime/stdio-load.mjs';
import { median } from '../../table.mjs';
import { compareWork } from '../compare-work.mjs';
import { STATE_SECRET } from '../fleet.mjs';
import { pause } from '../load.mjs';
import { linkRedis } from '../project.mjs';
import { RedisTap } from '../redis-tap.mjs';
import { withRedis } from '../redis.mjs';

const IN_FLIGHT = 64;
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

async function compareSpeeds({ figures, size }, main, redis) {
  const env = { MCP_STATE_SECRET: STATE_SECRET };
  const withUrl = { ...env, MCP_REDIS_URL: redis.url };
  const startOf = (rateLimit, variables) => () =>
    startHttpLoad([main, '--transport', 'http', '--port', '0', '--rate-limit', rateLimit], {
      inFlight: IN_FLIGHT,
      env: variables,
    });
  const starts = {
    shared: startOf('100000000', withUrl),
    off: startOf('off', withUrl),
    without: startOf('100000000', env),
    none: startOf('off', env),
  };
  const resident = { shared: [], without: [] };
  const work = await compareWork(starts, size, ({ shared, without }) => {
    resident.shared.push(shared.resident());
    resident.without.push(without.resident());
  });
  figures.atLeast(work.line('limits counted in Redis', 'shared', 'without', 0.85));
  figures.atLeast(work.line('Redis and no limits', 'off', 'none', 0.85));
  const [ours, other] = [median(resident.shared), median(resident.without)];
  figures.note('memory with Redis', `${mebibytes(ours)}, ${mebibytes(other)} without`);
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
