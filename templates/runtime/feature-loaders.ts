// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * The features of a server beside its core: the loader of each feature's entry module. The compiler writes the object into
 * `src/server.ts`; a feature that the project does without is absent, and so are its files. Types only, so that a project
 * type-checks without the feature. The entries of a feature are methods: they may ask more of `context` than is known here.
 */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { BlockList } from 'node:net';
import type { Duplex } from 'node:stream';

import type { Bindings, FunctionBinding, HttpBinding, UpstreamBinding } from './contract/bindings.ts';
import type {
  Json,
  JsonSchemaObject,
  ListedResource,
  ListedResourceTemplate,
  Mock,
  ObjectSchema,
} from './contract/json-schema.ts';
import type { UpstreamAnswer } from './core/handler-result.ts';
import type {
  AuthDefinition,
  AuthInfo,
  CompletionHandler,
  CallerScheme,
  Context,
  Ending,
  ExtraTool,
  FunctionModules,
  Implementation,
  PromptDefinition,
  ResourceReader,
  ServerHandle,
  ToolHandler,
  UpstreamCredentials,
  VerifyToken,
} from './definition.ts';
import type { RequestId } from './protocol/json-rpc.ts';

export interface FeatureLoaders {
  http?: () => Promise<object>;
  sse?: () => Promise<SseFeature>;
  websocket?: () => Promise<WebSocketFeature>;
  audit?: () => Promise<object>;
  tasks?: () => Promise<object>;
  ask?: () => Promise<object>;
  /** Calls APIs. */
  api?: () => Promise<object>;
  /** Describes the settings of APIs. */
  apiSettings?: () => Promise<object>;
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

/** A public document, such as the metadata of the protected resource. */
export interface OpenDocument {
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

/** The authenticated caller of a message. */
export interface Caller {
  auth: AuthInfo;
  /** Issuer and subject as one text: the key of the owner of sessions and tasks. */
  subject: string;
  /** Removes the caller's token and longer parts of it from a text, in any encoding. */
  withoutToken?: (text: string) => string;
  /**
   * For streams and sockets: checks the token again and again, and calls `end` once, with a message for the client, when
   * the token is no longer good. Returns a function that stops the checks.
   */
  untilRefused: (end: (why: string) => void) => () => void;
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
