/** Tasks of the modern era: the extension `io.modelcontextprotocol/tasks`. */
import { expect, test, vi } from 'vitest';
import type { Context, ExtraTool } from '../../../../templates/runtime/definition.ts';
import { ProtocolError } from '../../../../templates/runtime/protocol/protocol-error.ts';
import { newServer, type Reply, type ServerParts, type TestServer } from '../harness.ts';

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const FORM: Parameters<Context['elicit']>[1] = { type: 'object', properties: { name: { type: 'string' } } };

function toolOf(handler: ExtraTool['handler'], more: Partial<ExtraTool> = {}): ExtraTool {
  return {
    name: 'x',
    inputSchema: { type: 'object' },
    execution: { taskSupport: 'optional' },
    handler,
    ...more,
  };
}

function serverFor(tool: ExtraTool, parts: ServerParts = {}): TestServer {
  return newServer({ handlers: { extraTools: [tool] }, ...parts });
}

async function ask(
  server: TestServer,
  method: string,
  params: object = {},
  capabilities: object = TASKS,
): Promise<Reply> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return server.ask(method, { ...params, _meta });
}

const call = (server: TestServer, params: object = {}, capabilities?: object): Promise<Reply> =>
  ask(server, 'tools/call', { name: 'x', arguments: {}, ...params }, capabilities);

/** Starts a task and gives its id. */
async function start(server: TestServer): Promise<string> {
  return String((await call(server)).result?.['taskId']);
}

const get = async (server: TestServer, taskId: string): Promise<Record<string, unknown>> =>
  (await ask(server, 'tasks/get', { taskId })).result ?? {};

async function ended(server: TestServer, taskId: string): Promise<Record<string, unknown>> {
  return vi.waitFor(async () => {
    const task = await get(server, taskId);
    expect(['completed', 'failed', 'cancelled']).toContain(task['status']);
    return task;
  });
}

test('a call becomes a task at once, and its result is found there', async () => {
  const server = serverFor(toolOf(async () => Promise.resolve('done')));
  const { result } = await call(server);
  expect(result).toMatchObject({
    resultType: 'task',
    status: 'working',
    ttlMs: 3_600_000,
    pollIntervalMs: 1_000,
  });
  expect(result).not.toHaveProperty('task');
  expect(result).not.toHaveProperty('result');
  const task = await ended(server, String(result?.['taskId']));
  expect(task).toMatchObject({
    resultType: 'complete',
    status: 'completed',
    result: { resultType: 'complete', content: [{ type: 'text', text: 'done' }] },
  });
  expect(task).not.toHaveProperty('requestState');
});

test('`params.task` decides nothing, and a tool without tasks is a call', async () => {
  const server = serverFor(
    toolOf(() => 'now', { execution: { taskSupport: 'forbidden' } }),
    {},
  );
  expect((await call(server, { task: { ttl: 5 } })).result).toMatchObject({
    resultType: 'complete',
    content: [{ text: 'now' }],
  });
});

test.each([
  ['optional', { result: { resultType: 'complete' } }],
  ['required', { error: { code: -32021, data: { requiredCapabilities: TASKS } }, origin: 'capability' }],
] as const)('a client without tasks and a tool whose tasks are %s', async (taskSupport, want) => {
  let runs = 0;
  const server = serverFor(toolOf(() => ++runs, { execution: { taskSupport } }));
  expect(await call(server, {}, {})).toMatchObject(want);
  expect(runs).toBe(taskSupport === 'optional' ? 1 : 0);
});

test("a tool's failure completes its task; an error of the protocol, or of ours, fails it", async () => {
  const failing = serverFor(
    toolOf(() => {
      throw new Error('no luck');
    }),
  );
  expect(await ended(failing, await start(failing))).toMatchObject({
    status: 'completed',
    result: { isError: true, content: [{ text: 'no luck' }] },
  });
  const refusing = serverFor(
    toolOf(() => {
      throw new ProtocolError(-32603, 'out of order');
    }),
  );
  const failed = await ended(refusing, await start(refusing));
  expect(failed).toMatchObject({ status: 'failed', error: { code: -32603, message: 'out of order' } });
  expect(failed).not.toHaveProperty('result');
});

test('questions are answered in parts: an answered key is gone, the last one sets the task to work', async () => {
  const server = serverFor(
    toolOf(async (_, { elicit }) => {
      const answers = await Promise.all([elicit('One?', FORM, { key: 'one' }), elicit('Two?', FORM)]);
      return answers.map(({ content }) => content?.['name']).join(' ');
    }),
  );
  const capabilities = { ...TASKS, elicitation: {} };
  const taskId = String((await call(server, {}, capabilities)).result?.['taskId']);
  await vi.waitFor(async () =>
    expect(Object.keys((await get(server, taskId))['inputRequests'] ?? {})).toEqual(['one', 'ask-1']),
  );
  const answer = (name: string): object => ({ action: 'accept', content: { name } });
  const ack = await ask(server, 'tasks/update', {
    taskId,
    inputResponses: { one: answer('Ada'), other: {} },
  });
  expect(ack.result).toMatchObject({ resultType: 'complete' });
  const task = await get(server, taskId);
  expect(task).toMatchObject({
    status: 'input_required',
    inputRequests: { 'ask-1': { method: 'elicitation/create' } },
  });
  expect(task['inputRequests']).not.toHaveProperty('one');
  await ask(server, 'tasks/update', {
    taskId,
    inputResponses: { one: answer('Eve'), 'ask-1': answer('Bo') },
  });
  expect(await ended(server, taskId)).toMatchObject({ result: { content: [{ text: 'Ada Bo' }] } });
});

