// `--stateless`: each request stands alone.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, test } from 'vitest';
import { LEGACY_REVISIONS } from '../../../templates/runtime/protocol/revisions.ts';
import { judged } from '../../support/conversation.ts';
import { hello } from '../core/harness.ts';
import { call, error, gate, type Options, ping, start } from './http-harness.ts';

const stateless = (options: Options = {}) => start({ stateless: true, ...options });

const initialize = (revision: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { ...hello(revision), capabilities: { elicitation: {}, sampling: {}, roots: {} } },
});

test.each(LEGACY_REVISIONS)('%s: no id, and every POST is answered', async (revision) => {
  const seen: unknown[] = [];
  const { post, sessions, counted } = await stateless({ handler: ({ client }) => void seen.push(client) });
  const opened = await post(initialize(revision));
  expect([opened.status, opened.headers['mcp-session-id']]).toEqual([200, undefined]);
  expect(opened.json().result).toMatchObject({ protocolVersion: revision });
  const version = { 'mcp-protocol-version': revision };
  expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, version)).status).toBe(202);
  for (const message of [call, ping, { ...call, id: 3, method: 'tools/list' }])
    expect((await post(message, version)).json()).toHaveProperty('result');
  expect([seen, sessions.size, counted.calls]).toEqual([[{ capabilities: {}, revision }], 0, 1]);
});

test('without the header a request is of 2025-03-26, which has batches', async () => {
  const seen: unknown[] = [];
  const { post } = await stateless({ handler: ({ client }) => void seen.push(client.revision) });
  expect((await post([ping, call])).json()).toHaveLength(2);
  expect(seen).toEqual(['2025-03-26']);
  expect((await post([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).status).toBe(202);
  const newer = await post([ping], { 'mcp-protocol-version': '2025-11-25' });
  expect([newer.status, newer.json()]).toEqual([
    400,
    error(-32600, 'The revision of this session has no batches.'),
  ]);
});

test('an id that a client has from before is not looked at', async () => {
  const { post } = await stateless();
  expect((await post(ping, { 'mcp-session-id': 'of-another-time' })).status).toBe(200);
});

test.each(['GET', 'DELETE'])('%s is 405', async (method) => {
  const { send } = await stateless();
  const answer = await send(method, '/mcp', { accept: 'text/event-stream', 'mcp-session-id': 'x' });
  expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST, OPTIONS']);
});

test('an unknown version is 400', async () => {
  const { post, counted } = await stateless();
  expect((await post(call, { 'mcp-protocol-version': '2020-01-01' })).status).toBe(400);
  expect(counted.calls).toBe(0);
});

test.each(['logging/setLevel', 'resources/subscribe', 'tasks/get'])('%s needs a session', async (method) => {
  const { post } = await stateless();
  const answer = await post({ ...ping, method }, { 'mcp-protocol-version': '2025-11-25' });
  const words = `${method} needs a session, and this server has none (--stateless).`;
  expect(answer.json()).toEqual(error(-32601, words, 1));
});

test('capabilities that need a session are not declared', async () => {
  const { post } = await stateless();
  const { result } = (await post(initialize('2025-11-25'))).json();
  expect(result).toMatchObject({ capabilities: { tools: {} } });
  expect(result).not.toHaveProperty('capabilities.logging');
});

test('progress comes before the answer, logs do not, and nothing can be resumed', async () => {
  const { stream } = await stateless({
    handler: async ({ log, progress }) => {
      await log('emergency', 'told');
      await progress(1, 2);
      return 'done';
    },
  });
  const params = { name: 'x', _meta: { progressToken: 't' } };
  const events = await (await stream({ ...call, params }, { 'mcp-protocol-version': '2025-11-25' })).rest();
  expect(events.map(({ id, retry }) => [id, retry])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
  expect(events[0]?.data).toContain('notifications/progress');
});

test('the client cannot be asked', async () => {
  const { post } = await stateless({
    handler: async ({ elicit }) => elicit('May it?', { type: 'object', properties: {} }),
  });
  const { result } = (await post(call, { 'mcp-protocol-version': '2025-11-25' })).json();
  expect(JSON.stringify(result)).toContain("can't be asked, since this server has no sessions (--stateless)");
});

test('a client that goes cancels its call', async () => {
  const { open: cancelled, opened: isCancelled } = gate();
  const { stream, counted } = await stateless({
    handler: async ({ signal, progress }) => {
      await progress(1);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      cancelled();
    },
  });
  const params = { name: 'x', _meta: { progressToken: 't' } };
  const reader = await stream({ ...call, params }, { 'mcp-protocol-version': '2025-11-25' });
  await expect.poll(() => counted.calls).toBe(1);
  reader.response.destroy();
  await isCancelled;
});

test('requests in flight of one address are counted', async () => {
  const { open, opened } = gate();
  const { post, counted } = await stateless({ limits: { requestsPerAddress: 1 }, handler: () => opened });
  const first = post(call);
  await expect.poll(() => counted.calls).toBe(1);
  expect((await post(ping)).status).toBe(429);
  open();
  expect((await first).status).toBe(200);
});

test('official clients of both eras work with their default options', async () => {
  const nodes = await Promise.all([stateless(), stateless()]);
  let turn = 0;
  const roundRobin = (async (target: URL | string, init?: RequestInit) =>
    fetch(new URL(new URL(target).pathname, nodes[turn++ % 2]?.url), init)) as typeof fetch;
  const url = new URL(`${nodes[0].url}/mcp`);
  const older = new OlderClient({ name: 'client', version: '1' });
  await older.connect(judged(new OlderTransport(url, { fetch: roundRobin })));
  const newer = new Client({ name: 'client', version: '1' });
  await newer.connect(judged(new StreamableHTTPClientTransport(url, { fetch: roundRobin })));
  const modern = new Client({ name: 'client', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await modern.connect(judged(new StreamableHTTPClientTransport(url, { fetch: roundRobin })));
  for (const client of [older, newer, modern])
    for (let each = 0; each < 4; each++)
      expect((await client.callTool({ name: 'x' })).content).toEqual([{ type: 'text', text: 'done' }]);
  await Promise.all([older.close(), newer.close(), modern.close()]);
});
