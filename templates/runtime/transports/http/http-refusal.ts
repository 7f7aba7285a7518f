/** A request that HTTP alone refuses, before its message reaches the core. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { RequestId } from '../../protocol/json-rpc.ts';
import { INVALID_REQUEST } from '../../protocol/protocol-error.ts';
import type { Json } from '../../contract/json-schema.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  /** The request's id, where it has been read. */
  readonly id: RequestId | undefined;
  readonly code: number;
  /** Of the JSON-RPC error. */
  readonly data: Json | undefined = undefined;

  constructor(
    status: number,
    message: string,
    headers: OutgoingHttpHeaders = {},
    id?: RequestId,
    code = INVALID_REQUEST,
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.id = id;
    this.code = code;
  }

  /** The JSON-RPC error that goes with the status. */
  get body(): string {
    const { id, code, message, data } = this;
    return JSON.stringify({
      jsonrpc: '2.0',
      ...(id === undefined ? {} : { id }),
      error: { code, message, ...(data === undefined ? {} : { data }) },
    });
  }
}

/** Answers with it, where no answer has begun. */
export function refuse(response: ServerResponse, { status, headers, body }: HttpRefusal): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  // What asks at the next request whether there may be one, looks here and not at the header.
  if (headers.connection === 'close') response.shouldKeepAlive = false;
  const fields: OutgoingHttpHeaders = { ...SECURITY_HEADERS, 'content-type': 'application/json', ...headers };
  response.writeHead(status, fields).end(body);
}
