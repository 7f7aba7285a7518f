// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * The features of a server beside its core: the loader of each feature's entry module. The compiler writes the object into
 * `src/server.ts`; a feature that the project does without is absent, and so are its files. Types only, so that a project
 * type-checks without the feature. The entries of a feature are methods: they may ask more of `context` than is known here.
 */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { BlockList } from 'node:net';
import type { Duplex, Writable } from 'node:stream';

import type {
  Bindings,
  FunctionBinding,
  HttpBinding,
  SecuritySchemeBinding,
  UpstreamBinding,
} from './contract/bindings.ts';
import type { EnvironmentVariable } from './contract/feature.ts';
import type {
  Json,
  JsonSchemaObject,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
  Mock,
  ObjectSchema,
} from './contract/json-schema.ts';
import type { Call, Caller, Method, OpenAudit } from './core/call.ts';
import type { LooseResult, ResourceContents, UpstreamAnswer } from './core/handler-result.ts';
import type { LiveServer, ServerInstance } from './core/server-instance.ts';
import type { Question } from './core/session.ts';
import type {
  AuthDefinition,
  AuthInfo,
  CompletionHandler,
  Context,
  ElicitAnswer,
  ElicitUrlOptions,
  Ending,
  ExtraTool,
  FunctionModules,
  Implementation,
  PromptDefinition,
  ResourceReader,
  Root,
  SampleAnswer,
  SampleRequest,
  ServerHandle,
  ToolHandler,
  VerifyToken,
} from './definition.ts';
import type { FlagValues } from './main/command-line.ts';
import type { AuditSettings, Environment, HttpSettings, Settings } from './main/settings.ts';
import type { RequestId } from './protocol/json-rpc.ts';

export interface FeatureLoaders {
  http?: () => Promise<HttpFeature>;
  sse?: () => Promise<SseFeature>;
  websocket?: () => Promise<WebSocketFeature>;
  audit?: () => Promise<AuditFeature>;
  tasks?: () => Promise<TasksFeature>;
  ask?: () => Promise<AskFeature>;
  /** Calls APIs. */
  api?: () => Promise<ApiFeature>;
  /** Describes the settings of APIs. */
  apiSettings?: () => Promise<ApiSettings>;
  /** Credentials of callers for APIs, by exchange of their token or by the project's own code. */
  exchange?: () => Promise<{ openOnBehalf: OpenOnBehalf }>;
  /** Features of the client of APIs; only projects with an API have their types, `UpstreamFeatures`. */
  bodies?: () => Promise<object>;
  clientCredentials?: () => Promise<object>;
  files?: () => Promise<object>;
  sequences?: () => Promise<object>;
  /** Proxies and client certificates. */
  proxy?: () => Promise<object>;
  /** Loaded, it runs patterns that are not plain. */
  patterns?: () => Promise<object>;
  /** Loaded, it matches and expands templates that are not plain. */
  uriTemplates?: () => Promise<object>;
  /** Answers in the place of APIs. */
  mockApi?: () => Promise<MockApiFeature>;
  /** Answers in the place of functions. */
  mockFunctions?: () => Promise<{ mockFunctions: MockFunctions }>;
}

interface HttpFeature {
  startHttp(
    live: LiveServer,
    settings: Settings,
    host: NodeJS.Process,
    stop: Promise<void>,
    started: () => void,
  ): Promise<void>;
  /** @throws {UsageError} naming the flag or variable whose value can't be used */
  readHttpSettings(flags: FlagValues, env: Environment): HttpSettings;
  /** A sentence for each setting that makes a server less safe that others reach. */
  insecureHttpSettings(settings: Settings): string[];
}

/** HTTP+SSE of 2024-11-05, in a server over HTTP. */
export interface SseFeature {
  /** @param messagesPath the path that the client posts to */
  openSse(call: object, messagesPath: string): void;
  postSse(call: object): Promise<void>;
}

interface WebSocketFeature {
  openWebSocket(context: object): WebSocketEndpoint;
}

export interface WebSocketEndpoint {
  /** Takes an `upgrade` of Node's server. Never throws. */
  upgrade: (request: IncomingMessage, socket: Duplex, head: Uint8Array) => void;
  /** Resolves when all sockets are gone. */
  stop(): Promise<void>;
}

