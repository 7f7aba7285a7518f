// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The types between a project and the runtime: its definition, its handlers and their context. */
import type { SecuritySchemeBinding } from './contract/bindings.ts';
import type {
  Icon,
  Json,
  JsonObject,
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
  SurfaceName,
} from './contract/json-schema.ts';
import type {
  Meta,
  PromptResult,
  ResourceContents,
  ToolResult,
  UpstreamAnswer,
} from './core/handler-result.ts';
import type { Revision } from './protocol/revisions.ts';
import type { AuthRuntime, FeatureLoaders } from './feature-loaders.ts';

/** `src/generated/types.ts` declares the features that the project lacks and members of `Context` need. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface MissingFeatures {}

/** The `this` of a member that needs a feature: without the feature, a type that says how to add it. */
export type With<F extends string> = F extends keyof MissingFeatures
  ? `This server was generated without ${F}. Add it: npx --no mcpgen generate --feature ${F}`
  : unknown;

/** `src/generated/types.ts` declares the project's tools. A module that calls tools of `extraTools` by name may declare those. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface DeclaredTools {}

export type ToolName = keyof DeclaredTools extends never ? string : keyof DeclaredTools & string;

/** A literal must be the name of a tool; a name that only the running code has may be any text. */
export type CalledTool<Name extends string> = Name & (string extends Name ? string : ToolName);

export interface Implementation {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
}

export interface ServerDefinition {
  info: Implementation;
  /** Instructions that the model gets before its first call. */
  instructions?: string;
  /** `_meta` of the server, in the result of `initialize` or `server/discover` and in its card. */
  meta?: JsonObject;
  /** The members of its card beside `info`, as `server.json` has them. */
  card?: ServerCard;
  /** Folder of `catalog.json` and `bindings.json`; ends with `/`. Or the texts of these files, by their names. */
  generated: URL | Readonly<Record<string, string>>;
  /** Replaces the document's base URL. `--base-url` and `API_BASE_URL` win over it. */
  baseUrl?: string;
  handlers?: Handlers<object>;
  features?: FeatureLoaders;
  /** Whether tools or resources call an API. Default true. */
  hasApi?: boolean;
  /** As `--read-only`. `false`, the default, does not switch off what the command line, the environment or the configuration say. */
  readOnly?: boolean;
  /** As `--confirm`, which the command line can't take back. Default nothing. */
  confirm?: 'destructive';
  /** Names of tools may have the dots and slashes that MCP allows. Default: they may not, as models' APIs demand. */
  toolNames?: 'spec';
  functions?: FunctionModules;
  /** Default `tools`. `--surface` wins over it. */
  surface?: SurfaceName;
  auth?: AuthDefinition;
}

export interface ServerCard {
  /** Name in the MCP registry. Default: made from the host that clients call. */
  name?: string;
  description?: string;
  websiteUrl?: string;
  repository?: { url: string; source: string };
}

export interface AuthDefinition {
  /** Loads the check of tokens, over HTTP. */
  runtime: () => Promise<AuthRuntime>;
  /** Scopes that every request needs. Default none. */
  scopes?: string[];
  /** Scope → scopes that it implies. Default none. */
  implies?: Record<string, string[]>;
  /** Whether APIs need credentials of the caller. `required` here or in the environment wins. Default `required`. */
  onBehalf?: OnBehalfMode;
  /**
   * Security scheme → parameters of the token exchange (RFC 8693). Default: all schemes that send a token.
   * Absent schemes keep the server's own credentials.
   */
  exchange?: Record<string, ExchangeRule>;
}

/** The caller, by a checked token, which is not in it. */
export interface AuthInfo {
  readonly issuer: string;
  /** Unique only together with the issuer. */
  readonly subject: string;
  readonly clientId?: string;
  /** The scopes that were granted, without those that they imply. */
  readonly scopes: readonly string[];
  /** Seconds since 1970; absent if an introspection omits it (RFC 7662, section 2.2). */
  readonly expiresAt?: number;
  readonly claims: Readonly<JsonObject>;
  /**
   * Each request proves that its client has these keys: by DPoP (`jkt`, RFC 9449), by the certificate of its connection (RFC 8705).
   * Absent for bearer tokens.
   */
  readonly confirmation?: Readonly<Partial<Record<'jkt' | 'x5t#S256', string>>>;
}

export interface VerifiedToken {
  issuer: string;
  subject: string;
  clientId?: string;
  scopes: readonly string[];
  /** Seconds since 1970. */
  expiresAt: number;
  claims?: JsonObject;
  /** The key that the token is bound to, as a claim `cnf` names it (RFC 7800). Refused unless the server has the feature dpop. */
  cnf?: JsonObject;
}

/**
 * Checks a token completely, signature and audience included. `undefined` leaves it to the built-in checks;
 * `Unavailable` means that it can't be checked now; any other error refuses it. `signal` aborts after 5 seconds. At
 * most 1,000 checks run at a time. Both limits count as `Unavailable`.
 */
