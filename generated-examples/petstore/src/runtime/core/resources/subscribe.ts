/** `resources/subscribe` and `resources/unsubscribe`: which resources a session wants to hear of (legacy revisions). */
import { INTERNAL_ERROR, invalidParams, ProtocolError } from '../../protocol/protocol-error.ts';
import type { Call, Method } from '../call.ts';
import type { Session } from '../session.ts';
import { findResource, unknownResource } from './find-resource.ts';

export const subscribe: Method = async (call: Call) => {
  const { server, session } = call;
  const uri = uriOf(call);
  const subscriptions = subscriptionsOf(session);
  if (subscriptions.has(uri)) return {};
  if (findResource(server, await server.bindings(), uri) === undefined) throw unknownResource(call, uri);
  if (subscriptions.size >= server.limits.subscribedResources) {
    const words = `This session has ${server.limits.subscribedResources} subscriptions already. Unsubscribe from some.`;
    throw new ProtocolError(INTERNAL_ERROR, words);
  }
  subscriptions.add(uri);
  call.session?.needs(call.reach?.needed ?? []);
  return {};
};

/** From one that there was none of, too: it may have ended on its own. */
export const unsubscribe: Method = async (call: Call) => {
  subscriptionsOf(call.session).delete(uriOf(call));
  return {};
};

function uriOf({ params }: Call): string {
  const { uri } = params;
  if (typeof uri !== 'string') throw invalidParams('`uri` must be a string.');
  return uri;
}

/** The revisions that have these methods have sessions. */
function subscriptionsOf(session: Session | undefined): Set<string> {
  if (session === undefined) throw new Error('Only a session can subscribe.');
  return session.subscriptions;
}
