// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Why a call of the API did not come to an answer. Core turns it into a tool error. */
import { RefusedAddress } from '../contract/address-reach.ts';
import { withoutFeature } from '../contract/feature.ts';
import type { Target } from './dispatcher.ts';

/** The kind of failure, for code; the message is for the model. */
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

/** The reason, and what to do about it. */
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
