/** One client's open subscription. Changes that come faster than it reads are told once. */
import type { OutgoingNotification } from '../../protocol/json-rpc.ts';
import { notificationOf, type ServerEvent } from '../event-bus.ts';
import type { ServerInstance } from '../server-instance.ts';
import type { Limits } from '../../limits.ts';
import { overLimit } from '../../protocol/protocol-error.ts';
import type { RequestContext, Call } from '../call.ts';
import { isRecord } from '../../contract/json-value.ts';
import { capabilitiesFor } from '../capabilities.ts';

export class Subscription {
  readonly #filter: SubscriptionFilter;
  readonly #project: ServerInstance;
  readonly #send: (message: OutgoingNotification) => Promise<void>;
  /** What is still to be told, by its JSON text, so that one change stands there once. */
  readonly #waiting = new Map<string, ServerEvent>();
  #isSending = true;
  #hasEnded = false;

  constructor(
    filter: SubscriptionFilter,
    server: ServerInstance,
    send: (message: OutgoingNotification) => Promise<void>,
  ) {
    this.#filter = filter;
    this.#project = server;
    this.#send = send;
  }

  /** Acknowledges, ahead of every change: also of one that comes while nobody has read that yet. */
  async begin(): Promise<void> {
    const params = { notifications: this.#filter };
    await this.#send({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params });
    await this.#sendAll();
  }

  tell(event: ServerEvent): void {
    if (!this.#isWanted(event)) return;
    this.#waiting.set(JSON.stringify(event), event);
    if (!this.#isSending) void this.#sendAll();
  }

  /** Nothing follows, also of what waits for a client that reads slowly. */
  end(): void {
    this.#hasEnded = true;
    this.#waiting.clear();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    for (const [key, event] of this.#waiting) {
      this.#waiting.delete(key);
      const message = await this.#messageOf(event);
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

  /** A task is told as it is now: what it was in between nobody needs. */
  async #messageOf(event: ServerEvent): Promise<OutgoingNotification | undefined> {
    if (event.kind !== 'task-changed') return notificationOf(event);
    const params = (await this.#project.features.tasks?.())?.changedTask(this.#project, event.taskId);
    return params && { jsonrpc: '2.0', method: 'notifications/tasks', params };
  }
}

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

export interface SubscriptionFilter {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  resourceSubscriptions?: string[];
  /** Of the extension `io.modelcontextprotocol/tasks`. */
  taskIds?: string[];
}

/**
 * The part of `wanted` that the server has declared to tell, and of tasks those of the client.
 *
 * @throws {ProtocolError} `-32021` for tasks of a client that has not declared them
 */
export async function honoured(wanted: SubscriptionFilter, call: Call): Promise<SubscriptionFilter> {
  const { server, agreement, context } = call;
  const { tools, prompts, resources } = await capabilitiesFor(server, agreement.features);
  const tells = (capability: unknown, member: string): boolean =>
    isRecord(capability) && capability[member] === true;
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions, taskIds } =
    wanted;
  if (taskIds !== undefined) (await server.features.tasks?.())?.mustDeclareTasks(call);
  const tasks =
    taskIds?.filter((id) => server.state.tasks?.owned(id, context.caller?.subject) !== undefined) ?? [];
  return {
    ...(toolsListChanged && tells(tools, 'listChanged') ? { toolsListChanged } : {}),
    ...(promptsListChanged && tells(prompts, 'listChanged') ? { promptsListChanged } : {}),
    ...(resourcesListChanged && tells(resources, 'listChanged') ? { resourcesListChanged } : {}),
    ...(resourceSubscriptions && tells(resources, 'subscribe') ? { resourceSubscriptions } : {}),
    ...(tasks.length > 0 ? { taskIds: tasks } : {}),
  };
}
