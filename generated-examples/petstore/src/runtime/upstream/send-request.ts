/** Sends one request by `node:http` or `node:https`, and reads its answer. */
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { RefusedAddress } from '../contract/address-reach.ts';
import { boundInterim } from '../contract/interim-answers.ts';
import type { ChooseDispatcher } from './dispatcher.ts';
import type { Deadline, Semaphore } from './deadline.ts';
import { essence, isJson, isSequential, isText } from '../contract/media-type.ts';
import { readBody, UNREADABLE } from './read-body.ts';
import type { Redact } from '../redact.ts';
import type { UpstreamLimits } from '../upstream-limits.ts';
import type { SavedFile, SaveOptions, Sequence, UpstreamFeatures } from './upstream-features.ts';
import { ADDRESS_VARIABLE, missingFeature, refusedRedirect, UpstreamError } from './upstream-error.ts';
import { isStreamed, type WireRequest } from './wire-request.ts';

export interface WireAnswer {
  status: number;
  /** The IP address that it came from; undefined where a proxy is in between, or nothing was sent. */
  address?: string | undefined;
  /** By lower-case name; repeated ones joined by `, `. */
  headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  body: Buffer;
  /** The body was longer than allowed and is cut. */
  truncated: boolean;
  /** The file that a long answer was saved as; `body` is empty then. */
  saved?: SavedFile;
  /** Of a success in a sequential media type, whose `body` is empty. */
  sequence?: Sequence;
}

export interface SendOptions {
  deadline: Deadline;
  limits: UpstreamLimits;
  /** What the address can be set by, for messages. Default: `API_BASE_URL`. */
  addressVariable?: string;
  chooseDispatcher: ChooseDispatcher;
  /** Bounds how many are at work at one time. */
  slots?: Semaphore | undefined;
  /** Default none. */
  features?: UpstreamFeatures | undefined;
  /** Where successes of many bytes are saved; absent: they are read like all others. */
  filesRoot?: string | undefined;
  /** Takes the credentials of the request out of names of files. */
  redact?: Redact | undefined;
  /** Told how many items of a sequence have come, as more come. */
  onItems?: ((count: number) => void) | undefined;
}

/**
 * Sends a request and reads the whole answer.
 * @throws {UpstreamError} `network`, or the deadline's reason.
 */
export async function sendRequest(wire: WireRequest, options: SendOptions): Promise<WireAnswer> {
  const { deadline, chooseDispatcher } = options;
  const chosen = chooseDispatcher(wire);
  const { forward, proxy, ...dispatcher } = chosen instanceof Promise ? await chosen : chosen;
  if (deadline.reason !== undefined) throw deadline.reason;
  const direct = requestOptions(wire, dispatcher.agent);
  const request = dispatcher.request(forward === undefined ? direct : forward(direct, wire.url));
  const release = deadline.onEnd((reason) => request.destroy(reason));
  try {
    const response = await respond(request, wire);
    const { statusCode: status = 0 } = response;
    // Read before the body: a closed socket has no address.
    const address = proxy === undefined ? response.socket.remoteAddress : undefined;
    const headers = joinedHeaders(response);
    const reading =
      readSpecial(response, status, wire, options) ?? readBody(response, options.limits.responseBytes);
    return { status, address, headers, ...(await reading) };
  } catch (error) {
    throw deadline.reason ?? (error instanceof UpstreamError ? error : failure(wire, error, proxy, options));
  } finally {
    release();
    // The server answered before it read all of the request: the connection can't be used again.
    if (!request.writableFinished) request.destroy();
  }
}

type BodyOfAnswer = Omit<WireAnswer, 'status' | 'address' | 'headers'>;

/** Successes that are not read as a whole: sequences, and bytes where they can be saved. */
function readSpecial(
  response: IncomingMessage,
  status: number,
  wire: WireRequest,
  options: SendOptions,
): Promise<BodyOfAnswer> | undefined {
  if (status < 200 || status >= 300 || status === 204 || wire.method === 'HEAD') return undefined;
  const mediaType = response.headers['content-type'];
  if (mediaType === undefined || isJson(mediaType)) return undefined;
  if (isSequential(mediaType)) return readItems(response, mediaType, options);
  const { filesRoot, features, limits, redact } = options;
  if (filesRoot === undefined || isText(mediaType)) return undefined;
  return readBytes(response, wire, { filesRoot, limits, redact }, features?.files);
}

async function readItems(
  response: IncomingMessage,
  mediaType: string,
  options: SendOptions,
): Promise<BodyOfAnswer> {
  ignoreFailure(response);
  if (options.features?.sequences === undefined)
    throw missingFeature(
      'transfers',
      `read its answer, a sequence (${essence(mediaType)}) that came after the API was called`,
    );
  const { readSequence } = await options.features.sequences();
  const sequence = await readSequence(response, mediaType, options);
  return { body: Buffer.alloc(0), truncated: sequence.part !== undefined, sequence };
}

