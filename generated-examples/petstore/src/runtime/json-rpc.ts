// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** JSON-RPC 2.0 as MCP uses it, JSON with exact integers, and what the revisions of MCP differ in. */
import type { Content, Implementation, JsonObject } from './types.ts';

/** Never null or a fraction (MCP, "Base Protocol"). */
export type Id = string | number;
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
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;

/** A refusal by the protocol. A failed tool has a result with `isError` instead. */
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

/** @param seconds until the same request may be served */
export function limitReached(message: string, seconds: number): RpcError {
  const advice = `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  const headers = { 'retry-after': String(seconds) };
  return new RpcError(INTERNAL_ERROR, `${message} ${advice}`, { status: 429, headers });
}

/** Characters of a name, a cursor or a typed text: longer ones are refused before anything searches or compares them. */
export const MAX_NAME = 1_000;
export const MAX_URI = 8_192;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member of an object whose names come from a document or a client, which may be called `constructor`. */
export function ownMember<T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

export function isId(value: unknown): value is Id {
  return typeof value === 'string' ? value.length <= MAX_NAME : Number.isSafeInteger(value);
}

/** A quotation mark, or an integer of which `JSON.parse` may lose digits: 16 are needed for that. Longer ones take seconds, and are not exact. */
const TOKEN = /"|(?<![\d.eE+-])-?\d{16,400}(?![\d.eE])/g;

/** Each takes a microsecond or two, in one turn of the event loop. */
const MAX_INTEGERS = 20_000;
export const INTEGERS_BOUND = 'JSON of more than 20,000 integers of 16 digits is not read.';

/** Reads JSON; integers beyond ±2^53 become `bigint`. @throws {SyntaxError} also for too many of them */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return value;
  // Nobody can guess the mark, so no text of the message is taken for a number.
  const mark = crypto.randomUUID();
  let marked = '';
  let [end, count] = [0, 0];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    if (match[0] === '"') {
      // An expression for whole strings would need a stack as long as they are.
      let at = match.index + 1;
      while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
      TOKEN.lastIndex = at + 1;
    } else {
      if (++count > MAX_INTEGERS) throw new SyntaxError(INTEGERS_BOUND);
      marked += `${text.slice(end, match.index)}"${mark}${match[0]}"`;
      end = TOKEN.lastIndex;
    }
  }
  return count === 0 ? value : readMarked(JSON.parse(marked + text.slice(end)), mark);
}

/** In place. A function given to `JSON.parse` would take more than twice as long. */
function readMarked(value: unknown, mark: string): unknown {
  const root = { value };
  const waiting: object[] = [root];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    const members = parent as Record<string | number, unknown>;
    for (const name of Array.isArray(parent) ? parent.keys() : Object.keys(parent)) {
      const member = members[name];
      if (typeof member === 'object' && member !== null) waiting.push(member);
      if (typeof member !== 'string' || !member.startsWith(mark)) continue;
      const integer = BigInt(member.slice(mark.length));
      members[name] = Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
    }
  }
  return root.value;
}

/** More members would hold the event loop while they are parsed and checked, and more levels the stack. */
const MAX_MEMBERS = 100_000;
const MAX_LEVELS = 500;
/** Not by `toLocaleString`, whose first use takes a third of a start. */
export const JSON_BOUNDS = '100,000 members or 500 levels';

/** Counts the members, items and levels of a JSON text without parsing it. */
export function isTooLarge(text: string): boolean {
  let [members, level, isString] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '"') isString = !isString;
    else if (isString) continue;
    else if (character === ',') members++;
    else if (character === ']' || character === '}') level--;
    else if (character === '[' || character === '{') {
      members++;
      level++;
    }
    if (members > MAX_MEMBERS || level > MAX_LEVELS) return true;
  }
  return false;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a message as it came, without a byte order mark. @throws {RpcError} */
export function parseBytes(bytes: Uint8Array): unknown {
  try {
    const text = UTF8.decode(bytes);
    // A shorter text can't hold so many.
    if (text.length <= MAX_LEVELS || !isTooLarge(text)) return parseJson(text);
  } catch (thrown) {
    if ((thrown as Error).message === INTEGERS_BOUND) throw new RpcError(INVALID_REQUEST, INTEGERS_BOUND);
    throw new RpcError(PARSE_ERROR, `The message is not ${thrown instanceof TypeError ? 'UTF-8' : 'JSON'}.`);
  }
  throw new RpcError(INVALID_REQUEST, `The message has more than ${JSON_BOUNDS}.`);
}

/** Writes JSON; `bigint` becomes an integer with all its digits. @throws {TypeError} for a value that contains itself */
export function writeJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
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
  const { jsonrpc, id: anyId, method, params = {}, result, error } = value;
  const id = isId(anyId) ? anyId : undefined;
  const invalid = (reason: string): Message => ({ kind: 'invalid', id, reason });
  if (jsonrpc !== '2.0') return invalid('`jsonrpc` must be "2.0".');
  if (method === undefined && isRecord(result) !== isFailure(error)) {
    const reply = isRecord(result) ? { result } : { error: error as { code: number; message: string } };
    // Answering an error without an id would send errors forever.
    if (id !== undefined || ('error' in reply && (anyId ?? null) === null))
      return { kind: 'response', id, reply };
  }
  if (anyId !== undefined && id === undefined)
    return invalid(`\`id\` must be a string of ${MAX_NAME} characters at most, or an integer up to ±2^53.`);
  if (typeof method !== 'string') return invalid('`method` must be a string.');
  if (!isRecord(params)) return invalid('`params` must be an object.');
  return id === undefined
    ? { kind: 'notification', method, params }
    : { kind: 'request', id, method, params };
}

