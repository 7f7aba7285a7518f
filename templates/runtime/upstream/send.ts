// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Sends a request until there is an answer to keep: repeats what may be repeated, and follows redirects. */
import { pause } from './deadline.ts';
import { type SendOptions, sendRequest, type WireAnswer } from './send-request.ts';
import { HeaderList, type WireRequest } from './wire-request.ts';
import type { UpstreamLimits } from '../upstream-limits.ts';
import {
  type AddressVariable,
  refusedRedirect,
  UpstreamError,
  usualAddressVariable,
} from './upstream-error.ts';
import { mayName, senderOf } from './dispatcher.ts';

/** RFC 9110, section 9.2.2, and QUERY of OpenAPI 3.2 (draft-ietf-httpbis-safe-method-w-body). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY']);
const PASSING = new Set([502, 503, 504]);

/** @throws {UpstreamError} `network`, `redirect`, or the deadline's reason. */
export async function send(first: WireRequest, options: SendOptions): Promise<WireAnswer> {
  const { limits, addressVariable = usualAddressVariable } = options;
  let wire = first;
  for (let redirects = 0; ; redirects++) {
    const answer = await sendRepeatedly(wire, options);
    if (answer.headers['location'] === undefined) return answer;
    const next = redirected(wire, answer, addressVariable);
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
      // A pause between repetitions keeps no place that another request could take.
      outcome = await (slots === undefined
        ? sendRequest(wire, options)
        : slots.run(deadline, () => sendRequest(wire, options)));
      if (outcome.status < 400) return outcome;
    } catch (error) {
      // Only a failed connection may pass.
      if (!(error instanceof UpstreamError) || error.code !== 'network') throw error;
      outcome = error;
    }
    const wait = attempt < repetitions ? waitBefore(outcome, attempt, limits) : undefined;
    if (wait === undefined || wait >= deadline.left()) {
      if (outcome instanceof UpstreamError) throw outcome;
      return outcome;
    }
    await pause(deadline, wait);
  }
}

/** Milliseconds to wait before repeating; undefined: the request is not repeated. */
function waitBefore(
  outcome: WireAnswer | UpstreamError,
  attempt: number,
  limits: UpstreamLimits,
): number | undefined {
  // Half fixed, half random, so that callers that failed together don't come back together.
  const backoff = limits.retryDelayMs * 2 ** attempt * (0.5 + Math.random() / 2);
  if (outcome instanceof UpstreamError) return backoff;
  const asked = retryAfter(outcome.headers['retry-after']);
  // 429 says "later"; without saying when, repeating makes it worse.
  if (!PASSING.has(outcome.status) && !(outcome.status === 429 && asked !== undefined)) return undefined;
  if (asked === undefined) return backoff;
  return asked <= limits.retryAfterMs ? Math.max(asked, backoff) : undefined;
}

/** `Retry-After` in milliseconds: seconds or a date (RFC 9110, section 10.2.3). */
function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The only headers that another origin gets. Any other may hold a credential, whoever set it. */
const HARMLESS = ['Accept', 'Accept-Encoding', 'User-Agent'];

/**
 * The next request, or undefined when the answer is final. GET and HEAD follow; after 303 every method goes on as GET;
 * 307 and 308 repeat other methods at the same origin only. A redirect that isn't followed is an answer like others.
 */
export function redirected(
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
  if (!isSameOrigin && sentBy !== undefined && !mayName(sentBy, url.hostname))
    throw refusedRedirect(url, sentBy.origin, addressVariable);
  const headers = new HeaderList();
  for (const name of isSameOrigin ? wire.headers.names() : HARMLESS) {
    const value = wire.headers.get(name);
    if (value !== undefined) headers.setOctets(name, value);
  }
  const request = {
    url,
    target: url.pathname + url.search,
    headers,
    ...(isSameOrigin && wire.certificate !== undefined ? { certificate: wire.certificate } : {}),
    ...(sentBy === undefined ? {} : { sentBy }),
  };
  if (isSafe) return { ...request, method: wire.method };
  if (answer.status === 303) {
    for (const name of ['Content-Type', 'Content-Encoding']) request.headers.delete(name);
    return { ...request, method: 'GET' };
  }
  if (answer.status === 307 || answer.status === 308) {
    return { ...request, method: wire.method, ...(wire.body === undefined ? {} : { body: wire.body }) };
  }
  return undefined;
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
