// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** A request of the modern era: its metadata and headers are checked, and its result gets an envelope. No session is needed. */
import {
  featuresOf,
  MODERN_REVISIONS,
  isModernRevision,
  META,
  type ModernRevision,
} from '../../protocol/revisions.ts';
import type { RawJson } from '../answer.ts';
import type { Call, ClientRequest, RequestContext, Method, InFlightRequest } from '../call.ts';
import { capabilitiesFor } from '../capabilities.ts';
import { findMethod, runForCaller } from '../methods.ts';
import type { ServerInstance } from '../server-instance.ts';
import { checkHeaders } from './check-headers.ts';
import { withEnvelope } from './envelope.ts';
import { isRecord } from '../../contract/json-value.ts';
import type { Implementation } from '../../definition.ts';
import type { Params } from '../../protocol/json-rpc.ts';
import {
  INVALID_PARAMS,
  invalidParams,
  ProtocolError,
  UNSUPPORTED_VERSION,
} from '../../protocol/protocol-error.ts';
import type { JsonObject } from '../../contract/json-schema.ts';
import { isImplementation } from '../perform-legacy.ts';
import { isLogLevel } from '../log-level.ts';

/** Methods whose answer may be a question ("Multi Round-Trip Requests", Supported Requests). */
const ASKING = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Refuses in this order: for its metadata, its headers, its version, its method. */
export async function performModern(
  server: ServerInstance,
  request: ClientRequest,
  context: RequestContext,
  inFlight: InFlightRequest,
): Promise<object | RawJson> {
  const { id, method, params } = request;
  const { version, clientInfo, clientCapabilities } = readMetadata(params);
  if (context.headers !== undefined) checkHeaders(request, version, context.headers, server);
  const revision = supportedRevision(version);
  const features = featuresOf(revision);
  const run = await findMethod(server, method, features, context.channel);
  const agreement = { revision, features, clientInfo, clientCapabilities };
  const call: Call = { server, context, session: undefined, agreement, id, params, inFlight };
  const permitted: Method =
    context.caller === undefined ? run : async (each) => runForCaller(each, method, run);
  const { ask } = server.features;
  if (ASKING.has(method) && ask !== undefined)
    return withEnvelope(await (await ask()).runRound(call, method, permitted), call, method);
  if (params['requestState'] !== undefined)
    throw invalidParams('`requestState` is not of this request: send the request again without it.');
  return withEnvelope(await permitted(call), call, method);
}

/** `server/discover` is the counterpart of `initialize` for clients without a session. */
export const discover: Method = async ({ server, agreement }: Call) => {
  const { instructions } = server;
  return {
    supportedVersions: [...MODERN_REVISIONS],
    capabilities: await capabilitiesFor(server, agreement.features),
    instructions,
  };
};

export interface RequestMetadata {
  /** As the client wrote it. */
  version: string;
  clientInfo: Implementation | undefined;
  clientCapabilities: JsonObject;
}

/** @throws {ProtocolError} `-32602` naming the field that is missing or malformed */
export function readMetadata({ _meta: meta }: Params): RequestMetadata {
  if (!isRecord(meta)) throw malformed(`\`_meta\` is missing: it must hold "${META.protocolVersion}"`);
  const version = meta[META.protocolVersion];
  if (typeof version !== 'string') throw malformed(`\`_meta["${META.protocolVersion}"]\` must be a string`);
  const capabilities = meta[META.clientCapabilities];
  if (!isRecord(capabilities)) {
    throw malformed(`\`_meta["${META.clientCapabilities}"]\` must be an object`);
  }
  const level = meta[META.logLevel];
  if (level !== undefined && !isLogLevel(level)) throw malformed(`\`_meta["${META.logLevel}"]\` is no level`);
  const info = meta[META.clientInfo];
  return {
    version,
    clientInfo: isImplementation(info) ? info : undefined,
    clientCapabilities: capabilities as JsonObject,
  };
}

/** @throws {ProtocolError} `-32022` telling the versions there are */
export function supportedRevision(version: string): ModernRevision {
  if (isModernRevision(version)) return version;
  throw new ProtocolError(
    UNSUPPORTED_VERSION,
    `The protocol version ${JSON.stringify(version)} is not supported.`,
    'version',
    { supported: [...MODERN_REVISIONS], requested: version },
  );
}

function malformed(reason: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, `${reason}.`, 'metadata');
}
