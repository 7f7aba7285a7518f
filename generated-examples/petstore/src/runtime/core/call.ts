/** One request on its way through a method. */
import type { Params, RequestId } from '../protocol/json-rpc.ts';
import type { RawJson } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { Project } from './project.ts';
import type { Agreement } from './session.ts';
import type { Work } from './work.ts';

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
