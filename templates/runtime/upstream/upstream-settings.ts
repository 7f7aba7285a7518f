// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Chooses the server that a request goes to (OpenAPI Server Object), and declares the settings of calls of the API. */
import type { IncomingMessage } from 'node:http';

import type {
  HttpBinding,
  SecurityRequirement,
  ServerBinding,
  UpstreamBinding,
} from '../contract/bindings.ts';
import type { Json } from '../contract/json-schema.ts';
import type { AnswerBody } from '../core/handler-result.ts';
import type { AfterResponse, BeforeRequest } from '../definition.ts';
import {
  HEADER_VARIABLE,
  type UpstreamLimits,
  apiVariableName,
  toVariableName,
  serverChoiceVariableName,
} from '../contract/feature.ts';
import type { Redact } from '../redact.ts';
import type { CallerAccess, OpenOnBehalf } from '../feature-loaders.ts';
import type { BodyWriters, ParameterWriters, FileArgument } from './body.ts';
import { parseHeaders } from '../contract/http-syntax.ts';
import { type Deadline, UpstreamError } from './upstream-error.ts';
import type { ChooseDispatcher, ProxyFeature } from './dispatcher.ts';
import { HeaderList, type StreamedBody, type WireRequest } from './wire-request.ts';
import type { Access, Credentials, Tokens } from './security.ts';
import type { WireAnswer } from './send.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Cached, since parsing takes longer than the rest of composing a request. */
const parsed = new Map<string, URL>();

/**
 * The base URL of a request: flag › `API_BASE_URL` › the one given when compiling › the API's server. An override
 * replaces every server of the document, so that test calls never reach the real API; `API_BASE_URL_<HOST>` sets the
 * address of an operation's own server.
 */
export function chooseServerUrl(
  api: UpstreamBinding,
  binding: Pick<HttpBinding, 'servers'>,
  settings: Pick<UpstreamSettings, 'baseUrl' | 'defaultBaseUrl' | 'env'>,
): URL {
  const { env } = settings;
  const { name } = api;
  const override =
    settings.baseUrl || env[apiVariableName('API_BASE_URL', name)] || settings.defaultBaseUrl || undefined;
  const own = binding.servers && chooseOperationServer(binding, env, name);
  if (own === undefined) return parseBaseUrl(override ?? chooseRootUrl(api, env), name);
  const host = variableSuffixOfHost(own);
  const moved = host && env[apiVariableName('API_BASE_URL', name, host)];
  if (moved) return parseBaseUrl(moved, name);
  const url = fillServerVariables(own, env, name);
  if (!URL.canParse(url))
    return parseBaseUrl(url, name, parseIfAbsolute(override ?? chooseRootUrl(api, env), name));
  if (override === undefined) return parseBaseUrl(url, name);
  const root = rootUrlIfKnown(api, env);
  // A base URL that equals the document's own changes nothing.
  if (override === root) return parseBaseUrl(url, name);
  const isPathOfApi =
    root !== undefined &&
    root !== url &&
    parseIfAbsolute(root, name)?.origin === parseIfAbsolute(url, name)?.origin;
  if (!isPathOfApi) return parseBaseUrl(override, name);
  // The operation's own URL has the API's origin, so only its path replaces that of the base URL.
  const { pathname, search } = parseBaseUrl(url, name);
  return new URL(pathname + search, parseBaseUrl(override, name));
}

export function baseUrlVariableOf(
  { name }: UpstreamBinding,
  binding: Pick<HttpBinding, 'servers'>,
  env: Environment,
): string {
  const own = chooseOperationServer(binding, env, name);
  return apiVariableName('API_BASE_URL', name, own && variableSuffixOfHost(own));
}

function chooseRootUrl({ servers, name }: UpstreamBinding, env: Environment): string | undefined {
  const server = chooseServer(servers, env, name);
  return server && fillServerVariables(server, env, name);
}

function parseIfAbsolute(url: string | undefined, api: string | undefined): URL | undefined {
  return url !== undefined && URL.canParse(url) ? parseBaseUrl(url, api) : undefined;
}

