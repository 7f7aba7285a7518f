// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The types between the generated data, your handlers and the runtime. Features add members. */
import type { LOG_LEVELS } from './json-rpc.ts';

/** Thrown by a handler, it answers with a JSON-RPC error instead of a tool error. */
export { RpcError as ProtocolError } from './json-rpc.ts';

export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json | undefined;
}
/** Integers beyond ±2^53 are `bigint`. */
export type Args = Record<string, unknown>;
export type Env = Readonly<Record<string, string | undefined>>;

export type Schema = boolean | SchemaObject;
export interface SchemaObject {
  [keyword: string]: unknown;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

// What clients list (`src/generated/catalog.json`), in the shapes of the newest revision.

interface Item {
  name: string;
  title?: string;
  description?: string;
  icons?: { src: string; mimeType?: string; sizes?: string[]; theme?: 'light' | 'dark' }[];
  _meta?: JsonObject;
}
/** `lastModified`: ISO 8601. */
export interface Annotations {
  audience?: ('user' | 'assistant')[];
  priority?: number;
  lastModified?: string;
}
export interface ToolInfo extends Item {
  /** `type: 'object'` at the top: clients drop the whole list otherwise. */
  inputSchema: SchemaObject;
  outputSchema?: SchemaObject;
  annotations?: { title?: string } & Partial<Record<ToolHint, boolean>>;
}
type ToolHint = 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint';
interface Readable extends Item {
  mimeType?: string;
  annotations?: Annotations;
}
export type ResourceInfo = Readable & { uri: string; size?: number };
export type TemplateInfo = Readable & { uriTemplate: string };
export interface PromptInfo extends Item {
  arguments?: { name: string; title?: string; description?: string; required?: boolean }[];
}
export interface CatalogData {
  tools: ToolInfo[];
  resources: ResourceInfo[];
  resourceTemplates: TemplateInfo[];
  prompts: PromptInfo[];
  /** What the configuration restricts. */
  guards?: { readOnly?: boolean };
}

// How each item does its work (`src/generated/bindings.json`). An absent flag is false.

export interface Bindings {
  tools: Record<string, { do: Binding; tags?: string[] }>;
  resources: Record<string, ResourceBinding>;
  resourceTemplates: Record<string, ResourceBinding>;
  upstream?: ApiBinding;
  /** Replaces `upstream` if there are several APIs. Each has a name. */
  upstreams?: ApiBinding[];
  /** Operations that no tool calls, by source and operationId. */
  operations?: Record<string, Record<string, { do: HttpBinding; input: SchemaObject }>>;
  /** Operations that were left out when compiling. Selectors that fit only these are no mistakes. */
  deselected?: Readonly<Record<'op' | 'tag' | 'path' | 'method', string[]>>[];
  /** Features without which the server must not start. */
  requires?: string[];
  /** Variable → the feature that reads it, and that this server lacks: a set one ends the start. */
  refuses?: Record<string, string>;
}
export interface Binding {
  kind: string;
  operationId?: string;
  [member: string]: unknown;
}
export interface ResourceBinding {
  do: Binding;
  tags?: string[];
}

/** OpenAPI 3.x, Parameter Object. Defaults of `style` and `explode` are those of the place. */
export interface Parameter {
  argument: string;
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie' | 'querystring';
  style?: string;
  explode?: boolean;
  /** The value is written in this media type, not by style. */
  mediaType?: string;
}
export interface Body {
  mediaType: string;
  kind: string;
  /** Sent even if no argument is given. */
  required?: boolean;
  /** The whole body is this argument; else `properties` make it. */
  argument?: string;
  properties?: { argument: string; name: string; [member: string]: unknown }[];
  /** Properties that an optional body must have once any of them is given. */
  requiredTogether?: string[];
  minProperties?: number;
  [member: string]: unknown;
}
export interface ApiServer {
  url: string;
  variables?: Record<string, { default?: string; enum?: string[] }>;
}
/** One requirement is enough, with all its schemes. Values are scopes. */
export type Requirement = Record<string, string[]>;
interface Secured {
  security?: Requirement[];
  /** Schemes whose credentials are sent too if they are set. */
  ifSet?: string[];
}
export interface HttpBinding extends Binding, Secured {
  kind: 'http';
  /** The name of one of several APIs. */
  api?: string;
  method: string;
  path: string;
  parameters: Parameter[];
  body?: Body;
  /** Beside those of its API, which they replace. */
  headers?: Record<string, string>;
  /** In place of API_TIMEOUT_MS. */
  timeoutMs?: number;
  result?: AnswerBinding;
}
export interface AnswerBinding {
  accept?: string[];
  /** The output schema wraps any value but an object as `{ result }`. */
  wrapped?: boolean;
  /** Results show `ETag` and `Last-Modified`: an operation of the API takes them. */
  showsVersion?: boolean;
  /** By status (`200`, `2XX`, `default`): headers that results show, in lower case. */
  headers?: Record<string, string[]>;
}
export interface SecurityScheme {
  type: string;
  in?: 'query' | 'header' | 'cookie';
  name?: string;
  scheme?: string;
  reason?: string;
  /** The variables that hold the credential. */
  env?: Record<string, string>;
  /** Which part `credentials` serves it, if not that of its type. */
  source?: string;
}
export interface ApiBinding extends Secured {
  /** In upper case, if there are several APIs. */
  name?: string;
  servers: ApiServer[];
  securitySchemes: Record<string, SecurityScheme>;
  /** Headers of every request. `${NAME}` is a variable of the environment. */
  headers?: Record<string, string>;
}

// Content and results. `data` and `blob` are Base64.

export type Content = { annotations?: Annotations; _meta?: JsonObject } & (
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: ResourceContents }
  | ({ type: 'resource_link'; uri: string; size?: number; mimeType?: string } & Omit<Item, '_meta'>)
);
export type ResourceContents = { uri: string; mimeType?: string; _meta?: JsonObject } & (
  { text: string } | { blob: string }
);
export interface ToolResult {
  content: Content[];
  /** Since 2025-06-18. An object, if the tool has an output schema. */
  structuredContent?: Json | undefined;
  isError?: boolean;
  _meta?: JsonObject;
}
export interface PromptResult {
  description?: string;
  messages: { role: 'user' | 'assistant'; content: Content }[];
  _meta?: JsonObject;
}

