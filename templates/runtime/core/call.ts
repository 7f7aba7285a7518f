/** A request on its way through a method: its context, its caller, and whether it is still wanted. */
import type { OutgoingNotification, ServerRequest, Params, RequestId } from '../protocol/json-rpc.ts';
import type { RawJson } from './answer.ts';
import type { ClientRequester } from './client-requests.ts';
import type { Channel, Agreement, Session } from './session.ts';
import type { ServerInstance } from './server-instance.ts';
import type { AuthInfo } from '../definition.ts';

/** What the core knows of the way a message came by. Transports make one for each message, or share one. */
export interface RequestContext {
  channel: Channel;
  /** Absent where only a modern request can come. */
  session: Session | undefined;
  /** The value of an HTTP header, blanks around it left out, by its name in lower case; absent on transports without headers. */
  headers?: (name: string) => string | undefined;
  /** What the one who runs the server lets through to the API: headers of the request, names in lower case. */
  passedHeaders?: readonly [name: string, value: string][] | undefined;
  /** Whom limits count for, where each request has a channel of its own. */
  address?: string;
  /** Whom the transport has found the client to act for; absent: nobody was asked. */
  caller?: Caller | undefined;
  /**
   * Sends a message that belongs to the request under way, before its answer. Settles when the channel has room
   * again; never rejects (a client that went away is not the handler's affair).
   */
  send(message: OutgoingNotification | ServerRequest): Promise<void>;
  /** Told of the scopes that a request needs, and its caller has, before anything is sent for it. */
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

/** How far the token of a caller reaches. */
export interface Reach {
  /** The scopes that the request needs: it has them. */
  needed: readonly string[];
  /** Whether it has these. */
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
  /** How the client is asked: made when first needed, by `newRequester` where not by requests on the session. */
  requester?: ClientRequester;
  /** Absent: nobody was asked, or the method has to do with nothing that has scopes. */
  reach?: Reach;
  newRequester?: () => ClientRequester;
}

/** Does what a request asks for. Throws a `ProtocolError` to refuse it. */
export type Method = (call: Call) => Promise<object | RawJson>;

/** Runs a method for a caller who may; throws a `ScopeError` before anything is done for one who may not. */
export type RunScoped = (call: Call, method: string, run: Method) => ReturnType<Method>;

/** Whom a message comes from, where the transport has asked for a token. */
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

/** The first of these counts. */
export interface AuditedCall {
  done(result: object | RawJson): void;
  /** With what refused it, or went wrong. */
  failed(thrown: unknown): void;
  cancelled(): void;
  /** The API is called with credentials of the one who calls, for these security schemes. */
  onBehalf(schemes: readonly string[]): void;
  /** It became a task, whose end is told apart. */
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
  /** Its answer is on its way: nothing may follow it. */
  done = false;
  /** Nobody wants an answer any more. */
  cancelled = false;
  /** Why nobody wants what is being done; undefined while somebody does. */
  reason: string | undefined;
  /** Called after those who hear `signal`. */
  whenCancelled: (() => void) | undefined;
  #controller: AbortController | undefined;
  #leaving: Set<() => void> | undefined;

  constructor(cancellable = true, audited?: AuditedCall) {
    this.cancellable = cancellable;
    this.audited = audited;
  }

  /** Calls back once, when nobody wants what is being done any more. Returns what takes the callback away. */
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

  /** Tells those at work that their result is of no use any more, though the request may have an answer. */
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
