// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Deadlines of calls and the errors that end them. An `AbortSignal` for each call, passed on to `node:http`, would cost
 * a fifth of a call.
 */
import { missingFeatureText } from '../contract/feature.ts';
import { RefusedAddress } from '../contract/address-reach.ts';
import type { Target } from './dispatcher.ts';

export interface Waiter {
  /** Why nobody waits for the answer any more; undefined while somebody does. */
  readonly reason: unknown;
  onAbandoned(callback: () => void): () => void;
}

type OnEnd = (reason: UpstreamError) => void;

export class Deadline {
  /** The error `timeout` or `aborted`; undefined while there is time. */
  reason: UpstreamError | undefined;
  readonly #callbacks = new Set<OnEnd>();
  readonly #end: number;
  readonly #timer: NodeJS.Timeout;
  readonly #forgetWaiter: (() => void) | undefined;

  constructor(timeoutMs: number, waiter?: Waiter) {
    this.#end = Date.now() + timeoutMs;
    this.#timer = setTimeout(() => this.#endWith(timeoutError(timeoutMs)), timeoutMs);
    if (waiter === undefined) return;
    const endForWaiter = (): void =>
      this.#endWith(new UpstreamError('aborted', 'The call was cancelled.', { cause: waiter.reason }));
    if (waiter.reason === undefined) this.#forgetWaiter = waiter.onAbandoned(endForWaiter);
    else endForWaiter();
  }

  millisecondsLeft(): number {
    return this.reason === undefined ? Math.max(0, this.#end - Date.now()) : 0;
  }

  onEnd(callback: OnEnd): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  clearDeadline(): void {
    clearTimeout(this.#timer);
    this.#forgetWaiter?.();
  }

  #endWith(reason: UpstreamError): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    for (const callback of this.#callbacks) callback(reason);
  }
}

/** Rejects with the deadline's reason when that comes first. */
export function rejectAtDeadline<T>(deadline: Deadline, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (deadline.reason !== undefined) reject(deadline.reason);
    const release = deadline.onEnd(reject);
    promise.then(resolve, reject).finally(release);
  });
}

export function waitUnlessEnded(deadline: Deadline, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return rejectAtDeadline(deadline, waiting).finally(() => clearTimeout(timer));
}

function timeoutError(timeoutMs: number): UpstreamError {
  return new UpstreamError(
    'timeout',
    `The API did not answer within ${timeoutMs / 1000} seconds (API_TIMEOUT_MS). Ask for less, or try again later; ` +
      'a call that changes something may have taken effect.',
  );
}

export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Rejects with the deadline's reason when that ends before a place is free. */
  async runInTurn<T>(deadline: Deadline, task: () => Promise<T>): Promise<T> {
    if (deadline.reason !== undefined) throw deadline.reason;
    if (this.#free > 0) this.#free -= 1;
    else await this.#waitForTurn(deadline);
    try {
      return await task();
    } finally {
      this.#startNext();
    }
  }

  #waitForTurn(deadline: Deadline): Promise<void> {
    return new Promise((resolve, reject) => {
      const beginTurn = (): void => {
        release();
        resolve();
      };
      const release = deadline.onEnd((reason) => {
        this.#waiting.delete(beginTurn);
        reject(reason);
      });
      this.#waiting.add(beginTurn);
    });
  }

  #startNext(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}

type UpstreamErrorCode =
  | 'base-url'
  | 'credentials'
  | 'argument'
  | 'feature'
  | 'timeout'
  | 'aborted'
  /** The connection failed, or the answer broke off or was not HTTP. */
  | 'network'
  /** Proxies, authorities or certificates of the environment can't be used. */
  | 'connection'
  | 'redirect'
  | 'file'
  | 'token'
  /** Not a success, where only a success can be used (reading a resource). */
  | 'status';

/** A failed or refused call. The message is for a model: it says what happened and what to do, and never holds a credential. */
export class UpstreamError extends Error {
  readonly code: UpstreamErrorCode;
  readonly status: number | undefined;

