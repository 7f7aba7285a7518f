/** What the core knows of the channel a message came by. Transports make one for each message, or share one. */
import type { OutgoingNotification } from '../protocol/json-rpc.ts';
import type { Session } from './session.ts';

export interface Exchange {
  session: Session;
  /**
   * Sends a message that belongs to the request under way, before its answer. Settles when the channel has room
   * again; never rejects (a client that went away is not the handler's affair).
   */
  send(message: OutgoingNotification): Promise<void>;
}
