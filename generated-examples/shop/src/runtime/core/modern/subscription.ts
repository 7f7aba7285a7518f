/** One client's open subscription. Changes that come faster than it reads are told once. */
import type { OutgoingNotification } from '../../protocol/json-rpc.ts';
import type { ServerEvent } from '../event-bus.ts';
import type { SubscriptionFilter } from './subscription-filter.ts';

export class Subscription {
  readonly #filter: SubscriptionFilter;
  readonly #send: (message: OutgoingNotification) => Promise<void>;
  /** What is still to be told, by its JSON text, so that one change stands there once. */
  readonly #waiting = new Map<string, OutgoingNotification>();
  #isSending = false;

  constructor(filter: SubscriptionFilter, send: (message: OutgoingNotification) => Promise<void>) {
    this.#filter = filter;
    this.#send = send;
  }

  tell(event: ServerEvent): void {
    const message = this.#messageOf(event);
    if (message === undefined) return;
    this.#waiting.set(JSON.stringify(message), message);
    if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    for (const [key, message] of this.#waiting) {
      this.#waiting.delete(key);
      await this.#send(message);
    }
    this.#isSending = false;
  }

  #messageOf(event: ServerEvent): OutgoingNotification | undefined {
    const { resourceSubscriptions = [] } = this.#filter;
    if (event.kind === 'list-changed') {
      if (this.#filter[`${event.list}ListChanged`] !== true) return undefined;
      return { jsonrpc: '2.0', method: `notifications/${event.list}/list_changed` };
    }
    if (event.kind !== 'resource-updated' || !resourceSubscriptions.includes(event.uri)) return undefined;
    return { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: event.uri } };
  }
}
