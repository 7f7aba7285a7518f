/** Which server a request goes to (OpenAPI Server Object), and what the environment says about it. */
import type { HttpBinding, UpstreamBinding } from '../contract/bindings.ts';
import { apiVariable } from '../contract/apis.ts';
import { chosenServer, fillServer, hostSuffix, ownServer } from './server-template.ts';
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
