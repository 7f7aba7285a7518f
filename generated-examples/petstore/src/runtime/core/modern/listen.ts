/** `subscriptions/listen`: a request that lasts, and tells its client of the changes it asked for ("Subscriptions"). */
import { isRecord } from '../../contract/json-value.ts';
import { META } from '../../protocol/revisions.ts';
import { type OutgoingNotification, type Params } from '../../protocol/json-rpc.ts';
import { invalidParams } from '../../protocol/protocol-error.ts';
import type { Call, Method } from '../call.ts';
import {
  refuseTooMany,
  subscriberOf,
  honoured,
  type SubscriptionFilter,
  Subscription,
} from './subscription.ts';

/** Answers when the server ends it; its client ends it by cancelling. */
export const listen: Method = async (call: Call) => {
  const { server, inFlight } = call;
  const filter = await honoured(readFilter(call.params, server.limits.subscribedResources), call);
  const open = (server.state.subscriptions ??= new Map());
  refuseTooMany(open, subscriberOf(call.context), server.limits);
  const send = async (message: OutgoingNotification): Promise<void> => {
    if (!inFlight.cancelled) await call.context.send(tagged(message, call));
  };
  const subscription = new Subscription(filter, server, send);
  const unsubscribe = server.bus.subscribe((event) => subscription.tell(event));
  void subscription.begin();
  try {
    await untilEnd(call, open);
  } finally {
    unsubscribe();
    subscription.end();
  }
  if (call.context.headers === undefined && !inFlight.cancelled) await sayEnd(call);
  return { _meta: { [META.subscriptionId]: call.id } };
};

/** Until the client cancels, its token is good no more, or `stopServer` is called. */
async function untilEnd({ server, inFlight, context }: Call, open: Map<() => void, unknown>): Promise<void> {
  if (server.state.isStopping === true) return;
  let end: (() => void) | undefined;
  let forget: (() => void) | undefined;
  await new Promise<void>((resolve) => {
    end = resolve;
    open.set(resolve, subscriberOf(context));
    forget = context.caller?.untilRefused(() => resolve());
    const { signal } = inFlight;
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  if (end !== undefined) open.delete(end);
  forget?.();
}

/** Where all messages share one channel, the end of a subscription is told twice (stdio). */
async function sayEnd({ context, id }: Call): Promise<void> {
  const params = { requestId: id, reason: 'The server ends the subscription.' };
  await context.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
}

/** Every message of a subscription names the request it belongs to. */
function tagged(message: OutgoingNotification, { id }: Call): OutgoingNotification {
  return { ...message, params: { ...message.params, _meta: { [META.subscriptionId]: id } } };
}

/** @throws {ProtocolError} `-32602` */
function readFilter({ notifications }: Params, mostResources: number): SubscriptionFilter {
  if (!isRecord(notifications)) throw invalidParams('`notifications` must be an object: what to be told of.');
  const flags = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const;
  const wrong = flags.find((name) => !['boolean', 'undefined'].includes(typeof notifications[name]));
  if (wrong !== undefined) throw invalidParams(`\`notifications.${wrong}\` must be true or false.`);
  return {
    ...Object.fromEntries(flags.flatMap((name) => (notifications[name] === true ? [[name, true]] : []))),
    ...listOf('resourceSubscriptions', notifications, mostResources),
    ...listOf('taskIds', notifications, mostResources),
  };
}

function listOf(
  name: 'resourceSubscriptions' | 'taskIds',
  notifications: Record<string, unknown>,
  most: number,
): SubscriptionFilter {
  const names = notifications[name];
  if (names === undefined) return {};
  if (!Array.isArray(names) || !names.every((each) => typeof each === 'string'))
    throw invalidParams(`\`notifications.${name}\` must be an array of strings.`);
  if (names.length > most) throw invalidParams(`\`notifications.${name}\` holds more than ${most}.`);
  return { [name]: [...new Set(names)] };
}
