/** Tells those who listen what has changed: sessions, and modern subscriptions. Several instances may share one. */
import type { ListName } from './catalog-store.ts';

export type ServerEvent =
  | { kind: 'list-changed'; list: Exclude<ListName, 'resourceTemplates'> }
  | { kind: 'resource-updated'; uri: string }
  | { kind: 'task-changed'; taskId: string };

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
