/** What flags and environment settle: flag › environment › `.env` › default. */
import { lstatSync, statSync } from 'node:fs';
import type { BlockList } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import type { LogLevel } from '../definition.ts';
import type { Limits } from '../limits.ts';
import type { UpstreamLimits } from '../upstream-limits.ts';
import type { FeatureLoaders } from '../feature-loaders.ts';
import type { FlagValues } from './flags.ts';
import { withoutFeature } from '../contract/feature.ts';
import { LIMIT_VARIABLES, type LimitVariable } from './limit-variables.ts';

export interface Settings {
  transport: 'stdio' | 'http';
  port: number;
  host: string;
  path: string;
  /** Whether HTTP+SSE is served too, at `SSE_PATHS`. */
  sse: boolean;
  /** Whether WebSocket is served too, at `WEB_SOCKET_PATH`. */
  ws: boolean;
  baseUrl: string | undefined;
  /** Absolute. */
  filesRoot: string | undefined;
  /** Answers are made up from examples and schemas. */
  mock: boolean;
  include: readonly string[];
  exclude: readonly string[];
  /** Calls a minute of one client; `default` is the transport's. */
  rateLimit: number | 'off' | 'default';
  logLevel: LogLevel;
  pageSize: number | undefined;
  allowedOrigins: readonly string[];
  /** Undefined: none is kept. */
  audit: AuditSettings | undefined;
  /** Undefined on stdio. */
  http: HttpSettings | undefined;
  /** Headers of HTTP requests that go on to the API, in lower case. */
  passHeaders: readonly string[];
  /** Bounds of the calls of the API; what is absent has its default. */
  upstreamLimits: Partial<UpstreamLimits>;
}

export interface AuditSettings {
  /** A file, or `stderr`. */
  to: string;
  /** Whether arguments are shown with their values, secrets left out. */
  full: boolean;
}

/** What only a listener on HTTP heeds. */
export interface HttpSettings extends TrustedProxies {
  /** As `URL` spells them; none: any on an address of the network, those of this machine on a loopback address. */
  allowedHosts: readonly string[];
  /** Connections of one address open at one time. */
  connectionsPerAddress: number | 'off' | 'default';
  /** What is absent has its default. */
  limits: Partial<Limits>;
  /** Undefined: without TLS. */
  tls: TlsFiles | undefined;
}

export interface TrustedProxies {
  /** Undefined: nobody's. */
  proxies: BlockList | undefined;
  /** Those of the blocks that hold clients as well as proxies, as the user wrote them. */
  wideProxies: readonly string[];
}

/** Paths of PEM files; both may be one. */
export interface TlsFiles {
  /** The certificate, and those of authorities between it and a root. */
  cert: string;
  key: string;
  /** Of the key. */
  passphrase?: string;
}

export const SSE_PATHS = { path: '/sse', messagesPath: '/messages' };
export const WEB_SOCKET_PATH = '/ws';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the user typed can't be used. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * `hasApi`: requests to an API do the work of some. Else its variables are somebody else's, and not looked at.
 *
 * @throws {UsageError} naming the flag or variable whose value can't be used.
 */
export async function readSettings(
  flags: FlagValues,
  env: Environment,
  { hasApi = true, features = {} }: { hasApi?: boolean; features?: FeatureLoaders } = {},
): Promise<Settings> {
  const one = (name: string): string | undefined => flags.get(name)?.[0];
  const pageSize = one('page-size');
  const [portName, port] = named('--port', one('port'), 'PORT', env['PORT']);
  const [rateName, rate] = named('--rate-limit', one('rate-limit'), 'MCP_RATE_LIMIT', env['MCP_RATE_LIMIT']);
  checkStateSecret(env['MCP_STATE_SECRET']);
  const transport = transportOf(one('transport') ?? 'stdio');
  if (transport !== 'http') refuseHttpFlags(flags);
  else if (features.http === undefined) throw new UsageError(withoutFeature('http'));
  const [sse, ws] = [flags.has('sse'), flags.has('ws')];
  const taken = ['/healthz', ...(sse ? Object.values(SSE_PATHS) : []), ...(ws ? [WEB_SOCKET_PATH] : [])];
  return {
    transport,
    sse,
    ws,
    port: port === undefined ? 3000 : integerOf(portName, port, 0, 65_535),
    host: hostOf(one('host') ?? '127.0.0.1'),
    path: pathOf(one('path') ?? '/mcp', taken),
    mock: flags.has('mock') || switchOf('MCP_MOCK', env['MCP_MOCK']),
    include: flags.get('include') ?? [],
    exclude: flags.get('exclude') ?? [],
    rateLimit: boundOf(rateName, rate),
    logLevel: await levelOf(one('log-level')),
    pageSize: pageSize === undefined ? undefined : integerOf('--page-size', pageSize, 1),
    allowedOrigins: listOf(env['MCP_ALLOWED_ORIGINS']).map(originOf),
    audit: await auditSettings(flags, env, features),
    http: transport === 'http' ? (await features.http?.())?.readHttpSettings(flags, env) : undefined,
    ...(hasApi ? await apiSettings(flags, env, transport) : NO_API),
  };
}