async function readBytes(
  response: IncomingMessage,
  wire: WireRequest,
  options: SaveOptions,
  load: UpstreamFeatures['files'],
): Promise<BodyOfAnswer> {
  ignoreFailure(response);
  if (load === undefined) throw missingFeature('transfers', 'save files');
  const { readOrSave } = await load();
  return { truncated: false, ...(await readOrSave(response, wire, options)) };
}

/** The connection may fail while something loads; who reads the response then is told. */
function ignoreFailure(response: IncomingMessage): void {
  response.once('error', () => undefined);
}

/** Sends the body, and resolves when the head of the answer has come. */
function respond(request: ClientRequest, { body }: WireRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | undefined;
    const fail = (error: Error): void => {
      reject(error);
      // Else a body that is no HTTP would be reported as a closed connection.
      if (response?.complete === false) response.destroy(error);
    };
    boundInterim(request, fail);
    request.on('response', (received) => resolve((response = received)));
    // Not once: a connection may fail again after its answer.
    request.on('error', fail);
    // Without a listener, an answer of 101 would leave the call waiting.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      fail(Object.assign(new Error('The server switched protocols.'), { code: 'SWITCHED' }));
    });
    if (body === undefined) request.end();
    else if (isStreamed(body)) body.send(request);
    else request.end(body);
  });
}

function requestOptions({ method, url, target, headers, body }: WireRequest, agent: Agent): RequestOptions {
  return {
    method,
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(url.port === '' ? {} : { port: url.port }),
    path: target,
    headers: headers.toFlat(url.host, lengthOf(method, body)),
    agent,
  };
}

function lengthOf(method: string, body: WireRequest['body']): number | undefined {
  if (body !== undefined) return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  return BODILESS.has(method) ? undefined : 0;
}

/** Methods whose requests have no length where they have no body (RFC 9110, section 8.6), as Node counts them. */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** Node leaves one header as a list. */
function joinedHeaders({ headers }: Pick<IncomingMessage, 'headers'>): Record<string, string> {
  const { 'set-cookie': cookies } = headers;
  return (cookies === undefined ? headers : { ...headers, 'set-cookie': cookies.join(', ') }) as Record<
    string,
    string
  >;
}

function failure(
  wire: WireRequest,
  error: unknown,
  proxy: string | undefined,
  options: SendOptions,
): UpstreamError {
  if (wire.sentBy !== undefined && error instanceof RefusedAddress)
    return refusedRedirect(wire.url, wire.sentBy.origin, options.addressVariable);
  return networkError(wire, error, proxy, options);
}

/** Origin only: a path or query may hold what should not be shown. */
function networkError(
  wire: WireRequest,
  error: unknown,
  proxy: string | undefined,
  { addressVariable: variable = ADDRESS_VARIABLE }: SendOptions,
): UpstreamError {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const words =
    proxy === undefined
      ? `could not be used: ${reasonOf(code, error, variable)}.`
      : `could not be used through the proxy at ${proxy}: ${proxyReason(code, error, variable)}. HTTPS_PROXY, HTTP_PROXY and ` +
        'NO_PROXY in the environment of this MCP server say which is used.';
  return new UpstreamError('network', `The API at ${wire.url.origin} ${words}`, { cause: error });
}

/** Of a connection through a proxy it can't be told which end failed. */
function proxyReason(code: string, error: unknown, variable: string): string {
  return isOfTls(code) || code === '' || code === 'INTERIM'
    ? reasonOf(code, error, variable)
    : `the connection failed (${code})`;
}

function isOfTls(code: string): boolean {
  return /CERT|TLS|SSL|SIGNATURE/.test(code);
}

const TRY_AGAIN = 'try again later, though a call that changes something may have taken effect';

/** With what can be done about it. */
function reasonOf(code: string, error: unknown, variable: string): string {
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
      return `its answer could not be read (${messageOf(error)}); ${TRY_AGAIN}`;
    default:
      if (code.startsWith('HPE_')) return `its answer is not valid HTTP (${code}); ${checkAddress}`;
      if (isOfTls(code)) {
        return `its TLS certificate or connection was not accepted (${code}); NODE_EXTRA_CA_CERTS adds an authority`;
      }
      if (code.startsWith('Z_') || code.startsWith('ERR_')) {
        return `its answer could not be read (${code}); ${TRY_AGAIN}`;
      }
      return code !== '' ? code : messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'the connection failed';
}
