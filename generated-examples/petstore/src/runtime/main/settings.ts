/** What flags and environment settle: flag › environment › default. */
import type { LogLevel } from '../definition.ts';
import type { FlagValues } from './flags.ts';

export interface Settings {
  transport: 'stdio' | 'http';
  port: number;
  host: string;
  path: string;
  baseUrl: string | undefined;
  include: readonly string[];
  exclude: readonly string[];
  /** Calls a minute in one session; `default` is the transport's. */
  rateLimit: number | 'off' | 'default';
  logLevel: LogLevel;
  pageSize: number | undefined;
  allowedOrigins: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the user typed can't be used. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws {UsageError} naming the flag or variable whose value can't be used. */
export async function readSettings(flags: FlagValues, env: Environment): Promise<Settings> {
  const one = (name: string): string | undefined => flags.get(name)?.[0];
  const pageSize = one('page-size');
  const [portName, port] = named('--port', one('port'), 'PORT', env['PORT']);
  const [rateName, rate] = named('--rate-limit', one('rate-limit'), 'MCP_RATE_LIMIT', env['MCP_RATE_LIMIT']);
  return {
    transport: transportOf(one('transport') ?? 'stdio'),
    port: port === undefined ? 3000 : integerOf(portName, port, 0, 65_535),
    host: one('host') ?? '127.0.0.1',
    path: pathOf(one('path') ?? '/mcp'),
    baseUrl: one('base-url'),
    include: flags.get('include') ?? [],
    exclude: flags.get('exclude') ?? [],
    rateLimit: rate === undefined ? 'default' : rate === 'off' ? 'off' : integerOf(rateName, rate, 1),
    logLevel: await levelOf(one('log-level')),
    pageSize: pageSize === undefined ? undefined : integerOf('--page-size', pageSize, 1),
    allowedOrigins: listOf(env['MCP_ALLOWED_ORIGINS']),
  };
}

/** The flag's value, else the variable's, with the name to blame. An empty variable is none. */
function named(
  flag: string,
  given: string | undefined,
  variable: string,
  value: string | undefined,
): [string, string | undefined] {
  return given === undefined ? [variable, value === '' ? undefined : value] : [flag, given];
}

function transportOf(value: string): Settings['transport'] {
  if (value === 'stdio' || value === 'http') return value;
  throw new UsageError(`--transport must be stdio or http, not ${value}.`);
}

function pathOf(value: string): string {
  if (/^\/[^\s?#]*$/.test(value) && value !== '/healthz') return value;
  throw new UsageError(
    `--path must begin with a slash, hold no blank, ? or #, and not be /healthz, but is ${value}.`,
  );
}

async function levelOf(value: string | undefined): Promise<LogLevel> {
  if (value === undefined) return 'info';
  const { isLogLevel, LOG_LEVELS } = await import('../core/log-level.ts');
  if (isLogLevel(value)) return value;
  throw new UsageError(`--log-level must be one of ${LOG_LEVELS.join(', ')}, not ${value}.`);
}

function integerOf(name: string, value: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (number >= least && number <= most) return number;
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  throw new UsageError(`${name} must be a whole number, ${range}, not ${value}.`);
}

function listOf(value = ''): string[] {
  return value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