interface AuditFeature {
  /** @throws {UsageError} naming the flag or variable whose value can't be used */
  readAuditSettings(flags: FlagValues, env: Environment): AuditSettings | undefined;
  /** @throws {UsageError} when the file can't be written to */
  openAudit(
    settings: AuditSettings,
    server: string,
    to: { env: Environment; stderr: Writable; report: (thrown: unknown) => void },
  ): Promise<OpenAudit>;
}

export interface TasksFeature {
  /** @throws {ProtocolError} where the tool can't run the way that the client wants, or the wish is malformed */
  becomesTask(call: Call, tool: ListedTool): boolean;
  /** Answers with a task, and does the work behind it. */
  startTask(call: Call, work: (call: Call) => Promise<object>): object;
  /** @throws {ProtocolError} `-32021` */
  mustDeclareTasks(call: Call): void;
  /** A task as it is now; undefined where it is not there any more. */
  changedTask(server: ServerInstance, taskId: string): object | undefined;
  getTask: Method;
  taskResult: Method;
  updateTask: Method;
  cancelTask: Method;
  listTasks: Method;
}

export interface AskFeature {
  elicitForm(
    call: Call,
    question: Question,
    message: string,
    requestedSchema: ObjectSchema,
  ): Promise<ElicitAnswer>;
  elicitUrl(
    call: Call,
    question: Question,
    message: string,
    url: string,
    options: ElicitUrlOptions,
  ): Promise<ElicitAnswer>;
  sample(call: Call, question: Question, request: SampleRequest): Promise<SampleAnswer>;
  listRoots(call: Call, question: Question): Promise<Root[]>;
  runRound(call: Call, method: string, run: Method): ReturnType<Method>;
}

interface ApiFeature {
  openUpstream(server: ServerInstance): BoundUpstream;
}

/** The listed output schema of a tool. */
export interface ListedAnswer {
  schema: JsonSchemaObject;
  /** Whether clients take the value as its structured content. */
  isValid: (structured: Json) => boolean;
}

interface MockApiFeature {
  createMockClient(
    api: UpstreamBinding,
    context: object,
    mock: Mock,
    listed: (tool: string) => ListedAnswer | undefined,
  ): MockClient;
}

interface MockClient {
  call(binding: HttpBinding, args: Record<string, unknown>, context: object): Promise<UpstreamAnswer>;
}

/** Binds the functions of `modules`; `report` is called with their unexpected errors. */
export type OpenFunctions = (
  modules: FunctionModules['modules'],
  codecs: Bindings['codecs'],
  report: (thrown: unknown) => void,
) => BoundFunctions;

/** Makes what answers in their place with `--mock`: none is called, nor loaded. */
export type MockFunctions = (outputSchemaOf: (tool: string) => ObjectSchema | undefined) => BoundFunctions;

/** Makes handlers of the functions that items are bound to. Loads their module, and rejects if that fails. */
export interface BoundFunctions {
  tool(binding: FunctionBinding, name: string): Promise<ToolHandler<Record<string, unknown>>>;
  /** `args` are the template's variables, revived. */
  resource(binding: FunctionBinding, args: Record<string, unknown>): Promise<ResourceReader>;
  prompt(binding: FunctionBinding, name: string): Promise<PromptDefinition['handler']>;
  completion(binding: FunctionBinding): Promise<CompletionHandler>;
  prepare(binding: FunctionBinding, name: string): Promise<NonNullable<ExtraTool['prepare']>>;
  /** The resources of `template`, as they are listed; those that nothing would read are left out. */
  list(
    binding: FunctionBinding,
    template: ListedResourceTemplate,
    reads: TemplateReading,
  ): Promise<ResourceLister>;
  /** Runs the function. A function that it returns runs when the server ends. */
  start(binding: FunctionBinding, server: ServerHandle): Promise<Ending | undefined>;
}

/** How a resource of a template is read. */
export interface TemplateReading {
  /** The template's variables in a URI, revived; undefined where it does not read that. */
  argumentsOf: (uri: string) => Record<string, unknown> | undefined;
  /** The function that takes them. Default: code of the project's own, which takes any. */
  by?: FunctionBinding;
}

export type ResourceLister = (context: Context) => Promise<ListedResource[]>;

/** Requests to APIs as the work that is bound to them. */
export interface BoundUpstream {
  /** Failures of the API, and of the project's hooks, are results. */
  tool(call: Call, request: BoundRequest): Promise<LooseResult>;
  /** @throws {ProtocolError} where there is no such resource, or it cannot be read */
  resource(call: Call, uri: string, request: BoundRequest): Promise<ResourceContents[]>;
}

