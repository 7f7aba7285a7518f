// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Sends one request by `node:http` or `node:https`, and reads its answer. */
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { boundInterim } from '../contract/interim-answers.ts';
import type { ChooseDispatcher } from './dispatcher.ts';
import type { Deadline, Semaphore } from './deadline.ts';
import { essence, isJson, isSequential, isText } from '../contract/media-type.ts';
import { readBody } from './read-body.ts';
import type { Redact } from '../redact.ts';
import type { UpstreamLimits } from '../upstream-limits.ts';
import type { SavedFile, SaveOptions, Sequence, UpstreamFeatures } from './upstream-features.ts';
import { type AddressVariable, missingFeature, networkError, UpstreamError } from './upstream-error.ts';
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
  /** A success in a sequential media type has its items here, and an empty `body`. */
  sequence?: Sequence;
}

export interface SendOptions {
  deadline: Deadline;
  limits: UpstreamLimits;
  /** Default: `usualAddressVariable`. */
  addressVariable?: AddressVariable;
  chooseDispatcher: ChooseDispatcher;
  /** Bounds how many requests run at one time. */
  slots?: Semaphore | undefined;
  /** Default none. */
  features?: UpstreamFeatures | undefined;
  /** Where successes of many bytes are saved; absent: they are read like all others. */
  filesRoot?: string | undefined;
  /** Takes the credentials of the request out of names of files. */
  redact?: Redact | undefined;
  /** Called with the number of items of a sequence so far, whenever more come. */
  onItems?: ((count: number) => void) | undefined;
}

/**
 * Sends a request and reads the whole answer.
 * @throws {UpstreamError} `network`, or the deadline's reason.
 */
export async function sendRequest(wire: WireRequest, options: SendOptions): Promise<WireAnswer> {
  const { deadline, chooseDispatcher, limits } = options;
  const chosen = chooseDispatcher(wire);
  const dispatcher = chosen instanceof Promise ? await chosen : chosen;
  if (deadline.reason !== undefined) throw deadline.reason;
  const { forward, proxy } = dispatcher;
  const direct = requestOptions(wire, dispatcher.agent);
  const request = dispatcher.request(forward === undefined ? direct : forward(direct, wire.url));
  const release = deadline.onEnd((reason) => request.destroy(reason));
  try {
    const response = await respond(request, wire.body);
    const { statusCode: status = 0 } = response;
    const { 'set-cookie': cookies, 'content-type': mediaType } = response.headers;
    // Read before the body: a closed socket has no address.
    const address = proxy === undefined ? response.socket.remoteAddress : undefined;
    const isUsual = mediaType === undefined || isJson(mediaType);
    const special = isUsual ? undefined : readSpecial(response, mediaType, wire, options);
    const body = await (special ?? readBody(response, limits.responseBytes));
    // Node leaves one header as a list.
    const headers =
      cookies === undefined ? response.headers : { ...response.headers, 'set-cookie': cookies.join(', ') };
    return { status, address, headers: headers as WireAnswer['headers'], ...body };
  } catch (error) {
    const { reason } = options.deadline;
    if (reason !== undefined || error instanceof UpstreamError) throw reason ?? error;
    throw networkError(error, wire, proxy, options.addressVariable);
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
  mediaType: string,
  wire: WireRequest,
  options: SendOptions,
): Promise<BodyOfAnswer> | undefined {
  const { statusCode: status = 0 } = response;
  if (status < 200 || status >= 300 || status === 204 || wire.method === 'HEAD') return undefined;
  if (isSequential(mediaType)) return readItems(response, mediaType, options);
  if (options.filesRoot === undefined || isText(mediaType)) return undefined;
  return readBytes(response, wire, { ...options, filesRoot: options.filesRoot });
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
  options: SendOptions & SaveOptions,
): Promise<BodyOfAnswer> {
  ignoreFailure(response);
  const load = options.features?.files;
  if (load === undefined) throw missingFeature('transfers', 'save files');
  const { readOrSave } = await load();
  return { truncated: false, ...(await readOrSave(response, wire, options)) };
}

/** The connection may fail while a module loads; the reader of the response learns of it afterwards. */
function ignoreFailure(response: IncomingMessage): void {
  response.once('error', () => undefined);
}

/** Sends the body, and resolves when the head of the answer has come. */
function respond(request: ClientRequest, body: WireRequest['body']): Promise<IncomingMessage> {
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

/** Methods whose requests have no length where they have no body (RFC 9110, section 8.6), as Node counts them. */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

function requestOptions({ method, url, target, headers, body }: WireRequest, agent: Agent): RequestOptions {
  let length = BODILESS.has(method) ? undefined : 0;
  if (body !== undefined) length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  return {
    method,
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(url.port === '' ? {} : { port: url.port }),
    path: target,
    headers: headers.toFlat(url.host, length),
    agent,
  };
}
