/** What a project hands to the runtime, and what its handlers are given. Types only. */
import type { Bindings } from './contract/bindings.ts';
import type {
  Icon,
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
} from './contract/catalog.ts';
import type { Meta, PromptResult, ResourceContents } from './protocol/content.ts';
import type { Revision } from './protocol/revisions.ts';
import type { Json, JsonObject, ObjectSchema } from './contract/json-schema.ts';
import type { RunScoped } from './core/call.ts';
import type { FeatureLoaders } from './feature-loaders.ts';
import type { ExchangeRule, OnBehalf, OnBehalfMode, UpstreamCredentials } from './on-behalf.ts';
import type { OpenGuard } from './transports/http/guard.ts';
import type { UpstreamAnswer } from './upstream-answer.ts';
import type { OpenFunctions } from './functions-part.ts';

export type { CallerCredentials, CredentialsRequest, UpstreamCredentials } from './on-behalf.ts';

/** Features that a project lacks and members of `Context` need; its `src/generated/types.ts` declares them here. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface MissingFeatures {}

/** The `this` of a member that needs a feature: no caller has the one of a project without the feature. */
export type With<F extends string> = F extends keyof MissingFeatures
  ? `This server was generated without ${F}. Add it: mcpgen generate --feature ${F}`
  : unknown;

/** Who the server is (MCP `Implementation`). */
export interface Implementation {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
}

/** Everything that makes this server the one it is. Written by the compiler in `src/server.ts`. */
export interface ServerDefinition {
  info: Implementation;
  /** What a model should know before its first call. */
  instructions?: string;
  /** Folder of `catalog.json` and `bindings.json`; ends with `/`. */
  generated: URL;
  /** The document's base URL replaced when compiling. `--base-url` and `API_BASE_URL` win over it. */
  baseUrl?: string;
  handlers?: Handlers<object>;
  /** What it can do beside the core. Default nothing. */
  features?: FeatureLoaders;
  /** Requests to an API do the work of some. Default true. */
  hasApi?: boolean;
  /** The functions that do the work of tools, resources and prompts; absent where none does. */
  functions?: FunctionModules;
  /** Callers over HTTP are asked for a token (OAuth 2.1). Absent: nobody is asked who they are. */
  auth?: AuthDefinition;
}

/** What tokens must allow. Who issues them is said by the environment. */
export interface AuthDefinition {
  /** The part of the runtime that checks tokens. Loaded where the server is reached over HTTP. */
  runtime: () => Promise<AuthRuntime>;
  /** Scopes that every request needs. Default none. */
  scopes?: string[];
  /** Scope → narrower ones that it stands for too. Default none. */
  implies?: Record<string, string[]>;
  /** What a caller without credentials of its own for the API comes to. The environment wins. Default `required`. */
  onBehalf?: OnBehalfMode;
  /**
   * Security scheme → what its token is asked for, in exchange for the caller's. Schemes that are not here keep the
   * server's own credentials. Default: all that send a token.
   */
  exchange?: Record<string, ExchangeRule>;
}

export interface AuthRuntime {
  openGuard: OpenGuard;
  runScoped: RunScoped;
  /** Whether a text holds the token that a caller came with, which goes to no API. */
  holdsToken: (caller: AuthInfo, text: string) => boolean;
  /** Every scope that some item needs. */
  allScopes: (bindings: Bindings, handlers: Handlers<object>) => readonly string[];
}

/** Undefined where nothing brings credentials of callers. @throws {UsageError} where the environment or the definition says what can't be used */
export type OpenOnBehalf = (options: {
  definition: Pick<AuthDefinition, 'onBehalf' | 'exchange'>;
  env: Readonly<Record<string, string | undefined>>;
  bindings: Pick<Bindings, 'upstream' | 'upstreams'>;
  upstreamCredentials: UpstreamCredentials | undefined;
  features?: FeatureLoaders | undefined;
  /** Told of what the project's own code did wrong. */
  report: (thrown: unknown) => void;
}) => OnBehalf | undefined;

