// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Warnings about settings without which tools can't be called. */
import {
  type Bindings,
  type HttpBinding,
  type UpstreamBinding,
  findApi,
  listApis,
} from '../contract/bindings.ts';
import { apiVariableName } from '../contract/feature.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import { chooseRequirement, describeUnsetVariables } from '../upstream/security.ts';
import { resolveFixedHeaders, chooseServerUrl } from '../upstream/upstream-settings.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';

export function listBaseUrlVariableNames(bindings: Pick<Bindings, 'upstream' | 'upstreams'>): string[] {
  return listApis(bindings).map(({ name }) => apiVariableName('API_BASE_URL', name));
}

/** A document may have a thousand tools, so warnings are few and name few tools. */
const MOST_REASONS = 5;
const MOST_NAMES = 5;

/**
 * Returns a sentence or two for each reason. Tools with a handler of their own are left out, and credentials are not demanded
 * if a hook or a token exchange may bring them.
 * @param isListed false for a tool that was deselected
 */
export function describeMissingSettings(
  server: ServerInstance,
  bindings: Bindings,
  isListed: (tool: string) => boolean,
): string[] {
  const { tools: own = {} } = server.handlers;
  const names = Object.keys(bindings.tools).filter(isListed);
  const byReason = new Map<string, string[]>();
  for (const name of names) {
    const binding = bindings.tools[name]?.do;
    if (binding?.kind !== 'http' || Object.hasOwn(own, name)) continue;
    const reason = findCallObstacle(server, findApi(bindings, binding), binding);
    if (reason !== undefined) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  }
  const rest = [...byReason].slice(MOST_REASONS).flatMap(([, each]) => each);
  const warnings = [...byReason].slice(0, MOST_REASONS);
  if (rest.length > 0) warnings.push(['Each has its own reason, which a call tells.', rest]);
  const words = warnings.map(([reason, each]) => `${describeUncallableTools(each, names.length)} ${reason}`);
  return [...describeIgnoredHeaders(server, bindings), ...words];
}

/** Headers for all APIs would bring the secrets of one to another. */
function describeIgnoredHeaders({ env }: ServerInstance, { upstreams }: Bindings): string[] {
  if (upstreams === undefined || !env['API_HEADERS']) return [];
  const own = upstreams.map(({ name }) => apiVariableName('API_HEADERS', name)).join(', ');
  return [`API_HEADERS is ignored: it goes with one API, and this server has several. Set ${own} instead.`];
}

function findCallObstacle(
  instance: ServerInstance,
  api: UpstreamBinding,
  binding: HttpBinding,
): string | undefined {
  const { auth, env, baseUrl = '', defaultBaseUrl = '', handlers } = instance;
  let server: URL;
  try {
    server = chooseServerUrl(api, binding, { env, baseUrl, defaultBaseUrl });
  } catch (thrown) {
    if (thrown instanceof UpstreamError) return thrown.message;
    throw thrown;
  }
  const fixed = resolveFixedHeaders(api, binding, { env, baseUrl, defaultBaseUrl });
  const access = { api, binding, env, server, fixed };
  const { beforeRequest, upstreamCredentials } = handlers;
  const isBrought = beforeRequest !== undefined || upstreamCredentials !== undefined;
  const isExchanged = auth !== undefined && Boolean(env['MCP_AUTH_EXCHANGE_URI']);
  if (isBrought || isExchanged || chooseRequirement(access) !== undefined) return undefined;
  return `The API needs credentials: in the environment of this server set ${describeUnsetVariables(access)}.`;
}

function describeUncallableTools(names: readonly string[], all: number): string {
  if (names.length === all) return 'No tool can be called yet.';
  const more = names.length - MOST_NAMES;
  const rest = more > 0 ? `, and ${more} more` : '';
  return `These tools can't be called yet: ${names.slice(0, MOST_NAMES).join(', ')}${rest}.`;
}
