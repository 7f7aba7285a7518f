// Tasks over two nodes: each sees the other's, and one runs each.
import { afterEach, expect, test, vi } from 'vitest';
import type { ExtraTool } from '../../../templates/runtime/definition.ts';
import { SharedMemory } from '../../support/shared-memory.ts';
import type { SharedState } from '../../../templates/runtime/feature-loaders.ts';
import { META } from '../../../templates/runtime/protocol/revisions.ts';
import { SharedEventBus } from '../../../templates/runtime/redis/shared-bus.ts';
import { parseSnapshot } from '../../../templates/runtime/redis/shared-tasks.ts';
import { sharedStateAwayError } from '../../../templates/runtime/protocol/json-rpc.ts';
import { hello, newServer } from '../core/harness.ts';
import { gate, start } from '../transports/http-harness.ts';
import { metaOf } from '../rules/subject.ts';
import { CORE, DECLARED, EXTENSION, FORM, named, untilStopped } from '../rules/task-subject.ts';
import { openStates, PLACES, WHERE } from './states.ts';

function taskTool(handler: ExtraTool['handler']): ExtraTool {
  return { name: 'x', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' }, handler };
}

function openNode(shared: SharedState, handler: ExtraTool['handler']) {
  const server = newServer({
    handlers: { extraTools: [taskTool(handler)] },
    shared,
    bus: new SharedEventBus(shared),
  });
  const meta = metaOf({ [META.clientCapabilities]: { elicitation: {}, ...DECLARED } });
  const ask = async (method: string, params: object = {}) => server.ask(method, { ...params, _meta: meta });
  return {
    server,
    start: async () => String((await ask('tools/call', { name: 'x' })).result?.['taskId']),
    get: async (taskId: string) => {
      const { result, error } = await ask('tasks/get', { taskId });
      return { ...result, error };
    },
    cancel: async (taskId: string) => ask('tasks/cancel', { taskId }),
    update: async (taskId: string, inputResponses: object) => ask('tasks/update', { taskId, inputResponses }),
  };
}

async function nodes(place: string, handler: ExtraTool['handler']) {
  const [first, second] = await openStates(place, 2);
  if (first === undefined || second === undefined) throw new Error('two states are needed');
  return { one: openNode(first, handler), other: openNode(second, handler), states: [first, second] };
}

afterEach(() => void vi.useRealTimers());

test.each(PLACES)(`%s (${WHERE}): another node has status and result`, async (place) => {
  const { one, other } = await nodes(place, () => 'done');
  const taskId = await one.start();
  await vi.waitFor(async () =>
    expect((await other.get(taskId)) as object).toMatchObject({ status: 'completed' }),
  );
  expect(await other.get(taskId)).toMatchObject({
    taskId,
    result: { content: [{ type: 'text', text: 'done' }] },
  });
});

test.each(PLACES)(`%s (${WHERE}): another node cancels, and the work is stopped`, async (place) => {
  let stopped = 0;
  const { one, other } = await nodes(place, async (args, context) => {
    context.signal.addEventListener('abort', () => stopped++);
    return untilStopped(args, context);
  });
  const taskId = await one.start();
  expect((await other.cancel(taskId)).error).toBeUndefined();
  expect(await one.get(taskId)).toMatchObject({ status: 'cancelled' });
  await vi.waitFor(() => expect(stopped).toBe(1));
  expect(await other.get(taskId)).toMatchObject({ status: 'cancelled' });
});

test.each(PLACES)(`%s (${WHERE}): another node takes the answer of a question`, async (place) => {
  const { one, other } = await nodes(place, async (_, { elicit }) => {
    const { content } = await elicit('Who?', FORM, { key: 'who' });
    return String(content?.['name']);
  });
  const taskId = await one.start();
  await vi.waitFor(async () =>
    expect((await other.get(taskId)) as object).toMatchObject({ inputRequests: { who: expect.anything() } }),
  );
  await other.update(taskId, { who: named('Ada') });
  await vi.waitFor(async () =>
    expect((await other.get(taskId)) as object).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'Ada' }] },
    }),
  );
});

async function openLegacy({ server }: ReturnType<typeof openNode>) {
  await server.ask('initialize', hello(CORE));
  await server.notify('notifications/initialized');
  // One signed session, which both nodes serve.
  server.session.hash = 'session';
  return server;
}

