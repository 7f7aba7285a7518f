import type { Caller } from '../../core/caller.ts';
import type { Guard } from './guard.ts';
import { idOf, type Posted } from './posted.ts';

/**
 * For what is posted and answered by no method: notifications, answers of the client, batches, and what opens a session. A
 * method asks for its own scopes too, and names all that the call needs.
 *
 * @throws {HttpRefusal} 403
 */
export function demandScopes(
  posted: Posted,
  { guard }: { guard?: Guard | undefined },
  caller: Caller | undefined,
): void {
  if (caller === undefined || (posted.kind === 'request' && posted.method !== 'initialize')) return;
  guard?.demand([], caller, idOf(posted));
}
