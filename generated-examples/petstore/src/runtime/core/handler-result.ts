// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Results of handlers and tools as MCP results that fit the revision and the output schema, and the types of content.
 */
import type { Limits } from '../contract/feature.ts';
import {
  type Annotations,
  type Icon,
  type Json,
  type JsonObject,
  type ListedTool,
  chooseResponseMemberName,
} from '../contract/json-schema.ts';
import { getOwnMember, omitUndefined, isRecord, readJson, writeJson } from '../contract/json-value.ts';
import { type RevisionFeatures, withoutMembers } from '../protocol/revisions.ts';
import { type Validator, compileSchema, moveMisfits } from '../schema/compile-schema.ts';

export function isResourceContents(value: unknown): value is ResourceContents {
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
  if (isContentBlock(returned)) return { content: [returned] };
  if (Array.isArray(returned) && returned.length > 0 && returned.every(isContentBlock))
    return { content: returned };
  // Undefined if the handler returned nothing.
  const json: string | undefined = writeJson(returned);
  const value = json === undefined ? '' : isPlainJson(returned) ? returned : (readJson(json) as Json);
  const text = typeof value === 'string' ? value : (json ?? '');
  const content: LooseResult['content'] = text === '' ? [] : [{ type: 'text', text }];
  return isStructured ? { content, structuredContent: value } : { content };
}

export function isToolContent(value: unknown): boolean {
  if (isResult(value) || isContentBlock(value)) return true;
  return Array.isArray(value) && value.length > 0 && value.every(isContentBlock);
}

/** Whether a value equals its JSON text. The caller has written it as JSON before, so it has no cycle. */
export function isPlainJson(value: unknown): value is Json {
  if (value === null) return true;
  // `every` skips holes, which are null in JSON.
  if (Array.isArray(value)) return !value.includes(undefined) && value.every(isPlainJson);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return ['string', 'boolean', 'bigint'].includes(typeof value);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlainJson);
}

function isResult(value: unknown): value is LooseResult {
  if (!isRecord(value) || !Array.isArray(value['content']) || !value['content'].every(isContentBlock))
    return false;
  const { isError = false, _meta: meta = {} } = value;
  return typeof isError === 'boolean' && isRecord(meta);
}

export function isContentBlock(value: unknown): value is ContentBlock {
  return isRecord(value) && KINDS.has(value['type']) && hasBody(value);
}

