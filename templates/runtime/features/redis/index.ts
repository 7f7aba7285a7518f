// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Nodes of one server over HTTP share in Redis what each of them would keep in memory. */
import type { Feature } from '../../feature.ts';
import type { Server } from '../../server.ts';
import { CallLimiter } from '../../session.ts';
import { getSetting, parseChoice, parseInteger, readCallLimit, type Setting } from '../../settings.ts';
import { type Env, UsageError } from '../../types.ts';
import { LoggedStreams } from '../logged-streams.ts';
import type { OnceGuard } from '../state-keys.ts';
import type { Connection } from './connection.ts';
import { Feed } from './feed.ts';
import { SharedSessions, type SharedState } from './sessions.ts';
import { SharedTasks } from './tasks.ts';

const SETTINGS: readonly Setting[] = [
  { variable: 'MCP_REDIS_URL', help: 'Redis of all nodes, such as rediss://user:password@host:6379/0.' },
  { variable: 'MCP_REDIS_PREFIX', help: 'First part of its keys. If unset, the name of the server.' },
  {
    variable: 'MCP_NODES',
    help: 'Without Redis, each of so many nodes limits rates to its part.',
    default: '1',
  },
  {
    variable: 'MCP_REVOCATION',
    help: 'strict: without Redis, requests of sessions get 503.',
    default: 'lenient',
  },
];

const MISSING =
  'The package @redis/client, which MCP_REDIS_URL needs, is not installed: run `npm install` in the project.';
const NO_SECRET =
  'MCP_STATE_SECRET is not set, so sessions and states of questions are valid on the node that made them, and refused by the others. Set the same secret on all nodes.';

