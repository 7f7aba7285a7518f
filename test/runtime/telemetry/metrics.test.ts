// Metrics: what is counted, under few labels, and who may read it.
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { createAudit } from '../../../templates/runtime/audit/open-audit.ts';
import { Session } from '../../../templates/runtime/core/session.ts';
import { RateLimiter } from '../../../templates/runtime/core/shared-state.ts';
import { Metrics, getLagSeconds } from '../../../templates/runtime/telemetry/metrics.ts';
import { newServer } from '../core/harness.ts';
import { once, post } from '../main/requests.ts';
import { type Started, startProject, type TestProject, writeProject } from '../main/project.ts';
import { httpServer } from '../upstream/loopback.ts';

const inputSchema = { type: 'object' as const };
const handlers = {
  extraTools: [
    { name: 'good', inputSchema, handler: () => 'done' },
    {
      name: 'bad',
      inputSchema,
      handler: () => {
        throw new Error('no');
      },
    },
    {
      name: 'task',
      inputSchema,
      execution: { taskSupport: 'optional' as const },
      handler: () => 'done',
    },
  ],
};
const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};
const call = (name: string) => ({ name, _meta: modern });

function measured(session = new Session()) {
  const metrics = new Metrics({ name: 'test', version: '1' });
  onTestFinished(() => metrics.end());
  const lines: string[] = [];
  const log = { add: (line: string) => void lines.push(line) };
  const audit = createAudit({ server: 'test', log, show: () => undefined });
  const server = newServer({ handlers, session, audit: metrics.wrapAudit(audit) });
  metrics.live = { current: server.server };
  const values = async (start: string): Promise<string[]> =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith(start));
  return { metrics, server, values, lines };
}

test('calls by tool and outcome, beside the audit log', async () => {
  const { server, values, lines } = measured();
  await server.ask('tools/call', call('good'));
  await server.ask('tools/call', call('good'));
  await server.ask('tools/call', call('bad'));
  expect(await values('mcp_tool_calls_total')).toEqual([
    'mcp_tool_calls_total{tool="good",outcome="ok"} 2',
    'mcp_tool_calls_total{tool="bad",outcome="tool-error"} 1',
  ]);
  expect(await values('mcp_requests_total')).toEqual([
    'mcp_requests_total{method="tools/call",outcome="ok"} 3',
  ]);
  expect(await values('mcp_requests_in_flight')).toEqual(['mcp_requests_in_flight 0']);
  const buckets = await values('mcp_tool_call_duration_seconds_bucket{tool="good"');
  expect(buckets.at(-1)).toBe('mcp_tool_call_duration_seconds_bucket{tool="good",le="+Inf"} 2');
  expect(await values('mcp_tool_call_duration_seconds_count{tool="good"')).toHaveLength(1);
  expect(lines).toHaveLength(3);
});

test('names that the server does not have are one label', async () => {
  const { server, values } = measured();
  for (let at = 0; at < 50; at++) {
    await server.ask('tools/call', call(`made-up-${at}"\n`));
    await server.ask(`made/up-${at}`, { _meta: modern });
  }
  expect(await values('mcp_tool_calls_total')).toEqual([
    'mcp_tool_calls_total{tool="(unknown)",outcome="error"} 50',
  ]);
  expect(await values('mcp_requests_total')).toEqual([
    'mcp_requests_total{method="tools/call",outcome="error"} 50',
    'mcp_requests_total{method="(unknown)",outcome="error"} 50',
  ]);
});

test('refusals by what they refuse', async () => {
  const { server, values, metrics } = measured(new Session('info', new RateLimiter(1)));
  await server.ask('tools/call', call('good'));
  await server.ask('tools/call', call('good'));
  await server.ask('made/up', { _meta: modern });
  const audit = metrics.wrapAudit(undefined);
  for (const status of [401, 429, 418, 'connection'] as const) audit.recordRefusal?.(status);
  expect(await values('mcp_refusals_total')).toEqual([
    'mcp_refusals_total{reason="rate"} 2',
    'mcp_refusals_total{reason="method"} 1',
    'mcp_refusals_total{reason="token"} 1',
    'mcp_refusals_total{reason="other"} 1',
    'mcp_refusals_total{reason="connection"} 1',
  ]);
});

