/** A request of a legacy revision, by what its session has agreed on. */
import { INVALID_REQUEST, ProtocolError } from '../protocol/protocol-error.ts';
import type { RawJson } from './answer.ts';
import type { ClientRequest, Exchange } from './call.ts';
import { declaredCapabilities } from './capabilities.ts';
import { initialize } from './initialize.ts';
import { methodFor } from './method-for.ts';
import type { Project } from './project.ts';
import type { Work } from './work.ts';

export async function performLegacy(
  project: Project,
  { id, method, params }: ClientRequest,
  exchange: Exchange,
  work: Work,
): Promise<object | RawJson> {
  const { session } = exchange;
  if (session === undefined) throw notOpen();
  if (method === 'initialize') return initialize(project, session, params);
  const { agreement, opening } = session;
  // What was sent right behind `initialize` is answered behind it.
  if (opening !== undefined) await opening.finally(() => (session.opening = undefined));
  if (agreement === undefined) {
    if (method === 'ping') return {};
    throw notOpen();
  }
  const declared = project.parts.capabilities ?? (await declaredCapabilities(project));
  const run = methodFor(method, declared, agreement.features, session);
  return await run({ project, exchange, session, agreement, id, params, work });
}

function notOpen(): ProtocolError {
  return new ProtocolError(
    INVALID_REQUEST,
    'The session is not initialized: `initialize` comes first.',
    'session',
  );
}
