// Traces from the client to the API, over each transport, and the spans that a collector gets.
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { ListedTool } from '../../../templates/runtime/contract/json-schema.ts';
import { printIndex } from '../../../templates/runtime/contract/search-index.ts';
import { canaries } from '../../support/canaries.ts';
import { MODERN, once, post } from '../main/requests.ts';
import { type Started, startProject, type TestProject, writeProject } from '../main/project.ts';
import { httpServer } from '../upstream/loopback.ts';
import { type Collector, type Span, startCollector } from './collector.ts';

const inputSchema = {
  type: 'object' as const,
  properties: { id: { type: 'string' as const }, q: { type: 'string' as const } },
};
const tools: ListedTool[] = [
  { name: 'get_pet', description: 'One pet', inputSchema, annotations: { readOnlyHint: true } },
];
const ARGUMENT = 'argument-93f1';
const args = { id: ARGUMENT, q: `query-${ARGUMENT}` };

let api: Awaited<ReturnType<typeof httpServer>>;
let collector: Collector;
let project: TestProject;
let server: Started;
let stdio: Started;
let url = '';
/** Heads of the requests to the API. */
const heads: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  collector = await startCollector();
  api = await httpServer((request, response) => {
    heads.push(request.headers);
    const [path = ''] = request.url?.split('?') ?? [];
    if (path === '/moved') return response.writeHead(302, { location: '/pets/2' }).end();
    const status = path.endsWith('/missing') ? 404 : 200;
    return response.writeHead(status, { 'content-type': 'application/json' }).end('{"name":"Rex"}');
  });
  const get = (path: string) => ({ kind: 'http' as const, method: 'GET', path });
  project = writeProject({
    catalog: { tools, resources: [{ uri: 'pets://me', name: 'me' }] },
    bindings: {
      upstream: {
        servers: [{ url: api.url }],
        securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'API_KEY_K' } } },
        security: [{ key: [] }],
      },
      tools: {
        get_pet: {
          do: {
            ...get('/pets/{id}'),
            parameters: [
              { argument: 'id', in: 'path', name: 'id' },
              { argument: 'q', in: 'query', name: 'q' },
            ],
          },
        },
      },
      resources: { 'pets://me': { do: { ...get('/me'), parameters: [] } } },
    },
    search: printIndex(tools, []),
    handlers: `{ extraTools: [
      { name: 'boom', inputSchema: { type: 'object' }, handler: () => { throw new Error('no'); } },
      { name: 'by_code', inputSchema: { type: 'object' }, handler: (args, context) => context.call('get_pet', args) },
      { name: 'later', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' },
        handler: (args, context) => context.call('get_pet', args) },
    ] }`,
  });
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=a%20b',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.version=9',
    OTEL_BSP_SCHEDULE_DELAY: '20',
    API_KEY_K: canaries.plant(true),
  };
  const flags = ['--transport', 'http', '--port', '0', '--sse', '--ws', '--surface', 'tools,search'];
  server = startProject(project, flags, env);
  stdio = startProject(project, [], env);
  await vi.waitFor(() => expect(server.output.stderr).toMatch(/serving .*\n/), { timeout: 10_000 });
  url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.output.stderr)?.[0] ?? '';
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  stdio.child.stdin.end();
  await Promise.all([server.exit, stdio.exit]);
  project.remove();
  await api.close();
  await collector.close();
});

interface Given {
  traceId: string;
  parentId: string;
  meta: { traceparent: string; tracestate: string; baggage: string };
}

function newTrace(flags = '01'): Given {
  const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const traceparent = `00-${traceId}-${parentId}-${flags}`;
  return { traceId, parentId, meta: { traceparent, tracestate: 'vendor=a1', baggage: 'tenant=acme' } };
}

async function sdkCall(
  transport: Parameters<Client['connect']>[0],
  { meta }: Given,
  name = 'get_pet',
): Promise<void> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  await client.callTool({ name, arguments: args, _meta: { ...meta } });
  await client.close();
}

let lastId = 0;

/** On stdio. */
async function say(method: string, params: object): Promise<Record<string, unknown>> {
  const id = ++lastId;
  stdio.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  const answers = () =>
    stdio.output.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { id?: unknown; result?: Record<string, unknown> });
  await vi.waitFor(() => expect(answers().some((each) => each.id === id)).toBe(true), { timeout: 10_000 });
  return answers().find((each) => each.id === id)?.result ?? {};
}

let isOpen = false;

async function openStdio(): Promise<void> {
  if (isOpen) return;
  isOpen = true;
  const clientInfo = { name: 'c', version: '1' };
  await say('initialize', { protocolVersion: '2025-11-25', capabilities: { tasks: {} }, clientInfo });
  stdio.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
}

const modernHeaders = { ...MODERN };

type Way = (given: Given) => Promise<unknown>;