export type VerifyToken = (
  token: string,
  options: { signal: AbortSignal },
) => VerifiedToken | undefined | Promise<VerifiedToken | undefined>;

/** Named by its URI or by the template's variables (RFC 6570). Absent members are the template's. */
export type TemplateResource = Partial<Omit<ListedResource, 'uri'>> &
  ({ uri: string } | { variables: Record<string, VariableValue> });

/** Undefined variables are left out of the URI. */
export type VariableValue = string | number | bigint | boolean | readonly (string | number)[] | undefined;

/** The project's own code, in `src/handlers/`. `Tools` maps the names of tools to the types of their arguments. */
export interface Handlers<Tools extends object = Record<string, Record<string, unknown>>> {
  /** Runs before each request to the API. Changes the request in place, or throws to refuse it. */
  beforeRequest?: BeforeRequest;
  /** Runs after each response of the API. A returned value replaces the response. */
  afterResponse?: AfterResponse;
  /** Replaces the call of a listed tool. Its schemas stay as listed. */
  tools?: { [Name in keyof Tools]?: ToolOverride<Tools[Name]> };
  extraTools?: ExtraTool[];
  prompts?: Record<string, PromptDefinition>;
  resources?: Record<string, ResourceDefinition>;
  resourceTemplates?: Record<string, ResourceTemplateDefinition>;
  /** By prompt name or URI template, then by argument. */
  completions?: Record<string, Record<string, CompletionHandler>>;
  /**
   * Runs once, before the first message; a returned function runs when the server ends. The server then declares
   * `listChanged` and subscriptions of resources.
   */
  started?: Started;
  /** Runs before the built-in checks, with OAuth. */
  verifyToken?: VerifyToken;
  /** The caller's credentials for the API, with OAuth. */
  upstreamCredentials?: UpstreamCredentials;
}

export type Started =
  ((server: ServerHandle) => void | Promise<void>) | ((server: ServerHandle) => Ending | Promise<Ending>);

export type Ending = () => void | Promise<void>;

/**
 * A running server, which notifies its clients of each change. Adding throws if the item can't be listed, or if the
 * list was empty at the start, since clients never ask for it. Removing returns false if nothing was listed.
 */
export interface ServerHandle {
  /** Notifies subscribers of a change of contents. */
  resourceUpdated(uri: string): void;
  /** Notifies clients that functions list other resources of a template now. */
  resourcesChanged(): void;
  addTool(tool: ExtraTool): void;
  removeTool(name: string): boolean;
  addPrompt(name: string, prompt: PromptDefinition): void;
  removePrompt(name: string): boolean;
  addResource(uri: string, resource: ResourceDefinition): void;
  removeResource(uri: string): boolean;
}

/**
 * Runs a tool. The arguments are valid by the tool's input schema; integers beyond ±2^53 are `bigint`.
 * Returns a `ToolResult`, one content block or several, a string, or any JSON value, which becomes text and, if the
 * tool has an output schema, `structuredContent`: an object that matches the schema. A thrown error becomes a tool
 * error.
 */
export type ToolHandler<Arguments> = (args: Arguments, context: Context) => unknown;

/** `next` does the tool's own work, as `context.call` would; without arguments, by those of the call. */
export type ToolOverride<Arguments> = (args: Arguments, context: Context, next: Next<Arguments>) => unknown;

export type Next<Arguments> = (args?: Arguments, options?: CallOnce) => Promise<ToolResult>;

/** `key`: identifies the call in a repeated run (2026-07-28). Default: by order, which must then never change. */
export type CallOnce = Pick<AskOptions, 'key'>;

/** `src/generated/types.ts` declares what a project's functions can call. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface DeclaredApis {}

/** Operations by source (its prefix, or the title of its document), then by operationId. */
export type Apis = keyof DeclaredApis extends never
  ? Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  : DeclaredApis;

/** Integers of the body beyond ±2^53 are `bigint`, bytes are `Uint8Array`. */
export type ApiOperation = <Body = unknown>(args?: object, options?: CallOnce) => Promise<Body>;

interface Scoped {
  scopes?: readonly string[];
}

export interface ExtraTool extends ListedTool, Scoped {
  /**
   * Runs before the handler and before a task is made, so that it may ask the client; again after each round of
   * questions.
   * Returns the handler's arguments.
   */
  prepare?: (
    args: Record<string, unknown>,
    context: Context,
  ) => Record<string, unknown> | Promise<Record<string, unknown>>;
  handler: ToolHandler<Record<string, unknown>>;
}

export interface PromptDefinition extends Omit<ListedPrompt, 'name'>, Scoped {
  /** Makes the prompt; a returned string becomes one message of the user. */
  handler: (
    args: Record<string, string>,
    context: Context,
  ) => PromptResult | string | Promise<PromptResult | string>;
}

export interface ResourceDefinition extends Omit<ListedResource, 'uri'>, Scoped {
  read: ResourceReader;
}

export interface ResourceTemplateDefinition extends Omit<ListedResourceTemplate, 'uriTemplate'>, Scoped {
  read: ResourceReader;
}

