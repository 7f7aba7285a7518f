// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The types between a project and the runtime: its definition, its handlers and their context. */
import type { Bindings, SecuritySchemeBinding } from './contract/bindings.ts';
import type {
  Icon,
  Json,
  JsonObject,
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
  ObjectSchema,
} from './contract/json-schema.ts';
import type { Meta, PromptResult, ResourceContents, UpstreamAnswer } from './core/handler-result.ts';
import type { Revision } from './protocol/revisions.ts';
import type { FeatureLoaders, OpenFunctions, OpenGuard } from './feature-loaders.ts';

/** `src/generated/types.ts` declares the features that members of `Context` need and the project lacks. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface MissingFeatures {}

/** The `this` of a member that needs a feature. In a project without the feature, the type is a message that no caller has. */
export type With<F extends string> = F extends keyof MissingFeatures
  ? `This server was generated without ${F}. Add it: mcpgen generate --feature ${F}`
  : unknown;

/** The server as clients see it (MCP `Implementation`). */
export interface Implementation {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
}

/** All that differs between servers. The compiler writes it in `src/server.ts`. */
export interface ServerDefinition {
  info: Implementation;
  /** Instructions for the model, before its first call. */
  instructions?: string;
  /** Folder of `catalog.json` and `bindings.json`; ends with `/`. */
  generated: URL;
  /** Replaces the document's base URL. `--base-url` and `API_BASE_URL` win over it. */
  baseUrl?: string;
  handlers?: Handlers<object>;
  features?: FeatureLoaders;
  /** Whether tools or resources call an API. Default true. */
  hasApi?: boolean;
  /** The functions behind tools, resources and prompts. */
  functions?: FunctionModules;
  /** Callers over HTTP need a token (OAuth 2.1). Absent: anyone may call. */
  auth?: AuthDefinition;
}

/** The scopes that tokens need. The environment names their issuers. */
export interface AuthDefinition {
  /** Loads the part of the runtime that checks tokens, over HTTP. */
  runtime: () => Promise<AuthRuntime>;
  /** Scopes that every request needs. Default none. */
  scopes?: string[];
  /** Scope → narrower scopes that it implies. Default none. */
  implies?: Record<string, string[]>;
  /** Whether calls need credentials of the caller for the API. The environment wins. Default `required`. */
  onBehalf?: OnBehalfMode;
  /**
   * Security scheme → audience, resource and scopes of the token that is requested in exchange for the caller's. Schemes
   * that are absent keep the server's own credentials. Default: all schemes that send a token.
   */
  exchange?: Record<string, ExchangeRule>;
}

export interface AuthRuntime {
  openGuard: OpenGuard;
  /** `RunScoped` of `core/call.ts`: runs a method if the caller has its scopes. */
  runScoped(call: object, method: string, run: object): Promise<object>;
  /** Whether a text contains the caller's token, which is sent to no API. */
  holdsToken: (caller: AuthInfo, text: string) => boolean;
  /** The scopes that any item needs. */
  allScopes: (bindings: Bindings, handlers: Handlers<object>) => readonly string[];
}

/** The caller, by a token that was checked. The token itself is not in it. */
export interface AuthInfo {
  readonly issuer: string;
  /** Unique only together with the issuer. */
  readonly subject: string;
  /** The client that the token was issued to, if it says so. */
  readonly clientId?: string;
  /** The granted scopes, without those that they imply. */
  readonly scopes: readonly string[];
  /** Seconds since 1970 (`exp`); absent if an introspection doesn't say (RFC 7662, section 2.2). */
  readonly expiresAt?: number;
  readonly claims: Readonly<JsonObject>;
}

/** A token that `verifyToken` accepts. */
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
 * Checks a token completely, signature and audience included. `undefined` leaves it to the built-in checks. Any error
 * refuses the token, except `Unavailable`: it can't be checked now. After 5 seconds `signal` aborts, which counts as
 * `Unavailable`; so does a check that would be more than 1,000 at a time.
 */
export type VerifyToken = (
  token: string,
  options: { signal: AbortSignal },
) => VerifiedToken | undefined | Promise<VerifiedToken | undefined>;

