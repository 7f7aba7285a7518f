/** Which server a request goes to (OpenAPI Server Object), and what the environment says about it. */
import type { HttpBinding, ServerBinding, UpstreamBinding } from '../bindings.ts';
import type { UpstreamSettings } from './settings.ts';
import { UpstreamError } from './upstream-error.ts';

/**
 * The base of a request: flag › `API_BASE_URL` › the one given when compiling › the operation's server › the API's
 * first. An operation's relative server is resolved against the base the API itself has.
 */
export function serverUrl(api: UpstreamBinding, binding: HttpBinding, settings: UpstreamSettings): URL {
  const own = binding.servers?.[0];
  const ownUrl = own === undefined ? undefined : expandServer(own);
  const override = settings.baseUrl || settings.env['API_BASE_URL'] || settings.defaultBaseUrl;
  if (override) {
    const base = absolute(override);
    return ownUrl !== undefined && !URL.canParse(ownUrl) ? absolute(ownUrl, base) : base;
  }
  const root = api.servers[0];
  const rootUrl = root === undefined ? undefined : expandServer(root);
  if (ownUrl === undefined) return absolute(rootUrl);
  if (URL.canParse(ownUrl) || rootUrl === undefined || !URL.canParse(rootUrl)) return absolute(ownUrl);
  return absolute(ownUrl, new URL(rootUrl));
}

/** A server's URL with its variables' defaults filled in. */
function expandServer(server: ServerBinding): string {
  return server.url.replace(/\{([^{}]+)\}/g, (template, name: string) => {
    const { variables } = server;
    const value =
      variables !== undefined && Object.hasOwn(variables, name) ? variables[name]?.default : undefined;
    if (value === undefined) {
      throw new UpstreamError(
        'base-url',
        `The API's server URL ${server.url} has no value for ${template}. Set API_BASE_URL to the API's full base URL.`,
      );
    }
    return value;
  });
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

function absolute(url: string | undefined, base?: URL): URL {
  if (url === undefined || (base === undefined && !parsed.has(url) && !URL.canParse(url))) {
    throw new UpstreamError(
      'base-url',
      `The API's document names no absolute server URL${url === undefined ? '' : ` (only "${url}")`}. ` +
        'Set API_BASE_URL in the environment of this MCP server, or start it with --base-url.',
    );
  }
  const resolved = base === undefined ? parse(url) : new URL(url, base);
  if (resolved.protocol !== 'http:' && resolved.protocol !== 'https:') {
    throw new UpstreamError(
      'base-url',
      `The API's base URL must begin with http:// or https://, not ${resolved.protocol}. Set API_BASE_URL.`,
    );
  }
  return resolved;
}