/** Loaded where something is said of it. */
async function auditSettings(
  flags: FlagValues,
  env: Environment,
  { audit }: FeatureLoaders,
): Promise<AuditSettings | undefined> {
  const names = ['audit', 'audit-arguments'].filter((name) => flags.has(name));
  if (names.length === 0 && !env['MCP_AUDIT']) return undefined;
  return (await audit?.())?.readAuditSettings(flags, env);
}

type ApiSettings = Pick<Settings, 'baseUrl' | 'filesRoot' | 'passHeaders' | 'upstreamLimits'>;

const NO_API: ApiSettings = { baseUrl: undefined, filesRoot: undefined, passHeaders: [], upstreamLimits: {} };

async function apiSettings(
  flags: FlagValues,
  env: Environment,
  transport: Settings['transport'],
): Promise<ApiSettings> {
  const one = (name: string): string | undefined => flags.get(name)?.[0];
  checkCredentials(env['API_CREDENTIALS']);
  if (transport !== 'http') refusePassedHeaders(env);
  return {
    baseUrl: baseUrlOf(...named('--base-url', one('base-url'), 'API_BASE_URL', env['API_BASE_URL'])),
    filesRoot: filesRootOf(...named('--files', one('files'), 'MCP_FILES_ROOT', env['MCP_FILES_ROOT'])),
    passHeaders: await passHeadersOf(flags, env),
    upstreamLimits: limitsBy(LIMIT_VARIABLES, env),
  };
}

/** A short one could be guessed by whoever has seen a state (RFC 2104, section 3). */
function checkStateSecret(value = ''): void {
  if (value === '' || value.length >= 32) return;
  throw new UsageError(
    'MCP_STATE_SECRET must have 32 characters or more: `openssl rand -base64 32` makes one.',
  );
}

function checkCredentials(value = ''): void {
  if (['', 'required', 'optional'].includes(value)) return;
  throw new UsageError(`API_CREDENTIALS must be required or optional, not ${value}.`);
}

/** Whether it is `1`. */
export function switchOf(name: string, value = ''): boolean {
  if (['', '0', '1'].includes(value)) return value === '1';
  throw new UsageError(`${name} must be 1 or 0, not ${value}.`);
}

/** The flag's value, else the variable's, with the name to blame. An empty variable is none. */
export function named(
  flag: string,
  given: string | undefined,
  variable: string,
  value: string | undefined,
): [string, string | undefined] {
  return given === undefined ? [variable, value === '' ? undefined : value] : [flag, given];
}

function transportOf(value: string): Settings['transport'] {
  if (value === 'stdio' || value === 'http') return value;
  const beside = value === 'sse' || value === 'ws' ? `: it is --transport http --${value}` : '';
  throw new UsageError(`--transport must be stdio or http, not ${value}${beside}.`);
}

const HTTP_FLAGS = 'port host path sse ws pass-header tls-cert tls-key trusted-proxy connections'.split(' ');

/** What only a listener on HTTP heeds. `PORT` may be set for other reasons, and stands. */
function refuseHttpFlags(flags: FlagValues): void {
  const name = HTTP_FLAGS.find((each) => flags.has(each));
  if (name !== undefined) throw new UsageError(`--${name} goes with HTTP: give --transport http as well.`);
}

function refusePassedHeaders(env: Environment): void {
  if (!env['MCP_PASS_HEADERS']) return;
  throw new UsageError(
    'MCP_PASS_HEADERS goes with HTTP, since messages on stdio have no headers: unset it, or give --transport http.',
  );
}

