// The limits that no test of a transport or a rule reaches; and that all of them are told to those who run a server.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { ExtraTool } from '../../templates/runtime/definition.ts';
import {
  DEFAULT_LIMITS,
  type Limits,
  defaultUpstreamLimits,
} from '../../templates/runtime/contract/feature.ts';
import { newServer, openServer } from './core/harness.ts';
import { start } from './transports/http-harness.ts';

const tool: ExtraTool = {
  name: 'x',
  inputSchema: { type: 'object' },
  execution: { taskSupport: 'optional' },
  handler: async () => new Promise(() => undefined),
};

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

test('`batchMessages`: one more is refused, and nothing of the batch is done', async () => {
  const server = await openServer({ limits: { batchMessages: 2 } }, '2025-03-26');
  const batch = (count: number) =>
    Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id: `b${id}`, method: 'ping' }));
  expect(await server.send(batch(2))).toHaveLength(2);
  expect(await server.send(batch(3))).toMatchObject({
    error: { code: -32600, message: 'A batch holds at most 2 messages.' },
  });
});

test('`listTtlMs`, `readTtlMs`: what clients are told', async () => {
  const read = () => 'text';
  const handlers = { extraTools: [tool], resources: { 'own://r': { name: 'r', read } } };
  const server = newServer({ handlers, limits: { listTtlMs: 7, readTtlMs: 8 } });
  const ask = async (method: string, params = {}) =>
    (await server.ask(method, { ...params, _meta: META })).result?.['ttlMs'];
  expect(await ask('server/discover')).toBe(7);
  expect(await ask('tools/list')).toBe(7);
  expect(await ask('resources/read', { uri: 'own://r' })).toBe(8);
});

test('`completionValues`: the first are sent, and that there are more is said', async () => {
  const prompts = { p: { arguments: [{ name: 'a' }], handler: () => '' } };
  const completions = { p: { a: () => ['1', '2', '3'] } };
  const server = await openServer({ handlers: { prompts, completions }, limits: { completionValues: 2 } });
  const params = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } };
  expect((await server.ask('completion/complete', params)).result).toEqual({
    completion: { values: ['1', '2'], total: 3, hasMore: true },
  });
});

test.each([
  [undefined, 50],
  [1, 10],
  [20, 20],
  [51, 50],
])('`taskTtlMs`, `taskPollMs`: who wishes for %j ms is granted %j', async (ttl, want) => {
  const server = await openServer({
    handlers: { extraTools: [tool] },
    limits: { taskTtlMs: 50, taskPollMs: 10 },
  });
  const task = ttl === undefined ? {} : { ttl };
  const { result } = await server.ask('tools/call', { name: 'x', task });
  expect(result).toMatchObject({ task: { ttl: want, pollInterval: 10 } });
});

test('`tasks`: over all clients', async () => {
  const server = await openServer({ handlers: { extraTools: [tool] }, limits: { tasks: 1 } });
  await server.ask('tools/call', { name: 'x', task: {} });
  expect(await server.ask('tools/call', { name: 'x', task: {} })).toMatchObject({
    error: { code: -32603, message: 'There are too many tasks. Try again in 60 seconds.' },
    origin: 'rate',
  });
});

test('`subscribedResources`: of one modern subscription', async () => {
  const handlers = { extraTools: [tool], started: () => undefined };
  const server = newServer({ handlers, limits: { subscribedResources: 1 } });
  const notifications = { resourceSubscriptions: ['a:', 'b:'] };
  const { error } = await server.ask('subscriptions/listen', { notifications, _meta: META });
  expect(error).toMatchObject({
    code: -32602,
    message: '`notifications.resourceSubscriptions` holds more than 1.',
  });
});

test.each([
  [0, {}],
  [2, { good: 1, _response: { drifted: { '/bad': 'x' } } }],
])('`pruneRounds`: %j', async (pruneRounds, want) => {
  const outputSchema: ExtraTool['outputSchema'] = {
    type: 'object',
    properties: { good: { type: 'integer' }, bad: { type: 'integer' } },
  };
  const handler = () => ({ good: 1, bad: 'x' });
  const server = await openServer({
    handlers: { extraTools: [{ ...tool, outputSchema, handler }] },
    limits: { pruneRounds },
  });
  const { result } = await server.ask('tools/call', { name: 'x' });
  expect(result?.['structuredContent'] ?? {}).toEqual(want);
});

test.each<[keyof Limits, string]>([
  ['headersTimeoutMs', 'POST /mcp HTTP/1.1\r\n'],
  ['requestTimeoutMs', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{'],
])('`%s`: a client that does not go on is let go', async (_, text) => {
  const { listener } = await start({ limits: { headersTimeoutMs: 20, requestTimeoutMs: 40 } });
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

test('`idleConnectionMs`: what clients are told, and when they are let go', async () => {
  const { listener } = await start({ limits: { idleConnectionMs: 1_000 } });
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
  socket.write('GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n');
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  expect(answer).toMatch(/^Keep-Alive: timeout=1\r$/m);
});

test('each limit stands in the reference, as it is', () => {
  const page = readFileSync(new URL('../../docs/reference/limits.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` +\| ([^|]+?) +\|/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  const told = new Map(rows.map(([name = '', value = '']) => [name, Number(value.replaceAll(',', ''))]));
  for (const [name, value] of Object.entries({ ...DEFAULT_LIMITS, ...defaultUpstreamLimits }))
    expect([name, told.get(name)]).toEqual([name, value]);
});
