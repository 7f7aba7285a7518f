// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * The loaders of features, which the compiler writes into `src/server.ts`, and what features and core exchange. Types
 * only: a project type-checks without the modules of an absent feature. Modules typed as `object` have their types
 * where they are loaded: `CoreFeatures`, `MainFeatures`, `UpstreamFeatures`. Entries are methods, so that an entry
 * may ask more of `context` than is known here.
 */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { BlockList } from 'node:net';
import type { Duplex, Writable } from 'node:stream';

import type { Bindings, HttpBinding, UpstreamBinding } from './contract/bindings.ts';
import type { Json, JsonSchemaObject } from './contract/json-schema.ts';
// #region mockApi
import type { JsonSchema } from './contract/json-schema.ts';
// #endregion
import type { UpstreamAnswer } from './core/handler-result.ts';
import type {
  AuthDefinition,
  AuthInfo,
  CallerScheme,
  Handlers,
  Implementation,
  UpstreamCredentials,
  VerifyToken,
} from './definition.ts';
import type { RequestId } from './protocol/json-rpc.ts';

export interface FeatureLoaders {
  http?: () => Promise<object>;
  sse?: () => Promise<SseFeature>;
  websocket?: () => Promise<WebSocketFeature>;
  fetch?: () => Promise<object>;
  audit?: () => Promise<object>;
  metrics?: () => Promise<object>;
  traces?: () => Promise<object>;
  tasks?: () => Promise<object>;
  ask?: () => Promise<object>;
  api?: () => Promise<object>;
  apiSettings?: () => Promise<object>;
  exchange?: () => Promise<{ openOnBehalf: OpenOnBehalf }>;
  dpop?: () => Promise<object>;
  bodies?: () => Promise<object>;
  parameters?: () => Promise<object>;
  answerMembers?: () => Promise<object>;
  clientCredentials?: () => Promise<object>;
  files?: () => Promise<object>;
  sequences?: () => Promise<object>;
  proxy?: () => Promise<object>;
  /** Loads the feature for patterns that are not plain. */
  patterns?: () => Promise<object>;
  /** Loads the feature for schemas with `anyOf` and `oneOf`. */
  alternatives?: () => Promise<object>;
  /** Loads the feature for templates that are not plain. */
  uriTemplates?: () => Promise<object>;
  search?: () => Promise<object>;
  redis?: () => Promise<object>;
  signedSessions?: () => Promise<object>;
  sharedSessions?: () => Promise<object>;
  sharedTasks?: () => Promise<object>;
  skills?: () => Promise<object>;
  mockApi?: () => Promise<MockApiFeature>;
  mockFunctions?: () => Promise<object>;
}

/** The parts of a request that the handler of HTTP reads. Node's `IncomingMessage` has them all. */
export interface HttpRequest extends Pick<
  IncomingMessage,
  'method' | 'url' | 'headers' | 'httpVersion' | 'complete'
> {
  /** Only a connection with TLS has a member `encrypted`. */
  readonly socket: { readonly remoteAddress?: string | undefined };
  on(event: 'data' | 'end' | 'close', listener: (chunk: Buffer) => void): unknown;
}

/** The parts of a response that the handler of HTTP uses. Node's `ServerResponse` has them all. */
export interface HttpResponse extends Writable {
  readonly req: { readonly socket: { destroy(): unknown } };
  readonly socket: object | null;
  readonly headersSent: boolean;
  shouldKeepAlive: boolean;
  setHeader(name: string, value: string): unknown;
  writeHead(status: number, headers?: OutgoingHttpHeaders): this;
  flushHeaders(): void;
}

