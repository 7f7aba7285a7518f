// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Reads MCP_REDIS_… and the settings of a server with several nodes. Messages repeat no URL: it may have a password. */
import { percentDecode } from '../contract/json-value.ts';
import { UsageError } from '../contract/feature.ts';
import { type Environment, parseInteger, parseEnvChoice, splitList } from '../main/settings.ts';

export interface RedisSettings {
  mode: 'single' | 'cluster' | 'sentinel';
  /** One address for a single server; several for a cluster or sentinels. */
  addresses: readonly { host: string; port: number }[];
  tls: boolean;
  username: string | undefined;
  password: string | undefined;
  database: number;
  master: string;
  prefix: string;
  nodes: number;
  isStrict: boolean;
}

const MODES = ['single', 'cluster', 'sentinel'] as const;

export function parseRedisSettings(env: Environment, server: string): RedisSettings {
  const mode = parseRedisMode(env);
  const urls = splitList(env['MCP_REDIS_URL']).map(parseUrl);
  const [first] = urls;
  if (first === undefined || (mode === 'single' && urls.length > 1))
    throw new UsageError(
      'MCP_REDIS_URL must be one URL. Several go with MCP_REDIS_MODE=cluster or MCP_REDIS_MODE=sentinel.',
    );
  if (
    urls.some(
      ({ protocol, username, password }) =>
        !haveSameSchemeAndCredentials(first, { protocol, username, password }),
    )
  )
    throw new UsageError('The URLs of MCP_REDIS_URL must have the same scheme, user and password.');
  const database = parseDatabase(first);
  if (mode === 'cluster' && database !== 0)
    throw new UsageError('MCP_REDIS_URL names a database, and a cluster has none but 0.');
  return {
    mode,
    addresses: urls.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port || (mode === 'sentinel' ? 26_379 : 6_379)),
    })),
    tls: first.protocol === 'rediss:',
    username: percentDecode(first.username) || undefined,
    password: percentDecode(first.password) || undefined,
    database,
    master: env['MCP_REDIS_SENTINEL_MASTER'] || 'mymaster',
    prefix: parseKeyPrefix(env, server),
    nodes: parseNodeCount(env),
    isStrict: parseEnvChoice(env, 'MCP_REVOCATION', ['lenient', 'strict']) === 'strict',
  };
}

export function parseNodeCount(env: Environment): number {
  return parseInteger('MCP_NODES', env['MCP_NODES'] || '1', 1, 10_000);
}

function parseRedisMode(env: Environment): RedisSettings['mode'] {
  const value = env['MCP_REDIS_MODE'] || 'single';
  const mode = MODES.find((each) => each === value);
  if (mode !== undefined) return mode;
  throw new UsageError(`MCP_REDIS_MODE must be ${MODES.join(', ')}, not ${value}.`);
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOurs = url !== undefined && /^rediss?:$/.test(url.protocol) && url.hostname !== '';
  if (isOurs && url.search === '' && url.hash === '' && hasDecodableCredentials(url)) return url;
  throw new UsageError(
    'MCP_REDIS_URL must be a URL such as redis://redis.example:6379 or rediss://user:password@redis.example:6379/0. Special ' +
      'characters of user and password are percent-encoded.',
  );
}

function hasDecodableCredentials({ username, password }: URL): boolean {
  return [username, password].every((text) => percentDecode(text) !== undefined);
}

type Shared = Pick<URL, 'protocol' | 'username' | 'password'>;

function haveSameSchemeAndCredentials(one: Shared, other: Shared): boolean {
  return (
    one.protocol === other.protocol && one.username === other.username && one.password === other.password
  );
}

function parseDatabase({ pathname }: URL): number {
  const text = pathname.replace(/^\//, '');
  if (/^\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError('The path of MCP_REDIS_URL must be the number of a database, such as /0.');
}

function parseKeyPrefix(env: Environment, server: string): string {
  const given = env['MCP_REDIS_PREFIX'] || server.replace(/[^\w.:-]+/g, '-').slice(0, 100);
  if (/^[\w.:-]{1,100}$/.test(given)) return given;
  throw new UsageError('MCP_REDIS_PREFIX must be 1 to 100 letters, digits, dots, colons, _ and -.');
}
