// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `defineServer`, and the seams at which features attach. The core names no feature. */
import type { IncomingMessage, RequestListener, Server as HttpServer, ServerResponse } from 'node:http';
import type { Catalog } from './catalog.ts';
import type { Agreement, Id, Message, Notification, Params, Request, RpcError } from './json-rpc.ts';
import type { ApiRequest } from './request.ts';
import type { ApiResponse } from './send.ts';
import type { Server } from './server.ts';
import type { EventStream, Exchange, HeldBytes, Session, Work } from './session.ts';
import type { Flags, Setting } from './settings.ts';
import type { ApiAnswer, Args, Binding, CallView, Env, Handlers, Implementation } from './types.ts';
import type { Outcome, Schema, SchemaObject, StepOptions } from './types.ts';

export interface ServerDefinition {
  info: Implementation;
  /** What the model is told before its first call. */
  instructions?: string;
  /** `_meta` of `initialize` and `server/discover`. */
  meta?: Record<string, unknown>;
  /** The folder of catalog.json and bindings.json; ends with `/`. Or their texts, by file name. */
  generated: URL | Readonly<Record<string, string>>;
  /** Only tools that say `readOnlyHint` are served. A flag or variable can't take it back. */
  readOnly?: boolean;
  /** Names of the project's own tools may have the dots and slashes that MCP allows, and that the APIs of models refuse. */
  toolNames?: 'spec';
  features?: readonly Feature[];
  handlers?: Handlers<object>;
}

/** A project's `src/server.ts`: pure data, nothing is started. */
export function defineServer(definition: ServerDefinition): ServerDefinition {
  return definition;
}

/** The caller of a request, after a feature has admitted it. Features add members. */
export interface Caller {
  readonly subject: string;
  /** Removes the caller's credentials from a text for logs and errors. */
  redact?(text: string): string;
  /** @throws {RpcError} unless the caller may have what a request with these needs made: a task, the rest of a stream */
  require?(needs: readonly string[]): void;
  /**
   * Calls `end` when the caller is no longer admitted, or may not hear the session, if one is given. Returns a function that stops watching.
   * @throws {RpcError} if the caller may not hear it now
   */
  watch?(end: () => void, session?: Session): () => void;
}

export interface HttpExchange {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  /** The key that limits are counted under: the address or its network, and the caller, once one has been admitted. */
  client: string;
  caller: Caller | undefined;
  held: HeldBytes;
  /** Of the request in the body, once that is read. */
  id?: Id | undefined;
  /** Counts a session for a transport of a feature, which ends with the server. @throws {RpcError} if too many are open */
  openSession(exchange: HttpExchange): Promise<Session>;
}

export interface MethodCall {
  server: Server;
  session: Session;
  exchange: Exchange;
  agreement: Agreement;
  id: Id;
  method: string;
  params: Params;
  work: Work;
  /** What the caller had to be allowed for it: see `Caller`. */
  needs?: readonly string[];
  /** As it came. Features may change the other members. */
  message: Request;
}

/** How a request ended; neither member: it was cancelled. */
export interface Ending {
  result?: object;
  error?: RpcError;
}

/** A call of a tool, resource or prompt, whoever makes it. */
export interface Call extends CallView {
  args: Args;
  parent?: Call;
  /** The client's request behind it. */
  readonly request: MethodCall;
  readonly work: Work;
}

/** `next` never rejects, and settles at once when the call is cancelled. */
export type CallGuest = (call: Call, next: () => Promise<Outcome>) => Promise<Outcome>;

/** In this order, whatever the order of `features`. The person's own code and the check of arguments lie between `admit` and `confirm`. */
export type Phase = 'observe' | 'admit' | 'confirm';

export interface Method {
  run(call: MethodCall): object | Promise<object>;
  era?: 'legacy' | 'modern';
  /** The member of the server's capabilities without which the method is unknown. */
  capability?: string;
  isLimited?: boolean;
  /** The parameter that the header `Mcp-Name` repeats (2026-07-28). */
  nameParam?: string;
}

export interface Route {
  path: string;
  /** The caller has been admitted, unless the route is open to all. */
  handle(exchange: HttpExchange): void | Promise<void>;
  /** Pages of any origin may read it, and callers are not checked. */
  isOpen?: boolean;
}

/** Serves until `stop` resolves; then finishes what is in flight. `tell` writes to the log. */
export type Transport = (server: Server, stop: Promise<void>, tell: (text: string) => void) => Promise<void>;

/** A command runs instead of the server: `petstore-mcp <command>`. */
export interface Command {
  help: string;
  /** Ends when `stop` resolves. `write` prints. @throws {ToolError} if it fails */
  run(server: Server, use: { write: (text: string) => void; stop: Promise<void> }): Promise<void>;
}