/**
 * A resource of a template, as a function with `@list` returns it: its URI, or the variables that make the URI from the
 * template (RFC 6570). `mimeType`, `annotations` and `icons` default to the template's.
 */
export type TemplateResource = Partial<Omit<ListedResource, 'uri'>> &
  ({ uri: string } | { variables: Record<string, VariableValue> });

/** An undefined variable is left out of the URI. */
export type VariableValue = string | number | bigint | boolean | readonly (string | number)[] | undefined;

/** The project's own code, in `src/handlers/`. `Tools` maps each tool's name to the type of its arguments. */
export interface Handlers<Tools extends object = Record<string, Record<string, unknown>>> {
  /** Runs before each request to the API. It may change the request in place, or throw to refuse it. */
  beforeRequest?: BeforeRequest;
  /** Runs after each response of the API. A value that it returns replaces the response. */
  afterResponse?: AfterResponse;
  /** Replaces the call of a listed tool, also when it is read as a resource. Its schemas stay as listed. */
  tools?: { [Name in keyof Tools]?: ToolHandler<Tools[Name]> };
  /** Tools the document doesn't have. */
  extraTools?: ExtraTool[];
  /** Replaces a listed prompt of the same name, or adds one. */
  prompts?: Record<string, PromptDefinition>;
  /** Replaces a listed resource of the same URI, or adds one. By URI. */
  resources?: Record<string, ResourceDefinition>;
  /** Replaces a listed resource template, or adds one. By URI template (RFC 6570). */
  resourceTemplates?: Record<string, ResourceTemplateDefinition>;
  /** Completions of arguments: by prompt name or URI template, then by argument. */
  completions?: Record<string, Record<string, CompletionHandler>>;
  /**
   * Runs once, before the first message is read; a function that it returns runs when the server ends. The server then
   * declares that its lists may change (`listChanged`) and that resources can be subscribed to.
   */
  started?: Started;
  /** Checks the token of each HTTP request before the built-in checks, in a project with OAuth. */
  verifyToken?: VerifyToken;
  /** Returns the caller's credentials for a request to the API that needs some, in a project with OAuth. */
  upstreamCredentials?: UpstreamCredentials;
}

export type Started =
  ((server: ServerHandle) => void | Promise<void>) | ((server: ServerHandle) => Ending | Promise<Ending>);

/** Undoes `started`: closes connections, stops timers. */
export type Ending = () => void | Promise<void>;

/**
 * A running server. Its clients are notified of each change.
 *
 * A list that was empty when the server started can't be added to, since clients never ask for it. An item that can't be
 * listed throws an error with the reason. Removing returns false for an item that is not listed.
 */
export interface ServerHandle {
  /** Notifies the subscribers of the resource at `uri` that its contents have changed. */
  resourceUpdated(uri: string): void;
  /** Notifies clients that the list has changed, for functions that list the resources of a template. */
  resourcesChanged(): void;
  addTool(tool: ExtraTool): void;
  removeTool(name: string): boolean;
  /** Replaces a prompt of that name. */
  addPrompt(name: string, prompt: PromptDefinition): void;
  removePrompt(name: string): boolean;
  /** Replaces a resource of that URI. */
  addResource(uri: string, resource: ResourceDefinition): void;
  removeResource(uri: string): boolean;
}

/**
 * Runs a tool. The arguments have been validated against the tool's input schema; an integer beyond ±2^53 is a `bigint`, so
 * that it keeps its digits.
 *
 * Returns a full `ToolResult`, one content block or an array of them, a string, or any JSON value, which becomes text and,
 * if the tool has an output schema, `structuredContent`. That must be an object that matches the schema. An error that is
 * thrown becomes a tool error.
 */
export type ToolHandler<Arguments> = (args: Arguments, context: Context) => unknown;

interface Scoped {
  /** OAuth scopes that callers need, beside those of the listed item that it replaces. Default none. */
  scopes?: readonly string[];
}