/** Who calls, by a token that was checked. The token itself is not in it. */
export interface AuthInfo {
  /** Who issued it (`iss`). */
  readonly issuer: string;
  /** Whom it is about (`sub`): unique for its issuer alone. */
  readonly subject: string;
  /** The client that it was issued to, where the token says so. */
  readonly clientId?: string;
  /** As granted: what they imply is not written out. */
  readonly scopes: readonly string[];
  /** Seconds since 1970 (`exp`); absent where the issuer, asked about the token, does not say (RFC 7662, section 2.2). */
  readonly expiresAt?: number;
  /** All that it says. */
  readonly claims: Readonly<JsonObject>;
}

/** What `verifyToken` has found out. */
export interface VerifiedToken {
  issuer: string;
  subject: string;
  clientId?: string;
  scopes: readonly string[];
  /** Seconds since 1970. */
  expiresAt: number;
  /** Default none. */
  claims?: JsonObject;
}

/**
 * Checks tokens of a kind of its own, signature, audience and all. `undefined` leaves a token to the built-in checks; what
 * it throws refuses it, but for `Unavailable`: nobody can say now. It has 5 seconds; then `signal` aborts, and that counts
 * as `Unavailable`. So does one more than 1,000 at a time, which is not begun.
 */
export type VerifyToken = (
  token: string,
  options: { signal: AbortSignal },
) => VerifiedToken | undefined | Promise<VerifiedToken | undefined>;
/**
 * One resource of a template, as a function with `@list` says it: by its URI, or by the template's variables, which are
 * put into it (RFC 6570). The template's `mimeType`, `annotations` and `icons` stand where it says none.
 */
export type TemplateResource = Partial<Omit<ListedResource, 'uri'>> &
  ({ uri: string } | { variables: Record<string, VariableValue> });

/** An absent one is left out of the URI. */
export type VariableValue = string | number | bigint | boolean | readonly (string | number)[] | undefined;

/** The project's own code, in `src/handlers/`. `Tools` maps each tool's name to the type of its arguments. */
export interface Handlers<Tools extends object = Record<string, Record<string, unknown>>> {
  /** Runs before each request to the API; may change it in place, or throw to refuse it. */
  beforeRequest?: BeforeRequest;
  /** Runs after each answer of the API; what it returns replaces the answer. */
  afterResponse?: AfterResponse;
  /** Replaces what a listed tool does, also where it is read as a resource. Its schemas stay as listed. */
  tools?: { [Name in keyof Tools]?: ToolHandler<Tools[Name]> };
  /** Tools the document doesn't have. */
  extraTools?: ExtraTool[];
  /** Replaces a listed prompt of the same name, or adds one. */
  prompts?: Record<string, PromptDefinition>;
  /** Replaces a listed resource of the same URI, or adds one. By URI. */
  resources?: Record<string, ResourceDefinition>;
  /** Replaces a listed resource template, or adds one. By URI template (RFC 6570). */
  resourceTemplates?: Record<string, ResourceTemplateDefinition>;
  /** Values offered for an argument: by prompt name or URI template, then by argument. */
  completions?: Record<string, Record<string, CompletionHandler>>;
  /**
   * Runs once, before the first message is read; a function that it returns runs when the server ends. With it the
   * server declares that its lists may change (`listChanged`) and that resources can be subscribed to.
   */
  started?: Started;
  /** Asked first of the token of each HTTP request, in a project with OAuth. */
  verifyToken?: VerifyToken;
  /** Asked for the credentials of the one who calls, for each request to the API that needs some, in a project with OAuth. */
  upstreamCredentials?: UpstreamCredentials;
}

export type Started =
  ((server: ServerHandle) => void | Promise<void>) | ((server: ServerHandle) => Ending | Promise<Ending>);

/** Undoes what `started` began: closes connections, stops timers. */
export type Ending = () => void | Promise<void>;

/**
 * A running server, for code that knows of changes. Clients are told of each.
 *
 * Only what the server had some of when it started can be added to: a client that was told of no tools never looks
 * for any. To add what can't be listed throws, with words that say why.
 */
export interface ServerHandle {
  /** What the resource at `uri` reads has changed: told to those who subscribed to it. */
  resourceUpdated(uri: string): void;
  /** Other resources are listed now than before: for functions that list those of a template. */
  resourcesChanged(): void;
  addTool(tool: ExtraTool): void;
  /** Whether it was listed. */
  removeTool(name: string): boolean;
  /** Takes the place of a prompt of that name. */
  addPrompt(name: string, prompt: PromptDefinition): void;
  /** Whether it was listed. */
  removePrompt(name: string): boolean;
  /** Takes the place of a resource of that URI. */
  addResource(uri: string, resource: ResourceDefinition): void;
  /** Whether it was listed. */
  removeResource(uri: string): boolean;
}

