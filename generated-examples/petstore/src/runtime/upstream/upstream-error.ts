/** Why a call of the API did not come to an answer. Core turns it into a tool error. */
import { withoutFeature } from '../contract/feature.ts';

/** What went wrong, for code; the message is for the model. */
export type UpstreamErrorCode =
  /** No usable base URL. */
  | 'base-url'
  /** No security requirement of the operation has all its credentials. */
  | 'credentials'
  /** An argument that can't be sent as it is. */
  | 'argument'
  /** The project was generated without a feature that the call needs. */
  | 'feature'
  | 'timeout'
  /** The caller's signal was aborted. */
  | 'aborted'
  /** The connection failed, or the answer broke off or was not HTTP. */
  | 'network'
  /** What the environment says of proxies, authorities or certificates can't be used. */
  | 'connection'
  | 'redirect'
  /** The answer could not be saved as a file. */
  | 'file'
  /** The OAuth token endpoint gave no token. */
  | 'token'
  /** An answer of 300 or more where only a success can be used (reading a resource). */
  | 'status';

/**
 * A call that failed, or was refused before anything was sent. The message says what happened and what to do, in
 * words a model can act on, and never holds a credential.
 */
export class UpstreamError extends Error {
  readonly code: UpstreamErrorCode;
  /** The API's status, when it answered. */
  readonly status: number | undefined;

  constructor(code: UpstreamErrorCode, message: string, options: ErrorOptions & { status?: number } = {}) {
    super(message, options);
    this.name = 'UpstreamError';
    this.code = code;
    this.status = options.status;
  }
}

/** Sets the address of an API whose document's own is not meant. */
export const ADDRESS_VARIABLE = 'API_BASE_URL';

export function refusedRedirect(
  to: URL,
  from: string,
  addressVariable: string = ADDRESS_VARIABLE,
): UpstreamError {
  return new UpstreamError(
    'redirect',
    `The API at ${from} redirected to ${to.host}, which is in the network of this MCP server, and was not asked. ` +
      `Its own address may be wrong; check ${addressVariable}.`,
  );
}

/** @param work as in "can't <work>" */
export function missingFeature(name: string, work: string): UpstreamError {
  return new UpstreamError('feature', `This MCP server can't ${work}. ${withoutFeature(name)}.`);
}