test('a task counts when it begins and when it ends, as one request', async () => {
  const { server, values } = measured();
  await server.ask('tools/call', call('task'));
  await expect
    .poll(() => values('mcp_tool_calls_total'))
    .toEqual([
      'mcp_tool_calls_total{tool="task",outcome="task"} 1',
      'mcp_tool_calls_total{tool="task",outcome="ok"} 1',
    ]);
  expect(await values('mcp_requests_in_flight')).toEqual(['mcp_requests_in_flight 0']);
  expect(await values('mcp_tasks')).toEqual(['mcp_tasks 1']);
});

test('the state of Redis, where nodes share one', async () => {
  const { metrics, server, values } = measured();
  expect(await values('mcp_redis_up')).toEqual([]);
  for (const [state, up] of [
    ['up', 1],
    ['down', 0],
  ] as const) {
    const health = { store: 'redis' as const, state, since: new Date() };
    const shared = { ...server.server.shared, health };
    metrics.live = { current: { ...server.server, shared } };
    expect(await values('mcp_redis_up')).toEqual([`mcp_redis_up ${up}`]);
  }
});

let api: Awaited<ReturnType<typeof httpServer>>;
let project: TestProject;
let server: Started;
let url = '';
let metricsUrl = '';

async function startServer(env: Record<string, string>, args: string[] = []): Promise<Started> {
  const started = startProject(project, ['--transport', 'http', '--port', '0', ...args], env);
  await vi.waitFor(() => expect(started.output.stderr).toMatch(/serving .*\n/), { timeout: 10_000 });
  return started;
}

beforeAll(async () => {
  api = await httpServer((request, response) => {
    const status = request.url?.startsWith('/missing') === true ? 404 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  const get = (path: string) => ({ do: { kind: 'http' as const, method: 'GET', path, parameters: [] } });
  project = writeProject({
    catalog: { tools: ['here', 'missing'].map((name) => ({ name, inputSchema })) },
    bindings: {
      upstream: { servers: [{ url: api.url }], securitySchemes: {} },
      tools: { here: get('/here'), missing: get('/missing') },
    },
  });
  server = await startServer({ MCP_METRICS_PORT: '0' });
  url = /serving (http:\/\/127\.0\.0\.1:\d+)/.exec(server.output.stderr)?.[1] ?? '';
  metricsUrl = /metrics at (http:\/\/127\.0\.0\.1:\d+)\/metrics/.exec(server.output.stderr)?.[1] ?? '';
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  expect(await server.exit).toBe(0);
  project.remove();
  await api.close();
});

test('open WebSockets, refused ones, and connections beyond the limit', async () => {
  const { child, exit, output } = await startServer({ MCP_METRICS_PORT: '0' }, [
    '--ws',
    '--connections',
    '2',
  ]);
  const [, base = ''] = /serving (http:\/\/127\.0\.0\.1:\d+)/.exec(output.stderr) ?? [];
  const [, metrics = ''] = /metrics at (http:\/\/127\.0\.0\.1:\d+)\/metrics/.exec(output.stderr) ?? [];
  const read = async (start: string): Promise<string[]> =>
    (await once(metrics, { path: '/metrics' })).text.split('\n').filter((line) => line.startsWith(start));
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  const upgrade = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        ...{ upgrade: 'websocket', connection: 'upgrade', 'sec-websocket-version': '13' },
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      };
      const request = httpRequest(`${base}${path}`, { headers, agent }, resolve).on('upgrade', resolve);
      request.on('error', reject).end();
    });
  const sockets = [await upgrade('/ws')];
  expect(await read('mcp_websockets')).toEqual(['mcp_websockets 1']);
  (await upgrade('/other')).destroy();
  expect(await read('mcp_refusals_total')).toEqual(['mcp_refusals_total{reason="not-found"} 1']);
  sockets.push(await upgrade('/ws'));
  await expect(upgrade('/ws')).rejects.toThrow();
  expect(await read('mcp_refusals_total{reason="connection"')).toEqual([
    'mcp_refusals_total{reason="connection"} 1',
  ]);
  for (const socket of sockets) socket.destroy();
  await vi.waitFor(async () => expect(await read('mcp_websockets')).toEqual(['mcp_websockets 0']));
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
});