/** A tool that the document doesn't have. */
export interface ExtraTool extends ListedTool, Scoped {
  /**
   * Runs before the handler, and before a task is made of the call: the place for questions to the client. It returns the
   * handler's arguments, and runs again after each round of questions.
   */
  prepare?: (
    args: Record<string, unknown>,
    context: Context,
  ) => Record<string, unknown> | Promise<Record<string, unknown>>;
  handler: ToolHandler<Record<string, unknown>>;
}

/** A prompt; its name is its key in `prompts`. */
export interface PromptDefinition extends Omit<ListedPrompt, 'name'>, Scoped {
  /** Returns messages; a string becomes one message of the user. */
  handler: (
    args: Record<string, string>,
    context: Context,
  ) => PromptResult | string | Promise<PromptResult | string>;
}

/** A resource; its URI is its key in `resources`. */
export interface ResourceDefinition extends Omit<ListedResource, 'uri'>, Scoped {
  read: ResourceReader;
}

/** A resource template; its URI template is its key in `resourceTemplates`. */
export interface ResourceTemplateDefinition extends Omit<ListedResourceTemplate, 'uriTemplate'>, Scoped {
  read: ResourceReader;
}

/**
 * Reads the resource at `uri`. `variables` are those of the template, percent-decoded, a list joined by commas. A URI whose
 * variables contain a `.` or `..` segment is refused before.
 *
 * `undefined` or an empty list means that there is no such resource.
 */
export type ResourceReader = (
  uri: string,
  variables: Record<string, string>,
  context: Context,
) => ResourceAnswer | Promise<ResourceAnswer>;

/** A text or bytes of the listed `mimeType` (default `text/plain` for a text; bytes need one), or contents as in MCP. */
export type ResourceAnswer = string | Uint8Array | ResourceContents | ResourceContents[] | undefined;

/** Offers values that complete `typed`; `others` are the arguments already filled in (since 2025-06-18). */
export type CompletionHandler = (
  typed: string,
  others: Record<string, string>,
  context: Context,
) => string[] | Promise<string[]>;

/** A request to the API. Its members may be replaced. */
export interface OutgoingRequest {
  /** The tool that sends it; absent for a resource that no tool reads. */
  readonly tool?: string;
  method: string;
  url: URL;
  headers: Headers;
  /** A multipart body is already encoded. A body with files of the files folder is absent, but may be replaced. */
  body?: string | Uint8Array;
}

export type BeforeRequest = (request: OutgoingRequest) => void | Promise<void>;

export type AfterResponse = (
  answer: UpstreamAnswer,
  request: OutgoingRequest,
) => UpstreamAnswer | undefined | Promise<UpstreamAnswer | undefined>;

/** The levels of RFC 5424, least severe first. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

export interface AskOptions {
  /**
   * Identifies the question when the handler runs again with the answer (2026-07-28). Default: by order, which is only safe
   * if the order of questions never changes.
   */
  key?: string;
  /**
   * The answer counts once: a second or unrequested one is refused, or the question is repeated (2026-07-28; sessions never
   * take an answer twice). Only the process that asked takes it. Default false.
   */
  once?: boolean;
}

export interface ElicitUrlOptions extends AskOptions {
  /** Identifies the question in the notification of its end (2025-11-25). Default: a random one. */
  elicitationId?: string;
}

export interface ElicitAnswer {
  action: 'accept' | 'decline' | 'cancel';
  /** The values of the form; with `accept`. */
  content?: JsonObject;
}

