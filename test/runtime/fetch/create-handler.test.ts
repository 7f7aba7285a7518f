// The handler that an emitted project exports.
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFetchHandler, layOut } from '../../../templates/runtime/fetch/create-handler.ts';
import { allFeatures } from '../../../templates/runtime/all-features.ts';
import type { Context } from '../../../templates/runtime/definition.ts';
import type { FetchOptions } from '../../../templates/runtime/feature-loaders.ts';
import { META } from '../../../templates/runtime/protocol/revisions.ts';
import { gate } from '../transports/http-harness.ts';

const URL_OF = 'http://127.0.0.1/mcp';
const address = '192.0.2.1';

const DATA = {
  'catalog.json': { tools: [], resources: [], resourceTemplates: [], prompts: [], completions: false },
  'bindings.json': { tools: {}, resources: {}, resourceTemplates: {}, prompts: {}, completions: [] },
  'features.json': {
    features: [
      {
        name: 'http',
        loadedBy: ['http'],
        flags: { port: { value: 'n', help: '' }, path: { value: 'p', help: '' } },
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
    { env: {}, ...options },
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

test('a call is answered', async () => {
  const { handle } = open();
  const response = await handle(call(), { address });
  expect([response.status, await response.json()]).toMatchObject([200, { id: 1, result: {} }]);
});

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
  expect(said.filter((line) => line.includes('all clients without a token as one'))).toHaveLength(1);
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

test('the endpoint is where `path` says', async () => {
  const { handle } = open({ path: '/own' });
  expect((await handle(call(), { address })).status).toBe(404);
  expect((await handle(new Request('http://127.0.0.1/own', call()), { address })).status).toBe(200);
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

const FILES = ['petstore', 'shop', 'trip', 'weather'].flatMap((example) =>
  ['catalog', 'bindings'].map((name) => `generated-examples/${example}/src/generated/${name}.json`),
);

test.each(FILES)('a value is laid out as the compiler does it: %s', (file) => {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  expect(JSON.parse(layOut(JSON.parse(text)))).toEqual(JSON.parse(text));
  const pooled =
    '{\n"pool":{\n"a":{"b":{"c":1}}\n},\n"tools":[\n{\n"name":"x",\n"inputSchema":{"d":{}}\n}\n]\n}';
  expect(layOut(JSON.parse(pooled))).toBe(pooled);
  if (file.endsWith('catalog.json')) expect(`${layOut(JSON.parse(text))}\n`).toBe(text);
});
