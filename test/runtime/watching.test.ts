// What only looks on: the audit log, metrics for Prometheus, traces. A message in; lines, numbers, spans and headers out.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Feature } from '../../templates/runtime/feature.ts';
import { EXPORT_LIMITS } from '../../templates/runtime/features/traces/exporter.ts';
import { redirects } from '../../templates/runtime/features/redirects.ts';
import { RpcError } from '../../templates/runtime/json-rpc.ts';
import type { Server } from '../../templates/runtime/server.ts';
import { CallLimiter } from '../../templates/runtime/session.ts';
import type { Context } from '../../templates/runtime/types.ts';
import { startApi } from './api.ts';
import { hello, makeHttpClient, meta, ready } from './client.ts';
import { startCollector } from './collector.ts';
import { makeClient, makeServer, type Parts } from './core.ts';
import { serve } from './http.ts';

const inputSchema = { type: 'object' as const };
const handlers = {
  extraTools: [
    { name: 'good', inputSchema, handler: () => '"isError":true' },
    {
      name: 'bad',
      inputSchema,
      handler: () => {
        throw new Error('no');
      },
    },
    { name: 'strict', inputSchema: { ...inputSchema, required: ['a'] }, handler: () => '' },
    { name: 'hang', inputSchema, handler: () => new Promise(() => undefined) },
    { name: 'forbidden', inputSchema, handler: () => '' },
    { name: 'outer', inputSchema, handler: (_: object, context: Context) => context.call('good') },
    {
      name: 'task',
      inputSchema,
      handler: ({ way }: { way?: string }) => {
        if (way === 'fail') throw new Error('no');
        if (way === 'refuse') throw new RpcError(-32050, 'no');
        return 'done';
      },
    },
  ],
};

const works: Promise<unknown>[] = [];

/** Answers at once, and works on; refuses one tool as a server without its scope would. */
const tasks: Feature = {
  name: 'test-tasks',
  aroundRequest: async (call, next) => {
    if (call.params['name'] === 'forbidden') throw new RpcError(-32600, 'scope', { status: 403 });
    if (call.params['name'] !== 'task') return next(call);
    works.push(sleep(0).then(() => next(call).catch(() => undefined)));
    return { resultType: 'task', taskId: 'task-17' };
  },
};

async function open(parts: Parts) {
  const reported: unknown[] = [];
  const server = makeServer({ features: [tasks], handlers, ...parts }, reported);
  await server.start();
  onTestFinished(() => server.close());
  const { send, session } = makeClient(server, []);
  let id = 0;
  const ask = (method: string, params: object = {}) =>
    send({
      jsonrpc: '2.0',
      id: ++id,
      method,
      params: { ...params, _meta: { ...meta, ...('_meta' in params ? (params._meta as object) : {}) } },
    });
  return { server, session, send, ask, reported };
}

const call = (name: string, args: object = {}) => ({ name, arguments: args });

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcpgen-audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'audit.jsonl');
}

function linesOf(file: string): Record<string, unknown>[] {
  const text = readFileSync(file, 'utf8').trim();
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
}

const ask = { jsonrpc: '2.0', id: 9, method: 'tools/call' };

async function openAudit(flags: Parts['flags'] = {}, parts: Parts = {}) {
  const file = newFile();
  const opened = await open({ ...parts, flags: { audit: file, ...flags } });
  const lines = async (count: number) => {
    await expect.poll(() => linesOf(file).length).toBe(count);
    return linesOf(file);
  };
  return { ...opened, file, lines };
}

// Audit.

