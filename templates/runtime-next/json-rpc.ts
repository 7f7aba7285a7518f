// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** JSON-RPC 2.0 as MCP uses it, JSON with exact integers, and what the revisions of MCP differ in. */
import {
  type Content,
  type Implementation,
  type JsonObject,
  LOG_LEVELS,
  type ResourceContents,
} from './types.ts';

/** Never null or a fraction (MCP, "Base Protocol"). */
export type Id = string | number | bigint;
export type Params = Record<string, unknown>;
export interface Request {
  id: Id;
  method: string;
  params: Params;
}
export type ClientReply = { result: Record<string, unknown> } | { error: { code: number; message: string } };
export type Message =
  | ({ kind: 'request' } & Request)
  | { kind: 'notification'; method: string; params: Params }
  | { kind: 'response'; id: Id | undefined; reply: ClientReply }
  | { kind: 'invalid'; id: Id | undefined; reason: string };
export interface Notification {
  jsonrpc: '2.0';
  method: string;
  params?: object;
}

// JSON-RPC 2.0, section 5.1, and MCP's own codes.
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const RESOURCE_NOT_FOUND = -32002;
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;

/** A refusal by the protocol. A tool that fails is none: its result has `isError`. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  /** The status over HTTP. */
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(
    code: number,
    message: string,
    more: { data?: unknown; status?: number; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.code = code;
    this.data = more.data;
    this.status = more.status ?? (code === INVALID_REQUEST || code === PARSE_ERROR ? 400 : 200);
    this.headers = more.headers ?? {};
  }
}

export function invalidParams(message: string, data?: unknown): RpcError {
  return new RpcError(INVALID_PARAMS, message, { data });
}

