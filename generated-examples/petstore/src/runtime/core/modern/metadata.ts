/** What every modern request says of itself ("`_meta`", Request Metadata). */
import { isRecord } from '../../contract/json-value.ts';
import type { Implementation } from '../../definition.ts';
import { isModernRevision, META, MODERN_REVISIONS, type ModernRevision } from '../../protocol/revisions.ts';
import { type Params } from '../../protocol/json-rpc.ts';
import { INVALID_PARAMS, ProtocolError, UNSUPPORTED_VERSION } from '../../protocol/protocol-error.ts';
import type { JsonObject } from '../../contract/json-schema.ts';
import { isImplementation } from '../perform-legacy.ts';
import { isLogLevel } from '../log-level.ts';

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