/** Data that happens to have a `type` stays data. */
function hasBody({ type, text, data, mimeType, resource, uri, name }: Record<string, unknown>): boolean {
  if (type === 'text') return typeof text === 'string';
  if (type === 'resource') return isResourceContents(resource);
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

export function fitBlockToRevision(block: ContentBlock, features: RevisionFeatures): object {
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

/** The tool whose result is fitted. */
interface AnsweringTool {
  listed: Pick<ListedTool, 'name' | 'outputSchema'>;
  /** Absent: an API answers. */
  handler: unknown;
  validateOutput?: Validator;
}

/**
 * Fits a result to the revision and the output schema, since clients refuse a mismatch ("Structured Content"). What
 * doesn't match moves to `_response.drifted`; the text stays whole. Own code with nothing left gets an error that keeps
 * the text.
 * @param onMismatch called with the fault
 */
export function fitResult(
  result: LooseResult,
  tool: AnsweringTool,
  features: RevisionFeatures,
  { pruneRounds }: Pick<Limits, 'pruneRounds'>,
  onMismatch: (fault: string) => void,
): object {
  const { structuredContent, isError } = result;
  const { toolResult: unknown = [] } = features.unknownMembers;
  // Clients that read text only would lose a structure that no content repeats ("Structured Content").
  const isBare = result.content.length === 0 && isRecord(structuredContent);
  const blocks: ContentBlock[] = isBare
    ? [{ type: 'text', text: writeJson(structuredContent) }]
    : result.content;
  const content: object[] = [];
  for (const block of blocks) content.push(fitBlockToRevision(block, features));
  const fitted: FittedResult = { ...withoutMembers(result, unknown), content };
  if (unknown.includes('structuredContent')) return fitted;
  const { value, fault } = fitStructure(result, tool, pruneRounds);
  fitted.structuredContent = fault !== undefined && isError === true ? undefined : value;
  if (fault === undefined || isError === true) return fitted;
  onMismatch(fault);
  if (value !== undefined) return fitted;
  const words = `This is an error because the answer does not match the output schema of ${tool.listed.name}: ${fault}.`;
  return { ...fitted, content: [...content, { type: 'text', text: words }], isError: true };
}

interface FittedResult {
  content: object[];
  structuredContent?: Json | undefined;
}

interface FittedStructure {
  value?: JsonObject;
  fault?: string;
}

function fitStructure(result: LooseResult, tool: AnsweringTool, pruneRounds: number): FittedStructure {
  const { content, isError } = result;
  const { outputSchema } = tool.listed;
  const validate = tool.validateOutput ?? outputValidator(tool);
  const beside = besides.get(content);
  let given = result.structuredContent;
  if (given === undefined) {
    if (isError === true || (validate === undefined && !needsStructuredContent(content, beside))) return {};
    if (validate === undefined) given = beside?.body;
  }
  const isWrapped =
    validate === undefined || (tool.handler && Object.hasOwn(outputSchema?.properties ?? {}, 'result'));
  const wrapped = given !== undefined && isWrapped ? { result: given } : undefined;
  const whole = isRecord(given) ? given : wrapped;
  if (whole !== undefined && beside === undefined) {
    const error = validate?.(whole)[0];
    if (error === undefined) return { value: whole };
  }
  const rest = given === undefined ? beside?.body : given;
  return fitAnswerParts({ whole, beside, rest }, tool, pruneRounds);
}

interface AnswerParts {
  whole: JsonObject | undefined;
  beside: Beside | undefined;
  rest: Json | undefined;
}

/** Tries the whole answer, then what matches of it, then none; what is left out is always in `drifted`. */
function fitAnswerParts(parts: AnswerParts, tool: AnsweringTool, pruneRounds: number): FittedStructure {
  const { whole, beside, rest } = parts;
  const validate: Validator = outputValidator(tool) ?? (() => []);
  // A handler that passes on the API's answer need not promise more than the API.
  const isOwn = tool.handler !== undefined && beside === undefined;
  const joinWithAnswer = (value: JsonObject, drifted?: JsonObject): JsonObject | undefined =>
    addResponseMember(parts, value, drifted, tool);
  const [error] = validate(whole ?? {});
  // A closed schema may have no place for what is beside; the text has it.
  if (error === undefined && whole !== undefined) return { value: joinWithAnswer(whole) ?? whole };
  if (error === undefined && rest === undefined && !isOwn) return { value: joinWithAnswer({}) ?? {} };
  const fault = whole === undefined ? 'The answer is no object' : (error?.message ?? '');
  if (whole === undefined && rest === undefined)
    return { fault: isOwn ? fault : 'The API answered without JSON, which its document does not say' };
  const moved = whole && moveMisfits(whole, validate, pruneRounds);
  if (isOwn && (moved === undefined || Object.keys(moved.value).length === 0)) return { fault };
  const value =
    (moved && joinWithAnswer(moved.value, moved.drifted)) ?? joinWithAnswer({}, { '': whole ?? rest });
  return value === undefined ? { fault } : { value, fault };
}

function addResponseMember(
  { whole, beside = {} }: AnswerParts,
  value: JsonObject,
  drifted: JsonObject | undefined,
  tool: AnsweringTool,
): JsonObject | undefined {
  const { headers, next, notes } = beside;
  const properties = tool.listed.outputSchema?.properties;
  const response = omitUndefined({ headers, next, notes, drifted });
  if (Object.keys(response).length === 0) return value;
  const isValid = (joined: JsonObject): boolean => (outputValidator(tool)?.(joined).length ?? 0) === 0;
  const joined = { ...value, [chooseResponseMemberName(properties, value)]: response };
  if (isValid(joined)) return joined;
  // A map may take nothing else under another name, so its own member of that name gives way.
  const name = chooseResponseMemberName(properties);
  if (!Object.hasOwn(value, name)) return undefined;
  const others = Object.entries(drifted ?? {}).filter(([pointer]) => !pointer.startsWith(`/${name}/`));
  const all = { ...Object.fromEntries(others), [`/${name}`]: getOwnMember(whole ?? {}, name) };
  const given = { ...value, [name]: { ...response, drifted: all } };
  return isValid(given) ? given : undefined;
}

export function outputValidator(tool: AnsweringTool): Validator | undefined {
  const { outputSchema } = tool.listed;
  return outputSchema && (tool.validateOutput ??= compileSchema(outputSchema));
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
export function needsStructuredContent(
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
      /** Why the answer is broken: its call counts as failed. */
      fault?: string;
      /** Why JSON was not read as such. */
      note?: string;
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