/** State that the only node keeps, or nodes share: then it is a `SharedState`. */
export interface NodeState {
  readonly isShared: boolean;
  /** Names the place of the state: what is taken once is valid there alone. */
  readonly scope: string;
  readonly health: SharedHealth;
  /** True for the first caller only, until the time is over. */
  takeOnce(key: string, ttlMs: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Whether the store that nodes share can be reached. `since`: when `state` last changed. */
export interface SharedHealth {
  store: 'memory' | 'redis';
  state: 'up' | 'down';
  since: Date;
}

// #region redis signedSessions sharedSessions sharedTasks
/**
 * State that the nodes of a server share (`NodeState.isShared`). Keys, channels and ids may hold anything.
 * Members reject with a `ProtocolError` of the origin `away` while the state can't be reached.
 */
export interface SharedState extends NodeState {
  /** Number of nodes that the operator has configured. */
  readonly nodes: number;
  /** Names this process: random. */
  readonly node: string;
  /** Spends one of `count` events in `periodMs`: 0 if one was left, else the milliseconds until there is. */
  takeRateToken(key: string, count: number, periodMs: number): number | Promise<number>;
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Sets the value if it is still `before`; `undefined` stands for none. */
  compareAndSet(key: string, before: string | undefined, value: string, ttlMs: number): Promise<boolean>;
  /** Adds an entry, drops the oldest above `most`, and wakes those who wait. Resolves to the entry's id. */
  appendEntry(stream: string, text: string, keep: { most: number; ttlMs: number }): Promise<string>;
  /** Entries after an id, oldest first. Default: all that are kept. */
  readEntries(stream: string, after?: string): Promise<StreamEntry[]>;
  /** Calls `listener` after each `append`. Resolves when it listens, to what ends it. */
  onAppend(stream: string, listener: () => void): Promise<() => void>;
  publish(channel: string, text: string): Promise<void>;
  /** Resolves when it listens, to what ends it. Texts that come while the state is away are lost. */
  subscribe(channel: string, listener: (text: string) => void): Promise<() => void>;
  /** Calls `listener` when the state can be reached again. Returns what ends it. */
  onReconnect(listener: () => void): () => void;
  revoke(id: string, ttlMs: number): Promise<void>;
  /** Whether the id was revoked. While the state is away: what this node knows, or a rejection (`strict`). */
  isRevoked(id: string): Promise<boolean>;
}

export interface StreamEntry {
  id: string;
  text: string;
}
// #endregion

export interface SseFeature {
  openSse(call: object, messagesPath: string): void;
  postSse(call: object): Promise<void>;
}

interface WebSocketFeature {
  openWebSocket(context: object): WebSocketEndpoint;
}

export interface WebSocketEndpoint {
  /** Handles `upgrade` of Node's server. Never throws. */
  upgrade: (request: IncomingMessage, socket: Duplex, head: Uint8Array) => void;
  readonly size: number;
  stop(): Promise<void>;
}

export interface ListedAnswer {
  schema: JsonSchemaObject;
  /** Whether clients accept the value as structured content. */
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

/** Documents that are served without a token, by their paths. */
export type OpenDocuments = ReadonlyMap<
  string,
  (request: HttpRequest) => OpenDocument | Promise<OpenDocument>
>;

export interface OpenDocument {
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

export interface Caller {
  auth: AuthInfo;
  /** Key of the owner of sessions and tasks: issuer and subject. */
  subject: string;
  /** Removes the token and longer parts of it from a text, in any encoding. */
  withoutToken?: (text: string) => string;
  /**
   * For streams and sockets: checks the token repeatedly, and calls `end` once, with a message for the client, when
   * it is no longer good. Returns a function that stops the checks.
   */
  untilRefused: (end: (why: string) => void) => () => void;
}

export interface Guard {
  /** Logged once, when the server starts. */
  readonly warning?: string | undefined;
  readonly documents: OpenDocuments;
  /**
   * Resolves at once if the token is known, and not bound to a key. `response` gets a nonce for the client's next proof.
   * @throws {HttpRefusal} 400, 401, 429, or 503 if tokens can't be checked now
   */
  admitRequest(request: HttpRequest, response?: Pick<HttpResponse, 'setHeader'>): Promise<Caller>;
  /** For requests that no method of the core checks: demands `scopes` and those of every request. @throws {HttpRefusal} 403 */
  demandScopes(scopes: readonly string[], caller: Caller, id?: RequestId): void;
  /** Whether the caller has `scopes` and those of every request. */
  coversScopes(scopes: readonly string[], caller: Caller): boolean;
  /** `WWW-Authenticate` of a refusal (RFC 6750, section 3); `scopes` are all that the request needs. */
  scopeChallenge(scopes: readonly string[], caller: Caller): string;
}

export interface AuthRuntime {
  openGuard: OpenGuard;
  /** `RunScoped` of the core, whose types this module must not import. */
  runWithScopeCheck(call: object, method: string, run: object): Promise<object>;
  openOnBehalf(server: object): Promise<OnBehalf | undefined>;
  makeCallerPart(server: object, caller: AuthInfo, inFlight: object): Promise<CallerPart>;
  allScopes: (bindings: Bindings, handlers: Handlers<object>) => readonly string[];
}

export interface GuardOptions {
  definition: AuthDefinition;
  info: Implementation;
  env: Readonly<Record<string, string | undefined>>;
  features?: FeatureLoaders;
  paths: readonly string[];
  scopes: readonly string[];
  verifyToken?: VerifyToken | undefined;
  /** Proxies whose `X-Forwarded-For` is trusted. Default none. */
  proxies?: BlockList | undefined;
  shared: Pick<NodeState, 'takeOnce'>;
  report: (thrown: unknown) => void;
  /** Logs when limits of token checks of an address begin and end. */
  warn?: ((words: string) => void) | undefined;
}

export type OpenGuard = (options: GuardOptions) => Promise<Guard>;

export interface WantedCredentials {
  api: string | undefined;
  name: string;
  scheme: CallerScheme;
  scopes: readonly string[];
  origin: string;
}

export type FoundCredentials =
  /** Values by the scheme's environment variables. `forget` drops them after the API refused them. */
  | { kind: 'caller'; values: Readonly<Record<string, string>>; forget: () => void }
  | { kind: 'server' }
  /** No credentials are sent: the server's own must not be used either. */
  | { kind: 'none' };

export interface Waiting {
  onEnd(callback: () => void): () => void;
}

export interface CallerAccess {
  findCredentials(wanted: WantedCredentials, waiting: Waiting): Promise<FoundCredentials>;
  /** Called for each request that is sent, with the schemes whose credentials are the caller's. */
  used(schemes: readonly string[]): void;
}

/** The part of a call that is its caller's. */
export interface CallerPart {
  /** Whether a text contains the caller's token, which must reach no API. */
  isOwnToken: (text: string) => boolean;
  onBehalf?: CallerAccess;
}

/** Finds the caller's access; undefined if nothing brings credentials of callers. */
export type OnBehalf = (caller: AuthInfo) => Omit<CallerAccess, 'used'>;

export type OpenOnBehalf = (options: {
  definition: Pick<AuthDefinition, 'onBehalf' | 'exchange'>;
  env: Readonly<Record<string, string | undefined>>;
  bindings: Pick<Bindings, 'upstream' | 'upstreams'>;
  upstreamCredentials: UpstreamCredentials | undefined;
  features?: FeatureLoaders | undefined;
  report: (thrown: unknown) => void;
}) => OnBehalf | undefined;

/** The ids of a trace and a span, as hexadecimal digits (W3C Trace Context). */
export interface TraceIds {
  traceId: string;
  spanId: string;
}

/** One request to an API, of a call that may send several. */
export interface OutgoingAttempt {
  method: string;
  url: URL;
  /** Whether the request goes where an answer of the API led. */
  isRedirected: boolean;
}

export interface WatchedAttempt {
  /** Headers that the request gets; undefined removes one. */
  headers: readonly (readonly [name: string, value: string | undefined])[];
  /** @param outcome the status of the answer, or what was thrown */
  end(outcome: unknown): void;
}

export type WatchAttempts = (attempt: OutgoingAttempt) => WatchedAttempt;

// `src/generated/mock.json`: answers for `--mock`. The compiler bounds them and leaves out what is too large.

// #region mockApi
export interface MockAnswer {
  status: number;
  /** As the document has it, perhaps a range (`image/*`). Absent: the answer has no body. */
  mediaType?: string;
  /** Schemas of the headers, by lower-case name. */
  headers?: Record<string, JsonSchema>;
  example?: number;
  schema?: JsonSchema;
}
// #endregion

export interface Mock {
  // #region mockApi
  /** By `<method> <path>`, as in the bindings. Operations that are absent answer 204. */
  answers: Record<string, MockAnswer>;
  examples: Json[];
  schemas: Record<string, JsonSchema>;
  // #endregion
  /** The APIs of a server with several, by name; the other members are empty then. */
  apis?: Record<string, Mock>;
}
