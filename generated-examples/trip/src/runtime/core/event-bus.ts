/** Tells those who listen what has changed: sessions, and modern subscriptions. Several instances may share one. */
import type { OutgoingNotification } from '../protocol/json-rpc.ts';
import type { ListName } from './catalog-store.ts';

export type ServerEvent =
  | { kind: 'list-changed'; list: Exclude<ListName, 'resourceTemplates'> }
  | { kind: 'resource-updated'; uri: string }
  | { kind: 'task-changed'; taskId: string };

/** As every client that wants to hear of it is told. How a task is told depends on the era. */
export function notificationOf(event: Exclude<ServerEvent, { kind: 'task-changed' }>): OutgoingNotification {
  if (event.kind === 'list-changed')
    return { jsonrpc: '2.0', method: `notifications/${event.list}/list_changed` };
  return { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: event.uri } };
}

export interface EventBus {
  publish(event: ServerEvent): void;
  /** @returns what ends it */
  subscribe(listener: (event: ServerEvent) => void): () => void;
}

/** For the clients of one process. */
export class LocalEventBus implements EventBus {
  readonly #listeners = new Set<(event: ServerEvent) => void>();

  publish(event: ServerEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