test.each<[string, object]>([
  ['good', { outcome: 'ok' }],
  ['bad', { outcome: 'tool-error' }],
  ['none', { outcome: 'error', code: -32602 }],
  ['forbidden', { outcome: 'refused', code: -32600 }],
])('the audit log has a line of %s', async (name, want) => {
  const { ask, lines, file } = await openAudit();
  await ask('tools/list');
  await ask('tools/call', call(name, { b: [1] }));
  const [line] = await lines(1);
  expect(line).toEqual({
    ...{ time: expect.stringMatching(/^\d{4}-.*Z$/), server: 'test', tool: name },
    ...{ ms: expect.any(Number), arguments: { b: 'array of 1' }, ...want },
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a call over the limit and a cancelled one have a line, each once', async () => {
  const { server, session, send, lines } = await openAudit();
  server.services.limiter = new CallLimiter(1);
  const request = (id: number, name: string) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { ...call(name), _meta: meta },
  });
  const hanging = send(request(1, 'hang'));
  await send(request(2, 'good'));
  await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  await hanging;
  session.end();
  expect(await lines(2)).toMatchObject([
    { tool: 'good', outcome: 'error', code: -32603 },
    { tool: 'hang', outcome: 'cancelled' },
  ]);
});

test.each<[string, object]>([
  ['end', { outcome: 'ok' }],
  ['fail', { outcome: 'tool-error' }],
  ['refuse', { outcome: 'error', code: -32050 }],
])('a task has a line for its start and its end: %s', async (way, want) => {
  const { ask, lines, file } = await openAudit();
  await ask('tools/call', call('task', { way }));
  const [begun, ended] = await lines(2);
  expect(begun).toMatchObject({ tool: 'task', outcome: 'task', task: expect.stringMatching(/^[\w-]{16}$/) });
  expect(ended).toMatchObject({ tool: 'task', task: begun?.['task'], time: begun?.['time'], ...want });
  expect(readFileSync(file, 'utf8')).not.toContain('task-17');
});

test('calls by code have lines, too', async () => {
  const { ask, lines } = await openAudit();
  await ask('tools/call', call('outer'));
  expect((await lines(2)).map(({ tool }) => tool)).toEqual(['good', 'outer']);
});

test.each<[string, object, unknown]>([
  [
    'types',
    { a: 'x', b: 1, c: null, d: true, g: { h: 1 } },
    { a: 'string', b: 'number', c: 'null', d: 'boolean', g: 'object' },
  ],
  ['types', { ['n'.repeat(100)]: 1 }, { ['n'.repeat(64)]: 'number' }],
  ['types', { 'of hunter2-hunter2': 1 }, { 'of [redacted]': 'number' }],
  ['full', { name: 'Ada', password: 'p' }, '{"name":"Ada","password":"[redacted]"}'],
  [
    'full',
    { deep: [{ API_KEY: 1, pin: 2, pine: 3 }] },
    '{"deep":[{"API_KEY":"[redacted]","pin":"[redacted]","pine":3}]}',
  ],
  ['full', { note: 'it is hunter2-hunter2' }, '{"note":"it is [redacted]"}'],
  ['full', { long: 'x'.repeat(10_000) }, `{"long":"${'x'.repeat(4_087)}…`],
])('arguments as %s: %j', async (shown, args, want) => {
  const env = { MY_TOKEN: 'hunter2-hunter2' };
  const { ask, lines } = await openAudit({ 'audit-arguments': shown }, { env });
  await ask('tools/call', call('good', args));
  expect((await lines(1))[0]?.['arguments']).toEqual(want);
});

test('no more names than anybody reads', async () => {
  const { ask, lines } = await openAudit();
  await ask(
    'tools/call',
    call('good', Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`a${at}`, 1]))),
  );
  expect(Object.keys((await lines(1))[0]?.['arguments'] as object)).toHaveLength(50);
});

test.each(['types', 'full'])(
  'the token of the caller is nowhere in the log, with arguments as %s',
  async (shown) => {
    const { server, lines, file } = await openAudit({ 'audit-arguments': shown });
    const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJlLW9mLWl0';
    const { url } = await serve({ server, isStarted: true }, []);
    const { post } = makeHttpClient(url);
    const calls: [string, object][] = [
      [token, {}],
      ['good', { [token]: 1, q: [token, Buffer.from(` ${token}`).toString('base64')] }],
    ];
    for (const [name, args] of calls)
      await post(
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...call(name, args), _meta: meta } },
        {
          authorization: `Bearer ${token}`,
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': name,
        },
      );
    await lines(calls.length);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(token.slice(30));
    expect(text).not.toContain(Buffer.from(` ${token}`).toString('base64').slice(10, 40));
    expect(text).toContain('"tool":"[redacted]"');
    expect(text).toContain('"address":"127.0.0.1"');
  },
);

