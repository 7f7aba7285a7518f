/** One request on its way through a method. */
import type { OutgoingNotification, ServerRequest, Params, RequestId } from '../protocol/json-rpc.ts';
import type { RawJson } from './answer.ts';
import type { Asker } from './asker.ts';
import type { Caller } from './caller.ts';
import type { Channel, Agreement, Session } from './session.ts';
import type { ServerInstance } from './server-instance.ts';
import type { InFlightRequest } from './in-flight-request.ts';

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
  /** How the client is asked: made when first needed, by `newAsker` where not by requests on the session. */
  asker?: Asker;
  /** Absent: nobody was asked, or the method has to do with nothing that has scopes. */
  reach?: Reach;
  newAsker?: () => Asker;
}

/** Does what a request asks for. Throws a `ProtocolError` to refuse it. */
export type Method = (call: Call) => Promise<object | RawJson>;

/** Runs a method for a caller who may; throws a `ScopeError` before anything is done for one who may not. */
export type RunScoped = (call: Call, method: string, run: Method) => ReturnType<Method>;
