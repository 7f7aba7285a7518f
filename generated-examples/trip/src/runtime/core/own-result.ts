import { without } from '../protocol/revisions.ts';

/** What the runtime alone says of a result: a handler that returns them would break the exchange. */
const ENVELOPE = ['resultType', 'inputRequests', 'requestState'];

/** A result of the project's own code, less what is not for it to say. */
export function ownResult<T extends object>(result: T): T {
  return without(result, ENVELOPE) as T;
}
