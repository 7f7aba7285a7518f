/** Tasks of 2025-11-25: the client asks for them, and fetches the result. */
import { expect, test, vi } from 'vitest';
import type { Context, ExtraTool } from '../../../../templates/runtime/definition.ts';
import { ProtocolError } from '../../../../templates/runtime/protocol/protocol-error.ts';
import type { Revision } from '../../../../templates/runtime/protocol/revisions.ts';
import { hello, newServer, type Reply, type TestServer } from '../harness.ts';

const FORM: Parameters<Context['elicit']>[1] = { type: 'object', properties: { name: { type: 'string' } } };
const RELATED = 'io.modelcontextprotocol/related-task';

async function serverFor(
  handler: ExtraTool['handler'],
  taskSupport: 'forbidden' | 'optional' | 'required' = 'optional',
  revision: Revision = '2025-11-25',
): Promise<TestServer> {
  const optional: ExtraTool = {
    name: 'other',
    inputSchema: { type: 'object' },
    execution: { taskSupport: 'optional' },
    handler: () => 'other',
  };
  const tool = { ...optional, name: 'x', execution: { taskSupport }, handler };
  const server = newServer({ handlers: { extraTools: [tool, optional] } });
  await server.ask('initialize', { ...hello(revision), capabilities: { elicitation: {} } });
  await server.notify('notifications/initialized');
  // What the session is told of itself is not part of a request.
  server.session.push = (message) => void server.sent.push(message);
  return server;
}

async function start(server: TestServer, task: object = {}): Promise<string> {
  const { result } = await server.ask('tools/call', { name: 'x', arguments: {}, task });
  return String(Reflect.get(result?.['task'] ?? {}, 'taskId'));
}

const callIt = (server: TestServer, more: object = {}): Promise<Reply> =>
  server.ask('tools/call', { name: 'x', arguments: {}, ...more });

test('a task is created, and its result is what the call would have answered', async () => {
  const server = await serverFor(() => 'done');
  const { result } = await callIt(server, { task: { ttl: 60_000 } });
  expect(Object.keys(result ?? {})).toEqual(['task']);
  expect(result?.['task']).toMatchObject({ status: 'working', ttl: 60_000, pollInterval: 1_000 });
  const taskId = String(Reflect.get(result?.['task'] ?? {}, 'taskId'));
  expect((await server.ask('tasks/result', { taskId })).result).toEqual({
    content: [{ type: 'text', text: 'done' }],
    _meta: { [RELATED]: { taskId } },
  });
  const { result: task } = await server.ask('tasks/get', { taskId });
  expect(task).toMatchObject({ taskId, status: 'completed', ttl: 60_000 });
  expect(task).not.toHaveProperty('_meta');
  expect(server.sent).toMatchObject([
    { method: 'notifications/tasks/status', params: { taskId, status: 'completed' } },
  ]);
});

test.each([
  ['forbidden', {}, -32601],
  ['required', undefined, -32601],
  ['required', {}, undefined],
  ['optional', undefined, undefined],
] as const)('a tool whose tasks are %s, asked with `task` %j', async (support, task, code) => {
  let runs = 0;
  const server = await serverFor(() => ++runs, support);
  const { error } = await callIt(server, task === undefined ? {} : { task });
  expect(error?.code).toBe(code);
  await vi.waitFor(() => expect(runs).toBe(code === undefined ? 1 : 0));
});

test('an older revision has no tasks: the tool just runs, and is listed without', async () => {
  const server = await serverFor(() => 'done', 'required', '2025-06-18');
  expect((await callIt(server, { task: {} })).result).toMatchObject({ content: [{ text: 'done' }] });
  expect(JSON.stringify((await server.ask('tools/list')).result)).not.toContain('execution');
  expect((await server.ask('tasks/get', { taskId: 'x' })).error?.code).toBe(-32601);
});

test('`task` is ignored by a server that has not declared tasks', async () => {
  const tool: ExtraTool = { name: 'x', inputSchema: { type: 'object' }, handler: () => 'done' };
  const server = newServer({ handlers: { extraTools: [tool] } });
  const { result } = await server.ask('initialize', hello('2025-11-25'));
  expect(result?.['capabilities']).not.toHaveProperty('tasks');
  await server.notify('notifications/initialized');
  expect((await callIt(server, { task: {} })).result).toMatchObject({ content: [{ text: 'done' }] });
});

test('a failure of the tool fails its task, and its result says so', async () => {
  const server = await serverFor(() => {
    throw new Error('no luck');
  });
  const taskId = await start(server);
  expect((await server.ask('tasks/result', { taskId })).result).toMatchObject({ isError: true });
  expect((await server.ask('tasks/get', { taskId })).result?.['status']).toBe('failed');
});