test.each(['HTTP+SSE', 'WebSocket'])('nor is it over %s', async (transport) => {
  const flags = { transport: 'http', sse: true, ws: true };
  const { server, lines, file } = await openAudit({ ...flags, 'audit-arguments': 'full' });
  const { url } = await serve({ server, isStarted: true }, []);
  const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJlLW9mLWl0';
  const head = { authorization: `Bearer ${token}` };
  const args = { [token]: token };
  const messages = [hello('2025-06-18'), ready, { ...ask, params: call('good', args) }];
  if (transport === 'WebSocket') {
    const client = new WebSocket(`${url.replace('http', 'ws')}/ws`, 'mcp', { headers: head });
    onTestFinished(() => client.terminate());
    await once(client, 'open');
    for (const message of messages) client.send(JSON.stringify(message));
  } else {
    const { listen, send } = makeHttpClient(url);
    const endpoint = (await (await listen(head, '/sse')).next())?.data ?? '';
    const types = { ...head, 'content-type': 'application/json' };
    for (const message of messages) await send('POST', endpoint, types, JSON.stringify(message));
  }
  expect(await lines(1)).toMatchObject([{ tool: 'good', outcome: 'ok' }]);
  const text = readFileSync(file, 'utf8');
  for (const part of [token.slice(0, 20), token.slice(30)]) expect(text).not.toContain(part);
});

test('a session is shown by a hash of its id', async () => {
  const { server, lines, file } = await openAudit();
  const { url } = await serve({ server, isStarted: true }, []);
  const { post } = makeHttpClient(url);
  const { headers } = await post(hello());
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
  await post(ready, session);
  await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call('good') }, session);
  expect(await lines(1)).toMatchObject([{ session: expect.stringMatching(/^[\w-]{16}$/) }]);
  expect(readFileSync(file, 'utf8')).not.toContain(session['mcp-session-id']);
});

test.each<[Record<string, string>, Record<string, string>, string]>([
  [{ audit: '/nowhere/there/audit' }, {}, "/nowhere/there/audit can't be written to: ENOENT"],
  [{ audit: 'stderr', 'audit-arguments': 'all' }, {}, '--audit-arguments must be types or full, not all.'],
  [{ 'audit-arguments': 'full' }, {}, '--audit-arguments needs an audit log'],
])('%j and %j are refused', async (flags, env, message) => {
  await expect(open({ flags, env })).rejects.toThrow(message);
});

// Metrics.

/** @param path of the metrics' port */
function get(url: string, path = '/metrics', method = 'GET', headers: Record<string, string> = {}) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = httpRequest(url + path, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject).end();
  });
}

const metricsUrl = (server: Server): string =>
  /metrics: (http:\/\/127\.0\.0\.1:\d+)/.exec(server.describe())?.[1] ?? '';

async function openMetrics(parts: Parts = {}) {
  const opened = await open({ ...parts, env: { MCP_METRICS_PORT: '0', ...parts.env } });
  const values = async (start: string): Promise<string[]> =>
    (await get(metricsUrl(opened.server))).text.split('\n').filter((line) => line.startsWith(start));
  return { ...opened, values };
}

test('metrics count calls by tool and outcome, and requests by method', async () => {
  const { ask, values } = await openMetrics();
  for (const name of ['good', 'good', 'bad', 'task']) await ask('tools/call', call(name));
  await expect
    .poll(() => values('mcp_tool_calls_total{tool="task"'))
    .toEqual([
      'mcp_tool_calls_total{tool="task",outcome="task"} 1',
      'mcp_tool_calls_total{tool="task",outcome="ok"} 1',
    ]);
  expect(await values('mcp_tool_calls_total{tool="good"')).toEqual([
    'mcp_tool_calls_total{tool="good",outcome="ok"} 2',
  ]);
  expect(await values('mcp_tool_calls_total{tool="bad"')).toEqual([
    'mcp_tool_calls_total{tool="bad",outcome="tool-error"} 1',
  ]);
  expect(await values('mcp_requests_')).toEqual([
    'mcp_requests_in_flight 0',
    'mcp_requests_total{method="tools/call",outcome="ok"} 4',
  ]);
  const buckets = await values('mcp_tool_call_duration_seconds_bucket{tool="good"');
  expect(buckets.at(-1)).toBe('mcp_tool_call_duration_seconds_bucket{tool="good",le="+Inf"} 2');
});

