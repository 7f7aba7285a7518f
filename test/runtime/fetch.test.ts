// The handler for web servers that speak Fetch: the same endpoint, by `Request` and `Response`.
import { hash } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { Feature } from '../../templates/runtime/feature.ts';
import { LIMITS } from '../../templates/runtime/settings.ts';
import {
  createFetchHandler,
  type FetchOptions,
  fetchHandler,
} from '../../templates/runtime/features/fetch.ts';
import { dpop } from '../../templates/runtime/features/dpop/index.ts';
import { oauth } from '../../templates/runtime/features/oauth/index.ts';
import { signedSessions } from '../../templates/runtime/features/signed-sessions.ts';
import { http } from '../../templates/runtime/http.ts';
import type { Context } from '../../templates/runtime/types.ts';
import { AUDIENCE, startIssuer } from '../runtime/oauth/issuer.ts';
import { call, callHead as clientHead, gate, hello, meta, modern, modernCall } from './client.ts';
import { resetLimits } from './core.ts';

afterAll(resetLimits);

const data = {
  'catalog.json': { tools: [], resources: [], resourceTemplates: [], prompts: [] },
  'bindings.json': { tools: {}, resources: {}, resourceTemplates: {}, prompts: {}, completions: [] },
};

const callHead = clientHead as Record<string, string>;

function open(
  handler: (context: Context) => unknown = () => 'done',
  options: FetchOptions = {},
  features: Feature[] = [],
) {
  const definition = {
    info: { name: 'test', version: '1' },
    features: [...features, http(), signedSessions(), fetchHandler()],
    generated: Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, async () => ({ default: value })]),
    ),
    handlers: {
      extraTools: [
        { name: 'x', inputSchema: { type: 'object' }, handler: (_: object, c: Context) => handler(c) },
      ],
    },
  };
  const handle = createFetchHandler(definition as never, { env: {}, ...options });
  onTestFinished(() => handle.close());
  const send = (method: string, path: string, headers: Record<string, string> = {}, rest: RequestInit = {}) =>
    handle(new Request(`http://localhost${path}`, { method, headers, ...rest }), { address: '203.0.113.1' });
  const post = (message: object, headers: Record<string, string> = {}, rest: RequestInit = {}) =>
    send(
      'POST',
      '/mcp',
      { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      { body: JSON.stringify(message), ...rest },
    );
  const begin = async () => {
    const answer = await post(hello());
    expect(await answer.json()).toMatchObject({ id: 'open', result: { protocolVersion: '2025-11-25' } });
    return { 'mcp-session-id': answer.headers.get('mcp-session-id') ?? '' };
  };
  return { handle, send, post, begin };
}

test('a session is opened, called, streamed to, and ended', async () => {
  const { post, begin, send } = open(async ({ log }) => log('info', 'told').then(() => 'done'));
  const session = await begin();
  const streamed = await post(call, session);
  expect(streamed.headers.get('content-type')).toBe('text/event-stream');
  const events = (await streamed.text()).split('\n\n').filter(Boolean);
  expect(events.map((event) => /"method"|"result"/.exec(event)?.[0])).toEqual(['"method"', '"result"']);
  expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session)).status).toBe(202);
  const ended = await send('DELETE', '/mcp', session);
  expect([ended.status, ended.body]).toEqual([204, null]);
  expect((await post(call, session)).status).toBe(404);
});

test.each<[string, string, string, Record<string, string>, number]>([
  ['a probe', 'GET', '/readyz', {}, 200],
  ['another path', 'GET', '/elsewhere', {}, 404],
  ['a page of another site', 'POST', '/mcp', { origin: 'https://evil.example' }, 403],
  ['a body of another type', 'POST', '/mcp', { 'content-type': 'text/plain' }, 415],
])('%s is answered as over a port', async (_, method, path, headers, status) => {
  const answer = await open().send(method, path, headers, method === 'POST' ? { body: '{}' } : {});
  expect(answer.status).toBe(status);
  await answer.text();
});

test('the name that the request was sent to is checked as `Host`', async () => {
  const { handle } = open();
  expect((await handle(new Request('http://evil.example/mcp', { method: 'POST' }))).status).toBe(403);
});

test.each<[string, (controller: AbortController, body: ReadableStream | null) => void]>([
  ['aborts', (controller) => controller.abort()],
  ['reads no further', (_, body) => void body?.cancel()],
])('a client of 2026-07-28 that %s cancels its call', async (_, leave) => {
  let isAborted = false;
  const controller = new AbortController();
  const { post } = open(async ({ signal, progress }) => {
    await progress(1);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    isAborted = true;
  });
  const asking = modern('tools/call', { name: 'x' });
  Object.assign(asking.params, { _meta: { ...meta, progressToken: 't' } });
  const { body } = await post(asking, callHead, { signal: controller.signal });
  leave(controller, body);
  await expect.poll(() => isAborted).toBe(true);
});

