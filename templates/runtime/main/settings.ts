// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Settings of a server. A flag wins over the environment, that over `.env`, and that over the default. */
import { SURFACES, type SurfaceName } from '../contract/json-schema.ts';
import { lstatSync, realpathSync, statSync } from 'node:fs';
import type { BlockList } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import type { LogLevel, ServerDefinition } from '../definition.ts';
import {
  LIMIT_VARIABLES,
  LOG_LEVELS,
  type LimitVariable,
  type Limits,
  type UpstreamLimits,
  UsageError,
  checkStateSecrets,
  missingFeatureText,
} from '../contract/feature.ts';
import type { Bindings } from '../contract/bindings.ts';
import { type Guards, type StrictestGuards, chooseStrictest } from '../contract/guards.ts';
import type { LiveServer, ServerInstance } from '../core/server-instance.ts';
import type { FeatureLoaders } from '../feature-loaders.ts';
import type { FlagValues } from './command-line.ts';
import type { AuditFeature, OpenWatch } from './open-project.ts';

export interface Settings {
  transport: 'stdio' | 'http';
  port: number;
  host: string;
  path: string;
  sse: boolean;
  ws: boolean;
  baseUrl: string | undefined;
  filesRoot: string | undefined;
  mock: boolean;
  selectors: 'strict' | 'lenient';
  /** The strictest of the command line and the environment. */
  guards: StrictestGuards;
  logLevel: LogLevel;
  pageSize: number | undefined;
  repairs: boolean;
  showsErrors: boolean;
  /** Surfaces that clients may use: the first is the default, and endpoints over HTTP may name the others. */
  surfaces: readonly SurfaceName[];
  /** Selectors of the tools that a search surface lists beside those that search. */
  pins: readonly string[];
  allowedOrigins: readonly string[];
  audit: AuditSettings | undefined;
  /** The settings of HTTP; undefined on stdio. */
  http: HttpSettings | undefined;
  upstreamLimits: Partial<UpstreamLimits>;
}

export interface AuditSettings {
  to: string;
  full: boolean;
}

export interface HttpSettings extends TrustedProxies {
  /** Spelt as by `URL`. If empty, a loopback address accepts the names of this machine, any other address every name. */
  allowedHosts: readonly string[];
  drainDelayMs: number;
  limits: Partial<Limits>;
  passHeaders: readonly string[];
  wellKnown: readonly [path: string, text: string][];
  tls: TlsFiles | undefined;
  stateless: boolean;
  sessionMs: number;
}

export interface TrustedProxies {
  proxies: BlockList | undefined;
  /** Blocks so wide that they contain clients as well as proxies. */
  wideProxies: readonly string[];
}

export interface TlsFiles {
  cert: string;
  key: string;
  passphrase?: string | undefined;
  /** Clients are asked for a certificate, whoever signed it. */
  asksClients?: true | undefined;
}

/** Where clients look that know only the host (SEP-2127). */
export const CATALOG_PATH = '/.well-known/ai-catalog.json';

const WELL_KNOWN = /^MCP_WELL_KNOWN_([A-Z0-9]+(?:_[A-Z0-9]+)*)$/;

/** `MCP_WELL_KNOWN_OPENAI_APPS_CHALLENGE` → `/.well-known/openai-apps-challenge` and its text. */
export function listWellKnownTexts(env: Environment): [path: string, text: string][] {
  return Object.entries(env).flatMap(([name, text = '']): [string, string][] => {
    const key = WELL_KNOWN.exec(name)?.[1];
    if (key === undefined || text === '') return [];
    return [[`/.well-known/${key.toLowerCase().replaceAll('_', '-')}`, text]];
  });
}

export const SSE_PATHS = { path: '/sse', messagesPath: '/messages' };
export const WEB_SOCKET_PATH = '/ws';

export type Environment = Readonly<Record<string, string | undefined>>;

export async function parseSettings(
  flags: FlagValues,
  env: Environment,
  { features: loaders = {}, surface }: Pick<ServerDefinition, 'features' | 'surface'> = {},
): Promise<Settings> {
  const features = loaders as MainFeatures;
  const getFlag = (name: string): string | undefined => flags.get(name)?.[0];
  const [portName, port = '3000'] = getSetting(flags, env, 'port', 'PORT');
  const pageSize = getFlag('page-size');
  checkStateSecrets(env);
  await assertApiHeaders(env);
  const transport = parseTransport(getFlag('transport') ?? 'stdio');
  if (transport === 'http' && features.http === undefined) throw new UsageError(missingFeatureText('http'));
  const surfaces = parseSurfaces(getFlag('surface') ?? surface ?? 'tools', transport);
  const [sse, ws] = [flags.has('sse'), flags.has('ws')];
  const taken = [
    ...['/healthz', '/livez', '/readyz', CATALOG_PATH],
    ...listWellKnownTexts(env).map(([taken]) => taken),
    ...(sse ? Object.values(SSE_PATHS) : []),
    ...(ws ? [WEB_SOCKET_PATH] : []),
  ];
  return {
    transport,
    sse,
    ws,
    port: parseInteger(portName, port, 0, 65_535),
    host: parseHost(getFlag('host') ?? '127.0.0.1'),
    path: assertPath(getFlag('path') ?? '/mcp', taken),
    mock: flags.has('mock') || parseEnvSwitch(env, 'MCP_MOCK'),
    selectors: parseEnvChoice(env, 'MCP_SELECTORS', ['strict', 'lenient']),
    guards: parseGuards(flags, env),
    logLevel: await parseLevel(getFlag('log-level')),
    pageSize: pageSize === undefined ? undefined : parseInteger('--page-size', pageSize, 1),
    repairs: parseRepair(flags, env),
    showsErrors: parseEnvSwitch(env, 'MCP_SHOW_ERRORS'),
    surfaces,
    pins: parsePins(flags, surfaces),
    allowedOrigins: splitList(env['MCP_ALLOWED_ORIGINS']).map(parseOrigin),
    audit: await loadAuditSettings(flags, env, features),
    http: transport === 'http' ? (await features.http?.())?.readHttpSettings(flags, env) : undefined,
    ...parseApiSettings(flags, env, transport),
  };
}

