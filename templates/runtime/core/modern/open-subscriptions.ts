/** The subscriptions that are open, each with what ends it, and how many of them one client has. */
import type { Limits } from '../../limits.ts';
import { overLimit } from '../../protocol/protocol-error.ts';
import type { RequestContext } from '../call.ts';

/** The subject; where nobody is asked who they are, the address, or the channel of who has none. */
export function subscriberOf({ caller, address, channel }: RequestContext): unknown {
  return caller?.subject ?? address ?? channel;
}

/** @throws {ProtocolError} `-32603` when there is no room for one more of `subscriber` */
export function refuseTooMany(
  open: ReadonlyMap<() => void, unknown>,
  subscriber: unknown,
  { subscriptions, subscriptionsPerClient }: Pick<Limits, 'subscriptions' | 'subscriptionsPerClient'>,
): void {
  let own = 0;
  for (const each of open.values()) if (each === subscriber) own += 1;
  if (open.size >= subscriptions || own >= subscriptionsPerClient)
    throw overLimit('Too many subscriptions are open.', 60);
}
