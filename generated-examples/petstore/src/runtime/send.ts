// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Sends requests through `node:http(s)`, bounded in time and size. Not `fetch`: it adds headers, and refuses bodies of GET. */
import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import { ownMember, RpcError } from './json-rpc.ts';
import type { ApiRequest } from './request.ts';
import type { Work } from './session.ts';
import { type Content, type Outcome, ToolError } from './types.ts';

export interface ApiLimits {
  /** A whole call: retries, redirects and the answer's body included. */
  timeoutMs: number;
  /** Bytes of an answer after decompression. */
  responseBytes: number;
}
export interface ApiResponse {
  status: number;
  /** By lower-case name, repeated ones joined by `, `. */
  headers: Record<string, string>;
  body: Buffer;
  /** The body was longer than `responseBytes`. */
  isCut: boolean;
  /** A sentence for the model. */
  note?: string;
  /** Stands for the body. */
  content?: Content;
}

/** A successful answer whose body has not been read. */
export interface OpenAnswer {
  status: number;
  headers: Record<string, string>;
  /** Decompressed. Leaving the loop ends the connection. */
  chunks: AsyncIterable<Buffer>;
  /** Ends the connection while the next chunk is waited for. */
  close: () => void;
}

/** Reads answers of some media types in place of the core. Undefined: this is none of them. */
export type ReadOpenAnswer = (answer: OpenAnswer) => Promise<Partial<ApiResponse>> | undefined;

/** A call that failed on the way. */
export class SendError extends ToolError {
  outcome: NonNullable<Outcome['cause']> = 'api';
  /** The API had begun to answer: it has done what it was asked for. */
  isAnswered = false;
}

/** RFC 9110, section 9.2; QUERY of OpenAPI 3.2. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY']);
const IDEMPOTENT = new Set([...SAFE, 'PUT', 'DELETE']);
const REPEATED =
  'This answers a repetition: the request before it failed, and may have taken effect all the same.';
const RETRIES = 2;
const REDIRECTS = 5;
const LONGEST_PAUSE_MS = 10_000;

export type Attempt = (
  request: ApiRequest,
  next: (request: ApiRequest) => Promise<ApiResponse>,
) => Promise<ApiResponse>;
/** The part `redirects`: the request that follows one to another origin. Undefined: it is not followed. */
export type FollowElsewhere = (request: ApiRequest, target: URL) => Promise<ApiRequest | undefined>;
interface SendOptions {
  read?: ReadOpenAnswer;
  attempt?: Attempt;
  follow?: FollowElsewhere | undefined;
}

/** @throws {SendError} in words a model can act on; they never hold a path or query, which may be secret */
export async function send(
  first: ApiRequest,
  work: Work,
  limits: ApiLimits,
  { read, attempt = (request, next) => next(request), follow }: SendOptions = {},
): Promise<ApiResponse> {
  const { origin } = first.url;
  const { timeoutMs = limits.timeoutMs } = first.operation ?? {};
  const end = Date.now() + timeoutMs;
  const controller = new AbortController();
  const { signal } = controller;
  const endWith = (outcome: SendError['outcome'], message: string): void =>
    controller.abort(Object.assign(new SendError(message), { outcome }));
  const setting = first.operation?.timeoutMs === undefined ? ' (API_TIMEOUT_MS)' : '';
  const lateness = `The API did not answer within ${timeoutMs / 1000} seconds${setting}. ${AGAIN}`;
  const timer = setTimeout(() => endWith('timeout', lateness), timeoutMs);
  const forget = work.onCancel(() => endWith('cancelled', 'The call was cancelled.'));
  const sendOne = (request: ApiRequest): Promise<ApiResponse> =>
    sendOnce(request, (response) => readResponse(response, limits.responseBytes, read), signal);
  try {
    let request = first;
    for (let attempts = 0, redirects = 0; ;) {
      const outcome = await attempt(request, sendOne).catch((thrown: unknown) =>
        thrown instanceof SendError ? thrown : describeFailure(thrown, request.url.origin),
      );
      const next = outcome instanceof SendError ? undefined : await followRedirect(request, outcome, follow);
      if (next !== undefined) {
        if (++redirects > REDIRECTS)
          throw new SendError(`The API at ${origin} redirected more than ${REDIRECTS} times. ${CHECK}`);
        request = next;
        attempts = 0;
        continue;
      }
      const isSafe = SAFE.has(request.method);
      const isDone = outcome instanceof SendError && outcome.isAnswered && !isSafe;
      const mayRepeat = attempts < RETRIES && IDEMPOTENT.has(request.method) && !isDone;
      const pause = mayRepeat ? pauseBeforeRetry(outcome, attempts) : undefined;
      if (pause !== undefined && Date.now() + pause < end) {
        await sleep(pause, undefined, { signal });
        attempts++;
      } else if (outcome instanceof SendError) throw outcome;
      // Deleted by the first attempt, not found by the second.
      else if (attempts > 0 && !isSafe && outcome.status >= 400) return { ...outcome, note: REPEATED };
      else return outcome;
    }
  } catch (thrown) {
    throw signal.aborted ? signal.reason : thrown;
  } finally {
    clearTimeout(timer);
    forget();
  }
}