test('names that the server does not have are one label', async () => {
  const { ask, values } = await openMetrics();
  for (let at = 0; at < 20; at++) {
    await ask('tools/call', call(`made-up-${at}"\n`));
    await ask(`made/up-${at}`);
  }
  expect(await values('mcp_tool_calls_total')).toEqual([
    'mcp_tool_calls_total{tool="(unknown)",outcome="error"} 20',
  ]);
  expect(await values('mcp_requests_total')).toEqual([
    'mcp_requests_total{method="tools/call",outcome="error"} 20',
    'mcp_requests_total{method="(unknown)",outcome="error"} 20',
  ]);
  expect(await values('mcp_refusals_total')).toEqual(['mcp_refusals_total{reason="method"} 20']);
});

test('refusals, sessions and requests to the API are counted, under no name of a client', async () => {
  const api = await startApi(({ target }) => ({ status: target === '/missing' ? 404 : 200 }));
  const bind = (path: string) => ({ do: { kind: 'http', method: 'GET', path, parameters: [] } });
  const { server, values } = await openMetrics({
    catalog: { tools: ['here', 'missing'].map((name) => ({ name, inputSchema })) },
    bindings: {
      upstream: { servers: [{ url: api.url }], securitySchemes: {} },
      tools: { here: bind('/here'), missing: bind('/missing') },
    },
  });
  const { url } = await serve({ server, isStarted: true }, []);
  const { post } = makeHttpClient(url);
  const { headers } = await post(hello());
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
  await post(ready, session);
  for (const name of ['here', 'missing', 'forbidden'])
    await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call(name) }, session);
  await post(hello(), { 'mcp-session-id': 'unknown' });
  await get(url, '/nowhere');
  server.services.limiter = new CallLimiter(1);
  for (const id of [2, 3]) await post({ jsonrpc: '2.0', id, method: 'tools/list' }, session);
  expect(await values('mcp_refusals_total')).toEqual([
    'mcp_refusals_total{reason="scope"} 1',
    'mcp_refusals_total{reason="not-found"} 2',
    'mcp_refusals_total{reason="rate"} 1',
  ]);
  expect(await values('mcp_upstream_requests_total')).toEqual([
    'mcp_upstream_requests_total{method="GET",status="200"} 1',
    'mcp_upstream_requests_total{method="GET",status="404"} 1',
  ]);
  expect(await values('mcp_upstream_request_duration_seconds_count')).toEqual([
    'mcp_upstream_request_duration_seconds_count{method="GET"} 2',
  ]);
  expect(await values('mcp_s')).toEqual(
    [
      'mcp_server_info{name="test",version="1.2.3"} 1',
      'mcp_subscriptions 0',
      'mcp_sessions 1',
      'mcp_streams 0',
      'mcp_spans_dropped 0',
    ].filter((line) => !line.startsWith('mcp_spans')),
  );
  const { text } = await get(metricsUrl(server));
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(
      /^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{[a-z_]+="[^"]*"(?:,[a-z_]+="[^"]*")*\})? [\d.e+-]+)$/,
    );
  const described = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(new Set(described).size).toBe(described.length);
  expect(text).not.toContain('127.0.0.1');
});

test.each<[string, Parameters<typeof get> extends [string, ...infer Rest] ? Rest : never, number]>([
  ['parameters of a scraper', ['/metrics?target=pets'], 200],
  ['another path', ['/'], 404],
  ['another method', ['/metrics', 'POST'], 405],
  ['the name of another host', ['/metrics', 'GET', { host: 'evil.example' }], 403],
  ['a page of another origin', ['/metrics', 'GET', { origin: 'https://evil.example' }], 403],
])('the port of metrics and %s', async (_, question, status) => {
  const { server } = await openMetrics();
  expect((await get(metricsUrl(server), ...question)).status).toBe(status);
});