/**
 * Does a tool's work. The arguments have been validated against the tool's input schema; an integer beyond ±2^53 is a
 * `bigint`, so that it keeps its digits.
 *
 * Returns a full `ToolResult`, one content block or an array of them, a string, or any JSON value, which becomes
 * text and, when the tool has an output schema, `structuredContent`. Such a tool must be answered by an object that
 * matches the schema, or by an error. What it throws becomes a tool error.
 */
export type ToolHandler<Arguments> = (args: Arguments, context: Context) => unknown;

/** What callers of an item of the project's own need, in a project with OAuth. */
interface Scoped {
  /** OAuth scopes, beside those of the listed item whose place it takes. Default none. */
  scopes?: readonly string[];
}

/** A tool with its own listing and work. */
export interface ExtraTool extends ListedTool, Scoped {
  /**
   * Runs before the handler, and before a task is made of the call: the place to ask what must be known first. What
   * it returns becomes the handler's arguments. Runs again after each round of questions.
   */
  prepare?: (
    args: Record<string, unknown>,
    context: Context,
  ) => Record<string, unknown> | Promise<Record<string, unknown>>;
  handler: ToolHandler<Record<string, unknown>>;
}

/** A prompt with its own listing and work; the key it stands under is its name. */
export interface PromptDefinition extends Omit<ListedPrompt, 'name'>, Scoped {
  /** A string becomes one message of the user. */
  handler: (
    args: Record<string, string>,
    context: Context,
  ) => PromptResult | string | Promise<PromptResult | string>;
}

/** A resource with its own listing and contents; the key it stands under is its URI. */
export interface ResourceDefinition extends Omit<ListedResource, 'uri'>, Scoped {
  read: ResourceReader;
}

/** A resource template with its own listing and contents; the key it stands under is its URI template. */
export interface ResourceTemplateDefinition extends Omit<ListedResourceTemplate, 'uriTemplate'>, Scoped {
  read: ResourceReader;
}

/**
 * Reads the resource at `uri`. `variables` are those of the template, percent-decoded, a list joined by commas; none
 * for a resource that is no template's. A URI whose variables hold a `.` or `..` segment is never handed over.
 *
 * Nothing (`undefined`, or an empty list) means that there is no such resource. What it throws becomes an error.
 */
export type ResourceReader = (
  uri: string,
  variables: Record<string, string>,
  context: Context,
) => ResourceAnswer | Promise<ResourceAnswer>;

/** A text or bytes, of the `mimeType` listed (for a text `text/plain` unless listed; bytes need one), or contents as MCP has them. */
export type ResourceAnswer = string | Uint8Array | ResourceContents | ResourceContents[] | undefined;

/** Offers values for what has been typed; `others` are the arguments already filled in (since 2025-06-18). */
export type CompletionHandler = (
  typed: string,
  others: Record<string, string>,
  context: Context,
) => string[] | Promise<string[]>;

/** A request on its way to the API. Its members may be replaced. */
export interface OutgoingRequest {
  /** The tool whose work it is; absent for a resource that is no tool's. */
  readonly tool?: string;
  method: string;
  url: URL;
  headers: Headers;
  /** A multipart body is already encoded. One with files from the files folder is not shown, but may be replaced. */
  body?: string | Uint8Array;
}

export type BeforeRequest = (request: OutgoingRequest) => void | Promise<void>;

export type AfterResponse = (
  answer: UpstreamAnswer,
  request: OutgoingRequest,
) => UpstreamAnswer | undefined | Promise<UpstreamAnswer | undefined>;

/** The levels of RFC 5424, least severe first. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** Of one question to the client. */
export interface AskOptions {
  /**
   * Names the question in its call, so that its answer is found again when the handler is run again (2026-07-28).
   * Default: by order. Needed where the order of questions depends on what else happened.
   */
  key?: string;
  /**
   * The answer counts once: sent again, or without having been asked for, it is refused or the question is put anew
   * (2026-07-28; sessions never take an answer twice). Only the process that asked takes it. Default false.
   */
  once?: boolean;
}