// Your own code.

export type Awaitable<T> = T | Promise<T>;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `src/generated/types.ts` declares the project's tools. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface DeclaredTools {}
export type ToolName = keyof DeclaredTools extends never ? string : keyof DeclaredTools & string;

export interface Context {
  /** Aborts when the client cancels, or its connection ends; a session of older revisions over HTTP outlives a connection. Pass it on to `fetch`. */
  readonly signal: AbortSignal;
  readonly client: { revision: string; info?: Implementation; capabilities: JsonObject };
  readonly meta: JsonObject | undefined;
  /** Sends a log message, unless the client's log level leaves it out. */
  log(level: LogLevel, data: unknown, logger?: string): Promise<void>;
  /** Reports progress if the client asked for it. `done` must rise. */
  progress(done: number, total?: number, message?: string): Promise<void>;
  /** Calls another tool of this server; what fails in it is a result with `isError`. @throws {ToolError} for an unknown tool */
  call<Name extends string>(
    tool: Name & (string extends Name ? string : ToolName),
    args?: object,
    options?: StepOptions,
  ): Promise<ToolResult & { structuredContent?: JsonObject }>;
}
/** Of a tool or operation that a handler calls. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface StepOptions {}
export interface OutgoingRequest {
  /** The tool that the API is called for. */
  readonly tool?: ToolName;
  method: string;
  url: URL;
  headers: Headers;
  body?: string | Uint8Array | undefined;
}
export interface ApiAnswer {
  status: number;
  /** By lower-case name; repeated ones are joined by `, `. Credentials of this server are redacted. */
  headers: Readonly<Record<string, string>>;
  mediaType?: string;
  url: string;
  /** `text` of JSON: as it came. */
  body:
    | { kind: 'none' }
    | { kind: 'json'; value: Json; text?: string }
    | { kind: 'text'; text: string }
    | { kind: 'bytes'; bytes: Uint8Array };
  /** Stands for the body: a link to a file. */
  content?: Content;
  /** Sentences for the model: what is missing of the answer, and why. */
  notes?: string[];
}
/** A call, as `aroundCall` sees it: by the name of a tool or prompt, or the URI of a resource. */
export interface CallView {
  readonly kind: 'tool' | 'resource' | 'prompt';
  readonly name: string;
  readonly args: Args;
  /** `code`: a handler made the call. */
  readonly origin: 'client' | 'code';
  readonly parent?: CallView;
}
/** `cause` says why a result is an error. */
export interface Outcome {
  result: ToolResult | PromptResult | { contents: ResourceContents[] };
  cause?: 'arguments' | 'refused' | 'api' | 'handler' | 'cancelled' | 'timeout';
  /** What the protocol, or code that called, is told in place of the result. */
  error?: Error;
}
/** Returns any value: a `ToolResult`, content, a text, or JSON, of which text and structure are made. A thrown error becomes a tool error. */
export type ToolHandler<A = Args> = (args: A, context: Context) => unknown;
/** `next` does the tool's own work, by the arguments of the call if it is given none. */
export type ToolOverride<A = Args> = (
  args: A,
  context: Context,
  next: (args?: A, options?: StepOptions) => Promise<ToolResult>,
) => unknown;
export interface ExtraTool extends ToolInfo {
  handler: ToolHandler;
}
export type BeforeRequest = (request: OutgoingRequest) => Awaitable<void>;
export type AfterResponse = (answer: ApiAnswer, request: OutgoingRequest) => Awaitable<ApiAnswer | undefined>;

/** `Tools` maps the names of tools to the types of their arguments. */
export interface Handlers<Tools extends object = Record<string, Args>> {
  /** Runs around each call of a tool, resource or prompt, before its arguments are checked. `next()` never rejects. */
  aroundCall?: (call: CallView, next: () => Promise<Outcome>) => Promise<Outcome>;
  /** Runs before each request to the API, which a retry or a redirect sends again. Changes it in place, or throws to refuse it. */
  beforeRequest?: BeforeRequest;
  /** Runs after each answer of the API. A returned value replaces the answer. */
  afterResponse?: AfterResponse;
  tools?: { [Name in keyof Tools]?: ToolOverride<Tools[Name]> };
  extraTools?: ExtraTool[];
}
export interface Implementation extends Pick<Item, 'name' | 'title' | 'description' | 'icons'> {
  version: string;
  websiteUrl?: string;
}

/** Its message is for the model. Any other error of a handler is told by its message too, and logged with its stack. */
export class ToolError extends Error {
  override name = 'ToolError';
}
/** An API answered an operation that code called with another status than 2xx. `body`: JSON, a text, bytes, or undefined. */
export class ApiError extends ToolError {
  override name = 'ApiError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;

  constructor(message: string, { status, headers, body }: Pick<ApiError, 'status' | 'headers' | 'body'>) {
    super(message);
    [this.status, this.headers, this.body] = [status, headers, body];
  }
}
/** A flag, a variable or the user's own code can't be used. The message says what to do. */
export class UsageError extends Error {
  override name = 'UsageError';
}