export interface Feature {
  readonly name: string;
  /** By the name that the command line begins with. */
  commands?: Readonly<Record<string, Command>>;
  settings?: readonly Setting[];
  /** By the value of `--transport`. */
  transports?: Readonly<Record<string, Transport>>;
  routes?: readonly Route[];
  /** Over HTTP: before the server listens. */
  listen?: (listener: HttpServer, handle: RequestListener) => void;
  methods?: Readonly<Record<string, Method>>;
  capabilities?: (server: Server, agreement: Agreement) => object;
  /** Before the body of a request is read. @throws {RpcError} with the status and headers of the refusal */
  admit?: (exchange: HttpExchange) => Caller | Promise<Caller>;
  /** Sees each request before anything is checked. The returned function is told its end, once. */
  observe?: (message: Request, exchange: Exchange) => ((ending: Ending) => void) | undefined;
  /** Over HTTP: a request or a connection was refused before its message was read. */
  observeRefusal?: (status: number) => void;
  /** A reply to a question that this process has not asked, or a cancellation of a request that it does not run. @throws {RpcError} */
  forward?: (message: Message, exchange: Exchange) => void | Promise<void>;
  /** A session may be sent messages that belong to no request. */
  ready?: (session: Session, server: Server) => void;
  aroundRequest?: (call: MethodCall, next: (call: MethodCall) => Promise<object>) => Promise<object>;
  aroundCall?: Partial<Record<Phase, CallGuest>>;
  /** Around each attempt to send a request to an API. `next` may be given another request. */
  aroundSend?: (
    call: Call,
    request: ApiRequest,
    next: (request?: ApiRequest) => Promise<ApiResponse>,
  ) => Promise<ApiResponse>;
  /** Around what the code of a handler starts: its tool's own work, another tool, an operation of an API. */
  aroundStep?: <T>(call: Call, options: StepOptions, run: (call: Call) => Promise<T>) => Promise<T>;
  catalog?: {
    select?: (catalog: Catalog, server: Server) => void;
    /** What a client is shown of a list. */
    list?: (
      list: string,
      items: readonly object[],
      call: MethodCall,
    ) => readonly object[] | Promise<readonly object[]>;
    /** Finds an item that no list has. */
    find?: (kind: Call['kind'], name: string, call: MethodCall) => Listed | undefined;
  };
  context?: (call: Call) => object;
  work?: Readonly<Record<string, BindingWork>>;
  /** Parts that other modules look up by kind and name: writers of bodies, readers of answers, credentials. */
  parts?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Replaces the state in memory. */
  services?: Partial<Services>;
  /** Its part of the line that each start prints: `confirm: destructive`. */
  startLine?: (server: Server) => string | undefined;
  /** A server without what the feature needs does not start. @throws {UsageError} */
  start?: (server: Server, flags: Flags, env: Env) => void | Promise<void>;
  stop?: () => void | Promise<void>;
}

export interface Listed {
  item: object & { name: string };
  run: (call: Call) => unknown;
}

export interface BindingWork {
  /** The least that arguments must fit, where the work itself checks the rest and says what is wrong. */
  input?(schema: SchemaObject, binding: Binding): Schema | undefined;
  tool(call: Call, binding: Binding, args: Args): Promise<Outcome>;
  /** What an API answers, of which a resource is made, or why there is none. */
  answer?(call: Call, binding: Binding, args: Args): Promise<ApiAnswer | Outcome>;
  /** `undefined` if the resource does not exist. */
  resource?(call: Call, binding: Binding, args: Args, uri: string): Promise<Outcome | undefined>;
  prompt?(call: Call, binding: Binding, args: Record<string, string>): Promise<unknown>;
  completion?(call: Call, binding: Binding, typed: string, others: Record<string, string>): Promise<string[]>;
}

export interface Services {
  /** Counts one call of a client. Returns the seconds until it may call again, 0 if it may now. */
  limiter: { take(client: string): number | Promise<number> };
  /** Absent: there are no sessions over HTTP, and each request stands alone. */
  sessions?: Sessions;
  streams: Streams;
}

/** Names sessions over HTTP. */
export interface Sessions {
  /** For a session that has been initialized. */
  issueId(session: Session): string;
  /** The agreement of a session that this process does not hold. */
  revive?(id: string, caller: Caller | undefined): Agreement | undefined | Promise<Agreement | undefined>;
  /** This process holds the session from now on. */
  hold?(session: Session): void;
  /** Its client has ended it. */
  end?(session: Session): void | Promise<void>;
}

/** By default, what a broken connection loses is lost. */
export interface Streams {
  make(session: Session, ...stream: ConstructorParameters<typeof EventStream>): EventStream;
  /** Goes on with the stream of an event on another response. False: the session has that stream no more, or none is named. @throws {RpcError} */
  resume(
    session: Session,
    lastEventId: string | undefined,
    stream: EventStream,
    caller: Caller | undefined,
  ): boolean | Promise<boolean>;
}

export type Send = (message: Notification | (Notification & { id: Id })) => void | Promise<void>;
