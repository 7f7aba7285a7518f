// The handler that an emitted project exports.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { COMMON_FLAGS } from '../../../templates/runtime/contract/common-variables.ts';
import { createFetchHandler, printDataFile } from '../../../templates/runtime/fetch/create-handler.ts';
import { MemoryState } from '../../../templates/runtime/core/shared-state.ts';
import { DEFAULT_LIMITS } from '../../../templates/runtime/contract/feature.ts';
import { allFeatures } from '../../../templates/runtime/all-features.ts';
import type { Context } from '../../../templates/runtime/definition.ts';
import { answerFetch } from '../../../templates/runtime/fetch/web-parts.ts';
import type { FetchHandler, FetchOptions } from '../../../templates/runtime/fetch/create-handler.ts';
import { META } from '../../../templates/runtime/protocol/revisions.ts';
import { hello } from '../core/harness.ts';
import { gate } from '../transports/http-harness.ts';

const URL_OF = 'http://127.0.0.1/mcp';
const address = '192.0.2.1';

const DATA = {
  'catalog.json': { tools: [], resources: [], resourceTemplates: [], prompts: [], completions: false },
  'bindings.json': { tools: {}, resources: {}, resourceTemplates: {}, prompts: {}, completions: [] },
  'features.json': {
    features: [
      { name: 'stdio', flags: COMMON_FLAGS },
      {
        name: 'http',
        loadedBy: ['http'],
        flags: { port: { value: 'n', help: '' }, path: { value: 'p', help: '' }, stateless: { help: '' } },
      },
    ],
  },
};

function open(options: FetchOptions = {}, handler: (context: Context) => unknown = () => 'done') {
  const said: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  onTestFinished(() => spy.mockRestore());
  const handle = createFetchHandler(
    {
      info: { name: 'test', version: '1' },
      features: allFeatures,
      hasApi: false,
      handlers: {
        extraTools: [
          { name: 'x', inputSchema: { type: 'object' }, handler: (_, context) => handler(context) as string },
        ],
      },
      generated: Object.fromEntries(
        Object.entries(DATA).map(([name, value]) => [name, () => Promise.resolve({ default: value })]),
      ),
    },
    { ...options, env: { MCP_METRICS_PORT: 'off', ...options.env } },
  );
  onTestFinished(() => handle.close());
  return { handle, said };
}

const params = {
  name: 'x',
  arguments: {},
  _meta: { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {} },
};

function call(more: { signal?: AbortSignal; headers?: Record<string, string>; body?: string } = {}): Request {
  const {
    signal,
    headers,
    body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  } = more;
  return new Request(URL_OF, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'x',
      ...headers,
    },
    ...(signal && { signal }),
  });
}

test.each(['legacy', '2026-07-28'])('the official client calls it by its `fetch` (%s)', async (era) => {
  const { handle } = open();
  const mode = era === 'legacy' ? ('legacy' as const) : { pin: era };
  const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(URL_OF), {
    fetch: (url, init) => handle(new Request(url, init), { address }),
  });
  await client.connect(transport);
  expect(await client.callTool({ name: 'x' })).toMatchObject({ content: [{ text: 'done' }] });
  await client.close();
});

test.each<[string, (controller: AbortController, response: Promise<Response>) => Promise<void>]>([
  ['its request is aborted', async (controller) => controller.abort()],
  ['its body is cancelled', async (_, response) => (await response).body?.cancel()],
])('a call ends when %s', async (_, leave) => {
  const [begun, ended] = [gate(), gate()];
  const { handle } = open({}, async ({ progress, signal }) => {
    await progress(1);
    signal.addEventListener('abort', ended.open);
    begun.open();
    await ended.opened;
  });
  const controller = new AbortController();
  const _meta = { ...params._meta, progressToken: 1 };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } });
  const response = handle(call({ signal: controller.signal, body }), { address });
  await begun.opened;
  await leave(controller, response);
  await ended.opened;
});

test('a host of others, and a page of others, are refused', async () => {
  const { handle } = open();
  const statusWith = async (headers: Record<string, string>) =>
    (await handle(call({ headers }), { address })).status;
  expect(await statusWith({ host: 'evil.example' })).toBe(403);
  expect(await statusWith({ origin: 'https://evil.example' })).toBe(403);
  const url = new Request('http://evil.example/mcp', call());
  expect((await handle(url, { address })).status).toBe(403);
});

