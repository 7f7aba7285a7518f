import type { LooseResult } from '../../protocol/content.ts';
import type { Json } from '../../contract/json-schema.ts';
import { toToolResult, UpstreamError } from '../../upstream/index.ts';
import type { BoundRequest } from '../../upstream-part.ts';
import type { CallContext } from '../call-context.ts';
import { HookError } from '../hook-error.ts';
import { withPings } from '../progress-pings.ts';
import { failure } from '../tools/failure.ts';
import { type Apis, callUpstream } from './call-upstream.ts';

/** Does a tool's work by a request to its API. */
export async function doRequest(
  apis: Apis,
  context: CallContext,
  { binding, args, tool }: BoundRequest,
): Promise<LooseResult> {
  try {
    const answer = await withPings(apis.server, context, (onItems) =>
      callUpstream(apis, binding, args, {
        inFlight: context.caller,
        auth: context.auth,
        savesFiles: true,
        onItems,
        headers: context.passedHeaders,
        tool,
      }),
    );
    const result = toToolResult(answer, binding);
    return binding.result?.wrapped === true ? wrap(result) : result;
  } catch (thrown) {
    if (thrown instanceof UpstreamError || thrown instanceof HookError) return failure(thrown.message);
    // Of a tree that `JSON.parse` could read, and nothing that goes down by itself can follow.
    if (thrown instanceof RangeError)
      return failure("The API's answer is nested too deeply to be passed on. Ask for less of it.");
    throw thrown;
  }
}

/** Output schemas are objects, so a value that may be none is listed, and answered, as `{ result }`. */
function wrap(result: LooseResult): LooseResult {
  const { structuredContent: value } = result;
  return value === undefined ? result : { ...result, structuredContent: { result: value } satisfies Json };
}