function parseRepair(flags: FlagValues, env: Environment): boolean {
  const [name, value = 'on'] = getSetting(flags, env, 'repair', 'MCP_REPAIR');
  return parseChoice(name, value, ['on', 'off']) === 'on';
}

function parseGuards(flags: FlagValues, env: Environment): StrictestGuards {
  const confirm = flags.get('confirm')?.[0];
  const { include = [], exclude = [] } = Object.fromEntries(flags);
  const commandLine: Guards = {
    readOnly: flags.has('read-only'),
    confirm:
      confirm === undefined ? undefined : parseChoice<'destructive'>('--confirm', confirm, ['destructive']),
    selectors: include.length + exclude.length === 0 ? [] : [{ include, exclude }],
    limits: { callsPerMinute: parseLimitOrOff('--rate-limit', flags.get('rate-limit')?.[0]) },
  };
  const environment: Guards = {
    readOnly: parseEnvSwitch(env, 'MCP_READ_ONLY'),
    limits: { callsPerMinute: parseLimitOrOff('MCP_RATE_LIMIT', env['MCP_RATE_LIMIT']) },
    auth: Boolean(env['MCP_AUTH_ISSUER']),
  };
  return chooseStrictest(commandLine, environment);
}

function parseSurfaces(text: string, transport: Settings['transport']): SurfaceName[] {
  const names = splitList(text).map((name) => {
    const found = SURFACES.find((surface) => surface === name);
    if (found !== undefined) return found;
    throw new UsageError(
      `--surface must be one of ${SURFACES.join(', ')}, or several of them by commas, not ${text}.`,
    );
  });
  if (names.length > 1 && transport !== 'http')
    throw new UsageError(
      '--surface names several surfaces over HTTP only: give --transport http, or one surface.',
    );
  return names;
}

function parsePins(flags: FlagValues, surfaces: readonly SurfaceName[]): readonly string[] {
  const pins = flags.get('pin') ?? [];
  if (pins.length === 0 || surfaces.includes('search')) return pins;
  throw new UsageError('--pin goes with --surface search: other surfaces list all tools.');
}

async function loadAuditSettings(
  flags: FlagValues,
  env: Environment,
  { audit }: MainFeatures,
): Promise<AuditSettings | undefined> {
  if (!flags.has('audit') && !flags.has('audit-arguments') && !env['MCP_AUDIT']) return undefined;
  return (await audit?.())?.readAuditSettings(flags, env);
}

type ApiSettings = Pick<Settings, 'baseUrl' | 'filesRoot' | 'upstreamLimits'>;

function parseApiSettings(
  flags: FlagValues,
  env: Environment,
  transport: Settings['transport'],
): ApiSettings {
  parseEnvChoice(env, 'API_CREDENTIALS', ['required', 'optional']);
  if (transport !== 'http' && env['MCP_PASS_HEADERS'])
    throw new UsageError(
      'MCP_PASS_HEADERS goes with HTTP, since messages on stdio have no headers: unset it, or give --transport http.',
    );
  return {
    baseUrl: assertBaseUrl(...getSetting(flags, env, 'base-url', 'API_BASE_URL')),
    filesRoot: resolveFilesRoot(...getSetting(flags, env, 'files', 'MCP_FILES_ROOT')),
    upstreamLimits: parseLimits(LIMIT_VARIABLES, env),
  };
}

async function assertApiHeaders(env: Environment): Promise<void> {
  const names = Object.keys(env).filter((name) => /^API_HEADERS(?:_|$)/.test(name) && env[name]);
  if (names.length === 0) return;
  const { parseHeaders } = await import('../contract/http-syntax.ts');
  for (const name of names) parseHeaders(name, env[name] ?? '');
}

export function parseEnvChoice<W extends string>(env: Environment, name: string, words: readonly [W, W]): W {
  return parseChoice(name, env[name] || words[0], words);
}