/**
 * Reads the resource at `uri`. `variables` are percent-decoded, lists joined by commas; `.` and `..` segments are
 * refused before. `undefined` and an empty list mean that there is no such resource.
 */
export type ResourceReader = (
  uri: string,
  variables: Record<string, string>,
  context: Context,
) => ResourceAnswer | Promise<ResourceAnswer>;

/** Text or bytes of the listed `mimeType` (default `text/plain`; bytes need one), or contents as in MCP. */
export type ResourceAnswer = string | Uint8Array | ResourceContents | ResourceContents[] | undefined;

/** `others` are the arguments filled in already (since 2025-06-18). */
export type CompletionHandler = (
  typed: string,
  others: Record<string, string>,
  context: Context,
) => string[] | Promise<string[]>;

export interface OutgoingRequest {
  /** The tool that the API is called for. Absent for a resource that no tool reads. */
  readonly tool?: ToolName;
  method: string;
  url: URL;
  headers: Headers;
  /** Multipart is encoded already. Absent if it holds files of the files folder. */
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
  /** Identifies the question in a repeated run (2026-07-28). Default: by order, which must then never change. */
  key?: string;
  /** The answer counts once: in the process that asked, with Redis on one node (2026-07-28; always in sessions). Default false. */
  once?: boolean;
}

export interface ClientView {
  info?: Implementation;
  capabilities: JsonObject;
  revision: Revision;
}

export interface Context {
  /** Aborts when the client cancels or disconnects. Pass it on to `fetch`. */
  readonly signal: AbortSignal;
  readonly client: ClientView;
  readonly auth: AuthInfo | undefined;
  readonly meta: Meta | undefined;
  /** Sends a log message, unless the client's log level leaves it out. */
  log(level: LogLevel, data: Json, logger?: string): Promise<void>;
  /** Reports progress, if the client asked for it. `done` must rise. */
  progress(done: number, total?: number, message?: string): Promise<void>;
  /**
   * Runs `work` once for the call: a repeated run of the handler (2026-07-28) gets the same result. The client
   * carries the result as JSON (`undefined` becomes `null`), signed but readable.
   */
  remember<T extends Json>(key: string, work: () => T | Promise<T>): Promise<T>;
  /**
   * Calls another tool of this server and returns its result; what fails in the tool is a result with `isError`. The
   * caller needs the tool's scopes, the audit log has a line for it, and `signal` aborts it too. If the handler may run
   * again (2026-07-28), the result is remembered, so that nothing is done twice. Throws if no such tool is served, and
   * beyond 8 calls inside one another.
   */
  call<Name extends string>(tool: CalledTool<Name>, args?: object, options?: CallOnce): Promise<ToolResult>;
  /**
   * `context.api.<source>.<operationId>(args)` calls an operation of a document, also one that is no tool, as `call`
   * does, and returns its body. Throws `ApiError` for an answer that is no success.
   */
  readonly api: Apis;
  /** Ends the HTTP stream of a long call if its client can reconnect (2025-11-25 and older). */
  closeStream(): void;
}

export type CallerScheme = Exclude<SecuritySchemeBinding, { type: 'mutualTLS' | 'unsupported' }>;

export interface CredentialsRequest {
  readonly caller: AuthInfo;
  readonly api?: string;
  readonly scheme: string;
  readonly type: CallerScheme['type'];
  readonly scopes: readonly string[];
  readonly origin: string;
  /** Aborts when the call has ended. */
  readonly signal: AbortSignal;
}

/** By the type of the scheme: `apiKey`, `basic`, `bearer` and `oauth2`, `http` (the text after the scheme's name). */
export type CallerCredentials = (
  { apiKey: string } | { username: string; password?: string } | { token: string } | { authorization: string }
) & {
  /** Seconds since 1970, until when they are kept for this caller. Default: not kept. */
  expiresAt?: number;
};

/**
 * `undefined` leaves the call to the token exchange, if there is one, else to `onBehalf`. A thrown error refuses the
 * call; the caller reads the message of a `ToolError` only, others are logged.
 */
export type UpstreamCredentials = (
  request: CredentialsRequest,
) => CallerCredentials | undefined | Promise<CallerCredentials | undefined>;

/** Calls without the caller's credentials are refused, or use the server's own. */
export type OnBehalfMode = 'required' | 'optional';

/** Parameters of the token request (RFC 8693, section 2.1). The environment wins. */
export interface ExchangeRule {
  audience?: string[];
  resource?: string[];
  scopes?: string[];
}

export interface FunctionModules {
  /** Loads the part that calls functions, at the first call. */
  runtime: () => Promise<object>;
  /** By path below the project's `src/`. Over stdio they load while the server answers, over HTTP before it listens; a call waits for them. */
  modules: Readonly<Record<string, () => Promise<object>>>;
  /** Functions list the resources of a template, so lists differ between callers. Default false. */
  lists?: boolean;
  /** Functions run when the server starts. Default false. */
  started?: boolean;
}