test.each(PLACES)(
  `%s (${WHERE}): a session lists its tasks and waits for a result on another node`,
  async (place) => {
    const { open: release, opened } = gate();
    const { one, other } = await nodes(place, async () => {
      await opened;
      return 'done';
    });
    const [first, second] = [await openLegacy(one), await openLegacy(other)];
    const { result } = await first.ask('tools/call', { name: 'x', task: {} });
    const { taskId } = result?.['task'] as { taskId: string };
    expect((await second.ask('tasks/list')).result).toMatchObject({ tasks: [{ taskId, status: 'working' }] });
    const waiting = second.ask('tasks/result', { taskId });
    release();
    expect((await waiting).result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    expect((await second.ask('tasks/list')).result).toMatchObject({
      tasks: [{ taskId, status: 'completed' }],
    });
    second.session.hash = 'another session';
    expect((await second.ask('tasks/list')).result).toEqual({ tasks: [] });
  },
);

test('while the state is away, tasks answer 503 with Retry-After, and plain calls go on', async () => {
  const state = new SharedMemory();
  vi.spyOn(state, 'get').mockRejectedValue(sharedStateAwayError());
  vi.spyOn(state, 'set').mockRejectedValue(sharedStateAwayError());
  const { server } = openNode(state, () => 'done').server;
  const { post } = await start({ server });
  const ask = async (method: string, params: { name?: string }, capabilities: object) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': EXTENSION,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
    const headers = { 'mcp-protocol-version': EXTENSION, 'mcp-method': method, 'mcp-name': params.name };
    const {
      status,
      headers: fields,
      json,
    } = await post({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }, headers);
    return [status, fields['retry-after'], json().error?.code];
  };
  expect(await ask('tools/call', { name: 'x' }, DECLARED)).toEqual([503, '2', -32603]);
  expect(await ask('tools/call', { name: 'x' }, {})).toEqual([200, undefined, undefined]);
});

test('a node without Redis says that another one may know the task, where there may be others', async () => {
  const words =
    'Unknown task: nope. Without Redis (MCP_REDIS_URL), a task is known to the node alone that started it.';
  const meta = metaOf({ [META.clientCapabilities]: DECLARED });
  for (const [env, message] of [
    [{ MCP_STATE_SECRET: 'x'.repeat(32) }, words],
    [{ MCP_STATE_SECRET: '' }, 'Unknown task: nope'],
  ] as const) {
    const server = newServer({ env, handlers: { extraTools: [taskTool(() => 'done')] } });
    const { error } = await server.ask('tasks/get', { taskId: 'nope', _meta: meta });
    expect(error).toEqual({ code: -32602, message });
  }
});

test('the task of a node that has ended fails, with words that its outcome is unknown, and stays so', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const { one, other } = await nodes('memory', untilStopped);
  const taskId = await one.start();
  vi.advanceTimersByTime(3_000);
  expect(await other.get(taskId)).toMatchObject({ status: 'working' });
  // Its heart stops, and the clock begins anew.
  vi.clearAllTimers();
  vi.setSystemTime(Date.now() + 20_000);
  const lost = 'The node that ran this task has ended, so the outcome of its work is unknown.';
  const failed = { status: 'failed', statusMessage: lost, error: { code: -32603, message: lost } };
  expect(
    ((await (other.server.server.shared as SharedState).get(`task ${taskId}`)) ?? '').length,
  ).toBeGreaterThan(0);
  const { result } = await other.server.ask('tasks/get', {
    taskId,
    _meta: metaOf({ [META.clientCapabilities]: DECLARED }),
  });
  expect(result).toMatchObject(failed);
  await one.cancel(taskId);
  expect(
    (await one.server.ask('tasks/get', { taskId, _meta: metaOf({ [META.clientCapabilities]: DECLARED }) }))
      .result,
  ).toMatchObject(failed);
});

test('an unknown task is unknown on every node', async () => {
  const { other } = await nodes('memory', () => 'done');
  expect((await other.get('nope')).error).toEqual({ code: -32602, message: 'Unknown task: nope' });
});

const fine = {
  node: 'n',
  scopes: [],
  status: 'working',
  ttlMs: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

test.each([
  ['no JSON', '{'],
  ['no object', '[]'],
  ['a status that there is not', JSON.stringify({ ...fine, status: 'constructor' })],
  ['no date', JSON.stringify({ ...fine, createdAt: 'yesterday' })],
  ['scopes that are none', JSON.stringify({ ...fine, scopes: [1] })],
  ['a subject that is none', JSON.stringify({ ...fine, subject: {} })],
])('what others wrote is no task: %s', (_, text) => {
  expect(parseSnapshot('id', text)).toBeUndefined();
});

test('what others wrote reaches no prototype', () => {
  const text = `{"__proto__":{"polluted":1},"questions":{"__proto__":{"method":"m"}},"outcome":{"result":{"__proto__":{"polluted":1}}},${JSON.stringify(fine).slice(1)}`;
  expect(parseSnapshot('id', text)).toMatchObject({ status: 'working' });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