/** With `MCP_REDIS_URL`, over HTTP. */
export function redis(): Feature {
  const once: Record<string, unknown> = {};
  let connection: Connection | undefined;
  let sessions: SharedSessions | undefined;
  let finish = async (): Promise<void> => undefined;
  const takeOnce = async (key: string, ms: number): Promise<boolean> =>
    (await connection?.send('SET', connection.key('once', key), '', 'NX', 'PX', Math.ceil(ms))) === 'OK';

  async function open(server: Server, env: Env): Promise<void> {
    const { services, flags } = server;
    const { url, prefix, isStrict, sessionMs } = readRedisSettings(env, server.definition.info.name);
    const { Connection } = await import('./connection.ts').catch((thrown: unknown) => {
      const isMissing = (thrown as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
      throw isMissing ? new UsageError(MISSING, { cause: thrown }) : thrown;
    });
    const rates = env['MCP_NODES']
      ? 'limits rates to its part'
      : 'allows the whole rate, since MCP_NODES is not set';
    const reportOutage = (reason: string): void =>
      server.report(
        `Redis is away (${reason}). Until it is back, this node ${rates}, and single-use states, tasks of other nodes, resumed streams and subscriptions answer 503.`,
      );
    const shared = (connection = new Connection(url, prefix, reportOutage));
    const feed = new Feed(shared, server);
    const state: SharedState = { server, connection: shared, feed, isStrict, sessionMs };
    services.bus = feed;
    services.once = { scope: `redis ${prefix}`, take: takeOnce } satisfies OnceGuard;
    services.limiter = limitTogether(shared, readNodes(env), readCallLimit(flags, env));
    if (services.sessions?.revive !== undefined) {
      sessions = new SharedSessions(state);
      services.revocations = sessions.revocations;
      services.sessions = sessions.holdBy(services.sessions);
      const log = services.streams instanceof LoggedStreams ? services.streams.log : undefined;
      services.streams = new LoggedStreams(sessions.logBeside(log));
    }
    const { tasks } = services as Partial<typeof services>;
    if (tasks !== undefined) services.tasks = new SharedTasks(tasks, state, sessions);
    server.health.set('redis', () => (shared.isUp ? 'up' : 'away'));
    server.gauges.set('mcp_redis_up', () => Number(shared.isUp));
    finish = async () => {
      // Features before this one stop later, when Redis can't be told any more.
      tasks?.end();
      await feed.flush();
      await shared.close();
    };
    await shared.open();
  }

  return {
    name: 'redis',
    settings: SETTINGS,
    parts: { once },
    catalog: {
      // Before other features start, which look for the part.
      select: (_, { flags, env }) => void (isUsed(flags, env) && Object.assign(once, { redis: takeOnce })),
    },
    forward: (message, exchange) => sessions?.forward(message, exchange),
    aroundRequest: (call, next) => {
      if (call.method === 'subscriptions/listen') connection?.requireUp();
      return sessions?.aroundRequest(call, next) ?? next(call);
    },
    startLine: () => connection && `redis: ${connection.isUp ? 'up' : 'away'}`,
    start: async (server, flags, env) => {
      const isOneOfMany = isUsed(flags, env) || (flags['transport'] === 'http' && readNodes(env) > 1);
      if (isOneOfMany && !env['MCP_STATE_SECRET']) server.report(NO_SECRET);
      if (isUsed(flags, env)) await open(server, env);
    },
    stop: () => finish(),
  };
}

/** Over stdio a process has one client. */
function isUsed(flags: Server['flags'], env: Env): boolean {
  return flags['transport'] === 'http' && Boolean(env['MCP_REDIS_URL']);
}

const readNodes = (env: Env): number => parseInteger(getSetting({}, env, '', 'MCP_NODES'), 1, 10_000) ?? 1;

/** Messages repeat no URL: it may have a password. @throws {UsageError} */
function readRedisSettings(env: Env, server: string) {
  const url = env['MCP_REDIS_URL'] ?? '';
  if (!/^rediss?:\/\/[^/?#]+(?:\/\d{0,5})?$/.test(url) || !URL.canParse(url) || /%(?![\da-f]{2})/i.test(url))
    throw new UsageError(
      'MCP_REDIS_URL must be one URL such as redis://redis.example:6379 or rediss://user:password@redis.example:6379/0. Special characters of user and password are percent-encoded.',
    );
  const prefix = env['MCP_REDIS_PREFIX'] || server.replace(/[^\w.:-]+/g, '-').slice(0, 100);
  if (!/^[\w.:-]{1,100}$/.test(prefix))
    throw new UsageError('MCP_REDIS_PREFIX must be 1 to 100 letters, digits, dots, colons, _ and -.');
  const isStrict = parseChoice(getSetting({}, env, '', 'MCP_REVOCATION'), ['lenient', 'strict']) === 'strict';
  const seconds = parseInteger(getSetting({}, env, '', 'MCP_SESSION_TTL'), 1) ?? 604_800;
  return { url, prefix, isStrict, sessionMs: seconds * 1_000 };
}

/** As `CallLimiter`, by the clock of Redis: returns the milliseconds until the next call, 0 if there is one now. */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local count = tonumber(ARGV[1])
local bucket = redis.call('HMGET', KEYS[1], 'left', 'at')
local left, at = tonumber(bucket[1]) or count, tonumber(bucket[2]) or now
left = math.min(count, math.max(0, left) + math.max(0, now - at) * count / 60000)
local isTaken = left >= 1
if isTaken then left = left - 1 end
redis.call('HSET', KEYS[1], 'left', string.format('%.6f', left), 'at', string.format('%.3f', now))
redis.call('PEXPIRE', KEYS[1], 60000)
return isTaken and 0 or math.max(1, math.ceil((1 - left) * 60000 / count))`;

function limitTogether(connection: Connection, nodes: number, callsPerMinute: number) {
  const alone = new CallLimiter(Math.max(1, Math.floor(callsPerMinute / nodes)));
  return {
    take: (client: string): number | Promise<number> => {
      if (callsPerMinute === Infinity) return 0;
      const taken = connection.send('EVAL', TAKE, 1, connection.key('rate', client), callsPerMinute);
      return taken.then((ms) => Math.ceil(Number(ms) / 1_000)).catch(() => alone.take(client));
    },
  };
}