test('a body that is too long is read no further', async () => {
  const { handle } = open();
  let read = 0;
  const cancelled = gate();
  const body = new ReadableStream({
    pull: (stream) => {
      read++;
      stream.enqueue(new Uint8Array(1024 * 1024));
    },
    cancel: cancelled.open,
  });
  const endless = new Request(URL_OF, {
    ...{ duplex: 'half' },
    method: 'POST',
    body,
    headers: call().headers,
  });
  expect((await handle(endless, { address })).status).toBe(413);
  await cancelled.opened;
  expect(read).toBeLessThan(10);
});

test('a body that was read is a fault of the web server', async () => {
  const { handle } = open();
  const request = call();
  await request.text();
  await expect(handle(request, { address })).rejects.toThrow('The body has been read already');
});

test('without addresses it says once how it counts', async () => {
  const { handle, said } = open();
  await handle(call(), { address });
  expect(said.join('')).not.toContain('address');
  await handle(call());
  await handle(call());
  expect(said.filter((line) => line.includes('come without the address of their client'))).toHaveLength(1);
});

test.each<[FetchOptions, string]>([
  [{ args: ['--port', '1'] }, '--port is not for a handler of requests'],
  [{ args: ['--transport', 'stdio'] }, '--transport is given twice'],
  [{ path: 'mcp' }, '--path must begin with a slash'],
  [{ env: { MCP_ALLOWED_ORIGINS: '*' } }, 'MCP_ALLOWED_ORIGINS'],
])('%j can not be used', async (options, words) => {
  const { handle } = open(options);
  await expect(handle.ready()).rejects.toThrow(words);
});

test('variables of what listens are ignored, not silently', async () => {
  const { handle, said } = open({ env: { MCP_TLS_CERT: '/nowhere.pem' } });
  await handle.ready();
  expect(said.join('')).toContain('ignored: MCP_TLS_CERT');
});

test('closing waits for what is in flight, and refuses the rest', async () => {
  const [begun, goOn] = [gate(), gate()];
  const { handle } = open({}, async () => {
    begun.open();
    await goOn.opened;
    return 'done';
  });
  const response = handle(call(), { address });
  await begun.opened;
  const closed = handle.close();
  expect((await handle(call(), { address })).status).toBe(503);
  goOn.open();
  expect((await response).status).toBe(200);
  await closed;
});

const probe = async (handle: FetchHandler, path: string) => {
  const response = await handle(new Request(`http://10.0.0.1${path}`));
  return [response.status, await response.json()];
};

test('balancers see that it is ready, and while it closes that it is not', async () => {
  const [begun, goOn] = [gate(), gate()];
  const { handle } = open({}, async () => {
    begun.open();
    await goOn.opened;
  });
  expect(await probe(handle, '/livez')).toEqual([200, { status: 'ok' }]);
  expect(await probe(handle, '/readyz?x')).toEqual([200, { status: 'ready' }]);
  const response = handle(call(), { address });
  await begun.opened;
  const closed = handle.close();
  expect(handle.close()).toBe(closed);
  expect(await probe(handle, '/readyz')).toEqual([503, { status: 'draining' }]);
  expect(await probe(handle, '/livez')).toEqual([200, { status: 'ok' }]);
  goOn.open();
  expect((await response).status).toBe(200);
  await closed;
});

test('requests are taken for the drain delay', async () => {
  const { handle } = open({ env: { MCP_DRAIN_DELAY_MS: '300' } });
  await handle.ready();
  const closed = handle.close();
  expect(await probe(handle, '/readyz')).toEqual([503, { status: 'draining' }]);
  expect((await handle(call(), { address })).status).toBe(200);
  await closed;
  expect((await handle(call(), { address })).status).toBe(503);
});

test('metrics have a port of their own', async () => {
  const { handle, said } = open({ env: { MCP_METRICS_PORT: '0' } });
  await handle(call(), { address });
  await handle(call({ headers: { origin: 'https://evil.example' } }), { address });
  const [, url = ''] = /metrics at (\S+)/.exec(said.join('')) ?? [];
  const text = await (await fetch(url)).text();
  expect(text).toContain('mcp_tool_calls_total{tool="x",outcome="ok"} 1');
  expect(text).toContain('mcp_refusals_total{reason="forbidden"} 1');
  expect(text).toContain('mcp_sessions 0');
  await handle.close();
  await expect(fetch(url)).rejects.toThrow();
});

const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello('2025-11-25') };
const legacy = (message: object, headers: Record<string, string> = {}) =>
  new Request(URL_OF, {
    method: 'POST',
    body: JSON.stringify(message),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
const legacyCall = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'x', arguments: {} } };

