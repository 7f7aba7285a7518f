/** One request on its way through a method. */
import type { OutgoingNotification, ServerRequest, Params, RequestId } from '../protocol/json-rpc.ts';
import type { RawJson } from './answer.ts';
import type { Project } from './project.ts';
import type { Agreement, Session } from './session.ts';
import type { Work } from './work.ts';

/** What the core knows of the channel a message came by. Transports make one for each message, or share one. */
export interface Exchange {
  session: Session;
  /**
   * Sends a message that belongs to the request under way, before its answer. Settles when the channel has room
   * again; never rejects (a client that went away is not the handler's affair).
   */
  send(message: OutgoingNotification | ServerRequest): Promise<void>;
}

export interface Call {
  project: Project;
  exchange: Exchange;
  agreement: Agreement;
  id: RequestId;
  params: Params;
  work: Work;
}

/** Does what a request asks for. Throws a `ProtocolError` to refuse it. */
export type Method = (call: Call) => object | RawJson | Promise<object | RawJson>;
