// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `subscriptions/listen`: a long request whose client is notified of changes. */
import { omitUndefined, isRecord, writeJson } from '../../contract/json-value.ts';
import { longestUri } from '../../contract/feature.ts';
import { META } from '../../protocol/revisions.ts';
import {
  type OutgoingNotification,
  type Params,
  invalidParamsError,
  limitReachedError,
} from '../../protocol/json-rpc.ts';
import type { Call, Method, RequestContext } from '../call.ts';
import { eventToNotification, type ServerEvent } from '../session.ts';
import { type ServerInstance, makeCapabilitiesForRevision } from '../server-instance.ts';
import type { Limits } from '../../contract/feature.ts';

/** Characters of a request that lasts as long as its client likes, and is kept in memory as long. */
const LONGEST_LISTEN = 65_536;

/** The request is answered when the server ends it; a client ends it by cancelling. */
export const handleListen: Method = async (call: Call) => {
  const { server, inFlight } = call;
  if (writeJson(call.params).length > LONGEST_LISTEN)
    throw invalidParamsError(`A request to listen may have ${LONGEST_LISTEN} characters at most.`);
  const filter = await restrictFilter(
    parseSubscriptionFilter(call.params, server.limits.subscribedResources),
    call,
  );
  await server.bus.whenSubscribed?.();
  const open = (server.state.subscriptions ??= new Map());
  refuseTooManySubscriptions(open, getSubscriberKey(call.context), server.limits);
  const sendToSubscriber = async (message: OutgoingNotification): Promise<void> => {
    if (!inFlight.cancelled) await call.context.send(tagNotification(message, call));
  };
  const subscription = new Subscription(filter, server, sendToSubscriber);
  const unsubscribe = server.bus.subscribe((event) => subscription.enqueueEvent(event));
  void subscription.acknowledge();
  try {
    await waitUntilEnd(call, open);
  } finally {
    unsubscribe();
    subscription.end();
  }
  if (call.context.headers === undefined && !inFlight.cancelled) await sendEndNotification(call);
  return { _meta: { [META.subscriptionId]: call.id } };
};

