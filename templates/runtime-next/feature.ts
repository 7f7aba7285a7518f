// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `defineServer`, and the seams at which features attach. The core names no feature. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Catalog } from './catalog.ts';
import type { Agreement, Id, Notification, Params } from './json-rpc.ts';
import type { ApiRequest } from './request.ts';
import type { ApiResponse } from './send.ts';
import type { Server } from './server.ts';
import type { Exchange, Session, Work } from './session.ts';
import type { Flags, Setting } from './settings.ts';
import type { Args, Binding, Bindings, CallView, Env, Handlers, Implementation, Outcome } from './types.ts';

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
  features?: readonly Feature[];
  handlers?: Handlers<object>;
}

/** A project's `src/server.ts`: pure data, nothing is started. */
export function defineServer(definition: ServerDefinition): ServerDefinition {
  return definition;
}

/** The caller of a request, after a feature has admitted it. Features add members. */
export interface Caller {
  /** Unique among callers. */
  readonly subject: string;
}

/** A request over HTTP, before its body is read. */
export interface HttpExchange {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
}

/** A request of a client for a method. */
export interface MethodCall {
  server: Server;
  session: Session;
  exchange: Exchange;
  agreement: Agreement;
  id: Id;
  method: string;
  params: Params;
  work: Work;
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
  /** Default: both. */
  era?: 'legacy' | 'modern';
  /** The member of the server's capabilities without which the method is unknown. */
  capability?: string;
  /** Counts as a call against the limit. */
  isLimited?: boolean;
  /** The parameter that the header `Mcp-Name` repeats (2026-07-28). */
  nameParam?: string;
}

export interface Route {
  path: string;
  handle?: (exchange: HttpExchange) => void | Promise<void>;
  upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Pages of any origin may read it, and nobody is asked who he is. */
  isOpen?: boolean;
}

/** Serves until `stop` resolves; then finishes what is in flight. `tell` writes to the log. */
export type Transport = (server: Server, stop: Promise<void>, tell: (words: string) => void) => Promise<void>;

export interface Feature {
  readonly name: string;
  /** Flags and variables, with their help. */
  settings?: readonly Setting[];
  /** Variables that only the help names: they follow from the document. */
  variables?: (bindings: Bindings) => Setting[];
  /** By the value of `--transport`. */
  transports?: Readonly<Record<string, Transport>>;
  routes?: readonly Route[];
  methods?: Readonly<Record<string, Method>>;
  /** Members to add to the server's capabilities. */
  capabilities?: (server: Server, agreement: Agreement) => object;
  /** Before the body of a request is read. @throws {RpcError} with the status and headers of the refusal */
  admit?: (exchange: HttpExchange) => Caller | Promise<Caller>;
  aroundRequest?: (call: MethodCall, next: (call: MethodCall) => Promise<object>) => Promise<object>;
  aroundCall?: Partial<Record<Phase, CallGuest>>;
  /** Around each attempt to send a request to an API. */
  aroundSend?: (call: Call, request: ApiRequest, next: () => Promise<ApiResponse>) => Promise<ApiResponse>;
  catalog?: {
    /** At the start. */
    select?: (catalog: Catalog, server: Server) => void;
    /** What a client is shown of a list. */
    list?: (list: string, items: readonly object[], call: MethodCall) => readonly object[];
    /** Finds an item that no list has. */
    find?: (kind: Call['kind'], name: string, call: MethodCall) => Listed | undefined;
  };
  /** Members of a handler's context. */
  context?: (call: Call) => object;
  /** Does the work of bindings of its kind. */
  work?: Readonly<Record<string, BindingWork>>;
  /** Parts that other modules look up by kind and name: writers of bodies, readers of answers, credentials. */
  parts?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Replaces the state in memory. */
  services?: Partial<Services>;
  /** Its part of the line that each start prints: `confirm: destructive`. */
  startLine?: (server: Server) => string;
  /** A server without what the feature needs does not start. @throws {UsageError} */
  start?: (server: Server, flags: Flags, env: Env) => void | Promise<void>;
  stop?: () => void | Promise<void>;
}

/** An item that `find` brings, with what it does. */
export interface Listed {
  item: object & { name: string };
  run: (call: Call) => unknown;
}

export interface BindingWork {
  tool(call: Call, binding: Binding, args: Args): Promise<Outcome>;
  /** `undefined` if the resource does not exist. */
  resource(call: Call, binding: Binding, args: Args, uri: string): Promise<Outcome | undefined>;
  prompt?(call: Call, binding: Binding, args: Args): Promise<unknown>;
  completion?(call: Call, binding: Binding, typed: string, others: Record<string, string>): Promise<string[]>;
}

/** Told to all sessions that declared interest. */
export type Change =
  { kind: 'list'; list: 'tools' | 'resources' | 'prompts' } | { kind: 'resource'; uri: string };

export interface Services {
  bus: {
    publish(change: Change): void;
    subscribe(listener: (change: Change) => void): () => void;
  };
  /** Counts one call of a client. Returns the seconds until it may call again, 0 if it may now. */
  limiter: { take(client: string): number | Promise<number> };
}

export type Send = (message: Notification | (Notification & { id: Id })) => void | Promise<void>;
