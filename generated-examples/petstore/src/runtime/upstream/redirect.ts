/** What an answer's redirect asks for (RFC 9110, section 15.4). */
import type { WireAnswer } from './send-request.ts';
import { HeaderList, type WireRequest } from './wire-request.ts';
import { mayName, senderOf } from './dispatcher.ts';
import { UpstreamError } from './upstream-error.ts';

export const ADDRESS_VARIABLE = 'API_BASE_URL';

/** All that may be told to another origin. Whatever else was sent may be a credential, whoever set it. */
const HARMLESS = ['Accept', 'Accept-Encoding', 'User-Agent'];

/**
 * The next request, or undefined when the answer stands. GET and HEAD follow; after 303 every method goes on as GET;
 * 307 and 308 repeat other methods at the same origin only. A redirect that isn't followed is an answer like others.
 * `addressVariable` is what the API's address can be set by, for messages.
 */
export function redirected(
  wire: WireRequest,
  answer: WireAnswer,
  addressVariable: string,
): WireRequest | undefined {
  const location = answer.headers['location'];
  if (location === undefined || ![301, 302, 303, 307, 308].includes(answer.status)) return undefined;
  const url = target(wire, location, addressVariable);
  const isSafe = wire.method === 'GET' || wire.method === 'HEAD';
  const isSameOrigin = url.origin === wire.url.origin;
  if (!isSafe && answer.status !== 303 && !isSameOrigin) return undefined;
  const sentBy = isSameOrigin ? wire.sentBy : senderOf(wire.url, answer.address);
  if (!isSameOrigin && sentBy !== undefined && !mayName(sentBy, url.hostname))
    throw refusedRedirect(url, sentBy.origin, addressVariable);
  const request = {
    url,
    target: url.pathname + url.search,
    headers: nextHeaders(wire, isSameOrigin),
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

function target(wire: WireRequest, location: string, addressVariable: string): URL {
  const base = new URL(wire.target, wire.url.origin);
  const url = URL.canParse(location, base.href) ? new URL(location, base) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UpstreamError(
    'redirect',
    `The API at ${wire.url.origin} redirected to an address that is not HTTP. Its own address may be wrong; check ${addressVariable}.`,
  );
}

export function refusedRedirect(
  to: URL,
  from: string,
  addressVariable: string = ADDRESS_VARIABLE,
): UpstreamError {
  return new UpstreamError(
    'redirect',
    `The API at ${from} redirected to ${to.host}, which is in the network of this MCP server, and was not asked. ` +
      `Its own address may be wrong; check ${addressVariable}.`,
  );
}

function nextHeaders(wire: WireRequest, isSameOrigin: boolean): HeaderList {
  const headers = new HeaderList();
  const names = isSameOrigin ? wire.headers.names() : HARMLESS;
  for (const name of names) {
    const value = wire.headers.get(name);
    if (value !== undefined) headers.setOctets(name, value);
  }
  return headers;
}
