// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Requests of legacy revisions, by the agreement of their session. */
import { INVALID_REQUEST, ProtocolError, invalidParams } from '../protocol/protocol-error.ts';
import type { RawJson } from './answer.ts';
import type { ClientRequest, RequestContext, InFlightRequest } from './call.ts';
import { capabilitiesFor } from './capabilities.ts';
import { findMethod, runForCaller } from './methods.ts';
import type { ServerInstance } from './server-instance.ts';
import { isRecord } from '../contract/json-value.ts';
import type { Implementation } from '../definition.ts';
import type { Params } from '../protocol/json-rpc.ts';
import { featuresOf, isLegacyRevision, NEWEST_LEGACY_REVISION, without } from '../protocol/revisions.ts';
import type { JsonObject } from '../contract/json-schema.ts';
import type { Agreement, Session } from './session.ts';

export async function performLegacy(
  server: ServerInstance,
  { id, method, params }: ClientRequest,
  context: RequestContext,
  inFlight: InFlightRequest,
): Promise<object | RawJson> {
  const { session } = context;
  if (session === undefined) throw notOpen();
  if (method === 'initialize') return initialize(server, session, params);
  // A request sent right behind `initialize` waits for its answer.
  if (session.opening !== undefined) await session.opening;
  session.opening = undefined;
  const { agreement } = session;
  if (agreement === undefined) {
    if (method === 'ping') return {};
    throw notOpen();
  }
  const run = await findMethod(server, method, agreement.features, session);
  const call = { server, context, session, agreement, id, params, inFlight };
  return context.caller === undefined ? run(call) : runForCaller(call, method, run);
}

function notOpen(): ProtocolError {
  return new ProtocolError(
    INVALID_REQUEST,
    'The session is not initialized: `initialize` comes first.',
    'session',
  );
}

/** @throws {ProtocolError} `-32600` on a session that has been initialized, `-32602` on unusable parameters. */
async function initialize(server: ServerInstance, session: Session, params: Params): Promise<object> {
  if (session.agreement !== undefined) {
    throw new ProtocolError(INVALID_REQUEST, 'The session is initialized already.');
  }
  const agreement = agree(params);
  // Before any wait, so that of two at a time the second is refused.
  session.agreement = agreement;
  const { features, revision } = agreement;
  const { info, instructions } = server;
  return {
    protocolVersion: revision,
    capabilities: await capabilitiesFor(server, features),
    serverInfo: without(info, features.unknownMembers.implementation),
    instructions,
  };
}

function agree(params: Params): Agreement {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string') throw invalidParams('`protocolVersion` must be a string.');
  if (!isRecord(capabilities)) throw invalidParams('`capabilities` must be an object.');
  if (!isImplementation(clientInfo)) {
    throw invalidParams('`clientInfo` must be an object with a `name` and a `version`.');
  }
  const revision = isLegacyRevision(protocolVersion) ? protocolVersion : NEWEST_LEGACY_REVISION;
  return {
    revision,
    features: featuresOf(revision),
    clientInfo,
    clientCapabilities: capabilities as JsonObject,
  };
}

export function isImplementation(value: unknown): value is Implementation {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}