test('closing ends streams that wait for messages, and the state', async () => {
  const close = vi.spyOn(MemoryState.prototype, 'close');
  onTestFinished(() => close.mockRestore());
  const { handle } = open();
  const opened = await handle(legacy(initialize), { address });
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await handle(legacy({ jsonrpc: '2.0', method: 'notifications/initialized' }, session), { address });
  const headers = { accept: 'text/event-stream', ...session };
  const listening = await handle(new Request(URL_OF, { headers }), { address });
  const rest = listening.text();
  await handle.close();
  // One that is cut off breaks off.
  expect(await rest).toContain('id: 0-');
  expect(close).toHaveBeenCalledOnce();
});

test('closing cuts off a call that does not end in its time', async () => {
  const begun = gate();
  const { handle } = open(
    { env: { MCP_DRAIN_DELAY_MS: '1', API_TIMEOUT_MS: '50' } },
    async ({ progress }) => {
      await progress(1);
      begun.open();
      await new Promise(() => undefined);
    },
  );
  const body = { ...params, _meta: { ...params._meta, progressToken: 'p' } };
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: body });
  const response = await handle(call({ body: text }), { address });
  await begun.opened;
  const rest = response.text();
  rest.catch(() => undefined);
  await handle.close();
  await expect(rest).rejects.toThrow();
});

test('`stateless` opens no session', async () => {
  const { handle } = open({ stateless: true });
  const opened = await handle(legacy(initialize), { address });
  expect([opened.status, opened.headers.get('mcp-session-id')]).toEqual([200, null]);
  const called = await handle(legacy(legacyCall, { 'mcp-protocol-version': '2025-11-25' }), { address });
  expect(await called.json()).toMatchObject({ id: 2, result: { content: [{ text: 'done' }] } });
  const get = new Request(URL_OF, { headers: { accept: 'text/event-stream' } });
  expect((await handle(get, { address })).status).toBe(405);
});

test('a handler with the same secret continues a session, and another does not', async () => {
  const secret = (letter: string) => ({ env: { MCP_STATE_SECRET: letter.repeat(40) } });
  const [first, second, stranger] = [open(secret('a')), open(secret('a')), open(secret('b'))];
  const opened = await first.handle(legacy(initialize), { address });
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const called = await second.handle(legacy(legacyCall, session), { address });
  expect(await called.json()).toMatchObject({ id: 2, result: { content: [{ text: 'done' }] } });
  expect((await stranger.handle(legacy(legacyCall, session), { address })).status).toBe(404);
});

test('clients without an address share the limits of one', async () => {
  const { handle } = open({ args: ['--rate-limit', '1'] });
  const textOf = async (peer?: object) => (await handle(call(), peer)).text();
  expect([await textOf(), await textOf()]).toEqual([
    expect.stringContaining('done'),
    expect.stringContaining('Too many'),
  ]);
  expect(await textOf({ address })).toContain('done');
});

test('requests in flight without an address are those of one client, with it each has its own', async () => {
  const goOn = gate();
  const { handle } = open({}, () => goOn.opened);
  const most = DEFAULT_LIMITS.requestsPerAddress;
  const waiting = Array.from({ length: most }, () => handle(call()));
  await vi.waitFor(async () => expect((await handle(call())).status).toBe(429));
  const other = handle(call(), { address });
  goOn.open();
  expect((await other).status).toBe(200);
  await Promise.all(waiting);
});

test('the certificate of the client is that of the connection', async () => {
  const pem = readFileSync(new URL('../../support/tls/client.pem', import.meta.url));
  const { raw } = new X509Certificate(pem);
  const answer = await answerFetch(
    async ({ socket }, response) => {
      const { getPeerX509Certificate } = socket as { getPeerX509Certificate?: () => X509Certificate };
      response.writeHead(200).end(getPeerX509Certificate?.().raw.equals(raw) === true ? 'same' : 'other');
    },
    call(),
    { clientCertificate: raw },
  );
  expect(await answer.text()).toBe('same');
});

test('tokens that are bound to certificates need no TLS of the handler', async () => {
  const { handle } = open({ env: { MCP_AUTH_MTLS: 'allowed' } });
  await handle.ready();
});

const FILES = ['petstore', 'shop', 'trip', 'weather'].flatMap((example) =>
  ['catalog', 'bindings'].map((name) => `generated-examples/${example}/src/generated/${name}.json`),
);

test.each(FILES)('a value is laid out as the compiler does it: %s', (file) => {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  expect(JSON.parse(printDataFile(JSON.parse(text)))).toEqual(JSON.parse(text));
  const pooled =
    '{\n"pool":{\n"a":{"b":{"c":1}}\n},\n"tools":[\n{\n"name":"x",\n"inputSchema":{"d":{}}\n}\n]\n}';
  expect(printDataFile(JSON.parse(pooled))).toBe(pooled);
  if (file.endsWith('catalog.json')) expect(`${printDataFile(JSON.parse(text))}\n`).toBe(text);
});