function isFailure(error: unknown): boolean {
  return isRecord(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string';
}

// Revisions.

/** Revisions that open a session with `initialize`, oldest first. */
export const LEGACY_REVISIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const NEWEST_LEGACY = '2025-11-25';
/** Revisions without sessions: each request says its revision in `_meta`. */
export const MODERN_REVISIONS: readonly string[] = ['2026-07-28'];
const OLDEST_MODERN = '2026-07-28';

export interface Agreement {
  revision: string;
  era: 'legacy' | 'modern';
  clientInfo: Implementation | undefined;
  clientCapabilities: JsonObject;
}

export function agreeOnLegacy(params: Params): Agreement {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string' || !isRecord(capabilities) || !isImplementation(clientInfo))
    throw invalidParams(
      '`initialize` needs a `protocolVersion`, `capabilities`, and a `clientInfo` with `name` and `version`.',
    );
  const revision = LEGACY_REVISIONS.includes(protocolVersion) ? protocolVersion : NEWEST_LEGACY;
  return { revision, era: 'legacy', clientInfo, clientCapabilities: capabilities as JsonObject };
}

/* prettier-ignore */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export const META = 'io.modelcontextprotocol/';

/** Each request of 2026-07-28 says its revision. */
export function agreeOnModern({ params: { _meta: meta } }: Request): Agreement {
  const refuse = (reason: string): RpcError => new RpcError(INVALID_PARAMS, reason, { status: 400 });
  const {
    [`${META}protocolVersion`]: revision,
    [`${META}clientCapabilities`]: capabilities,
    [`${META}clientInfo`]: info,
    [`${META}logLevel`]: level,
  } = isRecord(meta) ? meta : {};
  if (typeof revision !== 'string' || !isRecord(capabilities))
    throw refuse(
      `\`_meta\` must hold the string "${META}protocolVersion" and the object "${META}clientCapabilities".`,
    );
  if (level !== undefined && !LOG_LEVELS.some((name) => name === level))
    throw refuse(`\`_meta["${META}logLevel"]\` must be one of ${LOG_LEVELS.join(', ')}.`);
  if (!MODERN_REVISIONS.includes(revision)) throw unsupportedVersion(revision);
  const clientInfo = isImplementation(info) ? info : undefined;
  return { revision, era: 'modern', clientInfo, clientCapabilities: capabilities as JsonObject };
}

export function unsupportedVersion(requested: string): RpcError {
  const data = { supported: MODERN_REVISIONS, requested };
  const message = `The protocol version ${writeJson(requested)} is not supported.`;
  return new RpcError(UNSUPPORTED_VERSION, message, { data, status: 400 });
}

function isImplementation(value: unknown): value is Implementation {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}

/** A version in `_meta` decides, else the header of the transport. By its header alone, `initialize` is of a legacy revision. */
export function isModernRequest({ method, params }: Omit<Request, 'id'>, headerVersion = ''): boolean {
  const { _meta: meta } = params;
  if (isRecord(meta) && Object.hasOwn(meta, `${META}protocolVersion`)) return true;
  return method !== 'initialize' && headerVersion >= OLDEST_MODERN && /^\d{4}-\d\d-\d\d$/.test(headerVersion);
}

/** The revision that brought a member, in all shapes or in one. Older clients are not sent it. */
const SINCE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ title: '2025-06-18', icons: '2025-11-25', websiteUrl: '2025-11-25', _meta: '2025-06-18' },
    ...{ outputSchema: '2025-06-18', structuredContent: '2025-06-18', lastModified: '2025-06-18' },
    ...{ 'tools annotations': '2025-03-26', 'tools execution': '2025-11-25' },
    ...{ 'implementation description': '2025-11-25', 'result _meta': '2024-11-05' },
  }),
);
const CONTENT_SINCE: Readonly<Record<string, string>> = { audio: '2025-03-26', resource_link: '2025-06-18' };

