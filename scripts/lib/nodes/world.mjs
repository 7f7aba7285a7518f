/** The surroundings of a scenario: an API, Redis where it needs one, and nodes behind a balancer. */
import { withApi } from './api.mjs';
import { withFleet } from './fleet.mjs';
import { withRedis } from './redis.mjs';

/**
 * @typedef {object} World
 * @property {import('./api.mjs').Api} api
 * @property {import('./redis.mjs').Redis | undefined} redis
 * @property {import('./fleet.mjs').Fleet} fleet
 */

/** Variables of so many nodes that share a Redis. @param {import('./redis.mjs').Redis} redis @param {number} count */
export function sharedBy({ url }, count) {
  return { MCP_REDIS_URL: url, MCP_NODES: String(count) };
}

/**
 * Runs `work` in a world of its own, which ends with it.
 * @template R
 * @param {import('./scenarios.mjs').Task} task
 * @param {{ count: number, features?: string[], env?: Record<string, string>, args?: string[] }} settings
 * @param {(world: World) => Promise<R>} work
 * @returns {Promise<R>}
 */
export async function withWorld({ main, folder }, settings, work) {
  const { count, features = [], env = {}, args = ['--rate-limit', 'off'] } = settings;
  const program = await main(features);
  const inside = (api, redis) => {
    const urls = { API_BASE_URL: api.url, ...(redis && sharedBy(redis, count)) };
    return withFleet(program, { count, args, env: { ...urls, ...env } }, (fleet) =>
      work({ api, redis, fleet }),
    );
  };
  return withApi((api) =>
    features.includes('redis') ? withRedis(folder, (redis) => inside(api, redis)) : inside(api),
  );
}