test('a taken port ends the start if it was named; on stdio none is opened unless named', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as { port: number };
  await expect(open({ env: { MCP_METRICS_PORT: String(port) } })).rejects.toThrow(
    `Metrics can't be served at 127.0.0.1:${port}: `,
  );
  await expect(open({ env: { MCP_METRICS_PORT: 'x' } })).rejects.toThrow(
    'MCP_METRICS_PORT must be a whole number',
  );
  expect((await open({})).server.describe()).toContain('metrics: none');
});

// Traces.

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const traceparent = `00-${TRACE}-${SPAN}-01`;

async function openTraced(env: Record<string, string> = {}, answer?: Parameters<typeof startApi>[0]) {
  const api = await startApi(
    answer ?? (() => ({ body: '{}', headers: { 'content-type': 'application/json' } })),
  );
  const parameters = [
    { argument: 'id', name: 'id', in: 'path' },
    { argument: 'traceparent', name: 'traceparent', in: 'header' },
  ];
  const binding = { kind: 'http', method: 'GET', path: '/pets/{id}', parameters };
  const by = (_: object, context: Context) => context.call('get_pet', { id: 'secret-1' });
  const { server, ask, reported } = await open({
    env,
    catalog: { tools: [{ name: 'get_pet', inputSchema }] },
    bindings: {
      upstream: { servers: [{ url: api.url }], securitySchemes: {} },
      tools: { get_pet: { do: binding } },
    },
    handlers: { extraTools: [...handlers.extraTools, { name: 'by_code', inputSchema, handler: by }] },
  });
  return { server, ask, reported, api };
}

const getPet = (_meta: object, args: object = {}) => ({
  ...call('get_pet', { id: 'secret-1', ...args }),
  _meta,
});

test.each<[string, unknown, string | undefined]>([
  ['a trace', traceparent, traceparent],
  ['more flags', `00-${TRACE}-${SPAN}-03`, traceparent],
  ['a later version, which may say more', `cc-${TRACE}-${SPAN}-01-of-the-future`, traceparent],
  ['a version that is none', `ff-${TRACE}-${SPAN}-01`, undefined],
  ['more in this version', `${traceparent}-more`, undefined],
  ['no trace', `00-${'0'.repeat(32)}-${SPAN}-01`, undefined],
  ['a line', `${traceparent}\r\nX-Evil: 1`, undefined],
])('without a collector the API gets %s', async (_, given, want) => {
  const { ask, api } = await openTraced();
  await ask('tools/call', getPet({ traceparent: given }));
  expect(api.requests[0]?.headers['traceparent']).toBe(want);
});

test.each<[string, string | undefined]>([
  ['a=1,b@c=2', 'a=1,b@c=2'],
  ['a=1\r\nX-Evil: 1', undefined],
  [`a=${'x'.repeat(600)}`, undefined],
])('tracestate %j goes on as %j', async (tracestate, want) => {
  const { ask, api } = await openTraced();
  await ask('tools/call', getPet({ traceparent, tracestate }));
  expect(api.requests[0]?.headers['tracestate']).toBe(want);
});