test('what is asked in `prepare` is asked before there is a task', async () => {
  const server = serverFor(
    toolOf(({ name }) => `hello ${String(name)}`, {
      prepare: async (args, { elicit }) => ({
        ...args,
        ...(await elicit('Who?', FORM, { key: 'who' })).content,
      }),
    }),
  );
  const capabilities = { ...TASKS, elicitation: {} };
  const first = await call(server, {}, capabilities);
  expect(first.result).toMatchObject({ resultType: 'input_required' });
  expect(first.result).not.toHaveProperty('taskId');
  const { requestState } = first.result ?? {};
  const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } };
  const second = await call(server, { requestState, inputResponses }, capabilities);
  expect(second.result).toMatchObject({ resultType: 'task' });
  expect(second.result).not.toHaveProperty('requestState');
  expect(await ended(server, String(second.result?.['taskId']))).toMatchObject({
    result: { content: [{ text: 'hello Ada' }] },
  });
});

test('cancelling is acknowledged, stops the work, and may come too late', async () => {
  let signal: AbortSignal | undefined;
  const server = serverFor(
    toolOf(
      async (_, context) =>
        new Promise((resolve) => {
          ({ signal } = context);
          signal.addEventListener('abort', () => resolve('too late'));
        }),
    ),
  );
  const taskId = await start(server);
  const { result } = await ask(server, 'tasks/cancel', { taskId });
  expect(Object.keys(result ?? {}).sort()).toEqual(['_meta', 'resultType']);
  expect(signal?.aborted).toBe(true);
  expect((await ended(server, taskId))['status']).toBe('cancelled');
  expect((await ask(server, 'tasks/cancel', { taskId })).error).toBeUndefined();
  expect((await get(server, taskId))['status']).toBe('cancelled');
});

test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
  '%s of an unknown task, and undeclared',
  async (method) => {
    const server = serverFor(toolOf(() => 'x'));
    const params = { taskId: 'nobody', inputResponses: {} };
    expect((await ask(server, method, params)).error).toMatchObject({
      code: -32602,
      message: 'Unknown task: nobody',
    });
    expect(await ask(server, method, params, {})).toMatchObject({
      error: { code: -32021 },
      origin: 'capability',
    });
  },
);

test.each(['tasks/result', 'tasks/list'])('%s is no method of the extension', async (method) => {
  const server = serverFor(toolOf(() => 'x'));
  expect(await ask(server, method, { taskId: 'x' })).toMatchObject({
    error: { code: -32601 },
    origin: 'method',
  });
});

test('a server without tasks does not know them', async () => {
  const server = serverFor(toolOf(() => 'x', { execution: {} }));
  expect((await ask(server, 'tasks/get', { taskId: 'x' })).error?.code).toBe(-32601);
  const { result } = await ask(server, 'server/discover');
  expect(result?.['capabilities']).not.toHaveProperty('extensions');
});

test('the extension is declared, and nothing of 2025-11-25', async () => {
  const server = serverFor(toolOf(() => 'x'));
  const { result } = await ask(server, 'server/discover');
  expect(result?.['capabilities']).toMatchObject(TASKS);
  expect(result?.['capabilities']).not.toHaveProperty('tasks');
  const list = await ask(server, 'tools/list');
  expect(JSON.stringify(list.result)).not.toContain('execution');
});

test('a subscription tells of a task whatever becomes of it, the whole task, tagged', async () => {
  let finish: ((value: string) => void) | undefined;
  const server = serverFor(toolOf(async () => new Promise((resolve) => (finish = resolve))));
  const taskId = await start(server);
  const listening = ask(server, 'subscriptions/listen', { notifications: { taskIds: [taskId, 'nobody'] } });
  await vi.waitFor(() => expect(server.sent).toHaveLength(1));
  expect(server.sent[0]?.params).toMatchObject({ notifications: { taskIds: [taskId] } });
  finish?.('done');
  await vi.waitFor(() => expect(server.sent).toHaveLength(2));
  expect(server.sent[1]).toMatchObject({
    method: 'notifications/tasks',
    params: {
      taskId,
      status: 'completed',
      result: { content: [{ text: 'done' }] },
      _meta: { 'io.modelcontextprotocol/subscriptionId': expect.anything() as unknown },
    },
  });
  server.session.end();
  await expect(listening).rejects.toThrow('was not answered');
});

test('tasks of a client that has not declared them are not listened to', async () => {
  const server = serverFor(toolOf(() => 'x'));
  const { error } = await ask(server, 'subscriptions/listen', { notifications: { taskIds: ['a'] } }, {});
  expect(error?.code).toBe(-32021);
});

test('there are not more tasks of one client than its limit', async () => {
  const server = serverFor(
    toolOf(async () => new Promise(() => undefined)),
    { limits: { tasksPerClient: 1 } },
  );
  await start(server);
  expect(await call(server)).toMatchObject({ error: { code: -32603 }, origin: 'rate' });
});

test('a task is gone when its time is over, and its work is stopped', async () => {
  vi.useFakeTimers();
  try {
    let signal: AbortSignal | undefined;
    const server = serverFor(
      toolOf(async (_, context) => {
        ({ signal } = context);
        return new Promise(() => undefined);
      }),
    );
    const taskId = await start(server);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(signal?.aborted).toBe(true);
    expect((await ask(server, 'tasks/get', { taskId })).error?.code).toBe(-32602);
  } finally {
    vi.useRealTimers();
  }
});
