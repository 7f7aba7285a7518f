/** A request of a legacy revision, by what its session has agreed on. */
import { INVALID_REQUEST, ProtocolError } from '../protocol/protocol-error.ts';
import type { RawJson } from './answer.ts';
import type { ClientRequest, RequestContext } from './call.ts';
import { declaredCapabilities } from './capabilities.ts';
import { initialize } from './initialize.ts';
import { methodFor } from './method-for.ts';
import type { ServerInstance } from './server-instance.ts';
import { runMethod } from './run-method.ts';
import type { InFlightRequest } from './in-flight-request.ts';

export function performLegacy(
  server: ServerInstance,
  request: ClientRequest,
  context: RequestContext,
  inFlight: InFlightRequest,
): object | RawJson | Promise<object | RawJson> {
  const { id, method, params } = request;
  const { session } = context;
  if (session === undefined) throw notOpen();
  if (method === 'initialize') return initialize(server, session, params);
  const { agreement, opening } = session;
  // What was sent right behind `initialize` is answered behind it.
  if (opening !== undefined)
    return opening.then(() => {
      session.opening = undefined;
      return performLegacy(server, request, context, inFlight);
    });
  if (agreement === undefined) {
    if (method === 'ping') return {};
    throw notOpen();
  }
  const declared = server.cache.capabilities;
  if (declared === undefined)
    return declaredCapabilities(server).then(() => performLegacy(server, request, context, inFlight));
  const run = methodFor(method, declared, agreement.features, session);
  return runMethod({ server, context, session, agreement, id, params, inFlight }, method, run);
}

function notOpen(): ProtocolError {
  return new ProtocolError(
    INVALID_REQUEST,
    'The session is not initialized: `initialize` comes first.',
    'session',
  );
}
