/** For web clients of an allowed origin (Fetch, "CORS protocol"). */
import type { IncomingMessage, ServerResponse } from 'node:http';

export function allowReading(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'Mcp-Session-Id');
  response.setHeader('vary', 'Origin');
}

const REQUEST_HEADERS =
  'Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Protocol-Version, Mcp-Session-Id';

export function preflight(_: IncomingMessage, response: ServerResponse): void {
  response
    .writeHead(204, {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': '600',
    })
    .end();
}