const ways: Record<string, Way> = {
  'Streamable HTTP, legacy, `_meta`': (given) =>
    sdkCall(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)), given),
  'Streamable HTTP, legacy, headers': async ({ meta }) => {
    const requestInit = { headers: { ...meta } };
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    await client.callTool({ name: 'get_pet', arguments: args });
    await client.close();
  },
  'Streamable HTTP, modern, `_meta` before headers': ({ meta }) =>
    post(url, { name: 'get_pet', args, meta, headers: { ...newTrace().meta } }),
  'Streamable HTTP, modern, headers': ({ meta }) =>
    post(url, { name: 'get_pet', args, headers: { ...meta } }),
  'HTTP+SSE': (given) => sdkCall(new SSEClientTransport(new URL(`${url}/sse`)), given),
  WebSocket: async (given) => {
    vi.stubGlobal('WebSocket', WebSocket);
    await sdkCall(new WebSocketClientTransport(new URL(`${url.replace('http', 'ws')}/ws`)), given);
  },
  'stdio, legacy': async ({ meta }) => {
    await openStdio();
    return say('tools/call', { name: 'get_pet', arguments: args, _meta: meta });
  },
  'stdio, modern': ({ meta }) =>
    say('tools/call', { name: 'get_pet', arguments: args, _meta: { ...modernHeaders, ...meta } }),
  'the search surface': ({ meta }) =>
    post(url, {
      name: 'call_read_tool',
      path: '/mcp?surface=search',
      args: { name: 'get_pet', arguments: args },
      meta,
    }),
};

const spansOf = ({ traceId }: Given): Span[] => collector.spans.filter((span) => span.traceId === traceId);

test('the headers of a legacy `initialize` say which trace it is of', async () => {
  const given = newTrace();
  const clientInfo = { name: 'c', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const { status } = await once(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...given.meta,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  expect(status).toBe(200);
  await vi.waitFor(() => expect(spansOf(given)).toHaveLength(1));
  expect(spansOf(given)[0]).toMatchObject({ name: 'initialize', parentSpanId: given.parentId });
});

test.each(Object.keys(ways))('the trace reaches the API and the collector: %s', async (way) => {
  const given = newTrace();
  const before = heads.length;
  await ways[way]?.(given);
  const [head] = heads.slice(before);
  await vi.waitFor(() => expect(spansOf(given).filter(({ name }) => / /.test(name))).toHaveLength(2));
  const call = spansOf(given).find(({ name }) => name === 'tools/call get_pet');
  const request = spansOf(given).find(({ kind }) => kind === 3);
  expect(head).toMatchObject({
    traceparent: `00-${given.traceId}-${request?.spanId}-01`,
    tracestate: 'vendor=a1',
    baggage: 'tenant=acme',
  });
  expect(call).toMatchObject({ kind: 2, parentSpanId: given.parentId, traceState: 'vendor=a1', status: {} });
  expect(call?.attributes).toMatchObject({
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'get_pet',
    'network.transport': way.startsWith('stdio') ? 'pipe' : 'tcp',
    'mcp.protocol.version': /modern|search/.test(way) ? '2026-07-28' : '2025-11-25',
    'jsonrpc.request.id': expect.stringMatching(/^\d+$/),
  });
  expect(call?.attributes['mcp.session.id'] !== undefined).toBe(/HTTP, legacy|SSE/.test(way));
  expect(request).toMatchObject({ name: 'GET /pets/{id}', parentSpanId: call?.spanId, status: {} });
  expect(request?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(api.url).port),
    'url.full': `${api.url}/pets/{id}`,
    'url.template': '/pets/{id}',
  });
  expect(Number(request?.endTimeUnixNano)).toBeGreaterThanOrEqual(Number(request?.startTimeUnixNano));
});

test('a task goes on in the trace of its call, and has a span of its own', async () => {
  await openStdio();
  const given = newTrace();
  const before = heads.length;
  await say('tools/call', { name: 'later', arguments: args, task: {}, _meta: given.meta });
  await vi.waitFor(() => expect(spansOf(given)).toHaveLength(4));
  const [call, task, inner, request] = [
    'tools/call later',
    'task tools/call later',
    'tools/call get_pet',
    'GET /pets/{id}',
  ].map((name) => spansOf(given).find((span) => span.name === name));
  expect(call?.parentSpanId).toBe(given.parentId);
  expect(task).toMatchObject({ kind: 1, parentSpanId: call?.spanId });
  expect(inner).toMatchObject({ kind: 1, parentSpanId: task?.spanId });
  expect(request?.parentSpanId).toBe(inner?.spanId);
  expect(heads[before]?.['traceparent']).toBe(`00-${given.traceId}-${request?.spanId}-01`);
});

