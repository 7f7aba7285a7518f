/** From the client's request to the API's, over each transport of HTTP. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { httpServer } from '../upstream/loopback.ts';
import { type Started, startProject, type TestProject, writeProject } from './project.ts';

const headers = { 'x-tenant': 'acme', 'x-other': 'no', authorization: 'Bearer mcp-token', cookie: 'sid=1' };

let api: Awaited<ReturnType<typeof httpServer>>;
let project: TestProject;
let server: Started;
let url: string;

beforeAll(async () => {
  api = await httpServer((request, response) => {
    const { 'x-tenant': tenant, 'x-other': other, authorization, cookie } = request.headers;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ tenant, other, authorization, cookie }));
  });
  project = writeProject({
    catalog: {
      tools: [{ name: 'whoami', inputSchema: { type: 'object' } }],
      resources: [{ uri: 'pets://me', name: 'me' }],
    },
    bindings: {
      upstream: { servers: [{ url: api.url }], securitySchemes: {} },
      tools: { whoami: { do: { kind: 'http', method: 'GET', path: '/', parameters: [] } } },
      resources: { 'pets://me': { do: { kind: 'http', method: 'GET', path: '/', parameters: [] } } },
    },
  });
  server = startProject(project, [
    '--transport',
    'http',
    '--port',
    '0',
    '--sse',
    '--pass-header',
    'X-Tenant',
  ]);
  await vi.waitFor(() => expect(server.output.stderr).toMatch(/serving .*\n/), { timeout: 10_000 });
  url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.output.stderr)?.[0] ?? '';
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.exit;
  project.remove();
  await api.close();
});

const want = '{"tenant":"acme"}';

test.each([
  [
    'Streamable HTTP',
    () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  ],
  ['HTTP+SSE', () => new SSEClientTransport(new URL(`${url}/sse`), { requestInit: { headers } })],
])('a named header reaches the API over %s, and no other', async (_what, open) => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(open());
  const { content } = await client.callTool({ name: 'whoami' });
  const { contents } = await client.readResource({ uri: 'pets://me' });
  await client.close();
  expect(content).toEqual([{ type: 'text', text: want }]);
  expect(contents).toMatchObject([{ text: want }]);
});