export interface ElicitUrlOptions extends AskOptions {
  /** Names the question when its end is told later (2025-11-25). Default: a random one. */
  elicitationId?: string;
}

export interface ElicitAnswer {
  action: 'accept' | 'decline' | 'cancel';
  /** What was filled in; with `accept` of a form. */
  content?: JsonObject;
}

/** The parameters of `sampling/createMessage`. */
export interface SampleRequest {
  /** Each tool use is answered by a result in the next message, which holds nothing else; other orders are refused. */
  messages: SampleMessage[];
  /** At most so many tokens. */
  maxTokens: number;
  systemPrompt?: string;
  temperature?: number;
  stopSequences?: string[];
  modelPreferences?: JsonObject;
  metadata?: JsonObject;
  /** Since 2025-11-25, for clients that declare `sampling.tools`. */
  tools?: JsonObject[];
  toolChoice?: { mode: 'auto' | 'required' | 'none' };
}

export interface SampleMessage {
  role: 'user' | 'assistant';
  content: JsonObject | JsonObject[];
}

export interface SampleAnswer extends SampleMessage {
  model: string;
  stopReason?: string;
}

export interface Root {
  /** `file://…` */
  uri: string;
  name?: string;
}

/** What the client said of itself. */
export interface ClientView {
  info?: Implementation;
  capabilities: JsonObject;
  revision: Revision;
}

/** One call's link to its client. */
export interface Context {
  /** Aborted when the client cancels the call or goes away. Hand it to whatever takes one. */
  readonly signal: AbortSignal;
  readonly client: ClientView;
  /** Who calls, where callers are asked who they are: over HTTP, in a project with OAuth. */
  readonly auth: AuthInfo | undefined;
  /** The request's `_meta`. */
  readonly meta: Meta | undefined;
  /** Sends a log message to the client, when its level asks for it. */
  log(level: LogLevel, data: Json, logger?: string): Promise<void>;
  /** Reports progress, when the client asked for it. `done` must rise. */
  progress(done: number, total?: number, message?: string): Promise<void>;
  /**
   * Asks the person behind the client by a form (since 2025-06-18), flat: properties are strings, numbers, booleans, or
   * choices among strings. Never for secrets: the client, and what it is made of, reads the answer, which is checked
   * against the schema. Throws when the client can't ask, or does not answer.
   */
  elicit(
    this: With<'ask'>,
    message: string,
    requestedSchema: ObjectSchema,
    options?: AskOptions,
  ): Promise<ElicitAnswer>;
  /**
   * Sends the person behind the client to a page (since 2025-11-25), where even secrets may be given: the client sees
   * none of it. The URL, of http or https, must hold nothing of the person, and open nothing without knowing who comes;
   * one with a user or a password is refused.
   */
  elicitUrl(
    this: With<'ask'>,
    message: string,
    url: string,
    options?: ElicitUrlOptions,
  ): Promise<ElicitAnswer>;
  /** Asks the client's model. Throws when the client has none to offer, or refuses. */
  sample(this: With<'ask'>, request: SampleRequest, options?: AskOptions): Promise<SampleAnswer>;
  /** The folders and files the client works on. Throws when the client has none to tell. */
  roots(this: With<'ask'>, options?: AskOptions): Promise<Root[]>;
  /**
   * Does `work` once for the call, and gives its result again when the handler is run again with a client's answers
   * (2026-07-28), as JSON has it: nothing becomes `null`. For what must not happen twice. The result goes to the client
   * and back, signed but readable.
   */
  remember<T extends Json>(key: string, work: () => T | Promise<T>): Promise<T>;
  /**
   * Ends the HTTP stream of a long call, where its client can come back for the rest (2025-11-25 and older); does
   * nothing elsewhere.
   */
  closeStream(): void;
}

/** Where the functions are that bindings name. */
export interface FunctionModules {
  /** The part of the runtime that calls them; loaded with the first call. */
  runtime: () => Promise<{ openFunctions: OpenFunctions }>;
  /** By path below the project's `src/`; loaded when the server starts. */
  modules: Readonly<Record<string, () => Promise<object>>>;
  /** Some list the resources of a template, so that the list is not the same for everyone. Default false. */
  lists?: boolean;
  /** Some are to run when the server starts. Default false. */
  started?: boolean;
}