test('a running server shows requests to the API, sessions, its process, and refusals of HTTP', async () => {
  for (const name of ['here', 'here', 'missing']) await post(url, { name });
  await once(url, { path: '/nowhere' });
  const clientInfo = { name: 'c', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  await once(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  // Prometheus sends parameters of its configuration.
  const { status, headers, text } = await once(metricsUrl, { path: '/metrics?target=pets' });
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  for (const line of [
    'mcp_server_info{name="pets",version="1.2.3"} 1',
    'mcp_requests_total{method="initialize",outcome="ok"} 1',
    'mcp_tool_calls_total{tool="here",outcome="ok"} 2',
    'mcp_tool_calls_total{tool="missing",outcome="tool-error"} 1',
    'mcp_upstream_requests_total{method="GET",status="200"} 2',
    'mcp_upstream_requests_total{method="GET",status="404"} 1',
    'mcp_upstream_request_duration_seconds_count{method="GET"} 3',
    'mcp_upstream_requests_waiting 0',
    'mcp_refusals_total{reason="not-found"} 1',
    'mcp_sessions 1',
    'mcp_streams 0',
    'mcp_subscriptions 0',
    'mcp_tasks 0',
  ])
    expect(text.split('\n')).toContain(line);
  for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds{quantile="0.99"}'])
    expect(text).toMatch(new RegExp(`^${name.replace(/[{}.]/g, '\\$&')} [\\d.e-]+$`, 'm'));
  // Each line is a comment or a sample, and each family is described once.
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(
      /^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{[a-z_]+="[^"]*"(?:,[a-z_]+="[^"]*")*\})? [\d.e+-]+)$/,
    );
  const described = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(new Set(described).size).toBe(described.length);
  expect(text).not.toContain('127.0.0.1');
});

test.each([
  ['another path', { path: '/' }, 404],
  ['another method', { path: '/metrics', method: 'POST' }, 405],
  ['the name of another host', { path: '/metrics', headers: { host: 'evil.example' } }, 403],
  ['a page of another origin', { path: '/metrics', headers: { origin: 'https://evil.example' } }, 403],
])('%s is refused', async (_, question, status) => {
  expect((await once(metricsUrl, question)).status).toBe(status);
});

/** Takes a port, unless another process has it already. */
async function take(port: number): Promise<number> {
  const other = createServer();
  await new Promise<void>((resolve) => {
    other.once('error', () => resolve());
    other.listen(port, '127.0.0.1', resolve);
  });
  onTestFinished(() => void other.close());
  return (other.address() as AddressInfo | null)?.port ?? port;
}

test('a port that is taken ends the start where it was named', async () => {
  const port = await take(0);
  const refused = startProject(project, ['--transport', 'http', '--port', '0'], {
    MCP_METRICS_PORT: String(port),
  });
  expect(await refused.exit).toBe(2);
  expect(refused.output.stderr).toContain(`Metrics can't be served at 127.0.0.1:${port}: `);
});

test('the default port may be that of another server, which is a warning', async () => {
  await take(9_464);
  const started = await startServer({ MCP_METRICS_PORT: '' });
  expect(started.output.stderr).toContain("warning: Metrics can't be served at 127.0.0.1:9464: ");
  started.child.kill('SIGTERM');
  expect(await started.exit).toBe(0);
});

test('on stdio no port is opened unless it is named', async () => {
  const started = startProject(project, [], { MCP_METRICS_PORT: '' });
  started.child.stdin.end();
  expect(await started.exit).toBe(0);
  expect(started.output.stderr).toBe('');
});

test('the lag of an event loop that is idle is none, not the time between two looks', () => {
  const lag = { count: 50, max: 220e6, percentile: (percent: number) => (percent > 90 ? 70e6 : 20e6) };
  expect([0.5, 0.99, 1].map((quantile) => getLagSeconds(lag, quantile).toFixed(3))).toEqual([
    '0.000',
    '0.050',
    '0.200',
  ]);
  expect(getLagSeconds({ ...lag, count: 0 }, 1)).toBe(0);
});
