// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Requests of the modern era: checks metadata and headers, and adds the envelope of results. */
import type { JsonObject, JsonSchema } from '../../contract/json-schema.ts';
import { isRecord, getOwnMember, writeJson } from '../../contract/json-value.ts';
import type { Implementation } from '../../definition.ts';
import {
  HEADER_MISMATCH,
  INVALID_PARAMS,
  type Params,
  ProtocolError,
  UNSUPPORTED_VERSION,
  invalidParamsError,
} from '../../protocol/json-rpc.ts';
import {
  META,
  MODERN_REVISIONS,
  type ModernRevision,
  featuresOf,
  isModernRevision,
} from '../../protocol/revisions.ts';
import {
  type Call,
  type ClientRequest,
  type InFlightRequest,
  type Method,
  RawJson,
  type RequestContext,
  runMethodForCaller,
} from '../call.ts';
import { isLogLevel } from '../call-context.ts';
import { getToolEntries } from '../call-tool.ts';
import { findMethod, isImplementation } from '../core.ts';
import { type ServerInstance, makeCapabilitiesForRevision } from '../server-instance.ts';

/** Methods that may ask the client ("Multi Round-Trip Requests", Supported Requests). */
const ASKING = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Checks metadata, headers, version and method, in this order. */
export async function performModern(
  server: ServerInstance,
  request: ClientRequest,
  context: RequestContext,
  inFlight: InFlightRequest,
): Promise<object | RawJson> {
  const { id, method, params, sent = params } = request;
  const { version, clientInfo, clientCapabilities } = parseRequestMetadata(params);
  if (context.headers !== undefined)
    assertHeadersMatchBody({ id, method, params: sent }, version, context.headers, server);
  const revision = requireModernRevision(version);
  const features = featuresOf(revision);
  const run = await findMethod(server, method, features, context.channel);
  const agreement = { revision, features, clientInfo, clientCapabilities };
  const call: Call = { server, context, session: undefined, agreement, id, params, inFlight };
  const permitted: Method =
    context.caller === undefined ? run : (each) => runMethodForCaller(each, method, run);
  const { ask } = server.features;
  if (ASKING.has(method) && ask !== undefined)
    return addResultEnvelope(await (await ask()).runRound(call, method, permitted), call, method);
  if (params['requestState'] !== undefined)
    throw invalidParamsError('`requestState` is not of this request: send the request again without it.');
  return addResultEnvelope(await permitted(call), call, method);
}

export const handleDiscover: Method = async ({ server, agreement }: Call) => {
  const { instructions, meta } = server;
  const result = {
    supportedVersions: [...MODERN_REVISIONS],
    capabilities: await makeCapabilitiesForRevision(server, agreement.features),
    instructions,
  };
  return meta === undefined ? result : { ...result, _meta: meta };
};

export interface RequestMetadata {
  version: string;
  clientInfo: Implementation | undefined;
  clientCapabilities: JsonObject;
}

export function parseRequestMetadata({ _meta: meta }: Params): RequestMetadata {
  if (!isRecord(meta))
    throw makeMetadataError(`\`_meta\` is missing: it must hold "${META.protocolVersion}"`);
  const version = meta[META.protocolVersion];
  if (typeof version !== 'string')
    throw makeMetadataError(`\`_meta["${META.protocolVersion}"]\` must be a string`);
  const capabilities = meta[META.clientCapabilities];
  if (!isRecord(capabilities))
    throw makeMetadataError(`\`_meta["${META.clientCapabilities}"]\` must be an object`);
  const level = meta[META.logLevel];
  if (level !== undefined && !isLogLevel(level))
    throw makeMetadataError(`\`_meta["${META.logLevel}"]\` is no level`);
  const info = meta[META.clientInfo];
  return {
    version,
    clientInfo: isImplementation(info) ? info : undefined,
    clientCapabilities: capabilities as JsonObject,
  };
}

export function requireModernRevision(version: string): ModernRevision {
  if (isModernRevision(version)) return version;
  const words = `The protocol version ${JSON.stringify(version)} is not supported.`;
  const data = { supported: [...MODERN_REVISIONS], requested: version };
  throw new ProtocolError(UNSUPPORTED_VERSION, words, 'version', data);
}

function makeMetadataError(reason: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, `${reason}.`, 'metadata');
}

type Headers = (name: string) => string | undefined;

/** The parameter that `Mcp-Name` repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/**
 * Headers must agree with the body ("Server Validation"), since proxies route by them.
 * @throws {ProtocolError} `-32020` naming the header
 */
export function assertHeadersMatchBody(
  { method, params }: ClientRequest,
  version: string,
  headers: Headers,
  server: ServerInstance,
): void {
  requireMatchingHeader('MCP-Protocol-Version', version, headers('mcp-protocol-version'));
  requireMatchingHeader('Mcp-Method', method, headers('mcp-method'));
  const parameter = getOwnMember(NAMED_BY, method);
  const named = parameter === undefined ? undefined : params[parameter];
  if (typeof named === 'string')
    requireMatchingHeader('Mcp-Name', named, readText('Mcp-Name', headers('mcp-name')));
  if (method === 'tools/call') assertMirroredHeaders(params, headers, server);
}

