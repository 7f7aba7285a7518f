/** What clients say without wanting an answer. Unknown notifications are ignored. */
import { isRequestId, type Params } from '../protocol/json-rpc.ts';
import type { Session } from './session.ts';

export function receiveNotification(method: string, params: Params, session: Session): void {
  if (method === 'notifications/initialized') {
    if (session.agreement !== undefined) session.ready = true;
  } else if (method === 'notifications/cancelled') {
    cancel(params, session);
  }
}

/** An unknown id is ignored: the answer may have crossed the notification on its way. */
function cancel({ requestId, reason }: Params, session: Session): void {
  const work = isRequestId(requestId) ? session.inFlight.get(requestId) : undefined;
  if (work?.cancellable === true) {
    work.cancel(typeof reason === 'string' ? reason : 'The client cancelled the request.');
  }
}
