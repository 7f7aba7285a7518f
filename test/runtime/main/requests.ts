/** Requests over HTTP, each head of which a test can see: `fetch` hides those of the connection. */
import { type Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface HttpQuestion {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  agent?: Agent | false;
}

export function once(
  url: string,
  { path = '/mcp', body, ...options }: HttpQuestion = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    request.on('error', reject).end(body);
  });
}

export const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Calls the tool `x`, or what is named, as clients of 2026-07-28 do. */
export function post(
  url: string,
  {
    name = 'x',
    args = {},
    meta = {},
    headers = {},
    ...more
  }: HttpQuestion & { name?: string; args?: object; meta?: object } = {},
): Promise<HttpAnswer> {
  const params = { name, arguments: args, _meta: { ...MODERN, ...meta } };
  return once(url, {
    ...more,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
}

export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
