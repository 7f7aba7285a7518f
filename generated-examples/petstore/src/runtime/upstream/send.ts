// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Sends a request: repeats what may be repeated, and follows redirects. */
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';

import { isJsonType, isSequentialType, isText } from '../contract/http-syntax.ts';
import { limitInterimAnswers } from '../contract/outgoing-guards.ts';
import type { UpstreamLimits } from '../contract/feature.ts';
import type { WatchAttempts, WatchedAttempt } from '../feature-loaders.ts';
import type { Redact } from '../redact.ts';
import {
  type AddressVariable,
  type Deadline,
  type Semaphore,
  UpstreamError,
  loadFeature,
  networkError,
  waitUnlessEnded,
  refusedRedirectError,
  getBaseUrlVariable,
} from './upstream-error.ts';
import { type ChooseDispatcher, maySenderNameHost, senderOf } from './dispatcher.ts';
import { type Cut, HeaderList, type WireRequest, isStreamed, readAnswerBody } from './wire-request.ts';
import { hasWholeText } from './read-answer.ts';
import type { SaveOptions, SavedFile, Sequence, UpstreamFeatures } from './upstream-settings.ts';

/** Idempotent methods (RFC 9110, section 9.2.2) may be repeated; also QUERY of OpenAPI 3.2. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY']);
const PASSING = new Set([502, 503, 504]);

export async function sendWithRedirects(first: WireRequest, options: SendOptions): Promise<WireAnswer> {
  const { limits, addressVariable = getBaseUrlVariable } = options;
  let wire = first;
  for (let redirects = 0; ; redirects++) {
    const answer = await sendRepeatedly(wire, options);
    if (answer.headers['location'] === undefined) return answer;
    const next = makeRedirectedRequest(wire, answer, addressVariable);
    if (next === undefined) return answer;
    if (redirects >= limits.redirects) {
      throw new UpstreamError(
        'redirect',
        `The API at ${first.url.origin} redirected more than ${limits.redirects} times. Its address may be wrong; check ${addressVariable()}.`,
      );
    }
    wire = next;
  }
}

async function sendRepeatedly(wire: WireRequest, options: SendOptions): Promise<WireAnswer> {
  const { limits, deadline, slots } = options;
  const repetitions = IDEMPOTENT.has(wire.method.toUpperCase()) ? limits.retries : 0;
  for (let attempt = 0; ; attempt++) {
    let outcome: WireAnswer | UpstreamError;
    try {
      // A pause frees the place for other requests.
      outcome = await (slots === undefined
        ? sendRequest(wire, options)
        : slots.runInTurn(deadline, () => sendRequest(wire, options)));
      if (outcome.status < 400) return outcome;
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.code !== 'network') throw error;
      outcome = error;
    }
    const wait = attempt < repetitions ? delayBeforeRetry(outcome, attempt, limits) : undefined;
    if (wait !== undefined && wait < deadline.millisecondsLeft()) await waitUnlessEnded(deadline, wait);
    else if (outcome instanceof UpstreamError) throw outcome;
    else return outcome;
  }
}

/** Undefined: the request is not repeated. */
function delayBeforeRetry(
  outcome: WireAnswer | UpstreamError,
  attempt: number,
  limits: UpstreamLimits,
): number | undefined {
  // Randomised, so that calls that failed together are not repeated together.
  const backoff = limits.retryDelayMs * 2 ** attempt * (0.5 + Math.random() / 2);
  if (outcome instanceof UpstreamError) return backoff;
  const asked = parseRetryAfter(outcome.headers['retry-after']);
  // A 429 without `Retry-After` is not repeated, since that would make it worse.
  if (!PASSING.has(outcome.status) && !(outcome.status === 429 && asked !== undefined)) return undefined;
  if (asked === undefined) return backoff;
  return asked <= limits.retryAfterMs ? Math.max(asked, backoff) : undefined;
}

/** Returns milliseconds; the header has seconds or a date (RFC 9110, section 10.2.3). */
function parseRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Other origins get these headers alone: any other may hold a credential. */
const HARMLESS = ['Accept', 'Accept-Encoding', 'User-Agent'];

/**
 * GET and HEAD follow; after 303 every method continues as GET; 307 and 308 repeat other methods at the same origin
 * only. Undefined: the answer is final.
 */
