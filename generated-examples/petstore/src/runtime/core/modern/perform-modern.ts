/** A request of the modern era: it says everything itself, and nothing before it counts. */
import { featuresOf, MODERN_REVISIONS } from '../../protocol/revisions.ts';
import type { RawJson } from '../answer.ts';
import type { Call, ClientRequest, RequestContext, Method } from '../call.ts';
import { declaredCapabilities, capabilitiesFor } from '../capabilities.ts';
import { methodFor, runMethod } from '../methods.ts';
import type { ServerInstance } from '../server-instance.ts';
import { openRound } from '../rounds/round.ts';
import type { InFlightRequest } from '../in-flight-request.ts';
import { checkHeaders } from './check-headers.ts';
import { withEnvelope } from './envelope.ts';
import { readMetadata, supportedRevision } from './metadata.ts';

/** What may be answered by questions ("Multi Round-Trip Requests", Supported Requests). */
const ASKING = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Refuses in this order: for its metadata, its headers, its version, its method. */
export async function performModern(
  server: ServerInstance,
  request: ClientRequest,
  context: RequestContext,
  inFlight: InFlightRequest,
): Promise<object | RawJson> {
  const declared = await declaredCapabilities(server);
  const { id, method, params } = request;
  const { version, clientInfo, clientCapabilities } = readMetadata(params);
  if (context.headers !== undefined) checkHeaders(request, version, context.headers, server);
  const revision = supportedRevision(version);
  const features = featuresOf(revision);
  const run = methodFor(method, declared, features, context.channel);
  const agreement = { revision, features, clientInfo, clientCapabilities };
  const call: Call = { server, context, session: undefined, agreement, id, params, inFlight };
  if (ASKING.has(method)) openRound(call, method);
  return withEnvelope(await runMethod(call, method, run), call, method);
}

/** `server/discover` says to clients without a session what `initialize` says to legacy ones. */
export const discover: Method = async ({ server, agreement }: Call) => {
  const { instructions } = server;
  return {
    supportedVersions: [...MODERN_REVISIONS],
    capabilities: await capabilitiesFor(server, agreement.features),
    ...(instructions === undefined ? {} : { instructions }),
  };
};
