/** Servers as the document writes them (OpenAPI Server Object), with what the environment says about them. */
import type { ServerBinding } from '../contract/bindings.ts';
import { apiVariable, environmentName, serverVariable } from '../contract/apis.ts';
import type { UpstreamSettings } from './settings.ts';
import { UpstreamError } from './upstream-error.ts';

type Environment = UpstreamSettings['env'];

/** What is told of a list of servers at most. */
const MOST_TOLD = 10;

/**
 * A server's URL with its variables filled in: from the environment, else their defaults. `api` names one of several.
 *
 * @throws {UpstreamError} `base-url`: there is no value, or it is none of the variable's `enum`
 */
export function fillServer({ url, variables = {} }: ServerBinding, env: Environment, api?: string): string {
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
export function chosenServer(
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