/** Waits until the client cancels, its token is refused, or `stopServer` is called. */
async function waitUntilEnd(
  { server, inFlight, context }: Call,
  open: Map<() => void, unknown>,
): Promise<void> {
  if (server.state.isStopping === true) return;
  let end: (() => void) | undefined;
  let forget: (() => void) | undefined;
  await new Promise<void>((resolve) => {
    end = resolve;
    open.set(resolve, getSubscriberKey(context));
    forget = context.caller?.untilRefused(() => resolve());
    const { signal } = inFlight;
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  if (end !== undefined) open.delete(end);
  forget?.();
}

/** Over stdio all messages share one channel, so the end is a notification too. */
async function sendEndNotification({ context, id }: Call): Promise<void> {
  const params = { requestId: id, reason: 'The server ends the subscription.' };
  await context.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
}

function tagNotification(message: OutgoingNotification, { id }: Call): OutgoingNotification {
  return { ...message, params: { ...message.params, _meta: { [META.subscriptionId]: id } } };
}

function parseSubscriptionFilter({ notifications }: Params, mostResources: number): SubscriptionFilter {
  if (!isRecord(notifications))
    throw invalidParamsError('`notifications` must be an object: what to be told of.');
  const flags = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const;
  const wrong = flags.find((name) => !['boolean', 'undefined'].includes(typeof notifications[name]));
  if (wrong !== undefined) throw invalidParamsError(`\`notifications.${wrong}\` must be true or false.`);
  return omitUndefined({
    ...Object.fromEntries(flags.flatMap((name) => (notifications[name] === true ? [[name, true]] : []))),
    resourceSubscriptions: parseFilterNames('resourceSubscriptions', notifications, mostResources),
    taskIds: parseFilterNames('taskIds', notifications, mostResources),
  });
}

function parseFilterNames(
  name: keyof SubscriptionFilter,
  notifications: Record<string, unknown>,
  most: number,
): string[] | undefined {
  const names = notifications[name];
  if (names === undefined) return undefined;
  if (!Array.isArray(names) || !names.every((each) => typeof each === 'string'))
    throw invalidParamsError(`\`notifications.${name}\` must be an array of strings.`);
  if (names.length > most) throw invalidParamsError(`\`notifications.${name}\` holds more than ${most}.`);
  if (names.some((each) => each.length > longestUri))
    throw invalidParamsError(`Each of \`notifications.${name}\` may have ${longestUri} characters at most.`);
  return [...new Set(names)];
}

export class Subscription {
  readonly #filter: SubscriptionFilter;
  readonly #server: ServerInstance;
  readonly #send: (message: OutgoingNotification) => Promise<void>;
  /** Events by their JSON text: equal ones wait once for a slow client. */
  readonly #waiting = new Map<string, ServerEvent>();
  #isSending = true;
  #hasEnded = false;

  constructor(
    filter: SubscriptionFilter,
    server: ServerInstance,
    send: (message: OutgoingNotification) => Promise<void>,
  ) {
    this.#filter = filter;
    this.#server = server;
    this.#send = send;
  }

  async acknowledge(): Promise<void> {
    const params = { notifications: this.#filter };
    await this.#send({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params });
    await this.#sendWaitingEvents();
  }

  enqueueEvent(event: ServerEvent): void {
    if (!this.#isWanted(event)) return;
    this.#waiting.set(JSON.stringify(event), event);
    if (!this.#isSending) void this.#sendWaitingEvents();
  }

  end(): void {
    this.#hasEnded = true;
    this.#waiting.clear();
  }

  async #sendWaitingEvents(): Promise<void> {
    this.#isSending = true;
    for (const [key, event] of this.#waiting) {
      this.#waiting.delete(key);
      const message = await this.#eventToMessage(event);
      if (message !== undefined && !this.#hasEnded) await this.#send(message);
    }
    this.#isSending = false;
  }

  #isWanted(event: ServerEvent): boolean {
    switch (event.kind) {
      case 'list-changed':
        return this.#filter[`${event.list}ListChanged`] === true;
      case 'resource-updated':
        return this.#filter.resourceSubscriptions?.includes(event.uri) === true;
      case 'task-changed':
        return this.#filter.taskIds?.includes(event.taskId) === true;
    }
  }

  /** The message tells the present state of a task, so a slow client misses those in between. */
  async #eventToMessage(event: ServerEvent): Promise<OutgoingNotification | undefined> {
    if (event.kind !== 'task-changed') return eventToNotification(event);
    const tasks = await this.#server.features.tasks?.();
    // While the state that nodes share is away, the client hears of later changes only.
    const params = await tasks?.readTaskDetails(this.#server, event.taskId).catch(() => undefined);
    return params && { jsonrpc: '2.0', method: 'notifications/tasks', params };
  }
}

/** Key of limits: subject, else address, else channel (stdio). */
function getSubscriberKey({ caller, address, channel }: RequestContext): unknown {
  return caller?.subject ?? address ?? channel;
}

export function refuseTooManySubscriptions(
  open: ReadonlyMap<() => void, unknown>,
  subscriber: unknown,
  { subscriptions, subscriptionsPerClient }: Pick<Limits, 'subscriptions' | 'subscriptionsPerClient'>,
): void {
  let own = 0;
  for (const each of open.values()) if (each === subscriber) own += 1;
  if (open.size >= subscriptions || own >= subscriptionsPerClient)
    throw limitReachedError('Too many subscriptions are open.', 60);
}

export interface SubscriptionFilter {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  resourceSubscriptions?: string[];
  /** Extension `io.modelcontextprotocol/tasks`. */
  taskIds?: string[];
}

/**
 * Keeps what the server has declared, and the client's own tasks.
 * @throws {ProtocolError} `-32021` for tasks of a client that has not declared them
 */
export async function restrictFilter(wanted: SubscriptionFilter, call: Call): Promise<SubscriptionFilter> {
  const { server, agreement } = call;
  const { tools, prompts, resources } = await makeCapabilitiesForRevision(server, agreement.features);
  const { taskIds } = wanted;
  const keepIfDeclared = <T>(value: T, capability: unknown, member = 'listChanged'): T | undefined =>
    isRecord(capability) && capability[member] === true ? value : undefined;
  if (taskIds !== undefined) (await server.features.tasks?.())?.requireTasksCapability(call);
  const own = taskIds && (await keepOwnTasks(taskIds, call));
  return omitUndefined({
    toolsListChanged: keepIfDeclared(wanted.toolsListChanged, tools),
    promptsListChanged: keepIfDeclared(wanted.promptsListChanged, prompts),
    resourcesListChanged: keepIfDeclared(wanted.resourcesListChanged, resources),
    resourceSubscriptions: keepIfDeclared(wanted.resourceSubscriptions, resources, 'subscribe'),
    taskIds: own?.length === 0 ? undefined : own,
  });
}

async function keepOwnTasks(taskIds: readonly string[], { server, context }: Call): Promise<string[]> {
  const tasks = await server.features.tasks?.();
  const subject = context.caller?.subject;
  const found = await Promise.all(taskIds.map(async (id) => tasks?.findOwnTask(server, id, subject)));
  return taskIds.filter((_, index) => found[index] !== undefined);
}
