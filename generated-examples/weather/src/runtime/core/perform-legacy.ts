/** A request of a legacy revision, by what its session has agreed on. */
import { INVALID_REQUEST, ProtocolError } from '../protocol/protocol-error.ts';
import type { RawJson } from './answer.ts';
import type { ClientRequest, Exchange } from './call.ts';
import { declaredCapabilities } from './capabilities.ts';
import { initialize } from './initialize.ts';
import { methodFor } from './method-for.ts';
import type { Project } from './project.ts';
import { runMethod } from './run-method.ts';
import type { Work } from './work.ts';

export function performLegacy(
  project: Project,
  request: ClientRequest,
  exchange: Exchange,
  work: Work,
): object | RawJson | Promise<object | RawJson> {
  const { id, method, params } = request;
  const { session } = exchange;
  if (session === undefined) throw notOpen();
  if (method === 'initialize') return initialize(project, session, params);
  const { agreement, opening } = session;
  // What was sent right behind `initialize` is answered behind it.
  if (opening !== undefined)
    return opening.then(() => {
      session.opening = undefined;
      return performLegacy(project, request, exchange, work);
    });
  if (agreement === undefined) {
    if (method === 'ping') return {};
    throw notOpen();
  }
  const declared = project.parts.capabilities;
  if (declared === undefined)
    return declaredCapabilities(project).then(() => performLegacy(project, request, exchange, work));
  const run = methodFor(method, declared, agreement.features, session);
  return runMethod({ project, exchange, session, agreement, id, params, work }, method, run);
}

function notOpen(): ProtocolError {
  return new ProtocolError(
    INVALID_REQUEST,
    'The session is not initialized: `initialize` comes first.',
    'session',
  );
}