/** The flag's names, else the variable's, separated by commas. */
async function passHeadersOf(flags: FlagValues, env: Environment): Promise<string[]> {
  const given = flags.get('pass-header');
  const names = given ?? listOf(env['MCP_PASS_HEADERS']);
  if (names.length === 0) return [];
  const { passedNames } = await import('./pass-headers.ts');
  return passedNames(given === undefined ? 'MCP_PASS_HEADERS' : '--pass-header', names);
}

/** `taken` are the paths of what else is served. */
function pathOf(value: string, taken: readonly string[]): string {
  if (/^\/[^\s?#]*$/.test(value) && !taken.includes(value)) return value;
  throw new UsageError(
    `--path must begin with a slash, hold no blank, ? or #, and not be ${taken.join(' or ')}, but is ${value}.`,
  );
}

/** An address of IPv6 may come as it stands in URLs. */
function hostOf(value: string): string {
  const bare = value.replace(/^\[(.*)\]$/, '$1');
  return URL.canParse(`http://[${bare}]`) ? bare : value;
}

/** Found here, it is not blamed on the document at the first call. */
function baseUrlOf(name: string, value: string | undefined): string | undefined {
  if (value === undefined || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) return value;
  throw new UsageError(
    `${name} must be the base URL of the API, such as https://api.example.com/v1, not ${withoutSecret(value)}.`,
  );
}

/** What stands where a URL has its user, its password and its query is not repeated. */
export function withoutSecret(url: string): string {
  return url.replace(/^([^/?#]*\/\/)?[^/?#]*@/, '$1…@').replace(/\?.*$/s, '?…');
}

function filesRootOf(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (statSync(value, { throwIfNoEntry: false })?.isDirectory() === true) return resolveHere(name, value);
  throw new UsageError(`${name} must be a folder that is there, not ${value}.`);
}

/**
 * A relative path counts from the working folder. Whoever wrote the files there could lead the server elsewhere by a link.
 *
 * @throws {UsageError} where there is one on the way
 */
export function resolveHere(name: string, value: string): string {
  if (isAbsolute(value)) return resolve(value);
  let path = resolve();
  for (const part of value.split(/[\\/]/)) {
    path = resolve(path, part);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue;
    throw new UsageError(
      `${name} must not lead through a link of the working folder, as ${value} does. Give the whole path of the place.`,
    );
  }
  return path;
}

/** As browsers write it (RFC 6454, section 6.2): no path, no default port, lower case. */
function originOf(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isOrigin =
    url !== undefined &&
    /^[^*]+$/.test(url.host) &&
    /^\/?$/.test(url.pathname) &&
    url.search + url.hash === '';
  if (!isOrigin) {
    throw new UsageError(
      `MCP_ALLOWED_ORIGINS must hold origins such as https://app.example, separated by commas, not ${value}.`,
    );
  }
  // Schemes that are not of the web (`vscode-webview:`) have no origin for `URL`.
  return url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin;
}

async function levelOf(value: string | undefined): Promise<LogLevel> {
  if (value === undefined) return 'info';
  const { isLogLevel, LOG_LEVELS } = await import('../core/log-level.ts');
  if (isLogLevel(value)) return value;
  throw new UsageError(`--log-level must be one of ${LOG_LEVELS.join(', ')}, not ${value}.`);
}

/** `others` are the words that may stand there too. */
function integerOf(
  name: string,
  value: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
  others = '',
): number {
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (number >= least && number <= most) return number;
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  throw new UsageError(`${name} must be a whole number, ${range}${others}, not ${value}.`);
}

/** A number, or `off`. */
export function boundOf(name: string, value: string | undefined): number | 'off' | 'default' {
  if (value === undefined) return 'default';
  return value === 'off' ? value : integerOf(name, value, 1, Number.MAX_SAFE_INTEGER, ', or off');
}

/** @throws {UsageError} naming the variable that is no whole number in its range */
export function limitsBy<L extends string>(
  variables: readonly LimitVariable<L>[],
  env: Environment,
): Partial<Record<L, number>> {
  const limits: Partial<Record<L, number>> = {};
  for (const { limit, name, most } of variables) {
    const value = env[name] ?? '';
    if (value !== '') limits[limit] = integerOf(name, value, 1, most);
  }
  return limits;
}

export function listOf(value = ''): string[] {
  return value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