export interface BoundRequest {
  binding: HttpBinding;
  args: Record<string, unknown>;
  /** The tool whose work it is; undefined for a resource that is no tool's. */
  tool: string | undefined;
}

/** Describes the settings of APIs to the operator of the server. */
interface ApiSettings {
  /** The environment variables of every API. */
  apiVariables: (bindings: Pick<Bindings, 'upstream' | 'upstreams'>) => EnvironmentVariable[];
  /** Variables that set the base URL of each API. */
  baseUrlVariables: (bindings: Pick<Bindings, 'upstream' | 'upstreams'>) => string[];
  /** A sentence or two for each reason why tools cannot be called with these settings. */
  missing: (server: ServerInstance, bindings: Bindings, isListed: (tool: string) => boolean) => string[];
}

/** A public document, such as the metadata of the protected resource. */
export interface OpenDocument {
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

export interface Guard {
  /** A warning about the configuration, logged once, when the server starts. */
  readonly warning?: string | undefined;
  /** Documents by path, served without a token. */
  readonly documents: ReadonlyMap<string, () => OpenDocument | Promise<OpenDocument>>;
  /**
   * Resolves at once if the token is known.
   *
   * @throws {HttpRefusal} 400, 401, 429, or 503 where tokens can't be checked now; so it may reject
   */
  admit(request: IncomingMessage): Promise<Caller>;
  /**
   * Demands `scopes`, and those that every request needs, where no method of the core does.
   *
   * @throws {HttpRefusal} 403
   */
  demand(scopes: readonly string[], caller: Caller, id?: RequestId): void;
  /** Whether the caller has `scopes`, and those that every request needs. */
  covers(scopes: readonly string[], caller: Caller): boolean;
  /** `WWW-Authenticate` of a refusal for lack of scopes (RFC 6750, section 3): `scopes` are all that the request needs. */
  lacking(scopes: readonly string[], caller: Caller): string;
}

export interface GuardOptions {
  definition: AuthDefinition;
  info: Implementation;
  env: Readonly<Record<string, string | undefined>>;
  features?: FeatureLoaders;
  /** Where the server is reached: `/mcp`. */
  paths: readonly string[];
  /** All that items need. */
  scopes: readonly string[];
  verifyToken?: VerifyToken | undefined;
  /** Trusted proxies, whose `X-Forwarded-For` names the client. Default none. */
  proxies?: BlockList | undefined;
  /** Reports internal errors, which clients don't see. */
  report: (thrown: unknown) => void;
  /** Logs when the rate of token checks of an address begins and ends to be limited. */
  warn?: ((words: string) => void) | undefined;
}

/** Rejects with a `UsageError` if the environment names no issuer. */
export type OpenGuard = (options: GuardOptions) => Promise<Guard>;

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

/** A scheme of which a request needs credentials. */
export interface WantedCredentials {
  api: string | undefined;
  name: string;
  scheme: CallerScheme;
  scopes: readonly string[];
  origin: string;
}

export type FoundCredentials =
  /** The caller's, by the scheme's environment variables. `forget`: the API refused them. */
  | { kind: 'caller'; values: Readonly<Record<string, string>>; forget: () => void }
  /** The server's own count. */
  | { kind: 'server' }
  /** There are none, and the server's own must not be used. */
  | { kind: 'none' };

/** The request that waits for credentials, and may be cancelled. */
export interface Waiting {
  onEnd(callback: () => void): () => void;
}

/** The credentials of one caller. */
export interface CallerAccess {
  find(wanted: WantedCredentials, waiting: Waiting): Promise<FoundCredentials>;
  /** Told which schemes' credentials are the caller's, of each request that is sent. */
  used(schemes: readonly string[]): void;
}

/** Undefined where neither the project's code nor the environment brings credentials of callers. */
export type OnBehalf = (caller: AuthInfo) => Omit<CallerAccess, 'used'>;

/** Returns undefined if nothing brings credentials of callers. @throws {UsageError} if the environment or the definition can't be used */
export type OpenOnBehalf = (options: {
  definition: Pick<AuthDefinition, 'onBehalf' | 'exchange'>;
  env: Readonly<Record<string, string | undefined>>;
  bindings: Pick<Bindings, 'upstream' | 'upstreams'>;
  upstreamCredentials: UpstreamCredentials | undefined;
  features?: FeatureLoaders | undefined;
  /** Logs faults of the project's own code. */
  report: (thrown: unknown) => void;
}) => OnBehalf | undefined;
