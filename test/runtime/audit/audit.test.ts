// Audit lines of calls, by their outcome.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAudit } from '../../../templates/runtime/audit/open-audit.ts';
import { Session } from '../../../templates/runtime/core/session.ts';
import { RateLimiter } from '../../../templates/runtime/core/shared-state.ts';
import { getTaskStore } from '../../../templates/runtime/core/tasks/task.ts';
import type { Context, Handlers } from '../../../templates/runtime/definition.ts';
import { ProtocolError, ScopeError } from '../../../templates/runtime/protocol/json-rpc.ts';
import { newServer, type TestServer } from '../core/harness.ts';

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
    {
      name: 'task',
      inputSchema,
      execution: { taskSupport: 'optional' },
      handler: async ({ way }) => (way === 'hang' ? new Promise(() => undefined) : ends(way)),
    },
  ],
};
/** How the work of a task ends. */
function ends(way: unknown): string {
  if (way === 'fail') throw new Error('no');
  if (way === 'refuse') throw new ProtocolError(-32050, 'no');
  return 'done';
}

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
  await expect.poll(() => server.session.inFlightRequests.length).toBe(1);
  await server.notify('notifications/cancelled', { requestId: 1 });
  expect(lines).toEqual([line('hang', { outcome: 'cancelled' })]);
  server.session.end();
  expect(lines).toHaveLength(1);
});

/** Asks for a task, of either protocol, and gives its id. */
async function startTask(server: TestServer, isCore: boolean, way: string): Promise<string> {
  const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const params = { name: 'task', arguments: { way } };
  if (!isCore) {
    const _meta = { ...modern, 'io.modelcontextprotocol/clientCapabilities': capabilities };
    const { result } = await server.ask('tools/call', { ...params, _meta });
    return String(result?.['taskId']);
  }
  await server.ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  });
  await server.notify('notifications/initialized');
  const { result } = await server.ask('tools/call', { ...params, task: {} });
  return String((result?.['task'] as { taskId: string }).taskId);
}

test.each<[string, object]>([
  ['end', { outcome: 'ok' }],
  ['fail', { outcome: 'tool-error' }],
  ['refuse', { outcome: 'error', code: -32050 }],
  ['hang', { outcome: 'cancelled' }],
])('a task tells its beginning and its end, of 2025-11-25 and of 2026-07-28: %s', async (way, want) => {
  for (const isCore of [true, false]) {
    const { lines, server } = audited();
    const id = await startTask(server, isCore, way);
    if (way === 'hang') getTaskStore(server.server).findById(id)?.cancel('enough');
    await expect.poll(() => lines.length).toBe(2);
    const task = createHash('sha256').update(id).digest('base64url').slice(0, 16);
    const [begun, ended] = lines;
    const common = { tool: 'task', task, arguments: { way }, time: '2026-01-02T00:00:00.005Z' };
    expect(begun).toEqual(expect.objectContaining({ ...common, outcome: 'task', ms: 5 }));
    expect(ended).toEqual(expect.objectContaining({ ...common, ...want, ms: 10 }));
    expect(JSON.stringify(lines)).not.toContain(id);
  }
});

test('a call that its token does not reach is told as refused', () => {
  const lines: unknown[] = [];
  const log = { add: (text: string) => void lines.push(JSON.parse(text)) };
  const audit = createAudit({ server: 'test', log, show: () => null, now: () => 0 });
  const session = new Session();
  const exchange = { channel: session, session, subject: 'alice', send: async () => Promise.resolve() };
  const request = { id: 1, method: 'tools/call', params: { name: 'good' } };
  const { server } = newServer({ handlers });
  audit.begin(request, exchange, server)?.failed(new ScopeError(['read']));
  expect(lines).toMatchObject([{ tool: 'good', outcome: 'refused', code: -32600 }]);
});
