// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Errors of the protocol. A failing tool is no such error: its result says so. */
import type { Json } from '../contract/json-schema.ts';

/** The codes of JSON-RPC 2.0 (section 5.1), and MCP's own for a resource that is not there. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** MCP's own, since 2026-07-28 ("Error Codes"). */
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;

/**
 * The part of a request that was refused. Transports choose their status by it, not by the code, which has several causes.
 *
 * - `syntax`: not JSON; `message`: not a JSON-RPC message of this revision
 * - `session`: the session is not there, or not that far
 * - `metadata`: what a modern request must say of itself is not there
 * - `version`, `header`: what the transport says of the message
 * - `method`: unknown, or its capability is not declared
 * - `capability`: the client has not declared what the call needs
 * - `scope`: the caller's token does not reach that far
 * - `rate`: a limit is reached: of calls, tasks, subscriptions or requests at work
 * - `work`: everything behind the method
 */
export type ErrorOrigin =
  | 'syntax'
  | 'message'
  | 'session'
  | 'metadata'
  | 'version'
  | 'header'
  | 'method'
  | 'capability'
  | 'scope'
  | 'rate'
  | 'work';

export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: number;
  readonly origin: ErrorOrigin;
  readonly data: Json | undefined;
  /** Seconds after which the same request may be served; absent if it never will be. */
  readonly retrySeconds: number | undefined;

  constructor(
    code: number,
    message: string,
    origin: ErrorOrigin = 'work',
    data?: Json,
    retrySeconds?: number,
  ) {
    super(message);
    this.code = code;
    this.origin = origin;
    this.data = data;
    this.retrySeconds = retrySeconds;
  }
}

/** `-32603`: a limit is reached, and the request is not begun. `retrySeconds` may be a guess. */
export function overLimit(message: string, retrySeconds: number): ProtocolError {
  const words = `${message} Try again in ${retrySeconds} ${retrySeconds === 1 ? 'second' : 'seconds'}.`;
  return new ProtocolError(INTERNAL_ERROR, words, 'rate', undefined, retrySeconds);
}

/** `-32602`: the parameters of a known method are not usable. */
export function invalidParams(message: string, data?: Json): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, message, 'work', data);
}

/** The caller's token lacks scopes (RFC 6750, section 3.1: `insufficient_scope`). */
export class ScopeError extends ProtocolError {
  /** All scopes that the request needs, including those that the token has. */
  readonly scopes: readonly string[];

  constructor(scopes: readonly string[]) {
    const words = `The token does not reach this far: it takes the scopes ${scopes.join(', ')}.`;
    super(INVALID_REQUEST, words, 'scope', { requiredScopes: [...scopes] });
    this.scopes = scopes;
  }
}

/**
 * Thrown by the project's own code to answer the caller with its message, in words a model can act on. Any other error of a
 * function is a bug: it is logged, and the caller learns only that it happened.
 */
export class ToolError extends Error {
  override name = 'ToolError';
}

/** Thrown by `verifyToken` if the token can't be checked now. The request is answered by 503, with `Retry-After`. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** The message for invalid arguments, in words a model can act on. `misfits` are clauses. */
export function unfitWords(tool: string, misfits: readonly string[]): string {
  const lines = misfits.map((each) => `- ${each}`);
  return [`The arguments of ${tool} do not match its input schema:`, ...lines].join('\n');
}

/** Arguments that match their schema, but not the types of the function: a date that does not exist. */
export class UnfitArguments extends ToolError {
  override readonly name = 'UnfitArguments';

  constructor(tool: string, misfits: readonly string[]) {
    super(unfitWords(tool, misfits));
  }
}
