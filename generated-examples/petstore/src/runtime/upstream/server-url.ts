/** Which server a request goes to (OpenAPI Server Object), and what the environment says about it. */
import type { HttpBinding, ServerBinding, UpstreamBinding } from '../contract/bindings.ts';
import { apiVariable, environmentName, serverVariable } from '../contract/apis.ts';
import type { UpstreamSettings } from './settings.ts';
import { UpstreamError } from './upstream-error.ts';

/**
 * The base of a request: for an operation without a server of its own flag › `API_BASE_URL` › the one given when
 * compiling › the API's server. A base URL that was set stands for every server of the document, so that what is meant
 * for a test never reaches the real API; a server of another host goes elsewhere by `API_BASE_URL_<HOST>`.
 */
export function serverUrl(
  api: UpstreamBinding,
  binding: Pick<HttpBinding, 'servers'>,
  settings: Pick<UpstreamSettings, 'baseUrl' | 'defaultBaseUrl' | 'env'>,
): URL {
  const { env } = settings;
  const { name } = api;
  const placed = (url: string | undefined, base?: URL): URL => absolute(url, name, base);
  const override =
    settings.baseUrl || env[apiVariable('API_BASE_URL', name)] || settings.defaultBaseUrl || undefined;
  const own = ownServer(binding, env, name);
  if (own === undefined) return override === undefined ? placed(rootUrl(api, env)) : placed(override);
  const host = hostSuffix(own);
  const moved = host === undefined ? undefined : env[apiVariable('API_BASE_URL', name, host)];
  if (moved) return placed(moved);
  const url = fillServer(own, env, name);
  if (!URL.canParse(url)) return placed(url, baseOf(override ?? rootUrl(api, env), name));
  if (override === undefined) return placed(url);
  const root = rootIfKnown(api, env);
  // A base URL that is the document's own moves nothing.
  if (override === root) return placed(url);
  return isPathOf(url, root, name) ? moveTo(placed(override), placed(url)) : placed(override);
}

/** The variable that a request's address can be set by. */
export function addressVariable(
  { name }: UpstreamBinding,
  binding: Pick<HttpBinding, 'servers'>,
  env: UpstreamSettings['env'],
): string {
  const own = ownServer(binding, env, name);
  return apiVariable('API_BASE_URL', name, own && hostSuffix(own));
}

function rootUrl({ servers, name }: UpstreamBinding, env: UpstreamSettings['env']): string | undefined {
  const server = chosenServer(servers, env, name);
  return server === undefined ? undefined : fillServer(server, env, name);
}

/** What a relative server is resolved against; undefined where that is relative itself. */
function baseOf(url: string | undefined, api: string | undefined): URL | undefined {
  return url !== undefined && URL.canParse(url) ? absolute(url, api) : undefined;
}

/** A variable that has no value matters to those alone who need it. */
function rootIfKnown(api: UpstreamBinding, env: UpstreamSettings['env']): string | undefined {
  try {
    return rootUrl(api, env);
  } catch {
    return undefined;
  }
}

/** Whether an operation's own URL is at the API's address: then it says another path, no other place. */
function isPathOf(url: string, root: string | undefined, api: string | undefined): boolean {
  return root !== undefined && root !== url && baseOf(root, api)?.origin === baseOf(url, api)?.origin;
}

function moveTo(base: URL, { pathname, search }: URL): URL {
  return new URL(pathname + search, base);
}

/** Parsing takes longer than the rest of composing a request; a server has one base URL, or a few. */
const parsed = new Map<string, URL>();

function parse(url: string): URL {
  const known = parsed.get(url);
  if (known !== undefined) return known;
  const fresh = new URL(url);
  if (parsed.size < 1_000) parsed.set(url, fresh);
  return fresh;
}

function absolute(url: string | undefined, api: string | undefined, base?: URL): URL {
  if (url === undefined || (base === undefined && !parsed.has(url) && !URL.canParse(url))) {
    throw new UpstreamError(
      'base-url',
      `The API's document names no absolute server URL${url === undefined ? '' : ` (only "${url}")`}. ` +
        `Set ${apiVariable('API_BASE_URL', api)} in the environment of this MCP server` +
        (api === undefined ? ', or start it with --base-url.' : '.'),
    );
  }
  const resolved = base === undefined ? parse(url) : new URL(url, base);
  if (resolved.protocol !== 'http:' && resolved.protocol !== 'https:') {
    throw new UpstreamError(
      'base-url',
      `The API's base URL must begin with http:// or https://, not ${resolved.protocol}. Set ${apiVariable('API_BASE_URL', api)}.`,
    );
  }
  return resolved;
}

