/** Tells a legacy session what happens in the server, as far as it wants to hear of it. */
import type { OutgoingNotification } from '../protocol/json-rpc.ts';
import type { EventBus, ServerEvent } from './event-bus.ts';
import type { Session } from './session.ts';

/** From now on until the session ends. */
export function tellSession(session: Session, bus: EventBus): void {
  session.leaveBus ??= bus.subscribe((event) => {
    const message = notificationOf(event, session);
    if (message !== undefined) session.push(message);
  });
}

/** Undefined when it is no affair of the session's. */
function notificationOf(event: ServerEvent, session: Session): OutgoingNotification | undefined {
  switch (event.kind) {
    case 'list-changed':
      return { jsonrpc: '2.0', method: `notifications/${event.list}/list_changed` };
    case 'resource-updated':
      if (!session.subscriptions.has(event.uri)) return undefined;
      return { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: event.uri } };
    case 'task-changed':
      return undefined;
  }
}