/** The parameters of `sampling/createMessage`. */
export interface SampleRequest {
  /** Each tool use must have its result in the next message, which contains nothing else. */
  messages: SampleMessage[];
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

/** The client as it describes itself. */
export interface ClientView {
  info?: Implementation;
  capabilities: JsonObject;
  revision: Revision;
}

/** The link of one call to its client. */
export interface Context {
  /** Aborted when the client cancels the call or disconnects. Pass it on to `fetch` and the like. */
  readonly signal: AbortSignal;
  readonly client: ClientView;
  /** The caller, over HTTP in a project with OAuth. */
  readonly auth: AuthInfo | undefined;
  readonly meta: Meta | undefined;
  /** Sends a log message to the client, if its log level allows it. */
  log(level: LogLevel, data: Json, logger?: string): Promise<void>;
  /** Reports progress, if the client asked for it. `done` must rise. */
  progress(done: number, total?: number, message?: string): Promise<void>;
  /**
   * Asks the user by a form (since 2025-06-18), whose properties are strings, numbers, booleans, or choices among strings.
   * The answer is checked against the schema. Don't ask for secrets, since the client and its model read the answer.
   * Throws if the client can't ask, or doesn't answer.
   */
  elicit(
    this: With<'ask'>,
    message: string,
    requestedSchema: ObjectSchema,
    options?: AskOptions,
  ): Promise<ElicitAnswer>;
  /**
   * Sends the user to a page (since 2025-11-25), which may ask for secrets, since the client doesn't see it. The URL (http or
   * https, without a user and a password) must contain nothing about the user, and the page must check who opens it.
   */
  elicitUrl(
    this: With<'ask'>,
    message: string,
    url: string,
    options?: ElicitUrlOptions,
  ): Promise<ElicitAnswer>;
  /** Asks the client's model. Throws if the client offers none, or refuses. */
  sample(this: With<'ask'>, request: SampleRequest, options?: AskOptions): Promise<SampleAnswer>;
  /** The folders and files that the client works on. Throws if the client can't list them. */
  roots(this: With<'ask'>, options?: AskOptions): Promise<Root[]>;
  /**
   * Runs `work` once for the call, and returns the same result when the handler runs again with a client's answers
   * (2026-07-28). The result travels as JSON (`undefined` becomes `null`) to the client and back, signed but readable.
   */
  remember<T extends Json>(key: string, work: () => T | Promise<T>): Promise<T>;
  /** Ends the HTTP stream of a long call, if its client can come back for the rest (2025-11-25 and older). */
  closeStream(): void;
}

/** The schemes whose credentials can be a caller's own. A client certificate is the server's. */
export type CallerScheme = Exclude<SecuritySchemeBinding, { type: 'mutualTLS' | 'unsupported' }>;

/** The argument of `upstreamCredentials`. The caller's token is not in it. */
export interface CredentialsRequest {
  readonly caller: AuthInfo;
  /** The API's name, in a server of several. */
  readonly api?: string;
  /** The security scheme, as the document names it. */
  readonly scheme: string;
  readonly type: CallerScheme['type'];
  /** Scopes that the operation needs. */
  readonly scopes: readonly string[];
  /** Where the request goes: `https://api.example.com`. */
  readonly origin: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/**
 * Credentials by the type of the scheme: `apiKey`, `basic`, `bearer` and `oauth2`, `http` (the text after the scheme's
 * name).
 */
export type CallerCredentials = (
  { apiKey: string } | { username: string; password?: string } | { token: string } | { authorization: string }
) & {
  /** Seconds since 1970, until which they are kept for this caller. Default: they are not kept. */
  expiresAt?: number;
};

/**
 * Credentials of the one who calls. `undefined` leaves the call to the token exchange where there is one; else to
 * `onBehalf`. What it throws refuses the call: with the words of a `ToolError`; of any other error the log has them, and the
 * caller learns that it happened.
 */
export type UpstreamCredentials = (
  request: CredentialsRequest,
) => CallerCredentials | undefined | Promise<CallerCredentials | undefined>;

/** A call without the caller's credentials: `required` refuses it, `optional` sends it with the server's own. */
export type OnBehalfMode = 'required' | 'optional';

/** Parameters of the request to the token endpoint (RFC 8693, section 2.1), where the environment does not set them for all. */
export interface ExchangeRule {
  audience?: string[];
  resource?: string[];
  /** Default: the scopes that the operation needs. */
  scopes?: string[];
}

/** The modules of the functions that bindings name. */
export interface FunctionModules {
  /** Loads the part of the runtime that calls functions, at the first call. */
  runtime: () => Promise<{ openFunctions: OpenFunctions }>;
  /** Loads each module when the server starts, by its path below the project's `src/`. */
  modules: Readonly<Record<string, () => Promise<object>>>;
  /** Functions list the resources of a template, so the list differs between callers. Default false. */
  lists?: boolean;
  /** Functions run when the server starts. Default false. */
  started?: boolean;
}