test('`_meta` wins over headers, which replace arguments; without either an argument stays', async () => {
  const { server, ask, api } = await openTraced();
  const { url } = await serve({ server, isStarted: true }, []);
  const { post } = makeHttpClient(url);
  const head = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'get_pet' };
  const request = (_meta: object) => ({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: getPet({ ...meta, ..._meta }, { traceparent: 'argument' }),
  });
  const ofHeader = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00`;
  const headers = { ...head, traceparent: ofHeader, tracestate: 'h=1' };
  await post(request({ traceparent }), headers);
  await post(request({ traceparent: 'nonsense' }), headers);
  await post(request({}), { ...head, traceparent: 'nonsense' });
  await ask('tools/call', getPet({}, { traceparent: 'argument' }));
  const told = api.requests.map((one) => ['traceparent', 'tracestate'].map((name) => one.headers[name]));
  expect(told).toEqual([
    // The state of another trace is not of this one.
    [traceparent, undefined],
    [ofHeader, 'h=1'],
    ['argument', undefined],
    ['argument', undefined],
  ]);
});

test('spans of the request, the call by code and each attempt are one trace', async () => {
  const collector = await startCollector();
  const { ask, server, api } = await openTraced(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.version=9',
    },
    (_, at) =>
      at === 0 ? { status: 503 } : at === 1 ? { status: 302, headers: { location: '/moved/here' } } : {},
  );
  await ask('tools/call', {
    ...call('by_code'),
    _meta: { traceparent, tracestate: 'vendor=a1' },
  });
  await ask('tools/call', { ...call('bad'), _meta: { traceparent } });
  await ask('tools/call', { ...call('nothing-secret-1'), _meta: { traceparent } });
  await ask('made/up-secret-1', { _meta: { traceparent } });
  await ask('tools/call', { ...call('task'), _meta: { traceparent } });
  await ask('tools/call', { ...call('good'), _meta: { traceparent: `00-${TRACE}-${SPAN}-00` } });
  await Promise.all(works);
  expect(server.gauges.get('mcp_spans_dropped')?.()).toBe(0);
  await server.close();
  const spans = collector.spans;
  expect(
    spans.map(({ name, kind, status, attributes }) => [name, kind, status.code, attributes['error.type']]),
  ).toEqual([
    ['GET /pets/{id}', 3, 2, '503'],
    ['GET /pets/{id}', 3, undefined, undefined],
    ['GET', 3, undefined, undefined],
    ['tools/call get_pet', 1, undefined, undefined],
    ['tools/call by_code', 2, undefined, undefined],
    ['tools/call bad', 2, 2, 'tool_error'],
    ['tools/call', 2, undefined, '-32602'],
    ['_OTHER', 2, undefined, '-32601'],
    ['tools/call task', 2, undefined, undefined],
    ['task tools/call task', 1, undefined, undefined],
  ]);
  const [first, second, moved, inner, outer] = spans;
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  expect([outer?.parentSpanId, inner?.parentSpanId, first?.parentSpanId]).toEqual([
    SPAN,
    outer?.spanId,
    inner?.spanId,
  ]);
  expect(spans.at(-1)?.parentSpanId).toBe(spans.at(-2)?.spanId);
  expect(outer?.traceState).toBe('vendor=a1');
  expect(outer?.attributes).toMatchObject({
    'mcp.method.name': 'tools/call',
    'mcp.protocol.version': '2026-07-28',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'by_code',
    'network.transport': 'pipe',
  });
  expect(second?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.request.resend_count': 1,
    'http.response.status_code': 302,
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(api.url).port),
    'url.full': `${api.url}/pets/{id}`,
    'url.template': '/pets/{id}',
  });
  expect(moved?.attributes['url.full']).toBe(api.url);
  expect(api.requests.map(({ headers }) => headers['traceparent'])).toEqual([
    `00-${TRACE}-${first?.spanId}-01`,
    `00-${TRACE}-${second?.spanId}-01`,
    // The path of a redirect is no operation of the document.
    undefined,
  ]);
  expect(collector.heads[0]).toMatchObject({ 'content-type': 'application/json', 'x-key': 'a b' });
  expect(collector.paths).toContain('/v1/traces');
  expect(collector.resource()).toEqual({
    'service.name': 'test',
    'service.version': '9',
    'deployment.environment.name': 'test',
    'telemetry.sdk.name': 'mcpgen',
    'telemetry.sdk.language': 'nodejs',
  });
  expect(collector.bodies.join('\n')).not.toContain('secret-1');
});

test.each([false, true])(
  'another origin that the API redirects to gets nothing of a trace, with a collector: %j',
  async (isExported) => {
    const collector = await startCollector();
    const other = await startApi(() => ({ headers: { 'content-type': 'text/plain' }, body: 'there' }));
    const api = await startApi(() => ({ status: 302, headers: { location: `${other.url}/there` } }));
    const { ask } = await open({
      without: ['redirects'],
      features: [redirects({ allows: () => true })],
      env: isExported ? { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } : {},
      catalog: { tools: [{ name: 'get_pet', inputSchema }] },
      bindings: {
        upstream: { servers: [{ url: api.url }], securitySchemes: {} },
        tools: { get_pet: { do: { kind: 'http', method: 'GET', path: '/pets', parameters: [] } } },
      },
    });
    const _meta = { traceparent, tracestate: 'a=1' };
    await ask('tools/call', { ...call('get_pet'), _meta });
    const namesOf = ({ requests }: typeof api) =>
      ['traceparent', 'tracestate'].filter((name) => requests[0]?.headers[name] !== undefined);
    expect([namesOf(api), namesOf(other), other.requests.length]).toEqual([
      ['traceparent', 'tracestate'],
      [],
      1,
    ]);
  },
);

/** Each span is sent at once. */
function limitExports(limits: Partial<typeof EXPORT_LIMITS> = {}): void {
  const before = { ...EXPORT_LIMITS };
  Object.assign(EXPORT_LIMITS, { batch: 1 }, limits);
  onTestFinished(() => void Object.assign(EXPORT_LIMITS, before));
}

test('what the queue does not hold is dropped, and nothing waits for a collector that hangs', async () => {
  const collector = await startCollector(() => undefined);
  limitExports({ queue: 2, timeoutMs: 50 });
  const { ask, server, reported } = await openTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  for (let count = 0; count < 6; count++) await ask('tools/call', call('good'));
  expect(server.gauges.get('mcp_spans_dropped')?.()).toBe(3);
  await server.close();
  expect(reported.at(-1)).toBe('6 spans were not exported.');
});

test('a line of the audit log names the trace', async () => {
  const { ask, lines } = await openAudit();
  await ask('tools/call', { ...call('good'), _meta: { traceparent } });
  expect(await lines(1)).toMatchObject([{ trace_id: TRACE }]);
});

test('spans that the collector does not take are dropped, counted and told once; calls wait for none', async () => {
  let count = 0;
  const collector = await startCollector(() => (++count === 3 ? 200 : count === 4 ? 307 : 400));
  limitExports();
  const { ask, server, reported } = await openTraced({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own`,
  });
  for (let at = 1; at <= 4; at++) {
    await ask('tools/call', call('good'));
    await expect.poll(() => collector.bodies.length).toBe(at);
  }
  await server.close();
  expect(collector.paths[0]).toBe('/own');
  const refused = (status: number) =>
    expect.stringMatching(
      new RegExp(`^Spans can't be exported to http:\\S+: HTTP ${status}\\. They are dropped`),
    );
  expect(reported).toEqual([refused(400), refused(307), '3 spans were not exported.']);
});

test.each<[env: Record<string, string>, flags: string, want: boolean]>([
  [{}, '01', true],
  [{}, '00', false],
  [{ OTEL_SDK_DISABLED: 'TRUE' }, '01', false],
  [{ OTEL_TRACES_EXPORTER: 'none' }, '01', false],
])('%j and the flags %s: recorded %s', async (env, flags, want) => {
  const collector = await startCollector();
  const { ask, server } = await openTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env });
  await ask('tools/call', { ...call('good'), _meta: { traceparent: `00-${TRACE}-${SPAN}-${flags}` } });
  await server.close();
  expect(collector.spans.length > 0).toBe(want);
});

test.each<[Record<string, string>, string]>([
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://u:hidden@a.test' },
    'OTEL_EXPORTER_OTLP_ENDPOINT must be the URL of a collector',
  ],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'key=hid%0Aden' }, 'OTEL_EXPORTER_OTLP_HEADERS holds what HTTP headers'],
])('%j is refused without its value', async (env, words) => {
  const failure = open({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.test', ...env } });
  await expect(failure).rejects.toThrow(words);
  await expect(failure).rejects.not.toThrow('hidden');
});
