// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Results of handlers and readers as MCP results, the types of content, and conversion of texts to the types of
 * schemas.
 */
import type {
  Annotations,
  Icon,
  Json,
  JsonObject,
  JsonSchema,
  JsonSchemaObject,
  JsonType,
} from '../contract/json-schema.ts';
import { omitUndefined, isRecord, readJson, readNumber, writeJson } from '../contract/json-value.ts';
import { INTERNAL_ERROR, ProtocolError } from '../protocol/json-rpc.ts';
import { type RevisionFeatures, withoutMembers } from '../protocol/revisions.ts';

export function toolResultToContents(
  { content, structuredContent, isError }: LooseResult,
  uri: string,
): ResourceContents[] {
  if (isError === true) {
    const words = content.flatMap((block) => (block.type === 'text' ? block.text : []));
    const reason = words.join('\n') || 'The resource cannot be read.';
    throw new ProtocolError(INTERNAL_ERROR, reason, 'work', { uri });
  }
  const mimeType = structuredContent === undefined ? 'text/plain' : 'application/json';
  return content.map((block) => blockToContents(block, uri, mimeType));
}

function blockToContents(block: ContentBlock, uri: string, mimeType: string): ResourceContents {
  switch (block.type) {
    case 'text':
      return { uri, mimeType, text: block.text };
    case 'image':
    case 'audio':
      return { uri, mimeType: block.mimeType, blob: block.data };
    case 'resource':
      return { ...block.resource, uri };
    case 'resource_link':
      return { uri, mimeType: 'text/uri-list', text: block.uri };
  }
}

/** Undefined if there is no such resource. @throws {Error} if `answer` is of no allowed type */
export function toOwnContents(
  answer: unknown,
  uri: string,
  mimeType: string | undefined,
): ResourceContents[] | undefined {
  if (answer === undefined) return undefined;
  if (typeof answer === 'string') return [{ uri, mimeType: mimeType ?? 'text/plain', text: answer }];
  if (answer instanceof Uint8Array) return [toBlobContents(answer, uri, mimeType)];
  const contents: unknown[] = [answer].flat();
  if (contents.length === 0) return undefined;
  if (contents.every(isContents)) return contents;
  throw new Error(`What was read at ${uri} is no text, no bytes and no resource contents.`);
}

