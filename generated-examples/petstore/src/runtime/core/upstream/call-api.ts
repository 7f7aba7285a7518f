import type { LooseResult, ResourceContents } from '../../protocol/content.ts';
import type { Json } from '../../contract/json-schema.ts';
import { toToolResult, UpstreamError, toResourceContents } from '../../upstream/index.ts';
import type { BoundRequest } from '../../upstream-part.ts';
import { CallContext } from '../call-context.ts';
import { HookError } from '../hook-error.ts';
import { withPings } from '../progress-pings.ts';
import { failure } from '../handler-result.ts';
import { type Apis, callUpstream } from './call-upstream.ts';
import { INTERNAL_ERROR, ProtocolError } from '../../protocol/protocol-error.ts';
import type { Call } from '../call.ts';
import { unknownResource } from '../resources/find-resource.ts';

/** Does a tool's work by a request to its API. */
export async function callApi(
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

/** Reads the resource at `uri` by a request to its API. */
export async function readFromApi(
  apis: Apis,
  call: Call,
  uri: string,
  { binding, args, tool }: BoundRequest,
): Promise<ResourceContents[]> {
  try {
    const answer = await withPings(apis.server, new CallContext(call), (onItems) =>
      callUpstream(apis, binding, args, {
        inFlight: call.inFlight,
        auth: call.context.caller?.auth,
        onItems,
        headers: call.context.passedHeaders,
        tool,
      }),
    );
    if (answer.status === 404 || answer.status === 410) throw unknownResource(call, uri);
    return toResourceContents(answer, uri);
  } catch (thrown) {
    if (!(thrown instanceof UpstreamError || thrown instanceof HookError)) throw thrown;
    throw new ProtocolError(INTERNAL_ERROR, thrown.message, 'work', { uri });
  }
}