  constructor(code: UpstreamErrorCode, message: string, options: ErrorOptions & { status?: number } = {}) {
    super(message, options);
    this.name = 'UpstreamError';
    this.code = code;
    this.status = options.status;
  }
}

export function argumentError(message: string): UpstreamError {
  return new UpstreamError('argument', message);
}

/** Returns the name of the variable that sets the API's address; called only for messages. */
export type AddressVariable = () => string;

export const getBaseUrlVariable: AddressVariable = () => 'API_BASE_URL';

export function refusedRedirectError(to: URL, from: string, addressVariable: AddressVariable): UpstreamError {
  return new UpstreamError(
    'redirect',
    `The API at ${from} redirected to ${to.host}, which is in the network of this MCP server, and was not asked. ` +
      `Its own address may be wrong; check ${addressVariable()}.`,
  );
}

export async function loadFeature<T>(
  load: (() => Promise<T>) | undefined,
  name: string,
  action: string,
): Promise<T> {
  if (load === undefined) throw missingFeatureError(name, action);
  return load();
}

export function missingFeatureError(name: string, action: string): UpstreamError {
  return new UpstreamError('feature', `This MCP server can't ${action}. ${missingFeatureText(name)}.`);
}

/** Names only the origin: a path or query may hold secrets. */
export function networkError(
  error: unknown,
  { url, sentBy }: Target,
  proxy: string | undefined,
  addressVariable: AddressVariable = getBaseUrlVariable,
): UpstreamError {
  if (sentBy !== undefined && error instanceof RefusedAddress)
    return refusedRedirectError(url, sentBy.origin, addressVariable);
  const code = errorCode(error);
  // The code of a connection through a proxy does not say which end failed.
  const isUnclear = proxy !== undefined && code !== '' && code !== 'INTERIM' && !isTlsError(code);
  const failure = isUnclear
    ? `the connection failed (${code})`
    : describeFailure(code, error, addressVariable());
  const words =
    proxy === undefined
      ? `: ${failure}.`
      : ` through the proxy at ${proxy}: ${failure}. HTTPS_PROXY, HTTP_PROXY and NO_PROXY in the environment of this MCP ` +
        'server say which is used.';
  return new UpstreamError('network', `The API at ${url.origin} could not be used${words}`, { cause: error });
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code ?? '') : '';
}

function isTlsError(code: string): boolean {
  return /CERT|TLS|SSL|SIGNATURE/.test(code);
}

/** Node's code for a body that can't be decoded; the message says why. */
export const UNREADABLE = 'ERR_CONTENT_ENCODING';

const TRY_AGAIN = 'try again later, though a call that changes something may have taken effect';

function describeFailure(code: string, error: unknown, variable: string): string {
  const checkAddress = `check the base URL (${variable})`;
  switch (code) {
    case 'ECONNREFUSED':
      return `it refuses connections; it may not be running, or the base URL (${variable}) is wrong`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `its host name could not be resolved; ${checkAddress}`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `it closed the connection before its answer was complete; ${TRY_AGAIN}`;
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `it could not be reached over the network; try again later, or ${checkAddress}`;
    case 'SWITCHED':
      return `it switched protocols; ${checkAddress}`;
    case 'INTERIM':
      return 'it sent too many interim answers (1xx) instead of an answer; try again later';
    case UNREADABLE:
      return `its answer could not be read (${errorMessage(error)}); ${TRY_AGAIN}`;
    default:
      if (code.startsWith('HPE_')) return `its answer is not valid HTTP (${code}); ${checkAddress}`;
      if (isTlsError(code))
        return `its TLS certificate or connection was not accepted (${code}); NODE_EXTRA_CA_CERTS adds an authority`;
      if (/^(?:Z|ERR)_/.test(code)) return `its answer could not be read (${code}); ${TRY_AGAIN}`;
      return code || errorMessage(error);
  }
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : 'the connection failed';
}
