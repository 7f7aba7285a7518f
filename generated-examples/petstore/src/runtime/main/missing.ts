/** What keeps tools from being called as things stand: told once to the one who runs the server, who can mend it. */
import type { Bindings, HttpBinding, UpstreamBinding } from '../contract/bindings.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import { apiOf } from '../contract/apis.ts';
import { chooseRequirement, unsetVariables } from '../upstream/security.ts';
import { serverUrl } from '../upstream/server-url.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';

/** Reasons told at most, and names of tools for each: a document may have a thousand. */
const MOST_REASONS = 5;
const MOST_NAMES = 5;

/** Where tokens of callers become some for the API. */
const EXCHANGE = 'MCP_AUTH_EXCHANGE_URI';

/**
 * A sentence or two for each reason. A tool that the project's own code does is not looked at, nor credentials where a
 * hook or a token exchange may bring them.
 *
 * @param isListed whether a tool is served: it may have been deselected
 */
export function missing(
  server: ServerInstance,
  bindings: Bindings,
  isListed: (tool: string) => boolean,
): string[] {
  const names = Object.keys(bindings.tools).filter(isListed);
  const byReason = new Map<string, string[]>();
  for (const name of names) {
    const binding = bindings.tools[name]?.do;
    if (binding?.kind !== 'http' || isOwn(server, name)) continue;
    const reason = reasonOf(server, apiOf(bindings, binding), binding);
    if (reason !== undefined) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  }
  const told = [...byReason].slice(0, MOST_REASONS);
  const rest = [...byReason].slice(MOST_REASONS).flatMap(([, each]) => each);
  return [
    ...told.map(([reason, each]) => `${whichTools(each, names.length)} ${reason}`),
    ...(rest.length === 0
      ? []
      : [`${whichTools(rest, names.length)} Each has its own reason, which a call tells.`]),
  ];
}

function isOwn({ handlers: { tools = {} } }: ServerInstance, name: string): boolean {
  return Object.hasOwn(tools, name);
}

function reasonOf(instance: ServerInstance, api: UpstreamBinding, binding: HttpBinding): string | undefined {
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
  const isExchanged = auth !== undefined && Boolean(env[EXCHANGE]);
  if (isBrought || isExchanged || chooseRequirement(access) !== undefined) return undefined;
  return `The API needs credentials: in the environment of this server set ${unsetVariables(access)}.`;
}

function whichTools(names: readonly string[], all: number): string {
  if (names.length === all) return 'No tool can be called yet.';
  const more = names.length - MOST_NAMES;
  const rest = more > 0 ? `, and ${more} more` : '';
  return `These tools can't be called yet: ${names.slice(0, MOST_NAMES).join(', ')}${rest}.`;
}