/** A limit is reached; `seconds` until the same request may be served. */
export function limitReached(message: string, seconds: number): RpcError {
  const words = `${message} Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  return new RpcError(INTERNAL_ERROR, words, { status: 429, headers: { 'retry-after': String(seconds) } });
}

/** Characters of a name, a cursor or a typed text: longer ones are refused before anything searches or compares them. */
export const LONGEST_NAME = 1_000;
export const LONGEST_URI = 8_192;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of an object whose names come from a document or a client, which may be called `constructor`. */
export function ownMember<T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

export function isId(value: unknown): value is Id {
  if (typeof value === 'string') return value.length <= LONGEST_NAME;
  return typeof value === 'bigint' ? String(value).length <= 100 : Number.isSafeInteger(value);
}

/** The largest integer of which `JSON.parse` loses no digit has 16; only texts with such a number take the longer way. */
const LONG_NUMBER = /\d{16}/;

/** Reads JSON; integers beyond ±2^53 become `bigint`. @throws {SyntaxError} */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  // Nobody can guess the mark, so no text of the message is taken for a number.
  const mark = crypto.randomUUID();
  const token = /"|-?\d{16,}(?![\d.eE])/g;
  let marked = '';
  let end = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] === '"') {
      token.lastIndex = endOfString(text, match.index);
      continue;
    }
    marked += `${text.slice(end, match.index)}"${mark}${match[0]}"`;
    end = token.lastIndex;
  }
  if (end === 0) return JSON.parse(text);
  return JSON.parse(marked + text.slice(end), (_, value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith(mark)) return value;
    const integer = BigInt(value.slice(mark.length));
    return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
  });
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a message as it came; a byte order mark is none of it. @throws {RpcError} */
export function parseBytes(bytes: Uint8Array): unknown {
  try {
    return parseJson(UTF8.decode(bytes));
  } catch (thrown) {
    throw new RpcError(
      PARSE_ERROR,
      `The message is not ${thrown instanceof SyntaxError ? 'JSON' : 'UTF-8'}.`,
    );
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Writes JSON; `bigint` becomes an integer with all its digits. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (thrown) {
    if (!(thrown instanceof TypeError) || !thrown.message.includes('BigInt')) throw thrown;
  }
  const mark = crypto.randomUUID();
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? `${mark}${member}` : member,
  );
  return text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}

export function readMessage(value: unknown): Message {
  if (!isRecord(value)) return { kind: 'invalid', id: undefined, reason: 'A message is a JSON object.' };
  const { jsonrpc, id, method, params = {}, result, error } = value;
  const knownId = isId(id) ? id : undefined;
  const invalid = (reason: string): Message => ({ kind: 'invalid', id: knownId, reason });
  if (jsonrpc !== '2.0') return invalid('`jsonrpc` must be "2.0".');
  if (
    method === undefined &&
    isRpcFailure(error) &&
    result === undefined &&
    (id === undefined || id === null)
  )
    // Answering an error without an id would send errors forever.
    return { kind: 'response', id: undefined, reply: { error } };
  if (id !== undefined && knownId === undefined)
    return invalid(
      typeof id === 'string' || typeof id === 'bigint'
        ? '`id` is too long.'
        : '`id` must be a string or an integer.',
    );
  if (method === undefined) {
    if (knownId === undefined || (result === undefined) === (error === undefined))
      return invalid('The message has no `method`.');
    if (isRecord(result)) return { kind: 'response', id: knownId, reply: { result } };
    if (isRpcFailure(error)) return { kind: 'response', id: knownId, reply: { error } };
    return invalid('`result` must be an object, `error` one with a `code` and a `message`.');
  }
  if (typeof method !== 'string') return invalid('`method` must be a string.');
  if (!isRecord(params)) return invalid('`params` must be an object.');
  if (knownId === undefined) return { kind: 'notification', method, params };
  return { kind: 'request', id: knownId, method, params };
}

function isRpcFailure(error: unknown): error is { code: number; message: string } {
  return isRecord(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string';
}

// Revisions.

/** Revisions that open a session with `initialize`, oldest first. */
export const LEGACY_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
/** Revisions without sessions: each request says its revision in `_meta`. */
export const MODERN_REVISIONS = ['2026-07-28'] as const;
const NEWEST_LEGACY = '2025-11-25';

export interface Agreement {
  revision: string;
  era: 'legacy' | 'modern';
  clientInfo: Implementation | undefined;
  clientCapabilities: JsonObject;
}

export function isLegacyRevision(value: unknown): boolean {
  return LEGACY_REVISIONS.some((revision) => revision === value);
}

export function agreeOnLegacy(params: Params): Agreement {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string') throw invalidParams('`protocolVersion` must be a string.');
  if (!isRecord(capabilities)) throw invalidParams('`capabilities` must be an object.');
  if (!isImplementation(clientInfo))
    throw invalidParams('`clientInfo` must be an object with a `name` and a `version`.');
  const revision = isLegacyRevision(protocolVersion) ? protocolVersion : NEWEST_LEGACY;
  return { revision, era: 'legacy', clientInfo, clientCapabilities: capabilities as JsonObject };
}

/** Each request of 2026-07-28 says its revision. @param compareHeaders throws if the transport's headers contradict the body */
export function agreeOnModern(
  request: Request,
  compareHeaders: ((request: Request, revision: string) => void) | undefined,
): Agreement {
  const { _meta: meta } = request.params;
  const refuse = (words: string): RpcError => new RpcError(INVALID_PARAMS, `${words}.`, { status: 400 });
  if (!isRecord(meta)) throw refuse(`\`_meta\` is missing: it must hold "${META}protocolVersion"`);
  const revision = meta[`${META}protocolVersion`];
  const capabilities = meta[`${META}clientCapabilities`];
  const level = meta[`${META}logLevel`];
  const info = meta[`${META}clientInfo`];
  if (typeof revision !== 'string') throw refuse(`\`_meta["${META}protocolVersion"]\` must be a string`);
  if (!isRecord(capabilities)) throw refuse(`\`_meta["${META}clientCapabilities"]\` must be an object`);
  if (level !== undefined && !LOG_LEVELS.some((known) => known === level))
    throw refuse(`\`_meta["${META}logLevel"]\` is no level`);
  compareHeaders?.(request, revision);
  if (!MODERN_REVISIONS.some((known) => known === revision))
    throw new RpcError(
      UNSUPPORTED_VERSION,
      `The protocol version ${JSON.stringify(revision)} is not supported.`,
      { data: { supported: [...MODERN_REVISIONS], requested: revision }, status: 400 },
    );
  return {
    revision,
    era: 'modern',
    clientInfo: isImplementation(info) ? info : undefined,
    clientCapabilities: capabilities as JsonObject,
  };
}

export function isImplementation(value: unknown): value is Implementation {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}

export const META = 'io.modelcontextprotocol/';

/** `_meta` decides, and without a version in it the transport's header. `initialize` has agreed on none yet. */
export function isModernRequest({ method, params }: Omit<Request, 'id'>, headerVersion?: string): boolean {
  const { _meta: meta } = params;
  if (isRecord(meta) && Object.hasOwn(meta, `${META}protocolVersion`)) return true;
  return method !== 'initialize' && headerVersion !== undefined && isModernDate(headerVersion);
}

