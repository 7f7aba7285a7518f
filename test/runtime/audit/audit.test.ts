// What is told of calls, by what came of them.
import { expect, test } from 'vitest';
import { createAudit } from '../../../templates/runtime/audit/audit.ts';
import { RateLimiter } from '../../../templates/runtime/core/rate-limiter.ts';
import { Session } from '../../../templates/runtime/core/session.ts';
import type { Context, Handlers } from '../../../templates/runtime/definition.ts';
import { newServer } from '../core/harness.ts';

const inputSchema = { type: 'object' as const };
const form = { type: 'object' as const, properties: {} };
const handlers: Handlers<object> = {
  extraTools: [
    { name: 'good', inputSchema, handler: () => '"isError":true' },
    {
      name: 'bad',
      inputSchema,
      handler: () => {
        throw new Error('no');
      },
    },
    {
      name: 'strict',
      inputSchema: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
      handler: () => '',
    },
    { name: 'ask', inputSchema, handler: async (_, { elicit }: Context) => (await elicit('?', form)).action },
    { name: 'hang', inputSchema, handler: async () => new Promise(() => undefined) },
    { name: 'task', inputSchema, execution: { taskSupport: 'optional' }, handler: () => 'done' },
  ],
};
const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

function audited(session = new Session()) {
  const lines: Record<string, unknown>[] = [];
  let now = Date.UTC(2026, 0, 2);
  const audit = createAudit({
    server: 'test',
    log: { add: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    show: (args) => args ?? null,
    now: () => (now += 5),
  });
  return { lines, server: newServer({ handlers, audit, session }) };
}

const line = (tool: string, rest: object) => ({
  time: '2026-01-02T00:00:00.005Z',
  server: 'test',
  tool,
  ms: 5,
  arguments: null,
  ...rest,
});

test.each<[string, object, object]>([
  ['good', {}, { outcome: 'ok' }],
  ['good', { arguments: { a: 1 } }, { outcome: 'ok', arguments: { a: 1 } }],
  ['bad', {}, { outcome: 'tool-error' }],
  ['strict', {}, { outcome: 'tool-error' }],
  ['none', {}, { outcome: 'error', code: -32602 }],
  ['task', { task: {} }, { outcome: 'task' }],
])('%s with %j', async (name, params, want) => {
  const { lines, server } = audited();
  await server.ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  });
  await server.notify('notifications/initialized');
  await server.ask('tools/list');
  await server.ask('tools/call', { name, ...params });
  expect(lines).toEqual([line(name, want)]);
});

test.each<[string, object]>([
  ['good', { outcome: 'ok' }],
  ['bad', { outcome: 'tool-error' }],
  ['ask', { outcome: 'input-required' }],
  ['none', { outcome: 'error', code: -32602 }],
])('%s of 2026-07-28', async (name, want) => {
  const { lines, server } = audited();
  await server.ask('tools/call', { name, _meta: modern });
  expect(lines).toEqual([line(name, want)]);
});

test('what is over the limit is told too', async () => {
  const { lines, server } = audited(new Session('info', new RateLimiter(1)));
  for (const name of ['good', 'good']) await server.ask('tools/call', { name, _meta: modern });
  expect(lines.map(({ outcome, code }) => [outcome, code])).toEqual([
    ['ok', undefined],
    ['error', -32603],
  ]);
});

test('a call that is cancelled is told at once, and once', async () => {
  const { lines, server } = audited();
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hang', _meta: modern } };
  void server.send(call);
  await expect.poll(() => server.session.inFlight.size).toBe(1);
  await server.notify('notifications/cancelled', { requestId: 1 });
  expect(lines).toEqual([line('hang', { outcome: 'cancelled' })]);
  server.session.end();
  expect(lines).toHaveLength(1);
});
