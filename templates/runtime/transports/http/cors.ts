/** For web clients (Fetch, "CORS protocol"): of an allowed origin, and of any where a document is for everyone. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isHttpToken } from '../../contract/token-syntax.ts';
import type { HttpContext } from './http-context.ts';

const EXPOSED = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After';

export function allowReading(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', EXPOSED);
  response.setHeader('vary', 'Origin');
}

const REQUEST_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
];

export function preflight(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { passHeaders = [] }: Pick<HttpContext, 'passHeaders'>,
): void {
  const asked = (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim());
  const allowed = [...REQUEST_HEADERS, ...passHeaders, ...asked.filter(mirrorsArgument)];
  response
    .writeHead(204, {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': allowed.join(', '),
      'access-control-max-age': '600',
    })
    .end();
}

/** Of what holds no secret, and is the same for whoever asks. */
export function allowAnyPage(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
}

/** Clients ask with headers of their own, such as `MCP-Protocol-Version`. None brings credentials: `*` leaves out `Authorization`. */
export function openPreflight(_: IncomingMessage, response: ServerResponse): void {
  response
    .writeHead(204, {
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': '*',
      'access-control-max-age': '600',
    })
    .end();
}

/** What a client asks for beside the above: any header that repeats an argument of a tool. */
function mirrorsArgument(name: string): boolean {
  return /^mcp-param-./i.test(name) && isHttpToken(name);
}