type Environment = UpstreamSettings['env'];

/** What is told of a list of servers at most. */
const MOST_TOLD = 10;

/**
 * A server's URL with its variables filled in: from the environment, else their defaults. `api` names one of several.
 *
 * @throws {UpstreamError} `base-url`: there is no value, or it is none of the variable's `enum`
 */
function fillServer({ url, variables = {} }: ServerBinding, env: Environment, api?: string): string {
  if (!url.includes('{')) return url;
  return url.replace(/\{([^{}]+)\}/g, (template, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = env[serverVariable(name, api)] || variable?.default;
    if (value === undefined) {
      throw new UpstreamError(
        'base-url',
        `The API's server URL ${url} has no value for ${template}. In the environment of this MCP server set ` +
          `${serverVariable(name, api)}, or ${apiVariable('API_BASE_URL', api)} to the API's full base URL.`,
      );
    }
    checkAllowed(name, value, variable?.enum, api);
    return value;
  });
}

function checkAllowed(
  name: string,
  value: string,
  allowed: readonly string[] | undefined,
  api: string | undefined,
): void {
  if (allowed === undefined || allowed.includes(value)) return;
  throw new UpstreamError(
    'base-url',
    `${serverVariable(name, api)} in the environment of this MCP server must be one of ` +
      `${allowed.slice(0, MOST_TOLD).join(', ')}${allowed.length > MOST_TOLD ? ', …' : ''}, not ${value}: ` +
      `the API's server URL takes no other. ${apiVariable('API_BASE_URL', api)}, set to the API's full base URL, may be anything.`,
  );
}

/**
 * The one of the API's servers that `API_SERVER` chooses by its name, URL or description, in any case, or else by its
 * position from 1; by default the first.
 *
 * @throws {UpstreamError} `base-url` when it chooses none
 */
function chosenServer(
  servers: readonly ServerBinding[],
  env: Environment,
  api?: string,
): ServerBinding | undefined {
  const variable = apiVariable('API_SERVER', api);
  const wanted = env[variable];
  if (!wanted) return servers[0];
  const found = called(servers, wanted) ?? (/^\d+$/.test(wanted) ? servers[Number(wanted) - 1] : undefined);
  if (found !== undefined) return found;
  const words = servers.length === 0 ? 'it describes none' : `it has ${serverList(servers)}`;
  throw new UpstreamError(
    'base-url',
    `${variable} in the environment of this MCP server is ${wanted}, which is none of the API's servers: ${words}. ` +
      `Set one of them, by number or name, or ${apiVariable('API_BASE_URL', api)} to the API’s full base URL.`,
  );
}

/** The server an operation or its path has for itself: what is chosen of the API's counts where it has the same name. */
export function ownServer(
  { servers = [] }: { servers?: ServerBinding[] },
  env: Environment,
  api?: string,
): ServerBinding | undefined {
  const wanted = env[apiVariable('API_SERVER', api)];
  return (wanted ? called(servers, wanted) : undefined) ?? servers[0];
}

function called(servers: readonly ServerBinding[], wanted: string): ServerBinding | undefined {
  const word = wanted.toLowerCase();
  const by = (key: 'name' | 'url' | 'description') => servers.find((one) => one[key]?.toLowerCase() === word);
  return by('name') ?? by('url') ?? by('description');
}

/** `1 (Production, https://api.test), 2 (…)` */
export function serverList(servers: readonly ServerBinding[]): string {
  const told = servers.slice(0, MOST_TOLD).map(({ name, description, url }, index) => {
    const words = [name ?? description, url].filter((word) => word !== undefined);
    return `${index + 1} (${words.join(', ')})`;
  });
  return `${told.join(', ')}${servers.length > MOST_TOLD ? ', …' : ''}`;
}

/**
 * What stands in variables for the host of an operation's own server alone, such as `FILES_API_TEST`; undefined for a
 * relative one. By the document's defaults, so that it stays the same whatever the environment says. The compiler refuses
 * a document of which two hosts would have the same.
 */
export function hostSuffix(server: ServerBinding): string | undefined {
  const host = hostOf(server);
  return host === undefined ? undefined : environmentName(host);
}

/** As a request finds it, port included (WHATWG URL), with the document's defaults; undefined for a relative server. */
export function hostOf({ url, variables = {} }: ServerBinding): string | undefined {
  const filled = url.replace(/\{([^{}]+)\}/g, (_, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name]?.default ?? name) : name,
  );
  if (!/^https?:/i.test(filled) || !URL.canParse(filled)) return undefined;
  return new URL(filled).host;
}
