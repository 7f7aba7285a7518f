// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** A request on its way through a method: its context, its caller, and whether it is still wanted. */
import type { OutgoingNotification, ServerRequest, Params, RequestId } from '../protocol/json-rpc.ts';
import type { RawJson } from './answer.ts';
import type { Agreement, Channel, ClientRequester, Session } from './session.ts';
import type { ServerInstance } from './server-instance.ts';
import type { AuthInfo } from '../definition.ts';

/** A message's transport, as the core sees it. A transport makes one context for each message, or shares one. */
export interface RequestContext {
  channel: Channel;
  /** Absent where only a modern request can come. */
  session: Session | undefined;
  /** The value of an HTTP header, blanks around it left out, by its name in lower case; absent on transports without headers. */
  headers?: (name: string) => string | undefined;
  /** Headers of the request that are sent on to the API (`--pass-header`), names in lower case. */
  passedHeaders?: readonly [name: string, value: string][] | undefined;
  /** The client's address, where each request has a channel of its own: limits count by it. */
  address?: string;
  /** The caller that the transport has authenticated; absent where no token is asked for. */
  caller?: Caller | undefined;
  /**
   * Sends a message that belongs to the request under way, before its answer. Settles when the channel has room
   * again; never rejects (a client that went away is not the handler's affair).
   */
  send(message: OutgoingNotification | ServerRequest): Promise<void>;
  /** Called with the scopes that the request needs, and its caller has, before anything is sent for it. */
  needs?: (scopes: readonly string[]) => void;
  /** Ends the stream of the request under way, where the client can come back for the rest. */
  closeStream?(): void;
}

/** A request as it came, of either era. */
export interface ClientRequest {
  id: RequestId;
  method: string;
  params: Params;
}

/** The scopes of a caller's token. */
export interface Reach {
  /** The scopes that the request needs; the token has them. */
  needed: readonly string[];
  covers(scopes: readonly string[]): boolean;
}

export interface Call {
  server: ServerInstance;
  context: RequestContext;
  /** Absent in the modern era. */
  session: Session | undefined;
  agreement: Agreement;
  id: RequestId;
  params: Params;
  inFlight: InFlightRequest;
  /** Asks the client. Made when first needed: by `newRequester`, else for requests on the session. */
  requester?: ClientRequester;
  /** Absent without authentication, and for methods without scopes. */
  reach?: Reach;
  newRequester?: () => ClientRequester;
}

/** Does what a request asks for. Throws a `ProtocolError` to refuse it. */
export type Method = (call: Call) => Promise<object | RawJson>;

/** Runs a method if the caller has its scopes; throws a `ScopeError` before anything is done if not. */
export type RunScoped = (call: Call, method: string, run: Method) => ReturnType<Method>;

/** The authenticated caller of a message. */
export interface Caller {
  auth: AuthInfo;
  /** Issuer and subject as one text, for what belongs to a caller: sessions, tasks. */
  subject: string;
  /** Takes the caller's token out of a text, and longer parts of it, however they are encoded. */
  withoutToken?: (text: string) => string;
  /**
   * For what lasts longer than a request: looks at the token again while it does, and calls `end` once, with words for the
   * client, when it is good no more. Returns what takes that back.
   */
  untilRefused: (end: (why: string) => void) => () => void;
}

export interface Audit {
  begin(params: Params, context: RequestContext): AuditedCall;
}

/** The entry of one call. The first of `done`, `failed` and `cancelled` counts. */
export interface AuditedCall {
  done(result: object | RawJson): void;
  failed(thrown: unknown): void;
  cancelled(): void;
  /** The API is called with the caller's own credentials for these security schemes. */
  onBehalf(schemes: readonly string[]): void;
  /** The call became a task, which gets an entry of its own. */
  becomes(taskId: string): AuditedCall;
}

export interface OpenAudit {
  audit: Audit;
  /** Resolves when all lines are written. */
  flush: () => Promise<void>;
}

/** One request under way. */
export class InFlightRequest {
  /** Whether the client may cancel it. */
  readonly cancellable: boolean;
  /** The call's entry in the audit log, where one is kept. */
  audited: AuditedCall | undefined;
  /** The answer has been made: no message may follow it. */
  done = false;
  /** The client has cancelled it, or is gone: no answer is sent. */
  cancelled = false;
  /** Why its work is of no use any more; undefined while it is. */
  reason: string | undefined;
  /** Called after those who hear `signal`. */
  whenCancelled: (() => void) | undefined;
  #controller: AbortController | undefined;
  #leaving: Set<() => void> | undefined;

  constructor(cancellable = true, audited?: AuditedCall) {
    this.cancellable = cancellable;
    this.audited = audited;
  }

  /** Calls back once, when the work is of no use any more. Returns a function that removes the callback. */
  onLeft(callback: () => void): () => void {
    const leaving = (this.#leaving ??= new Set());
    leaving.add(callback);
    return () => leaving.delete(callback);
  }

  /** Made when first asked for: most calls end without anyone looking, and an AbortController is not cheap. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.reason !== undefined) this.#abort();
    return this.#controller.signal;
  }

  cancel(reason: string): void {
    this.cancelled = true;
    this.audited?.cancelled();
    this.abandon(reason);
    this.whenCancelled?.();
  }

  /** Stops the work of the request, which may have another answer. */
  abandon(reason: string): void {
    if (this.reason === undefined) {
      this.reason = reason;
      for (const leave of this.#leaving ?? []) leave();
    }
    this.#abort();
  }

  #abort(): void {
    this.#controller?.abort(new DOMException(this.reason, 'AbortError'));
  }
}