function assertMirroredHeaders(
  { name, arguments: args }: ClientRequest['params'],
  headers: Headers,
  server: ServerInstance,
): void {
  const tool = typeof name === 'string' ? getToolEntries(server).findToolEntry(name) : undefined;
  if (tool === undefined) return;
  for (const { header, path } of mirroredArguments(tool.listed.inputSchema)) {
    const given = readText(header, headers(header.toLowerCase()));
    const value = valueAt(args, path);
    if (typeof value === 'number') requireNumericHeader(header, value, given);
    else
      requireMatchingHeader(header, value === undefined || value === null ? undefined : String(value), given);
  }
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path) value = isRecord(value) ? getOwnMember(value, name) : undefined;
  return value;
}

function readText(header: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = decodeHeaderText(value);
  if (text === undefined) throw headerMismatch(`The header \`${header}\` is not encoded as it must be.`);
  return text;
}

function requireMatchingHeader(header: string, wanted: string | undefined, given: string | undefined): void {
  if (wanted === given) return;
  if (given === undefined) throw headerMismatch(`The header \`${header}\` is missing.`);
  throw headerMismatch(`The header \`${header}\` does not say what the body says.`);
}

/** `42.0` equals 42. */
function requireNumericHeader(header: string, wanted: number, given: string | undefined): void {
  if (given !== undefined && /^-?\d+(?:\.\d+)?$/.test(given) && Number(given) === wanted) return;
  requireMatchingHeader(header, String(wanted), given);
}

function headerMismatch(words: string): ProtocolError {
  return new ProtocolError(HEADER_MISMATCH, words, 'header');
}

/** RFC 9110, section 5.5, without `obs-text`. */
const PLAIN = /^[\t\u0020-\u007e]*$/;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes `Mcp-Name` and `Mcp-Param-*` ("Value Encoding"); undefined if the value is malformed. */
export function decodeHeaderText(value: string): string | undefined {
  if (!PLAIN.test(value)) return undefined;
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : decodeBase64(encoded);
}

function decodeBase64(encoded: string): string | undefined {
  if (!BASE64.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  // Refuses Base64 that is not canonical: two headers could encode one value.
  if (bytes.toString('base64') !== encoded) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export interface MirroredArgument {
  header: string;
  path: readonly string[];
}

/** Lists the arguments that headers repeat. Only members that `properties` alone lead to can be. */
export function mirroredArguments(schema: JsonSchema): MirroredArgument[] {
  const known = isRecord(schema) ? found.get(schema) : undefined;
  if (known !== undefined) return known;
  const mirrored = [...walkProperties(schema, [])];
  if (isRecord(schema)) found.set(schema, mirrored);
  return mirrored;
}

const found = new WeakMap<object, MirroredArgument[]>();

function* walkProperties(schema: unknown, path: readonly string[]): Generator<MirroredArgument> {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  if (!isRecord(properties)) return;
  for (const [name, property] of Object.entries(properties)) {
    const header = isRecord(property) ? property['x-mcp-header'] : undefined;
    if (typeof header === 'string') yield { header: `Mcp-Param-${header}`, path: [...path, name] };
    yield* walkProperties(property, [...path, name]);
  }
}

/** Methods whose results get a caching hint ("Caching", Cacheable Results). */
const CACHEABLE = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'skills/list',
  'skills/get',
]);

interface CachingHint {
  ttlMs: number;
  cacheScope: 'public' | 'private';
}

/** Adds the envelope to a result: its type, the server's info, and a caching hint. */
export function addResultEnvelope(result: object | RawJson, call: Call, method: string): object | RawJson {
  if (!(result instanceof RawJson) && ('resultType' in result || '_meta' in result))
    return addEnvelopeToObject(result, call, method);
  const content = result instanceof RawJson ? result.content : writeJson(result);
  const head = envelopeHead(call, method);
  if (typeof content === 'string')
    return new RawJson(content === '{}' ? `${head}}` : `${head},${content.slice(1)}`);
  const [start, shared, end] = content;
  return new RawJson([`${head},${start.slice(1)}`, shared, end]);
}

function addEnvelopeToObject(result: Record<string, unknown>, call: Call, method: string): object {
  const { resultType = 'complete', _meta: own, ...rest } = result;
  const hint = resultType === 'complete' ? cachingHintFor(call, method) : undefined;
  const meta = { ...(own as object | undefined), [META.serverInfo]: call.server.info };
  return { resultType, ...hint, ...rest, _meta: meta };
}

function envelopeHead(call: Call, method: string): string {
  const { info, cache } = call.server;
  const heads = (cache.heads ??= new Map<string, string>());
  const hint = cachingHintFor(call, method);
  const key = hint === undefined ? '' : `${hint.ttlMs} ${hint.cacheScope}`;
  let head = heads.get(key);
  if (head === undefined) {
    const envelope = { resultType: 'complete', ...hint, _meta: { [META.serverInfo]: info } };
    heads.set(key, (head = JSON.stringify(envelope).slice(0, -1)));
  }
  return head;
}

/** Lists are the same for all callers. A read depends on the caller and on answers of its client. */
function cachingHintFor({ server, params }: Call, method: string): CachingHint | undefined {
  if (!CACHEABLE.has(method)) return undefined;
  const { listTtlMs, readTtlMs } = server.limits;
  if (method === 'resources/list' && server.functions?.lists === true)
    return { ttlMs: readTtlMs, cacheScope: 'private' };
  if (method !== 'resources/read') return { ttlMs: listTtlMs, cacheScope: 'public' };
  const isRetried = params['inputResponses'] !== undefined || params['requestState'] !== undefined;
  return { ttlMs: isRetried ? 0 : readTtlMs, cacheScope: 'private' };
}