/** Undefined: the request is not repeated. Pauses differ, so that calls that failed together are not repeated together. */
function pauseBeforeRetry(outcome: ApiResponse | SendError, attempt: number): number | undefined {
  const pause = 200 * 2 ** attempt * (0.5 + Math.random() / 2);
  if (outcome instanceof SendError) return pause;
  const { status, headers } = outcome;
  const after = headers['retry-after'];
  // A 429 without `Retry-After` is not repeated, since that would make it worse.
  if (![502, 503, 504].includes(status) && !(status === 429 && after !== undefined)) return undefined;
  if (after === undefined) return pause;
  const serverPause = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now();
  return serverPause <= LONGEST_PAUSE_MS ? Math.max(serverPause, pause) : undefined;
}

/** Within the origin alone: credentials stay where they belong, and no API sends this server into its own network. */
async function followRedirect(
  request: ApiRequest,
  { status, headers }: ApiResponse,
  follow: FollowElsewhere | undefined,
): Promise<ApiRequest | undefined> {
  const { method, url } = request;
  const { location } = headers;
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  if (!URL.canParse(location, url.href)) return undefined;
  const target = new URL(location, url.href);
  if (target.origin !== url.origin) return follow?.(request, target);
  const redirected = { ...request, url: target, operation: undefined };
  if (method === 'GET' || method === 'HEAD' || status >= 307) return redirected;
  if (status !== 303) return undefined;
  const plainHeaders = new Map([...request.headers].filter(([name]) => !name.startsWith('content-')));
  return { ...redirected, method: 'GET', headers: plainHeaders, body: undefined };
}

/** Idle sockets are closed before most servers close theirs, after 5 s. */
const agents = {
  'http:': new http.Agent({ keepAlive: true, timeout: 4_000 }),
  'https:': new https.Agent({ keepAlive: true, timeout: 4_000 }),
};

/** Leads requests to their servers, of APIs and of tokens. A feature replaces it where a proxy stands between. */
export const connections = {
  connect: ({ url, agent }: ApiRequest): RequestOptions => ({
    agent: agent ?? agents[url.protocol as keyof typeof agents],
  }),
};

