/** Settings without which tools can't be called: the operator is warned about them at the start. */
import type { Bindings, HttpBinding, UpstreamBinding } from '../contract/bindings.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import { apiOf } from '../contract/apis.ts';
import { chooseRequirement, unsetVariables } from '../upstream/security.ts';
import { serverUrl } from '../upstream/server-url.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';

/** A document may have a thousand tools, so warnings are few and name few tools. */
const MOST_REASONS = 5;
const MOST_NAMES = 5;

/**
 * Returns a sentence or two for each reason. Tools with a handler of their own are left out, and credentials are not
 * demanded if a hook or a token exchange may bring them.
 *
 * @param isListed false for a tool that was deselected
 */
export function missing(
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
    const reason = findReason(server, apiOf(bindings, binding), binding);
    if (reason !== undefined) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  }
  const rest = [...byReason].slice(MOST_REASONS).flatMap(([, each]) => each);
  const warnings = [...byReason].slice(0, MOST_REASONS);
  if (rest.length > 0) warnings.push(['Each has its own reason, which a call tells.', rest]);
  return warnings.map(([reason, each]) => `${nameTools(each, names.length)} ${reason}`);
}

function findReason(
  instance: ServerInstance,
  api: UpstreamBinding,
  binding: HttpBinding,
): string | undefined {
  const { auth, env, baseUrl = '', defaultBaseUrl = '', handlers } = instance;
  let server: URL;
  try {
    server = serverUrl(api, binding, { env, baseUrl, defaultBaseUrl });
  } catch (thrown) {
    if (thrown instanceof UpstreamError) return thrown.message;
    throw thrown;
  }
  const access = { api, binding, env, server };
  const { beforeRequest, upstreamCredentials } = handlers;
  const isBrought = beforeRequest !== undefined || upstreamCredentials !== undefined;
  const isExchanged = auth !== undefined && Boolean(env['MCP_AUTH_EXCHANGE_URI']);
  if (isBrought || isExchanged || chooseRequirement(access) !== undefined) return undefined;
  return `The API needs credentials: in the environment of this server set ${unsetVariables(access)}.`;
}

function nameTools(names: readonly string[], all: number): string {
  if (names.length === all) return 'No tool can be called yet.';
  const more = names.length - MOST_NAMES;
  const rest = more > 0 ? `, and ${more} more` : '';
  return `These tools can't be called yet: ${names.slice(0, MOST_NAMES).join(', ')}${rest}.`;
}