export function makeRedirectedRequest(
  wire: WireRequest,
  answer: WireAnswer,
  addressVariable: AddressVariable,
): WireRequest | undefined {
  const location = answer.headers['location'];
  if (location === undefined || ![301, 302, 303, 307, 308].includes(answer.status)) return undefined;
  const url = resolveLocation(wire, location, addressVariable);
  const isSafe = wire.method === 'GET' || wire.method === 'HEAD';
  const isSameOrigin = url.origin === wire.url.origin;
  if (!isSafe && answer.status !== 303 && !isSameOrigin) return undefined;
  const sentBy = isSameOrigin ? wire.sentBy : senderOf(wire.url, answer.address);
  if (!isSameOrigin && sentBy !== undefined && !maySenderNameHost(sentBy, url.hostname))
    throw refusedRedirectError(url, sentBy.origin, addressVariable);
  const headers = new HeaderList();
  for (const name of isSameOrigin ? wire.headers.names() : HARMLESS) {
    const value = wire.headers.get(name);
    const isKept = isSameOrigin || wire.fixed?.get(name) === undefined;
    if (value !== undefined && isKept) headers.setUnchecked(name, value);
  }
  const certificate = isSameOrigin ? wire.certificate : undefined;
  const request = {
    method: wire.method,
    url,
    target: url.pathname + url.search,
    headers,
    certificate,
    sentBy,
    fixed: wire.fixed,
  };
  if (isSafe) return request;
  if (answer.status === 303) {
    for (const name of ['Content-Type', 'Content-Encoding']) headers.delete(name);
    return { ...request, method: 'GET' };
  }
  return answer.status === 307 || answer.status === 308 ? { ...request, body: wire.body } : undefined;
}

function resolveLocation(wire: WireRequest, location: string, addressVariable: AddressVariable): URL {
  const base = new URL(wire.target, wire.url.origin);
  const url = URL.canParse(location, base.href) ? new URL(location, base) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UpstreamError(
    'redirect',
    `The API at ${wire.url.origin} redirected to an address that is not HTTP. Its own address may be wrong; check ${addressVariable()}.`,
  );
}

export interface WireAnswer {
  status: number;
  /** The IP address that answered; undefined behind a proxy, or if nothing was sent. */
  address?: string | undefined;
  /** Headers by lower-case name; repeated ones are joined by `, `. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  truncated: boolean;
  /** The file of a long answer; `body` is empty. */
  saved?: SavedFile | undefined;
  /** The items of a sequential answer; `body` is empty. */
  sequence?: Sequence | undefined;
  ended?: Cut | undefined;
  /** Set by the reader of a body that is several JSON texts; `part` describes which came whole, if not all did. */
  texts?: { part?: string };
}

export interface SendOptions {
  deadline: Deadline;
  limits: UpstreamLimits;
  addressVariable?: AddressVariable;
  chooseDispatcher: ChooseDispatcher;
  slots?: Semaphore | undefined;
  features?: UpstreamFeatures | undefined;
  /** The folder to save long binary answers in. Absent: they are read like others. */
  filesRoot?: string | undefined;
  redact?: Redact | undefined;
  onItems?: ((count: number) => void) | undefined;
  watch?: WatchAttempts | undefined;
}

export async function sendRequest(wire: WireRequest, options: SendOptions): Promise<WireAnswer> {
  const { deadline, chooseDispatcher, limits } = options;
  const chosen = chooseDispatcher(wire);
  const dispatcher = chosen instanceof Promise ? await chosen : chosen;
  if (deadline.reason !== undefined) throw deadline.reason;
  const { forward, proxy } = dispatcher;
  const { method, url, sentBy } = wire;
  const watched = options.watch?.({ method, url, isRedirected: sentBy !== undefined });
  const direct = makeRequestOptions(
    watched === undefined ? wire : replaceHeaders(wire, watched),
    dispatcher.agent,
  );
  const request = dispatcher.request(forward === undefined ? direct : forward(direct, wire.url));
  const release = deadline.onEnd((reason) => request.destroy(reason));
  try {
    const response = await waitForResponse(request, wire.body);
    const { statusCode: status = 0 } = response;
    const { 'set-cookie': cookies, 'content-type': mediaType } = response.headers;
    // Read before the body: a closed socket has no address.
    const address = proxy === undefined ? response.socket.remoteAddress : undefined;
    const isUsual = mediaType === undefined || mediaType === 'application/json';
    const special = isUsual ? undefined : readSequenceOrFile(response, mediaType, wire, options);
    const isEnough = (part: Buffer, error: unknown): Cut | undefined =>
      findReasonToKeepPart(part, error, response, deadline);
    const { body, truncated, saved, sequence, ended }: BodyOfAnswer = await (special ??
      readAnswerBody(response, limits.responseBytes, isEnough));
    const own = cookies === undefined ? undefined : { 'set-cookie': cookies.join(', ') };
    const headers = (own ? { ...response.headers, ...own } : response.headers) as WireAnswer['headers'];
    watched?.end(status);
    return { status, address, headers, body, truncated, saved, sequence, ended };
  } catch (error) {
    const reason = options.deadline.reason ?? error;
    watched?.end(reason);
    if (reason instanceof UpstreamError) throw reason;
    throw networkError(error, wire, proxy, options.addressVariable);
  } finally {
    release();
    // The server answered before it read the whole request: the connection can't be used again.
    if (!request.writableFinished) request.destroy();
  }
}

