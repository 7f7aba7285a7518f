// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * The time a call has, and the errors that end it. A call ends when its caller leaves or at the timeout, whichever
 * comes first. An `AbortSignal` for each call, passed on to `node:http`, would cost a fifth of a call.
 */
import { withoutFeature } from '../contract/feature.ts';
import { RefusedAddress } from '../contract/address-reach.ts';
import type { Target } from './dispatcher.ts';

/** The client that waits for a call, and may leave. */
export interface Caller {
  /** The reason why it left; undefined while it waits. */
  readonly reason: unknown;
  /** Calls back once, when it leaves. Returns a function that removes the callback. */
  onLeft(callback: () => void): () => void;
}

type OnEnd = (reason: UpstreamError) => void;

export class Deadline {
  /** The error that ended it (`timeout` or `aborted`); undefined while there is time. */
  reason: UpstreamError | undefined;
  readonly #callbacks = new Set<OnEnd>();
  readonly #end: number;
  readonly #timer: NodeJS.Timeout;
  readonly #forgetCaller: (() => void) | undefined;

  /** Runs from now on, until `clear`. */
  constructor(timeoutMs: number, caller?: Caller) {
    this.#end = Date.now() + timeoutMs;
    this.#timer = setTimeout(() => this.#finish(timedOut(timeoutMs)), timeoutMs);
    if (caller === undefined) return;
    const leave = (): void => {
      this.#finish(new UpstreamError('aborted', 'The call was cancelled.', { cause: caller.reason }));
    };
    if (caller.reason === undefined) this.#forgetCaller = caller.onLeft(leave);
    else leave();
  }

  /** Milliseconds that are left; 0 when it is over. */
  left(): number {
    return this.reason === undefined ? Math.max(0, this.#end - Date.now()) : 0;
  }

  /** Calls back once, at the end. Returns a function that removes the callback. */
  onEnd(callback: OnEnd): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  /** Frees the timer, and removes the callback from the caller. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#forgetCaller?.();
  }

  #finish(reason: UpstreamError): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    for (const callback of this.#callbacks) callback(reason);
  }
}

/** The promise's outcome, or the deadline's reason when that comes first. */
export function within<T>(deadline: Deadline, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (deadline.reason !== undefined) reject(deadline.reason);
    const release = deadline.onEnd(reject);
    promise.then(resolve, reject).finally(release);
  });
}

/** Waits, unless the deadline ends first: then it rejects with its reason. */
export async function pause(deadline: Deadline, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await within(deadline, waiting);
  } finally {
    clearTimeout(timer);
  }
}

function timedOut(timeoutMs: number): UpstreamError {
  return new UpstreamError(
    'timeout',
    `The API did not answer within ${timeoutMs / 1000} seconds (API_TIMEOUT_MS). Ask for less, or try again later; ` +
      'a call that changes something may have taken effect.',
  );
}

export class Semaphore {
  #free: number;
  /** Oldest first. */
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Runs a task when a place is free. Rejects with the deadline's reason when that ends before. */
  async run<T>(deadline: Deadline, task: () => Promise<T>): Promise<T> {
    if (deadline.reason !== undefined) throw deadline.reason;
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(deadline);
    try {
      return await task();
    } finally {
      this.#pass();
    }
  }

  #turn(deadline: Deadline): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        release();
        resolve();
      };
      const release = deadline.onEnd((reason) => {
        this.#waiting.delete(begin);
        reject(reason);
      });
      this.#waiting.add(begin);
    });
  }

  /** Gives the place to the task that waits for longest, or frees it. */
  #pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
    } else {
      this.#waiting.delete(next);
      next();
    }
  }
}

/** The kind of failure, for code; the message is for the model. */
type UpstreamErrorCode =
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
  /** Proxies, authorities or certificates of the environment can't be used. */
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

/** Names the variable that sets the address of an API, for messages. */
export type AddressVariable = () => string;

export const usualAddressVariable: AddressVariable = () => 'API_BASE_URL';

export function refusedRedirect(to: URL, from: string, addressVariable: AddressVariable): UpstreamError {
  return new UpstreamError(
    'redirect',
    `The API at ${from} redirected to ${to.host}, which is in the network of this MCP server, and was not asked. ` +
      `Its own address may be wrong; check ${addressVariable()}.`,
  );
}

/** @param action as in "can't <action>" */
export function missingFeature(name: string, action: string): UpstreamError {
  return new UpstreamError('feature', `This MCP server can't ${action}. ${withoutFeature(name)}.`);
}

/** Names only the origin: a path or query may hold secrets. */
export function networkError(
  error: unknown,
  { url, sentBy }: Target,
  proxy: string | undefined,
  addressVariable: AddressVariable = usualAddressVariable,
): UpstreamError {
  if (sentBy !== undefined && error instanceof RefusedAddress)
    return refusedRedirect(url, sentBy.origin, addressVariable);
  const variable = addressVariable();
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const words =
    proxy === undefined
      ? `could not be used: ${describeFailure(code, error, variable)}.`
      : `could not be used through the proxy at ${proxy}: ${describeProxyFailure(code, error, variable)}. HTTPS_PROXY, HTTP_PROXY and ` +
        'NO_PROXY in the environment of this MCP server say which is used.';
  return new UpstreamError('network', `The API at ${url.origin} ${words}`, { cause: error });
}

/** The error of a connection through a proxy does not say which end failed. */
function describeProxyFailure(code: string, error: unknown, variable: string): string {
  return isTlsError(code) || code === '' || code === 'INTERIM'
    ? describeFailure(code, error, variable)
    : `the connection failed (${code})`;
}

function isTlsError(code: string): boolean {
  return /CERT|TLS|SSL|SIGNATURE/.test(code);
}

/** The code of errors whose messages say why a body can't be read. */
export const UNREADABLE = 'ERR_CONTENT_ENCODING';

const TRY_AGAIN = 'try again later, though a call that changes something may have taken effect';

/** Words for the reason, and for what to do about it. */
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
      if (isTlsError(code)) {
        return `its TLS certificate or connection was not accepted (${code}); NODE_EXTRA_CA_CERTS adds an authority`;
      }
      if (code.startsWith('Z_') || code.startsWith('ERR_')) {
        return `its answer could not be read (${code}); ${TRY_AGAIN}`;
      }
      return code !== '' ? code : errorMessage(error);
  }
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : 'the connection failed';
}