test('a client that reads slowly holds up the one who writes', async () => {
  let written = 0;
  const { post, begin } = open(async ({ log }) => {
    for (; written < 60; written++) await log('info', 'x'.repeat(100_000));
  });
  const { body } = await post(call, await begin());
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(written).toBeLessThan(60);
  expect((await new Response(body).text()).length).toBeGreaterThan(6_000_000);
});

test('without sessions', async () => {
  const { post } = open(() => 'done', { stateless: true });
  expect(await (await post(call)).json()).toMatchObject({ result: { content: [{ text: 'done' }] } });
});

test.each([
  ['--port', '1'],
  ['--host', 'x'],
  ['--transport', 'stdio'],
])('%s is refused', async (...args) => {
  await expect(open(() => 'done', { args }).handle.ready()).rejects.toThrow(
    'web server that calls the handler',
  );
});

test('closing waits for what is in flight, refuses the rest, and /readyz says so', async () => {
  let finish = (): void => undefined;
  const { handle, post, send, begin } = open(() => new Promise<void>((resolve) => (finish = resolve)));
  const session = await begin();
  const answer = post(call, session);
  await expect.poll(() => finish.name).not.toBe('finish');
  const closed = handle.close();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await send('GET', '/readyz')).status).toBe(503);
  expect((await post(modernCall, callHead)).status).toBe(503);
  finish();
  expect(await (await answer).json()).toMatchObject({ id: 2, result: {} });
  await closed;
  expect([(await post(modernCall, callHead)).status, (await send('GET', '/livez')).status]).toEqual([
    503, 200,
  ]);
});

test.each(['legacy', '2026-07-28'])('the official client calls it by its `fetch`: %s', async (era) => {
  const { handle } = open();
  const mode = era === 'legacy' ? ('legacy' as const) : { pin: era };
  const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    fetch: (url, init) => handle(new Request(url, init)),
  });
  await client.connect(transport);
  expect(await client.callTool({ name: 'x' })).toMatchObject({ content: [{ text: 'done' }] });
  await client.close();
});

test('a body that is too long is read no further', async () => {
  const { send } = open();
  let megabytes = 0;
  const { open: cancel, opened: cancelled } = gate();
  const body = new ReadableStream({
    pull: (stream) => {
      megabytes++;
      stream.enqueue(new Uint8Array(1024 * 1024));
    },
    cancel,
  });
  const head = { 'content-type': 'application/json', accept: '*/*' };
  const answer = await send('POST', '/mcp', head, { body, duplex: 'half' } as RequestInit);
  expect([answer.status, await answer.json()]).toMatchObject([413, { error: { code: -32600 } }]);
  await cancelled;
  expect(megabytes).toBeLessThan(20);
});

test('clients without an address share the limits of one', async () => {
  const { handle, post } = open(() => 'done', { args: ['--rate-limit', '1'] });
  const head = { ...callHead, 'content-type': 'application/json', accept: '*/*' };
  const nobody = () =>
    handle(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: head,
        body: JSON.stringify(modernCall),
      }),
    );
  expect([(await nobody()).status, (await nobody()).status]).toEqual([200, 429]);
  expect((await post(modernCall, callHead)).status).toBe(200);
});

test('a token that is bound to a certificate counts with that of the connection', async () => {
  const issuer = await startIssuer();
  const env = { MCP_AUTH_ISSUER: issuer.url, MCP_AUTH_AUDIENCE: AUDIENCE, MCP_AUTH_MTLS: 'allowed' };
  const { handle } = open(() => 'done', { env }, [oauth(), dpop()]);
  const own = Buffer.from('a certificate in DER');
  const token = await issuer.token({ cnf: { 'x5t#S256': hash('sha256', own, 'base64url') } });
  const statusWith = async (clientCertificate?: Uint8Array): Promise<number> => {
    const headers = {
      ...{ ...callHead, authorization: `Bearer ${token}` },
      ...{ 'content-type': 'application/json', accept: '*/*' },
    };
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers,
      body: JSON.stringify(modernCall),
    });
    return (await handle(request, { clientCertificate })).status;
  };
  expect(await Promise.all([own, Buffer.from('another'), undefined].map(statusWith))).toEqual([
    200, 401, 401,
  ]);
});

test('closing ends streams that wait, and cuts off a call that does not end in time', async () => {
  LIMITS.httpDrainMs = 100;
  const { handle, post, send, begin } = open(async ({ progress }) => {
    await progress(1);
    await new Promise(() => undefined);
  });
  const session = await begin();
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const heard = await send('GET', '/mcp', { accept: 'text/event-stream', ...session });
  const params = { ...call.params, _meta: { progressToken: 't' } };
  const working = await post({ ...call, params }, session);
  const cut = expect(working.text()).rejects.toThrow('cut off');
  await handle.close();
  // A stream that was cut off would throw.
  expect(await heard.text()).toBe('');
  await cut;
});
