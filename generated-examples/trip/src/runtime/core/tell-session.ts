/** Tells a legacy session what happens in the server, as far as it wants to hear of it. */
import { type EventBus, notificationOf } from './event-bus.ts';
import type { Session } from './session.ts';

/** From now on until the session ends. */
export function tellSession(session: Session, bus: EventBus): void {
  session.leaveBus ??= bus.subscribe((event) => {
    // Its tasks are told by those who run them.
    if (event.kind === 'task-changed') return;
    if (event.kind === 'resource-updated' && !session.subscriptions.has(event.uri)) return;
    session.push(notificationOf(event));
  });
}
