import type { ResourceContents } from '../../protocol/content.ts';
import { INTERNAL_ERROR, ProtocolError } from '../../protocol/protocol-error.ts';
import { toResourceContents, UpstreamError } from '../../upstream/index.ts';
import type { BoundRequest } from '../../upstream-part.ts';
import type { Call } from '../call.ts';
import { CallContext } from '../call-context.ts';
import { HookError } from '../hook-error.ts';
import { withPings } from '../progress-pings.ts';
import { unknownResource } from '../resources/unknown-resource.ts';
import { type Apis, callUpstream } from './call-upstream.ts';

/** Reads the resource at `uri` by a request to its API. */
export async function readRequest(
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
