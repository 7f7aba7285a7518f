// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Sends requests through `node:http(s)`, bounded in time and size. Not `fetch`: it adds headers, and refuses bodies of GET. */
import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import zlib from 'node:zlib';
import type { ApiRequest } from './request.ts';
import type { Work } from './session.ts';
import { type Outcome, ToolError } from './types.ts';

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
}
/** How a connection is made: features have agents for proxies and client certificates. */
export type Connect = (url: URL) => Pick<RequestOptions, 'agent'>;

/** A call that failed on the way. `cause_`: what a caller's guests are told. */
export class SendError extends ToolError {
  readonly outcome: NonNullable<Outcome['cause']>;

  constructor(message: string, outcome: NonNullable<Outcome['cause']>, options?: ErrorOptions) {
    super(message, options);
    this.outcome = outcome;
  }
}

/** RFC 9110, section 9.2.2; QUERY of OpenAPI 3.2. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY']);
const RETRIES = 2;
const REDIRECTS = 5;
const LONGEST_PAUSE_MS = 10_000;

const agents = {
  'http:': new http.Agent({ keepAlive: true, timeout: 4_000 }),
  'https:': new https.Agent({ keepAlive: true, timeout: 4_000 }),
};
export const connectDirectly: Connect = ({ protocol }) => ({
  agent: agents[protocol as keyof typeof agents],
});

/** Ends a call for two reasons. An `AbortSignal` for each call, passed on to `node:http`, would cost a fifth of it. */
class Deadline {
  reason: SendError | undefined;
  readonly end: number;
  readonly #timer: NodeJS.Timeout;
  readonly #forget: () => void;
  #onEnd: (reason: SendError) => void = () => undefined;

  constructor(timeoutMs: number, work: Work) {
    this.end = Date.now() + timeoutMs;
    this.#timer = setTimeout(
      () =>
        this.#endWith(
          new SendError(
            `The API did not answer within ${timeoutMs / 1000} seconds (API_TIMEOUT_MS). Ask for less, or try again later; a call that changes something may have taken effect.`,
            'timeout',
          ),
        ),
      timeoutMs,
    );
    const cancel = (): void => this.#endWith(new SendError('The call was cancelled.', 'cancelled'));
    this.#forget = work.onCancel(cancel);
    if (work.reason !== undefined) cancel();
  }

  /** One listener at a time: what is under way. */
  set onEnd(listener: (reason: SendError) => void) {
    this.#onEnd = listener;
    if (this.reason !== undefined) listener(this.reason);
  }

  async pause(ms: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      this.onEnd = (reason) => {
        clearTimeout(timer);
        reject(reason);
      };
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#forget();
  }

  #endWith(reason: SendError): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.#onEnd(reason);
  }
}

/** @throws {SendError} in words a model can act on; they never hold a path or query, which may be secret */
export async function send(
  first: ApiRequest,
  work: Work,
  limits: ApiLimits,
  connect = connectDirectly,
): Promise<ApiResponse> {
  const deadline = new Deadline(limits.timeoutMs, work);
  try {
    let request = first;
    for (let redirects = 0; ; redirects++) {
      const response = await sendRepeatedly(request, deadline, limits, connect);
      const next = followRedirect(request, response);
      if (next === undefined) return response;
      if (redirects >= REDIRECTS)
        throw new SendError(
          `The API at ${first.url.origin} redirected more than ${REDIRECTS} times. Its address may be wrong; check API_BASE_URL.`,
          'api',
        );
      request = next;
    }
  } finally {
    deadline.clear();
  }
}

async function sendRepeatedly(
  request: ApiRequest,
  deadline: Deadline,
  limits: ApiLimits,
  connect: Connect,
): Promise<ApiResponse> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await sendOnce(request, deadline, limits, connect).catch((thrown: unknown) => {
      if (deadline.reason !== undefined) throw deadline.reason;
      return describeFailure(thrown, request.url);
    });
    const isLast = attempt >= RETRIES || !IDEMPOTENT.has(request.method);
    const pause = isLast ? undefined : pauseBeforeRetry(outcome, attempt);
    if (pause !== undefined && Date.now() + pause < deadline.end) await deadline.pause(pause);
    else if (outcome instanceof SendError) throw outcome;
    else return outcome;
  }
}

/** Undefined: the request is not repeated. Pauses differ, so that calls that failed together are not repeated together. */
function pauseBeforeRetry(outcome: ApiResponse | SendError, attempt: number): number | undefined {
  const pause = 200 * 2 ** attempt * (0.5 + Math.random() / 2);
  if (outcome instanceof SendError) return pause;
  const { status, headers } = outcome;
  const header = headers['retry-after']?.trim();
  const asked =
    header === undefined
      ? NaN
      : /^\d+$/.test(header)
        ? Number(header) * 1000
        : Date.parse(header) - Date.now();
  // A 429 without `Retry-After` is not repeated, since that would make it worse.
  if (![502, 503, 504].includes(status) && !(status === 429 && !Number.isNaN(asked))) return undefined;
  if (Number.isNaN(asked)) return pause;
  return asked <= LONGEST_PAUSE_MS ? Math.max(asked, pause) : undefined;
}