/** Returns undefined where a variable of the server has no value: only requests that go there need it. */
function rootUrlIfKnown(api: UpstreamBinding, env: Environment): string | undefined {
  try {
    return chooseRootUrl(api, env);
  } catch {
    return undefined;
  }
}

function parseBaseUrl(url: string | undefined, api: string | undefined, base?: URL): URL {
  const known = base === undefined ? parsed.get(url ?? '') : undefined;
  if (known !== undefined) return known;
  if (url === undefined || !URL.canParse(url, base?.href)) {
    throw new UpstreamError(
      'base-url',
      `The API's document names no absolute server URL${url === undefined ? '' : ` (only "${url}")`}. ` +
        `Set ${apiVariableName('API_BASE_URL', api)} in the environment of this MCP server` +
        (api === undefined ? ', or start it with --base-url.' : '.'),
    );
  }
  const resolved = new URL(url, base);
  if (resolved.protocol !== 'http:' && resolved.protocol !== 'https:') {
    throw new UpstreamError(
      'base-url',
      `The API's base URL must begin with http:// or https://, not ${resolved.protocol}. Set ${apiVariableName('API_BASE_URL', api)}.`,
    );
  }
  if (base === undefined && parsed.size < 1_000) parsed.set(url, resolved);
  return resolved;
}

/** Servers, or values of a variable, that one message lists. */
const MOST_LISTED = 10;

function fillServerVariables({ url, variables = {} }: ServerBinding, env: Environment, api?: string): string {
  if (!url.includes('{')) return url;
  return url.replace(/\{([^{}]+)\}/g, (template, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = env[serverChoiceVariableName(name, api)] || variable?.default;
    if (value === undefined) {
      throw new UpstreamError(
        'base-url',
        `The API's server URL ${url} has no value for ${template}. In the environment of this MCP server set ` +
          `${serverChoiceVariableName(name, api)}, or ${apiVariableName('API_BASE_URL', api)} to the API's full base URL.`,
      );
    }
    const allowed = variable?.enum;
    if (allowed === undefined || allowed.includes(value)) return value;
    throw new UpstreamError(
      'base-url',
      `${serverChoiceVariableName(name, api)} in the environment of this MCP server must be one of ` +
        `${allowed.slice(0, MOST_LISTED).join(', ')}${allowed.length > MOST_LISTED ? ', …' : ''}, not ${value}: ` +
        `the API's server URL takes no other. ${apiVariableName('API_BASE_URL', api)}, set to the API's full base URL, may be anything.`,
    );
  });
}

/**
 * `API_SERVER` chooses by name, URL or description in any case, else by position from 1.
 * @throws {UpstreamError} `base-url` when it matches none
 */
function chooseServer(servers: ServerBinding[], env: Environment, api?: string): ServerBinding | undefined {
  const variable = apiVariableName('API_SERVER', api);
  const wanted = env[variable];
  if (!wanted) return servers[0];
  const found =
    findServer(servers, wanted) ?? (/^\d+$/.test(wanted) ? servers[Number(wanted) - 1] : undefined);
  if (found !== undefined) return found;
  const words = servers.length === 0 ? 'it describes none' : `it has ${describeServers(servers)}`;
  throw new UpstreamError(
    'base-url',
    `${variable} in the environment of this MCP server is ${wanted}, which is none of the API's servers: ${words}. ` +
      `Set one of them, by number or name, or ${apiVariableName('API_BASE_URL', api)} to the API’s full base URL.`,
  );
}

/** The server of the operation or its path. `API_SERVER` chooses among several by name. */
export function chooseOperationServer(
  { servers = [] }: { servers?: ServerBinding[] },
  env: Environment,
  api?: string,
): ServerBinding | undefined {
  const wanted = env[apiVariableName('API_SERVER', api)];
  return (wanted && findServer(servers, wanted)) || servers[0];
}

function findServer(servers: readonly ServerBinding[], wanted: string): ServerBinding | undefined {
  const word = wanted.toLowerCase();
  const findBy = (key: 'name' | 'url' | 'description') =>
    servers.find((one) => one[key]?.toLowerCase() === word);
  return findBy('name') ?? findBy('url') ?? findBy('description');
}