function replaceHeaders(wire: WireRequest, { headers: own }: WatchedAttempt): WireRequest {
  const headers = wire.headers.copy();
  for (const [name, value] of own) {
    if (value === undefined) headers.delete(name);
    else headers.setUnchecked(name, value);
  }
  return { ...wire, headers };
}

/** Whether a sequence that broke off or took too long is used as far as it came. */
function findReasonToKeepPart(
  part: Buffer,
  error: unknown,
  { statusCode = 0, headers }: IncomingMessage,
  { reason }: Deadline,
): Cut | undefined {
  const isStream = headers['content-length'] === undefined;
  const isBroken = isStream && reason === undefined && (error as { code?: unknown }).code === 'ECONNRESET';
  if (!isBroken && reason?.code !== 'timeout') return undefined;
  if (statusCode < 200 || statusCode >= 300) return undefined;
  const mediaType = headers['content-type'] ?? 'application/json';
  const isUsable = isJsonType(mediaType)
    ? hasWholeText(part)
    : isSequentialType(mediaType) && part.length > 0;
  if (!isUsable) return undefined;
  return isBroken ? 'broken' : 'time';
}

type BodyOfAnswer = Omit<WireAnswer, 'status' | 'address' | 'headers'>;

/** Reads sequences, and bytes that may be saved; undefined for other answers. */
function readSequenceOrFile(
  response: IncomingMessage,
  mediaType: string,
  wire: WireRequest,
  options: SendOptions,
): Promise<BodyOfAnswer> | undefined {
  const { statusCode: status = 0 } = response;
  if (status < 200 || status >= 300 || status === 204 || wire.method === 'HEAD') return undefined;
  const { features, filesRoot } = options;
  // Without the feature, they are read as texts until the time is over.
  if (isSequentialType(mediaType) && features?.sequences !== undefined)
    return readSequenceBody(response, mediaType, features.sequences, options);
  if (isJsonType(mediaType) || filesRoot === undefined || isText(mediaType)) return undefined;
  return readBytes(response, wire, { ...options, filesRoot });
}

async function readSequenceBody(
  response: IncomingMessage,
  mediaType: string,
  load: NonNullable<UpstreamFeatures['sequences']>,
  options: SendOptions,
): Promise<BodyOfAnswer> {
  ignoreErrors(response);
  const { readSequence } = await load();
  const sequence = await readSequence(response, mediaType, options);
  return { body: Buffer.alloc(0), truncated: sequence.part !== undefined, sequence };
}

async function readBytes(
  response: IncomingMessage,
  wire: WireRequest,
  options: SendOptions & SaveOptions,
): Promise<BodyOfAnswer> {
  ignoreErrors(response);
  const { readOrSave } = await loadFeature(options.features?.files, 'transfers', 'save files');
  return { truncated: false, ...(await readOrSave(response, wire, options)) };
}

/** The connection may fail while a module loads; the reader of the response sees the error afterwards. */
function ignoreErrors(response: IncomingMessage): void {
  response.once('error', () => undefined);
}

/** Resolves when the head of the answer has come. */
function waitForResponse(request: ClientRequest, body: WireRequest['body']): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | undefined;
    const rejectRequest = (error: Error): void => {
      reject(error);
      // Without this, a body that is not HTTP would be reported as a closed connection.
      if (response?.complete === false) response.destroy(error);
    };
    limitInterimAnswers(request, rejectRequest);
    request.on('response', (received) => resolve((response = received)));
    // Not `once`: a connection may fail again after its answer.
    request.on('error', rejectRequest);
    // Without a listener, an answer of 101 would leave the call waiting.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      rejectRequest(Object.assign(new Error('The server switched protocols.'), { code: 'SWITCHED' }));
    });
    if (body === undefined) request.end();
    else if (isStreamed(body)) body.send(request);
    else request.end(body);
  });
}

/** No `Content-Length` without a body (RFC 9110, section 8.6). */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

function makeRequestOptions(
  { method, url, target, headers, body }: WireRequest,
  agent: Agent,
): RequestOptions {
  let length = BODILESS.has(method) ? undefined : 0;
  if (body !== undefined) length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  return {
    method,
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port || undefined,
    path: target,
    headers: headers.toRawHeaders(url.host, length),
    agent,
  };
}
