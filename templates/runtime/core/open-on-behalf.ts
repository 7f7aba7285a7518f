// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Credentials of callers for APIs, and errors of the project's hooks. */
import { withoutFeature } from '../contract/feature.ts';
import { UsageError } from '../main/settings.ts';
import type { OnBehalf } from '../upstream-hooks.ts';
import { ToolError } from '../protocol/json-rpc.ts';
import type { ServerInstance } from './server-instance.ts';
import { describeThrown } from './answer.ts';

/**
 * Opens the source of callers' credentials for APIs; undefined if the project has none.
 *
 * @throws {UsageError} where the environment or the configuration says what can't be used; so it may reject
 */
export async function openOnBehalf({
  auth,
  env,
  features,
  handlers,
  bindings,
  report,
}: ServerInstance): Promise<OnBehalf | undefined> {
  if (auth === undefined) return undefined;
  const { upstreamCredentials: hook } = handlers;
  if (features.exchange === undefined) {
    if (hook === undefined) return undefined;
    // Else calls meant to use credentials of callers would use the server's own.
    throw new UsageError(`src/handlers/ has \`upstreamCredentials\`. ${withoutFeature('exchange')}`);
  }
  const [{ openOnBehalf: open }, data] = await Promise.all([features.exchange(), bindings()]);
  const upstreamCredentials: typeof hook =
    hook && (async (request) => guarded(() => hook(request), credentialsWords));
  return open({ definition: auth, env, bindings: data, upstreamCredentials, features, report });
}

/** Errors of the search for credentials may contain them, so only a `ToolError` is shown. */
function credentialsWords(thrown: unknown): string {
  if (thrown instanceof ToolError) return thrown.message;
  return 'The API was not called: credentials of its caller could not be looked for. The log of the server says why.';
}

/** One of the project's own hooks failed: its message is meant for the caller. */
export class HookError extends Error {
  override readonly name = 'HookError';
}

/** @throws {HookError} in place of what the hook throws */
export async function guarded<T>(hook: () => T | Promise<T>, wordsOf = describeThrown): Promise<T> {
  try {
    return await hook();
  } catch (thrown) {
    throw new HookError(wordsOf(thrown), { cause: thrown });
  }
}