test('calls by code and resources belong to the trace', async () => {
  await openStdio();
  const given = newTrace();
  await say('tools/call', { name: 'by_code', arguments: args, _meta: given.meta });
  await say('resources/read', { uri: 'pets://me', _meta: given.meta });
  await vi.waitFor(() => expect(spansOf(given)).toHaveLength(5));
  expect(
    spansOf(given)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['GET /me', 'GET /pets/{id}', 'resources/read', 'tools/call by_code', 'tools/call get_pet']);
});

test('failures say what they are by codes alone', async () => {
  await openStdio();
  const given = newTrace();
  await say('tools/call', { name: 'boom', arguments: {}, _meta: given.meta });
  await say('tools/call', { name: `nothing ${ARGUMENT}`, arguments: {}, _meta: given.meta });
  await say('tools/call', { name: 'get_pet', arguments: { id: 'missing' }, _meta: given.meta });
  await say(`made/up ${ARGUMENT}`, { _meta: given.meta });
  // An id is the client's own text, too.
  const ping = {
    jsonrpc: '2.0',
    id: `id of ${ARGUMENT}`,
    method: 'ping',
    params: { _meta: given.meta },
  };
  stdio.child.stdin.write(`${JSON.stringify(ping)}\n`);
  await vi.waitFor(() => expect(spansOf(given)).toHaveLength(6));
  const told = spansOf(given).map(({ name, status, attributes }) => [
    name,
    status.code ?? 0,
    attributes['error.type'],
  ]);
  expect(told).toEqual([
    ['tools/call boom', 2, 'tool_error'],
    ['tools/call', 0, '-32602'],
    ['GET /pets/{id}', 2, '404'],
    ['tools/call get_pet', 2, 'tool_error'],
    ['_OTHER', 0, '-32601'],
    ['ping', 0, undefined],
  ]);
  expect(spansOf(given).at(-1)?.attributes).not.toHaveProperty('jsonrpc.request.id');
  expect(spansOf(given)[1]?.attributes).toMatchObject({
    'rpc.response.status_code': '-32602',
    'rpc.jsonrpc.error_code': -32602,
  });
});

test('without a trace one begins here; an unsampled one is passed on and not recorded; nonsense is none', async () => {
  const before = heads.length;
  await post(url, { name: 'get_pet', args });
  const own = String(heads[before]?.['traceparent']).split('-')[1];
  await vi.waitFor(() => expect(collector.spans.filter(({ traceId }) => traceId === own)).toHaveLength(2));
  const root = collector.spans.find(({ traceId, kind }) => traceId === own && kind === 2);
  expect(root?.parentSpanId).toBeUndefined();

  const quiet = newTrace('00');
  await post(url, { name: 'get_pet', args, meta: quiet.meta });
  expect(heads[before + 1]?.['traceparent']).toMatch(new RegExp(`^00-${quiet.traceId}-[0-9a-f]{16}-00$`));

  const nonsense = `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`;
  await post(url, {
    name: 'get_pet',
    args,
    headers: { traceparent: nonsense, tracestate: 'a=1', baggage: ';' },
  });
  expect(heads[before + 2]).toMatchObject({ traceparent: expect.not.stringContaining('0'.repeat(32)) });
  expect(Object.keys(heads[before + 2] ?? {})).not.toEqual(expect.arrayContaining(['baggage']));
  expect(Object.keys(heads[before + 2] ?? {})).not.toEqual(expect.arrayContaining(['tracestate']));
  expect(spansOf(quiet)).toEqual([]);
});

test('what is exported names the server, and holds no argument and no credential', async () => {
  await vi.waitFor(() => expect(collector.spans.length).toBeGreaterThan(0));
  expect(collector.paths.every((path) => path === '/v1/traces')).toBe(true);
  expect(collector.heads[0]).toMatchObject({ 'content-type': 'application/json', 'x-collector-key': 'a b' });
  expect(collector.resource()).toEqual({
    'service.name': 'pets',
    'service.version': '9',
    'deployment.environment.name': 'test',
    'telemetry.sdk.name': 'mcpgen',
    'telemetry.sdk.language': 'nodejs',
  });
  const all = collector.bodies.join('\n');
  for (const text of [ARGUMENT, Buffer.from(ARGUMENT).toString('base64').slice(0, 12), 'tenant=acme'])
    expect(all).not.toContain(text);
  const { name, kind } = collector.spans.find((span) => span.name.startsWith('initialize')) ?? {};
  expect([name, kind]).toEqual(['initialize', 2]);
  // A session is named by its hash.
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`));
  await client.connect(transport);
  const hash = createHash('sha256')
    .update(transport.sessionId ?? '')
    .digest('base64url')
    .slice(0, 16);
  await client.listTools();
  await client.close();
  const sessions = () => collector.spans.map(({ attributes }) => attributes['mcp.session.id']);
  await vi.waitFor(() => expect(sessions()).toContain(hash));
  expect(collector.bodies.join('\n')).not.toContain(String(transport.sessionId));
});