function sendOnce(
  sent: ApiRequest,
  read: (response: IncomingMessage) => Promise<ApiResponse>,
  signal: AbortSignal,
): Promise<ApiResponse> {
  const { method, url, headers, body } = sent;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const { headers: ofConnection, ...connection } = connections.connect(sent);
  const all = { ...Object.fromEntries(headers), ...length, ...ofConnection };
  return new Promise((resolve, reject) => {
    const { request: open } = url.protocol === 'https:' ? https : http;
    const request = open(url, { method, headers: all, signal, ...connection });
    let answer: IncomingMessage | undefined;
    // Who reads the body may use what has come of it.
    request.on('error', (error) => (answer?.complete === false ? answer.destroy(error) : reject(error)));
    // Node closes a connection that nobody upgrades.
    request.on('close', () => answer ?? reject(new Error('it switched protocols')));
    request.on('response', (response) => {
      answer = response;
      read(response)
        .catch((thrown: unknown) => {
          throw Object.assign(thrown as Error, { isAnswered: true });
        })
        .then(resolve, reject)
        // The server answered before it read the whole request.
        .finally(() => !request.writableFinished && request.destroy());
    });
    request.end(body);
  });
}

async function readResponse(
  response: IncomingMessage,
  limit: number,
  read: ReadOpenAnswer | undefined,
): Promise<ApiResponse> {
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  const status = response.statusCode ?? 0;
  // `x-gzip` is gzip (RFC 9110, section 8.4.1.3).
  const coding = headers['content-encoding']?.toLowerCase().replace(/^x-/, '') || 'identity';
  const body = readChunks(response, coding);
  const isSuccess = status >= 200 && status < 300;
  const open = { status, headers, chunks: body, close: () => void response.destroy() };
  const answer = isSuccess ? read?.(open) : undefined;
  if (answer !== undefined)
    return { status, headers, body: Buffer.alloc(0), isCut: false, ...(await answer) };
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  return { status, headers, body: Buffer.concat(chunks).subarray(0, limit), isCut: size > limit };
}

/** Decompresses as it is read: a small answer may unfold to gigabytes. */
async function* readChunks(response: IncomingMessage, coding: string): AsyncGenerator<Buffer> {
  // An end that is missing is taken as browsers take it, also since servers name a coding of a body that is not there (HEAD, 204).
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  const decoders: Record<string, () => Transform> = {
    gzip: () => zlib.createGunzip({ finishFlush: Z_SYNC_FLUSH }),
    br: () => zlib.createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH }),
  };
  const decoder = ownMember(decoders, coding)?.();
  try {
    if (decoder === undefined && coding !== 'identity')
      throw new Error(`its answer has the content coding ${JSON.stringify(coding.slice(0, 20))}`);
    if (decoder !== undefined) response.on('error', (error) => decoder.destroy(error)).pipe(decoder);
    yield* (decoder ?? response) as AsyncIterable<Buffer>;
  } finally {
    if (!response.complete) response.destroy();
  }
}

const CHECK = 'Its address may be wrong: check API_BASE_URL.';
const AGAIN = 'Try again later; a call that changes something may have taken effect.';
/** Nothing was sent. `EPROTO`: one end speaks TLS, the other plain HTTP. */
const NOT_REACHED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO$)/;
/** Something answered, in bytes that are no HTTP. */
const NO_HTTP = /^HPE_/;

/** By its code: Node's message may hold an address, or names of a certificate. @throws {Error} of a feature around the attempt */
function describeFailure(cause: unknown, origin: string): SendError {
  if (cause instanceof ToolError || cause instanceof RpcError) throw cause;
  const { code, message, isAnswered } = cause as NodeJS.ErrnoException & { isAnswered?: boolean };
  const fault = String(code || message || 'no connection');
  let advice = NOT_REACHED.test(fault) ? CHECK : AGAIN;
  if (NO_HTTP.test(fault)) advice = `${CHECK} ${AGAIN}`;
  if (/CERT|TLS|SSL|SIGNATURE/.test(fault)) advice = 'NODE_EXTRA_CA_CERTS adds an authority.';
  if (/EXPIRED|NOT_YET|ALTNAME/.test(fault)) advice = 'Its certificate is not valid now, or for this host.';
  const error = new SendError(`The API at ${origin} could not be used (${fault}). ${advice}`, { cause });
  return Object.assign(error, { isAnswered: isAnswered === true || NO_HTTP.test(fault) });
}