export function isModernDate(version: string): boolean {
  return version >= MODERN_REVISIONS[0] && /^\d{4}-\d\d-\d\d$/.test(version);
}

/** Members that a revision brought. Older clients are not sent them. */
const SINCE: Record<string, Record<string, string>> = {
  implementation: {
    title: '2025-06-18',
    description: '2025-11-25',
    websiteUrl: '2025-11-25',
    icons: '2025-11-25',
  },
  tool: {
    annotations: '2025-03-26',
    title: '2025-06-18',
    outputSchema: '2025-06-18',
    _meta: '2025-06-18',
    icons: '2025-11-25',
    execution: '2025-11-25',
  },
  /** Resources, templates and prompts. */
  item: { title: '2025-06-18', _meta: '2025-06-18', icons: '2025-11-25' },
  argument: { title: '2025-06-18' },
  annotations: { lastModified: '2025-06-18' },
  content: { _meta: '2025-06-18', icons: '2025-11-25' },
  result: { structuredContent: '2025-06-18' },
};
/** Members that newer revisions dropped. */
const UNTIL: Record<string, Record<string, string>> = { tool: { execution: '2025-11-25' } };

/** Content blocks that a revision brought. */
const CONTENT_SINCE: Record<string, string> = { audio: '2025-03-26', resource_link: '2025-06-18' };

function keepKnown<T extends object>(shape: string, value: T, revision: string): T {
  const since = SINCE[shape] ?? {};
  const until = UNTIL[shape] ?? {};
  const isKnown = (name: string): boolean =>
    revision >= (since[name] ?? '') && revision <= (until[name] ?? '9');
  if (Object.keys(value).every(isKnown)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => isKnown(name))) as T;
}

export function fitImplementation(info: Implementation, revision: string): Implementation {
  return keepKnown('implementation', info, revision);
}

/** @param list `tools`, `resources`, `resourceTemplates` or `prompts` */
export function fitItem(list: string, item: object, revision: string): object {
  if (revision >= '2025-11-25') return keepKnown(list === 'tools' ? 'tool' : 'item', item, revision);
  if (list === 'tools') {
    const tool = keepKnown<{ annotations?: object }>('tool', item, revision);
    const { title } = item as { title?: string };
    // 2025-03-26 has a tool's title among its annotations.
    if (title === undefined || revision !== '2025-03-26') return tool;
    return { ...tool, annotations: { title, ...tool.annotations } };
  }
  const known: { arguments?: object[]; annotations?: object } = keepKnown('item', item, revision);
  return {
    ...known,
    ...(known.arguments && {
      arguments: known.arguments.map((each) => keepKnown('argument', each, revision)),
    }),
    ...(known.annotations && { annotations: keepKnown('annotations', known.annotations, revision) }),
  };
}

export function fitContent(block: Content, revision: string): object {
  if (revision >= '2025-11-25') return block;
  if (revision < (CONTENT_SINCE[block.type] ?? '')) return { type: 'text', text: describeBlock(block) };
  const known = keepKnown('content', block, revision);
  return {
    ...known,
    ...(block.type === 'resource' && { resource: fitContents(block.resource, revision) }),
    ...(block.annotations && { annotations: keepKnown('annotations', block.annotations, revision) }),
  };
}

export function fitContents(contents: ResourceContents, revision: string): object {
  return keepKnown('content', contents, revision);
}

function describeBlock(block: Content): string {
  if (block.type === 'resource_link')
    return [`${block.title ?? block.name}: ${block.uri}`, block.description].filter(Boolean).join('\n');
  const type = 'mimeType' in block ? ` (${block.mimeType})` : '';
  return `Content of the kind ${block.type}${type} was left out: this client's protocol revision has none.`;
}

/** The one place that knows the shape of a tool's result. */
export function fitToolResult(
  { content, ...rest }: { content: Content[] } & object,
  revision: string,
): object {
  return {
    ...keepKnown('result', rest, revision),
    content: content.map((block) => fitContent(block, revision)),
  };
}

export const hasStructuredContent = (revision: string): boolean => revision >= '2025-06-18';
export const hasBatches = (revision: string): boolean => revision === '2025-03-26';
export const hasProgressMessage = (revision: string): boolean => revision >= '2025-03-26';
export const hasCompletionsCapability = (revision: string): boolean => revision >= '2025-03-26';
/** Older revisions refuse invalid arguments by an error instead of a result that the model sees. */
export const refusesArguments = (revision: string): boolean => revision < '2025-11-25';
