// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Gives a request to an API its caller's credentials for the API, and never the caller's token. */
import { UsageError, missingFeatureText } from '../contract/feature.ts';
import { type InFlightRequest, describeThrown } from '../core/call.ts';
import { HookError, runHook } from '../core/call-context.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import type { AuthInfo } from '../definition.ts';
import type { CallerPart, OnBehalf } from '../feature-loaders.ts';
import { ToolError } from '../protocol/json-rpc.ts';
import { listSecrets, createRedactor, redactThrown } from '../redact.ts';
import { containsToken } from './checked-tokens.ts';

/** Without `onBehalf` the server's own credentials are used. The caller's token goes to no API. */
export async function makeCallerPart(
  server: ServerInstance,
  caller: AuthInfo,
  inFlight: InFlightRequest,
): Promise<CallerPart> {
  const isOwnToken = (text: string): boolean => containsToken(caller, text);
  const onBehalf = await (server.cache.onBehalf ??= openOnBehalf(server));
  if (onBehalf === undefined) return { isOwnToken };
  const auditCredentials = (schemes: readonly string[]): void => inFlight.audited?.onBehalf(schemes);
  const { findCredentials: find } = onBehalf(caller);
  const findAndReportErrors: typeof find = (...wanted) =>
    find(...wanted).catch((thrown: unknown) => {
      throw reportAndRedact(server, thrown);
    });
  return { isOwnToken, onBehalf: { findCredentials: findAndReportErrors, used: auditCredentials } };
}

/**
 * Removes secrets of the environment. Unexpected errors are logged on one line without a stack, since any caller can
 * cause them.
 */
function reportAndRedact({ env, report }: ServerInstance, thrown: unknown): unknown {
  const redact = createRedactor(listSecrets(env));
  const shown = redactThrown(thrown, redact);
  if (shown instanceof HookError && !(shown.cause instanceof ToolError))
    report(`\`upstreamCredentials\` failed: ${redact(describeCauses(shown.cause))}`);
  return shown;
}

/** Reported causes of an error, since causes may form a circle. */
const MOST_CAUSES = 4;

/** On one line. The causes of errors of `fetch` name the reason. */
function describeCauses(thrown: unknown): string {
  const words: string[] = [];
  for (let each = thrown; words.length < MOST_CAUSES; each = each.cause) {
    words.push(describeThrown(each).replaceAll(/\s+/g, ' '));
    if (!(each instanceof Error) || each.cause === undefined) break;
  }
  return words.join(': ');
}

/**
 * Undefined if the project has no source of callers' credentials.
 * @throws {UsageError} if the environment or the configuration can't be used
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
    // Without this error, calls on behalf of callers would use the server's own credentials.
    throw new UsageError(`src/handlers/ has \`upstreamCredentials\`. ${missingFeatureText('exchange')}`);
  }
  const [{ openOnBehalf: open }, data] = await Promise.all([features.exchange(), bindings()]);
  const upstreamCredentials: typeof hook =
    hook && (async (request) => runHook(() => hook(request), describeCredentialsError));
  return open({ definition: auth, env, bindings: data, upstreamCredentials, features, report });
}

/** Other errors may contain credentials, so only a `ToolError` is shown. */
function describeCredentialsError(thrown: unknown): string {
  if (thrown instanceof ToolError) return thrown.message;
  return 'The API was not called: credentials of its caller could not be looked for. The log of the server says why.';
}
