// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What features share that ask a client. */
import type { Session, Work } from '../session.ts';

/** Works whose questions are messages, whatever the revision: those of tasks. */
export const askingByMessages = new WeakSet<Work>();

const asked = new WeakMap<Session, { last: number }>();

/** The last id of a request that was sent to the client. Nodes of one session begin at different ones. */
export function askedOf(session: Session): { last: number } {
  const count = asked.get(session) ?? { last: 0 };
  asked.set(session, count);
  return count;
}
