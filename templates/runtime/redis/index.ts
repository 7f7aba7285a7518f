// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The entry module of the feature `redis`: state that the nodes of a server share. */
import { UsageError } from '../contract/feature.ts';
import type { SharedState } from '../feature-loaders.ts';
import type { OpenedState } from '../main/open-project.ts';
import type { Environment } from '../main/settings.ts';
import { Connection } from './connection.ts';
import { RedisState } from './redis-state.ts';
import { parseNodeCount, parseRedisSettings } from './settings.ts';
import { SharedEventBus } from './shared-bus.ts';

export { SharedRateLimiters } from './shared-limiters.ts';

/**
 * Connects, for a second at most: a server starts without Redis too. Undefined without MCP_REDIS_URL.
 * @throws {UsageError} naming the variable whose value can't be used
 */
export async function openRedis(
  env: Environment,
  server: string,
  tell: (words: string) => void,
): Promise<(OpenedState & { shared: SharedState }) | undefined> {
  const isAlone = !env['MCP_REDIS_URL'];
  if (!env['MCP_STATE_SECRET'] && (!isAlone || parseNodeCount(env) > 1)) tell(`warning: ${NO_SECRET}`);
  if (isAlone) return undefined;
  const settings = parseRedisSettings(env, server);
  const { openLink } = await import('./link.ts').catch((thrown: unknown) => {
    throw isModuleNotFound(thrown) ? new UsageError(MISSING, { cause: thrown }) : thrown;
  });
  const connection = new Connection({
    open: (events) => openLink(settings, events),
    probed: settings.prefix,
    password: settings.password,
    rates: env['MCP_NODES']
      ? 'limits rates to its part'
      : 'allows the whole rate, since MCP_NODES is not set',
    tell,
  });
  const shared = new RedisState(connection, settings);
  await connection.waitForRedis();
  return { shared, bus: new SharedEventBus(shared) };
}

const NO_SECRET =
  'MCP_STATE_SECRET is not set, so sessions and states of questions are valid on the node that made them, and refused by the others. ' +
  'Set the same secret on all nodes.';

const MISSING =
  'The package @redis/client, which MCP_REDIS_URL needs, is not installed: run `npm install` in the project first.';

function isModuleNotFound(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_MODULE_NOT_FOUND';
}