export function parseChoice<W extends string>(name: string, value: string, words: readonly [W, ...W[]]): W {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  throw new UsageError(`${name} must be ${words.join(' or ')}, not ${value}.`);
}

export function parseEnvSwitch(env: Environment, name: string): boolean {
  return parseChoice(name, env[name] || '0', ['1', '0']) === '1';
}

/** Returns the value, and the name to blame. An empty variable counts as unset. */
export function getSetting(
  flags: FlagValues,
  env: Environment,
  flag: string,
  variable: string,
): [name: string, value: string | undefined] {
  const given = flags.get(flag)?.[0];
  return given === undefined ? [variable, env[variable] || undefined] : [`--${flag}`, given];
}

function parseTransport(value: string): Settings['transport'] {
  if (value === 'stdio' || value === 'http') return value;
  const [flag, feature] = value === 'sse' ? ['sse', 'sse'] : ['ws', 'websocket'];
  const isBeside = value === flag || value === feature;
  const hint = isBeside ? `: it is --transport http --${flag}, with the feature ${feature}` : '';
  throw new UsageError(`--transport must be stdio or http, not ${value}${hint}.`);
}

function assertPath(value: string, taken: readonly string[]): string {
  if (/^\/[^\s?#]*$/.test(value) && !taken.includes(value)) return value;
  throw new UsageError(
    `--path must begin with a slash, hold no blank, ? or #, and not be ${taken.join(' or ')}, but is ${value}.`,
  );
}

function parseHost(value: string): string {
  const bare = value.replace(/^\[(.*)\]$/, '$1');
  return URL.canParse(`http://[${bare}]`) ? bare : value;
}

function assertBaseUrl(name: string, value: string | undefined): string | undefined {
  if (value === undefined || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) return value;
  throw new UsageError(
    `${name} must be the base URL of the API, such as https://api.example.com/v1, not ${omitUrlSecrets(value)}.`,
  );
}

/** Messages leave out the user, the password and the query of a URL, which may be secret. */
export function omitUrlSecrets(url: string): string {
  return url.replace(/^([^/?#]*\/\/)?[^/?#]*@/, '$1…@').replace(/\?.*$/s, '?…');
}

function resolveFilesRoot(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (statSync(value, { throwIfNoEntry: false })?.isDirectory() === true)
    return realpathSync(resolveFromWorkingFolder(name, value));
  throw new UsageError(`${name} must be a folder that is there, not ${value}.`);
}

/**
 * Resolves a path from the working folder, whose files may be anyone's: a link there could lead the server elsewhere.
 * @throws {UsageError} if a relative path leads through a link
 */
export function resolveFromWorkingFolder(name: string, value: string): string {
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

function parseOrigin(value: string): string {
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
  // `URL` gives no origin for schemes such as `vscode-webview:`.
  return url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin;
}

async function parseLevel(value: string | undefined): Promise<LogLevel> {
  if (value === undefined) return 'info';
  const { isLogLevel } = await import('../core/call-context.ts');
  if (isLogLevel(value)) return value;
  throw new UsageError(`--log-level must be one of ${LOG_LEVELS.join(', ')}, not ${value}.`);
}

export function parseInteger(
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

/** `Infinity` for `off`. An empty variable counts as unset. */
export function parseLimitOrOff(name: string, value = ''): number | undefined {
  if (value === '') return undefined;
  return value === 'off' ? Infinity : parseInteger(name, value, 1, Number.MAX_SAFE_INTEGER, ', or off');
}

export function parseLimits<L extends string>(
  variables: readonly LimitVariable<L>[],
  env: Environment,
): Partial<Record<L, number>> {
  const limits: Partial<Record<L, number>> = {};
  for (const [limit, name, most] of variables) {
    const value = env[name] ?? '';
    if (value !== '') limits[limit] = parseInteger(name, value, 1, most);
  }
  return limits;
}

export function splitList(value = ''): string[] {
  return value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** The features that a process loads, with the types of their modules. */
export interface MainFeatures extends FeatureLoaders {
  http?: () => Promise<HttpFeature>;
  audit?: () => Promise<AuditFeature>;
  metrics?: () => Promise<{ openMetrics: OpenWatch }>;
  traces?: () => Promise<{ openTraces: OpenWatch }>;
  apiSettings?: () => Promise<ApiSettingsFeature>;
}

interface HttpFeature {
  startHttp(
    live: LiveServer,
    settings: Settings,
    host: NodeJS.Process,
    stop: Promise<void>,
    started: () => void,
  ): Promise<void>;
  readHttpSettings(flags: FlagValues, env: Environment): HttpSettings;
  /** Returns a sentence for each setting that makes a server less safe that others reach. */
  insecureHttpSettings(settings: Settings): string[];
}

interface ApiSettingsFeature {
  listBaseUrlVariableNames: (bindings: Pick<Bindings, 'upstream' | 'upstreams'>) => string[];
  /** A sentence or two for each reason why tools cannot be called with these settings. */
  describeMissingSettings: (
    server: ServerInstance,
    bindings: Bindings,
    isListed: (tool: string) => boolean,
  ) => string[];
}