export function describeServers(servers: readonly ServerBinding[]): string {
  const listed = servers.slice(0, MOST_LISTED).map(({ name, description, url }, index) => {
    const words = [name ?? description, url].filter((word) => word !== undefined);
    return `${index + 1} (${words.join(', ')})`;
  });
  return `${listed.join(', ')}${servers.length > MOST_LISTED ? ', …' : ''}`;
}

/**
 * The suffix of variables for an operation's own host, such as `FILES_API_TEST`. The document's defaults make it, so
 * the environment can't change it; the compiler refuses two hosts with the same suffix.
 */
export function variableSuffixOfHost(server: ServerBinding): string | undefined {
  const host = readServerHost(server);
  return host && toVariableName(host);
}

/** Reads an open variable as its name: digits of a port are complete, so a variable behind them begins the path. */
export function readServerHost({ url: template, variables = {} }: ServerBinding): string | undefined {
  const filled = template.replace(/\{([^{}]+)\}/g, (open, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name]?.default ?? open) : open,
  );
  const named = separatePort(filled).replace(/\{([^{}]+)\}/g, '$1');
  const url = URL.canParse(named) ? new URL(named) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.host : undefined;
}

/** Separates the port from a variable: `https://api.example.com:8443{basePath}` → `https://api.example.com:8443/{basePath}`. */
export function separatePort(url: string): string {
  return url.replace(/(:\d+)(?=\{)/, '$1/');
}

export interface FixedHeaders {
  headers: HeaderList;
  secrets: string[];
  variables: string[];
  /** Variables of the configuration's headers that are not set. */
  unset: string[];
}

/**
 * The headers of the configuration and of `API_HEADERS`. They go to the servers of the API; to another server of an operation
 * only those of its own variable.
 * @throws {UpstreamError} `base-url`, or `credentials` for a value that no header may have
 */
export function resolveFixedHeaders(
  api: UpstreamBinding,
  binding: Pick<HttpBinding, 'servers'>,
  settings: Pick<UpstreamSettings, 'baseUrl' | 'defaultBaseUrl' | 'env'>,
): FixedHeaders | undefined {
  const { env } = settings;
  const fixed: FixedHeaders = { headers: new HeaderList(), secrets: [], variables: [], unset: [] };
  const isOwn = goesToApiServer(api, binding, settings);
  for (const [name, text] of Object.entries((isOwn && api.headers) || {}))
    addFixedHeader(fixed, name, text, env);
  const variable = isOwn
    ? apiVariableName('API_HEADERS', api.name)
    : headersVariableOf({ api, binding, env });
  const given = env[variable];
  if (given) fixed.variables.push(variable);
  for (const [name, value] of given ? parseHeaders(variable, given) : []) {
    fixed.headers.setChecked(name, value, `${name} of ${variable}`);
    fixed.secrets.push(...listCredentialForms(value));
  }
  return fixed.headers.names().length + fixed.unset.length > 0 ? fixed : undefined;
}

function goesToApiServer(
  api: UpstreamBinding,
  binding: Pick<HttpBinding, 'servers'>,
  settings: Parameters<typeof chooseServerUrl>[2],
): boolean {
  if (binding.servers === undefined) return true;
  const { origin } = chooseServerUrl(api, binding, settings);
  try {
    return chooseServerUrl(api, {}, settings).origin === origin;
  } catch {
    return false;
  }
}

/** A server of an operation alone has a variable of its own. */
export function headersVariableOf({ api, binding, env }: Pick<Access, 'api' | 'binding' | 'env'>): string {
  const own = binding.servers && chooseOperationServer(binding, env, api.name);
  const host = own && variableSuffixOfHost(own);
  const isShared = api.servers.some((server) => variableSuffixOfHost(server) === host);
  return apiVariableName('API_HEADERS', api.name, isShared ? undefined : host);
}

function addFixedHeader(fixed: FixedHeaders, name: string, text: string, env: Environment): void {
  const values: string[] = [];
  const names: string[] = [];
  const value = text.replace(HEADER_VARIABLE, (_, variable?: string) => {
    if (variable === undefined) return '${';
    names.push(variable);
    values.push(env[variable] ?? '');
    return env[variable] ?? '';
  });
  if (values.includes('')) return void fixed.unset.push(...names.filter((_, index) => values[index] === ''));
  fixed.headers.setChecked(name, value, [`The header ${name}`, ...names].join(' of '));
  fixed.secrets.push(...values, ...(names.length > 0 ? listCredentialForms(value) : []));
  fixed.variables.push(...names);
}

/** APIs may show a token without its scheme, or the password of `Basic`. */
function listCredentialForms(value: string): string[] {
  const [, scheme = '', bare = ''] = /^(\w+)\s+(\S+)$/.exec(value) ?? [];
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(bare, 'base64').toString('utf8') : '';
  return [value, bare, pair.slice(pair.indexOf(':') + 1)].filter((each) => each !== '');
}

export interface UpstreamSettings {
  baseUrl?: string;
  /** Chosen when compiling; weaker than `baseUrl` and `API_BASE_URL`. */
  defaultBaseUrl?: string;
  env: Environment;
  limits: UpstreamLimits;
  /** `--files`: calls may send its files, and long binary answers are saved in it. Default: none. */
  filesRoot?: string;
  features?: UpstreamFeatures | undefined;
  userAgent?: string;
  beforeRequest?: BeforeRequest;
  afterResponse?: AfterResponse;
  /** `--mock`: answers instead of the API. */
  answer?: (wire: WireRequest, binding: HttpBinding, tool: string | undefined) => WireAnswer;
}

/** Types only, and none from the features' modules, so that a project type-checks without them. */
export interface UpstreamFeatures {
  bodies?: () => Promise<BodyWriters>;
  parameters?: () => Promise<ParameterWriters>;
  clientCredentials?: () => Promise<ClientCredentialsFeature>;
  exchange?: () => Promise<ExchangeFeature>;
  proxy?: () => Promise<ProxyFeature>;
  files?: () => Promise<FilesFeature>;
  sequences?: () => Promise<SequencesFeature>;
}

interface ClientCredentialsFeature {
  TokenSource: new (
    limits: UpstreamLimits,
    chooseDispatcher: ChooseDispatcher,
  ) => Pick<Tokens, 'get' | 'forget'>;
}

interface ExchangeFeature {
  openOnBehalf: OpenOnBehalf;
  chooseCallerCredentials(
    access: Access,
    caller: CallerAccess,
    tokens: Tokens,
    deadline: Deadline,
  ): Promise<CallerChoice>;
}

export interface CallerChoice {
  access: Access;
  credentials: Credentials;
  requirement: SecurityRequirement | undefined;
}

interface FilesFeature {
  streamedBody(pieces: readonly (Buffer | FileArgument)[], settings: UpstreamSettings): Promise<StreamedBody>;
  readOrSave(
    response: IncomingMessage,
    wire: WireRequest,
    options: SaveOptions,
  ): Promise<{ body: Buffer; saved?: SavedFile }>;
}

export interface SaveOptions {
  filesRoot: string;
  limits: Pick<UpstreamLimits, 'inlineBytes' | 'fileBytes'>;
  /** Removes secrets from the name, which the API may suggest. */
  redact?: Redact | undefined;
}

export type SavedFile = Omit<Extract<AnswerBody, { kind: 'file' }>, 'kind'>;

interface SequencesFeature {
  readSequence(response: IncomingMessage, mediaType: string, options: SequenceOptions): Promise<Sequence>;
}

export interface Sequence {
  /** Reads the items; with `text` if a number would lose digits. */
  read(redact: Redact): { value: Json[]; text?: string };
  part?: string;
}

export interface SequenceOptions {
  limits: Pick<UpstreamLimits, 'responseBytes' | 'streamItems' | 'streamMs'>;
  deadline: Deadline;
  onItems?: ((count: number) => void) | undefined;
}