/** Leaves out what a revision does not know. @param shape the name of a list for its items; else `implementation`, `content`, `result` */
export function fit<T extends object>(shape: string, value: T, revision: string): T {
  if (revision >= NEWEST_LEGACY) {
    // 2026-07-28 dropped it.
    const { execution, ...others } = value as { execution?: unknown };
    return shape === 'tools' && execution !== undefined && revision > NEWEST_LEGACY ? (others as T) : value;
  }
  const fitMember = (name: string, member: unknown): unknown => {
    if (name === 'arguments' && Array.isArray(member))
      return member.map((argument: object) => fit(name, argument, revision));
    const isNested = name === 'resource' || (name === 'annotations' && shape !== 'tools');
    return isNested && isRecord(member) ? fit(name, member, revision) : member;
  };
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const since = SINCE.get(`${shape} ${name}`) ?? SINCE.get(name) ?? '';
    return revision < since ? [] : [[name, fitMember(name, member)]];
  });
  const { title, annotations } = value as { title?: string; annotations?: object };
  // 2025-03-26 has a tool's title among its annotations.
  const isTitled = shape === 'tools' && revision === '2025-03-26' && title !== undefined;
  return Object.fromEntries(
    isTitled ? [...members, ['annotations', { title, ...annotations }]] : members,
  ) as T;
}

export function fitContent(block: Content, revision: string): object {
  if (revision >= (CONTENT_SINCE[block.type] ?? '')) return fit('content', block, revision);
  if (block.type === 'resource_link') {
    const lines = [`${block.title ?? block.name}: ${block.uri}`, block.description];
    return { type: 'text', text: lines.filter(Boolean).join('\n') };
  }
  const type = 'mimeType' in block ? ` (${block.mimeType})` : '';
  const text = `Content of the kind ${block.type}${type} was left out: this client's protocol revision has none.`;
  return { type: 'text', text };
}

export function fitToolResult<T extends { content: Content[] }>(result: T, revision: string): object {
  if (revision >= NEWEST_LEGACY) return result;
  const content = result.content.map((block) => fitContent(block, revision));
  return { ...fit('result', result, revision), content };
}

export const hasStructuredContent = (revision: string): boolean => revision >= '2025-06-18';
export const hasBatches = (revision: string): boolean => revision === '2025-03-26';
export const hasProgressMessage = (revision: string): boolean => revision >= '2025-03-26';
/** Older revisions refuse invalid arguments by an error instead of a result that the model sees. */
export const refusesArguments = (revision: string): boolean => revision < '2025-11-25';