/** Within the origin alone: credentials stay where they belong, and no API sends this server into its own network. */
function followRedirect(
  { method, url, headers, body }: ApiRequest,
  { status, headers: answered }: ApiResponse,
): ApiRequest | undefined {
  const { location } = answered;
  if (
    location === undefined ||
    ![301, 302, 303, 307, 308].includes(status) ||
    !URL.canParse(location, url.href)
  )
    return undefined;
  const target = new URL(location, url.href);
  if (target.origin !== url.origin) return undefined;
  if (method === 'GET' || method === 'HEAD') return { method, url: target, headers };
  if (status === 307 || status === 308) return { method, url: target, headers, body };
  if (status !== 303) return undefined;
  const left = new Map([...headers].filter(([name]) => !/^content-(?:type|encoding)$/.test(name)));
  return { method: 'GET', url: target, headers: left };
}

const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

function sendOnce(
  { method, url, headers, body }: ApiRequest,
  deadline: Deadline,
  limits: ApiLimits,
  connect: Connect,
): Promise<ApiResponse> {
  const all: Record<string, string | number> = Object.fromEntries(headers);
  if (body !== undefined) all['content-length'] = Buffer.byteLength(body);
  else if (!BODILESS.has(method)) all['content-length'] = 0;
  return new Promise((resolve, reject) => {
    const { request: open } = url.protocol === 'https:' ? https : http;
    const request = open(url, { method, headers: all, ...connect(url) });
    const fail = (error: Error): void => {
      reject(error);
      request.destroy();
    };
    deadline.onEnd = fail;
    let interim = 0;
    // A server could send signs of life (1xx) as long as a request may last.
    request.on('information', () => {
      if (++interim > 32) fail(Object.assign(new Error(), { code: 'INTERIM' }));
    });
    request.on('upgrade', (_, socket: Duplex) => {
      socket.destroy();
      fail(Object.assign(new Error(), { code: 'SWITCHED' }));
    });
    request.on('error', fail);
    request.on('response', (response) => {
      readBody(response, limits.responseBytes).then(({ bytes, isCut }) => {
        const flat = Object.entries(response.headers).map(([name, value]) => [
          name,
          [value].flat().join(', '),
        ]);
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(flat) as Record<string, string>,
          body: bytes,
          isCut,
        });
        // The server answered before it read the whole request.
        if (!request.writableFinished) request.destroy();
      }, fail);
    });
    request.end(body);
  });
}

const DECODERS: Record<string, () => Duplex> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  br: zlib.createBrotliDecompress,
  deflate: zlib.createInflate,
};

/** Decompresses up to the limit: a small answer may unfold to gigabytes. */
async function readBody(response: IncomingMessage, most: number): Promise<{ bytes: Buffer; isCut: boolean }> {
  const codings = (response.headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const unknown = codings.find((coding) => DECODERS[coding] === undefined);
  if (unknown !== undefined || codings.length > 3)
    throw Object.assign(new Error(`content coding ${JSON.stringify(unknown?.slice(0, 20) ?? 'too many')}`), {
      code: 'CODING',
    });
  let source: NodeJS.ReadableStream = response;
  // The coding applied last comes off first (RFC 9110, section 8.4).
  for (const coding of codings.reverse()) {
    const decoder = DECODERS[coding]?.() as Duplex;
    source.on('error', (error) => decoder.destroy(error));
    source = source.pipe(decoder);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  let isEmpty = true;
  if (source !== response) response.once('data', () => (isEmpty = false));
  try {
    for await (const chunk of source) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > most) break;
    }
  } catch (thrown) {
    // Servers name a coding of a body that is not there (HEAD, 204).
    if (!(isEmpty && response.complete)) throw thrown;
  }
  if (size > most) response.destroy();
  return { bytes: Buffer.concat(chunks).subarray(0, most), isCut: size > most };
}

const AGAIN = 'try again later, though a call that changes something may have taken effect';
const CHECK = 'check the base URL (API_BASE_URL)';
const FAILURES: Record<string, string> = {
  ECONNREFUSED: 'it refuses connections; it may not be running, or the base URL (API_BASE_URL) is wrong',
  ENOTFOUND: `its host name could not be resolved; ${CHECK}`,
  EAI_AGAIN: `its host name could not be resolved; ${CHECK}`,
  ECONNRESET: `it closed the connection before its answer was complete; ${AGAIN}`,
  EPIPE: `it closed the connection before its answer was complete; ${AGAIN}`,
  ETIMEDOUT: `it could not be reached over the network; try again later, or ${CHECK}`,
  EHOSTUNREACH: `it could not be reached over the network; try again later, or ${CHECK}`,
  ENETUNREACH: `it could not be reached over the network; try again later, or ${CHECK}`,
  SWITCHED: `it switched protocols; ${CHECK}`,
  INTERIM: 'it sent too many interim answers (1xx) instead of an answer; try again later',
};

function describeFailure(thrown: unknown, { origin }: URL): SendError {
  const { code = '', message = '' } = thrown as NodeJS.ErrnoException;
  const words =
    FAILURES[code] ??
    (code.startsWith('HPE_')
      ? `its answer is not valid HTTP (${code}); ${CHECK}`
      : /CERT|TLS|SSL|SIGNATURE/.test(code)
        ? `its TLS certificate or connection was not accepted (${code}); NODE_EXTRA_CA_CERTS adds an authority`
        : code === 'CODING' || /^(?:Z|ERR)_/.test(code)
          ? `its answer could not be read (${code === 'CODING' ? message : code}); ${AGAIN}`
          : code || message || 'the connection failed');
  return new SendError(`The API at ${origin} could not be used: ${words}.`, 'api', { cause: thrown });
}
