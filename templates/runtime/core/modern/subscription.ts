/** One client's open subscription. Changes that come faster than it reads are told once. */
import type { OutgoingNotification } from '../../protocol/json-rpc.ts';
import { notificationOf, type ServerEvent } from '../event-bus.ts';
import type { ServerInstance } from '../server-instance.ts';
import type { SubscriptionFilter } from './subscription-filter.ts';

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
    const { limits, state } = this.#project;
    const task = state.tasks?.withId(event.taskId);
    if (task === undefined) return undefined;
    const { detailedTask } = await import('../tasks/task-views.ts');
    return { jsonrpc: '2.0', method: 'notifications/tasks', params: detailedTask(task, limits) };
  }
}