function toBlobContents(bytes: Uint8Array, uri: string, mimeType: string | undefined): ResourceContents {
  if (mimeType === undefined)
    throw new Error(`What was read at ${uri} is bytes, but no \`mimeType\` is listed.`);
  const { buffer, byteOffset, byteLength } = bytes;
  return { uri, mimeType, blob: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
}

export function isContents(value: unknown): value is ResourceContents {
  if (!isRecord(value) || typeof value['uri'] !== 'string') return false;
  return typeof value['text'] === 'string' || typeof value['blob'] === 'string';
}

const KINDS = new Set<unknown>(['text', 'image', 'audio', 'resource', 'resource_link']);

/**
 * Results, content blocks and strings become content; any other value is JSON text, and structured content if the
 * tool has an output schema.
 */
export function toResult(returned: unknown, isStructured: boolean): LooseResult {
  if (isResult(returned)) return stripEnvelope(returned);
  if (isBlock(returned)) return { content: [returned] };
  if (Array.isArray(returned) && returned.length > 0 && returned.every(isBlock)) return { content: returned };
  // Undefined if the handler returned nothing.
  const json: string | undefined = writeJson(returned);
  const value = json === undefined ? '' : isPlain(returned) ? returned : (readJson(json) as Json);
  const text = typeof value === 'string' ? value : (json ?? '');
  const content: LooseResult['content'] = text === '' ? [] : [{ type: 'text', text }];
  return isStructured ? { content, structuredContent: value } : { content };
}

export function isContent(value: unknown): boolean {
  if (isResult(value) || isBlock(value)) return true;
  return Array.isArray(value) && value.length > 0 && value.every(isBlock);
}

/** Whether a value equals its JSON text. It was written before, so it has no cycle. */
export function isPlain(value: unknown): value is Json {
  if (value === null) return true;
  // `every` skips holes, which are null in JSON.
  if (Array.isArray(value)) return !value.includes(undefined) && value.every(isPlain);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return ['string', 'boolean', 'bigint'].includes(typeof value);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
}

function isResult(value: unknown): value is LooseResult {
  if (!isRecord(value) || !Array.isArray(value['content']) || !value['content'].every(isBlock)) return false;
  const { isError = false, _meta: meta = {} } = value;
  return typeof isError === 'boolean' && isRecord(meta);
}

export function isBlock(value: unknown): value is ContentBlock {
  return isRecord(value) && KINDS.has(value['type']) && hasBody(value);
}

/** Data that happens to have a `type` stays data. */
function hasBody({ type, text, data, mimeType, resource, uri, name }: Record<string, unknown>): boolean {
  if (type === 'text') return typeof text === 'string';
  if (type === 'resource') return isContents(resource);
  if (type === 'resource_link') return typeof uri === 'string' && typeof name === 'string';
  return typeof data === 'string' && typeof mimeType === 'string';
}

export function errorResult(text: string): LooseResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Only the runtime sets these members: a handler's own would break rounds and tasks. */
const ENVELOPE = ['resultType', 'inputRequests', 'requestState'];

export function stripEnvelope<T extends object>(result: T): T {
  return withoutMembers(result, ENVELOPE) as T;
}

export function fitContentToRevision(block: ContentBlock, features: RevisionFeatures): object {
  const { content, unknownMembers } = features;
  if (!content.has(block.type)) return { type: 'text', text: blockToText(block) };
  const known: Partial<ContentBlock> = withoutMembers(block, unknownMembers.content);
  const { annotations } = block;
  if (block.type !== 'resource' && annotations === undefined) return known;
  return {
    ...known,
    ...omitUndefined({
      resource: block.type === 'resource' ? fitContentsToRevision(block.resource, features) : undefined,
      annotations: annotations && withoutMembers(annotations, unknownMembers.annotations),
    }),
  };
}

export function fitContentsToRevision(
  contents: ResourceContents,
  { unknownMembers }: RevisionFeatures,
): object {
  return withoutMembers(contents, unknownMembers.resourceContents);
}

function blockToText(block: ContentBlock): string {
  if (block.type === 'resource_link') {
    const { title, name, uri, description } = block;
    return `${title ?? name}: ${uri}${description === undefined ? '' : `\n${description}`}`;
  }
  const type = block.type === 'audio' || block.type === 'image' ? ` (${block.mimeType})` : '';
  return `Content of the kind ${block.type}${type} was left out: this client's protocol revision has none.`;
}

/**
 * Converts a text to a number or boolean if its schema wants one and no text. Others stay texts, for validation to
 * refuse. `$ref` is not followed.
 */
export function convertTexts(value: string | string[], schema: JsonSchema | undefined): unknown {
  const target = typeof schema === 'object' ? schema : {};
  if (target.type === 'array') return [value].flat().map((each) => convertText(each, itemSchemaOf(target)));
  // A comma in a simple expression reads as a list.
  return convertText(Array.isArray(value) ? value.join(',') : value, target);
}

function itemSchemaOf({ items }: JsonSchemaObject): JsonSchemaObject {
  return typeof items === 'object' ? items : {};
}

function convertText(text: string, schema: JsonSchemaObject): unknown {
  const alternatives = listAlternatives(schema);
  if (alternatives.some((each) => acceptsTextAsIs(text, each))) return text;
  const types = alternatives.flatMap(listTypes);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  const isNumeric = types.includes('integer') || types.includes('number');
  return isNumeric && isNumber(text) ? readNumber(text) : text;
}

function listAlternatives(schema: JsonSchemaObject): JsonSchemaObject[] {
  if (schema.anyOf === undefined) return [schema];
  return schema.anyOf.flatMap((each) => (typeof each === 'object' ? listAlternatives(each) : [{}]));
}

function listTypes({ type = [] }: JsonSchemaObject): JsonType[] {
  return [type].flat();
}

/** Whether the schema accepts the text as it is. No text of a `format`, such as a date, looks like a number. */
function acceptsTextAsIs(text: string, schema: JsonSchemaObject): boolean {
  const types = listTypes(schema);
  if (types.length > 0 && !types.includes('string')) return false;
  if (schema.enum !== undefined) return schema.enum.includes(text);
  if (schema.const !== undefined) return schema.const === text;
  return schema.format === undefined || !isNumber(text);
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}

/** Metadata by keys in reverse DNS (`com.example/key`); passed on unchanged. */
export type Meta = JsonObject;

interface ContentBase {
  annotations?: Annotations;
  /** Since 2025-06-18. */
  _meta?: Meta;
}

export interface TextContent extends ContentBase {
  type: 'text';
  text: string;
}

interface BinaryContent extends ContentBase {
  /** Base64. */
  data: string;
  mimeType: string;
}

export interface ImageContent extends BinaryContent {
  type: 'image';
}

/** Since 2025-03-26. */
export interface AudioContent extends BinaryContent {
  type: 'audio';
}

/** A resource whose contents are in the message. */
export interface EmbeddedResource extends ContentBase {
  type: 'resource';
  resource: ResourceContents;
}

export interface ResourceLink extends ContentBase {
  type: 'resource_link';
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  /** Since 2025-11-25. */
  icons?: Icon[];
}

export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;

interface ContentsBase {
  uri: string;
  mimeType?: string;
  _meta?: Meta;
}

/** `blob`: Base64. */
export type ResourceContents = (ContentsBase & { text: string }) | (ContentsBase & { blob: string });

export interface ToolResult {
  content: ContentBlock[];
  /** Since 2025-06-18. */
  structuredContent?: JsonObject;
  /** `content` says why, in words a model can act on. Default false. */
  isError?: boolean;
  _meta?: Meta;
}

/** Words of an API's answer beside its JSON, which become a member of the structure. */
export interface Beside {
  headers?: Record<string, string>;
  /** The arguments of the next call. */
  next?: JsonObject;
  notes?: string[];
  /** The text of the answer itself, for a result without structure. */
  body?: string;
}

/** Found by a result's content, so a handler that passes a result on passes this on too. */
export const besides = new WeakMap<readonly ContentBlock[], Beside>();

/** Clients that show a structure show nothing else, so a picture or a file has none. */
export function needsStructure(
  content: LooseResult['content'],
  { headers, next, notes }: Beside = {},
): boolean {
  const isTold = headers !== undefined || next !== undefined || notes !== undefined;
  return (
    isTold &&
    content.every((block) => ('resource' in block ? 'text' in block.resource : block.type === 'text'))
  );
}

/** A result before it is fitted to revision and schema. */
export interface LooseResult extends Omit<ToolResult, 'structuredContent'> {
  structuredContent?: Json;
}

export interface PromptMessage {
  role: 'user' | 'assistant';
  content: ContentBlock;
}

export interface PromptResult {
  description?: string;
  messages: PromptMessage[];
  _meta?: Meta;
}

/** An answer of the API, decoded by its media type. */
export type AnswerBody =
  | { kind: 'none' }
  | {
      kind: 'json';
      value: Json;
      /** The text as read, if reading lost digits of a number. */
      text?: string;
    }
  | {
      kind: 'text';
      text: string;
      /** Why it is broken: the call counts as failed. */
      fault?: string;
    }
  | { kind: 'bytes'; bytes: Uint8Array }
  | {
      kind: 'file';
      path: string;
      name: string;
      size: number;
    };

export interface UpstreamAnswer {
  status: number;
  /** Whether the status is 2xx, and the body no page of HTML where JSON was promised. */
  ok: boolean;
  /** `Content-Type` as sent. */
  mediaType?: string;
  /** Headers by lower-case name, repeated ones joined by `, `. Credentials are left out. */
  headers: Readonly<Record<string, string>>;
  url: string;
  body: AnswerBody;
  truncated?: boolean;
  /** Whether the body has several JSON texts, which a schema of one text does not describe. */
  isList?: boolean;
  /** Which part was cut, in a sentence or two. */
  cut?: string;
  /** Tells the operator what to check after a refusal. */
  hint?: string;
}