test('an error of the protocol is the answer to `tasks/result`', async () => {
  const server = await serverFor(() => {
    throw new ProtocolError(-32603, 'out of order');
  });
  const taskId = await start(server);
  expect((await server.ask('tasks/result', { taskId })).error).toEqual({
    code: -32603,
    message: 'out of order',
  });
  expect((await server.ask('tasks/get', { taskId })).result).toMatchObject({
    status: 'failed',
    statusMessage: 'out of order',
  });
});

test('questions go out on the request for the result, and name their task', async () => {
  const server = await serverFor(async (_, { elicit }) => (await elicit('Who?', FORM)).content?.['name']);
  const taskId = await start(server);
  await vi.waitFor(async () =>
    expect((await server.ask('tasks/get', { taskId })).result?.['status']).toBe('input_required'),
  );
  const waiting = server.ask('tasks/result', { taskId });
  const asked = await vi.waitFor(() => {
    const request = server.sent.find(({ method }) => method === 'elicitation/create');
    expect(request).toMatchObject({ params: { message: 'Who?', _meta: { [RELATED]: { taskId } } } });
    return request;
  });
  const id = Reflect.get(asked ?? {}, 'id') as unknown;
  await server.send({ jsonrpc: '2.0', id, result: { action: 'accept', content: { name: 'Ada' } } });
  expect((await waiting).result).toMatchObject({ content: [{ text: 'Ada' }] });
});

test('a question outlives the request that put it', async () => {
  const server = await serverFor(async (_, { elicit }) => (await elicit('Who?', FORM)).action);
  const taskId = await start(server);
  const questions = (): object[] => server.sent.filter(({ method }) => method === 'elicitation/create');
  const gone = server.send({ jsonrpc: '2.0', id: 'gone', method: 'tasks/result', params: { taskId } });
  await vi.waitFor(() => expect(questions()).toHaveLength(1));
  await server.notify('notifications/cancelled', { requestId: 'gone' });
  expect(await gone).toBeUndefined();
  const waiting = server.ask('tasks/result', { taskId });
  await vi.waitFor(() => expect(questions()).toHaveLength(2));
  await server.send({
    jsonrpc: '2.0',
    id: Reflect.get(questions()[1] ?? {}, 'id'),
    result: { action: 'decline' },
  });
  expect((await waiting).result).toMatchObject({ content: [{ text: 'decline' }] });
});

test('progress goes on after the call was answered, and names the task', async () => {
  const server = await serverFor(async (_, { progress }) => {
    await new Promise((resolve) => setImmediate(resolve));
    await progress(1, 2);
    return 'done';
  });
  const { result } = await callIt(server, { task: {}, _meta: { progressToken: 't' } });
  const taskId: unknown = Reflect.get(result?.['task'] ?? {}, 'taskId');
  await server.ask('tasks/result', { taskId });
  expect(server.sent).toContainEqual({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: 't', progress: 1, total: 2, _meta: { [RELATED]: { taskId } } },
  });
});

test('cancelling answers the cancelled task, stops the work, and is refused afterwards', async () => {
  let signal: AbortSignal | undefined;
  const server = await serverFor(async (_, context) => {
    ({ signal } = context);
    return new Promise(() => undefined);
  });
  const taskId = await start(server);
  expect((await server.ask('tasks/cancel', { taskId })).result).toMatchObject({
    taskId,
    status: 'cancelled',
  });
  expect(signal?.aborted).toBe(true);
  expect((await server.ask('tasks/cancel', { taskId })).error?.code).toBe(-32602);
  expect((await server.ask('tasks/result', { taskId })).error?.code).toBe(-32602);
});

test('`notifications/cancelled` does not cancel a task', async () => {
  const server = await serverFor(() => 'done');
  await server.send({
    jsonrpc: '2.0',
    id: 'the call',
    method: 'tools/call',
    params: { name: 'x', arguments: {}, task: {} },
  });
  await server.notify('notifications/cancelled', { requestId: 'the call' });
  const { result } = await server.ask('tasks/list');
  const [task] = result?.['tasks'] as { taskId: string }[];
  expect((await server.ask('tasks/result', { taskId: task?.taskId })).result).toMatchObject({
    content: [{ text: 'done' }],
  });
});

test.each(['tasks/get', 'tasks/result', 'tasks/cancel'])('%s of an unknown task', async (method) => {
  const server = await serverFor(() => 'x');
  expect((await server.ask(method, { taskId: 'nobody' })).error).toEqual({
    code: -32602,
    message: 'Unknown task: nobody',
  });
});

test.each([
  ['task', 5],
  ['task', { ttl: 'long' }],
])('a malformed wish for a task is refused: %s %j', async (_, task) => {
  const server = await serverFor(() => 'x');
  expect((await callIt(server, { task })).error?.code).toBe(-32602);
});
