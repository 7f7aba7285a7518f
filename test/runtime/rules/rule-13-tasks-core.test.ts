// Rule 13: tasks of 2025-11-25, row by row: the client asks for them, and fetches the result.
import { expect, test, vi } from 'vitest';
import type { ExtraTool } from '../../../templates/runtime/types.ts';
import { META } from '../../../templates/runtime/json-rpc.ts';
import { call as httpCall, gate, start } from '../client.ts';
import {
  CORE,
  FORM,
  named,
  refusal,
  type Task,
  type TaskParts,
  taskServer,
  untilStopped,
} from './task-subject.ts';

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
const relatedTo = (taskId: string) => ({ _meta: { [`${META}related-task`]: { taskId } } });
const capabilities = { elicitation: {} };

async function clientOf(handler?: ExtraTool['handler'], parts?: TaskParts) {
  const server = taskServer(handler, parts);
  return { ...server, ...(await server.client(CORE, { capabilities })) };
}

const FIELDS = ['createdAt', 'lastUpdatedAt', 'pollInterval', 'status', 'taskId', 'ttl'];
const taskOf = (result: object = {}) => (result as { task: Task }).task;

// Decided by.

const ALONE = { code: -32601, message: 'The tool x runs as a task only.' };
const NEVER = { code: -32601, message: 'The tool x does not run as a task.' };

test.each<[TaskParts['support'] | 'nothing', unknown, object | undefined]>([
  ['forbidden', {}, NEVER],
  ['nothing', {}, NEVER],
  ['forbidden', undefined, undefined],
  ['nothing', undefined, undefined],
  ['required', undefined, ALONE],
  ['required', {}, undefined],
  ['optional', undefined, undefined],
  ['optional', { ttl: 1_000 }, undefined],
])('a tool that says %s of tasks, called with the wish %j', async (support, task, want) => {
  const parts: TaskParts = support === 'nothing' ? { tool: { execution: {} } } : { support };
  const { call, ran } = await clientOf(() => 'done', parts);
  const { result = {}, error } = await call({ task });
  expect(error).toEqual(want);
  expect(ran()).toBe(want === undefined ? 1 : 0);
  if (want === undefined) expect('task' in result).toBe(task !== undefined);
});

test.each<[unknown, string]>([
  [7, '`task` must be an object.'],
  [[], '`task` must be an object.'],
  [{ ttl: -1 }, '`task.ttl` must be milliseconds.'],
])('the wish %j is refused, and nothing runs', async (task, message) => {
  const prepare = vi.fn((args: object) => args as Record<string, unknown>);
  const { ask, call, ran } = await clientOf(() => 'done', { tool: { prepare } });
  expect((await call({ task })).error).toEqual({ code: -32602, message });
  expect((await ask('tasks/list')).result).toEqual({ tasks: [] });
  expect([prepare.mock.calls, ran()]).toEqual([[], 0]);
});

test('only tools say whether they have tasks, and only to this revision', async () => {
  const { ask } = await clientOf(() => 'done', { support: 'required' });
  const { tools } = (await ask('tools/list')).result as { tools: { execution?: object }[] };
  expect(tools.map(({ execution }) => execution)).toEqual([
    { taskSupport: 'required' },
    { taskSupport: 'optional' },
  ]);
});

// Creation, and fields.

test('a call is answered by the task alone, at work, with its fields', async () => {
  const { call } = await clientOf(() => 'done');
  const { result } = await call({ task: { ttl: 60_000 } });
  expect(Object.keys(result ?? {})).toEqual(['task']);
  const task = taskOf(result);
  expect(Object.keys(task).sort()).toEqual(FIELDS);
  expect(task).toMatchObject({ status: 'working', ttl: 60_000, pollInterval: 1_000 });
  expect(new Date(String(task['createdAt'])).toISOString()).toBe(task['createdAt']);
  expect(task['lastUpdatedAt']).toBe(task['createdAt']);
});

test.each<[string, TaskParts, object, string]>([
  ['arguments that break the schema', {}, { n: 'one' }, 'do not match its input schema'],
])('also a call with %s is a task, which fails', async (_, parts, args, words) => {
  const { call, ask, ended, ran } = await clientOf(() => 'done', parts);
  const taskId = String(taskOf((await call({ arguments: args })).result)['taskId']);
  expect(await ended(taskId)).toMatchObject({ status: 'failed' });
  const { result } = await ask('tasks/result', { taskId });
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(words) }] });
  expect(ran()).toBe(0);
});

// Outcome.

test('tasks/result waits, and answers as the call would have, naming its task', async () => {
  const { open, opened } = gate();
  const { ask, create, get, methods } = await clientOf(() => opened.then(() => 'done'));
  const taskId = await create();
  let isAnswered = false;
  const waiting = ask('tasks/result', { taskId }).finally(() => (isAnswered = true));
  expect([(await get(taskId))['status'], isAnswered]).toEqual(['working', false]);
  open();
  expect((await waiting).result).toEqual({ ...text('done'), ...relatedTo(taskId) });
  // As often as it is asked for.
  expect((await ask('tasks/result', { taskId })).result).toEqual({ ...text('done'), ...relatedTo(taskId) });
  const task = await get(taskId);
  expect(Object.keys(task).sort()).toEqual(FIELDS);
  expect(task['status']).toBe('completed');
  expect(methods()).toEqual(['notifications/tasks/status']);
});

test('an error of the protocol is the answer to tasks/result', async () => {
  const { ask, create, get } = await clientOf(() => {
    throw refusal(-32603, 'out of order', { until: 'May' });
  });
  const taskId = await create();
  const error = { code: -32603, message: 'out of order', data: { until: 'May' } };
  expect((await ask('tasks/result', { taskId })).error).toEqual(error);
  expect(await get(taskId)).toMatchObject({ status: 'failed', statusMessage: 'out of order' });
});

// Input.

test('questions go out on the request for the result, and name their task', async () => {
  const { ask, send, create, asking, asked } = await clientOf(
    async (_, { elicit }) => (await elicit('Who?', FORM)).content?.['name'],
  );
  const taskId = await create();
  expect(Object.keys(await asking(taskId)).sort()).toEqual(FIELDS);
  const waiting = ask('tasks/result', { taskId });
  const { id, ...question } = await asked();
  expect(question).toMatchObject({
    on: 'request',
    method: 'elicitation/create',
    params: { message: 'Who?', ...relatedTo(taskId) },
  });
  await send({ id, result: named('Ada') });
  expect((await waiting).result).toEqual({ ...text('Ada'), ...relatedTo(taskId) });
});

test('a question that one request has answered is withdrawn from the others', async () => {
  const { ask, send, create, asked, sent, openQuestions } = await clientOf(
    async (_, { elicit }) => (await elicit('Who?', FORM)).action,
  );
  const taskId = await create();
  const waiting = [ask('tasks/result', { taskId }), ask('tasks/result', { taskId })];
  const [first, second] = [await asked(0), await asked(1)];
  await send({ id: first.id, result: { action: 'decline' } });
  await Promise.all(waiting);
  expect(sent.filter(({ method }) => method === 'notifications/cancelled')).toMatchObject([
    { params: { requestId: second.id } },
  ]);
  expect(openQuestions()).toBe(0);
});

// Cancel.

test('cancelling a task withdraws the question that its client was asked', async () => {
  const { ask, create, asked, sent, openQuestions } = await clientOf(async (_, { elicit }) =>
    elicit('Who?', FORM),
  );
  const taskId = await create();
  const waiting = ask('tasks/result', { taskId });
  const { id } = await asked();
  await ask('tasks/cancel', { taskId });
  expect((await waiting).error).toMatchObject({ message: 'The task was cancelled: it has no result.' });
  expect(sent.filter(({ method }) => method === 'notifications/cancelled')).toEqual([
    {
      on: 'request',
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id, reason: expect.any(String) as string },
    },
  ]);
  expect(openQuestions()).toBe(0);
});

test('cancelling answers the task, cancelled already, and stops the work', async () => {
  let signal: AbortSignal | undefined;
  const { ask, create } = await clientOf((_, context) => {
    ({ signal } = context);
    return untilStopped(_, context);
  });
  const taskId = await create();
  const waiting = ask('tasks/result', { taskId });
  const { result = {} } = await ask('tasks/cancel', { taskId });
  expect(Object.keys(result).sort()).toEqual([...FIELDS, 'statusMessage'].sort());
  expect(result).toMatchObject({ taskId, status: 'cancelled' });
  expect(signal?.aborted).toBe(true);
  const over = { code: -32602, message: 'The task was cancelled: it has no result.' };
  expect((await waiting).error).toEqual(over);
  expect((await ask('tasks/result', { taskId })).error).toEqual(over);
});

test.each<[string, ExtraTool['handler']]>([
  ['completed', () => 'done'],
  ['failed', () => Promise.reject(new Error('no luck'))],
  ['cancelled', untilStopped],
])('what is %s can not be cancelled', async (status, handler) => {
  const { ask, create, get, ended } = await clientOf(handler);
  const taskId = await create();
  if (status === 'cancelled') await ask('tasks/cancel', { taskId });
  const before = await ended(taskId);
  expect((await ask('tasks/cancel', { taskId })).error).toEqual({
    code: -32602,
    message: `The task has ended already: it is ${status}.`,
  });
  expect(await get(taskId)).toEqual(before);
});

// Methods.

test('tasks/list tells those of its client, the oldest first', async () => {
  const { client } = taskServer();
  const [one, other] = [await client(CORE), await client(CORE)];
  const ids = [await one.create(), await one.create()];
  await other.create();
  for (const taskId of ids) await one.ended(taskId);
  const { tasks } = (await one.ask('tasks/list')).result as { tasks: Task[] };
  expect(tasks).toEqual(await Promise.all(ids.map((id) => one.get(id))));
  expect((await one.ask('tasks/list', { cursor: 'x' })).error).toEqual({
    code: -32602,
    message: expect.stringMatching(/^`cursor` .* this server gave/) as string,
  });
});

// Notifications.

test('each change is told, with the whole task, on no request', async () => {
  const { ask, send, create, asked, sent, get } = await clientOf(async (_, { elicit }) => {
    return (await elicit('Who?', FORM)).action;
  });
  const taskId = await create();
  const waiting = ask('tasks/result', { taskId });
  await send({ id: (await asked()).id, result: { action: 'cancel' } });
  await waiting;
  const told = sent.filter(({ method }) => method === 'notifications/tasks/status');
  expect(told.map(({ on, params }) => [on, Object.keys(params ?? {}).sort()])).toEqual(
    Array(3).fill(['session', FIELDS]),
  );
  const statuses = told.map(({ params }) => (params as Task)['status']);
  expect(statuses).toEqual(['input_required', 'working', 'completed']);
  expect(told[2]?.params).toEqual(await get(taskId));
});

test('progress and logs go on after the call was answered, and name the task', async () => {
  const { open, opened } = gate();
  const { ask, call, sent } = await clientOf(async (_, { progress, log }) => {
    await opened;
    await progress(1, 2);
    await log('error', 'told');
    return 'done';
  });
  const { result } = await call({}, { progressToken: 't' });
  open();
  const taskId = String(taskOf(result)['taskId']);
  await ask('tasks/result', { taskId });
  expect(sent.slice(0, 2)).toEqual([
    {
      on: 'session',
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 't', progress: 1, total: 2, ...relatedTo(taskId) },
    },
    {
      on: 'session',
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'error', data: 'told', ...relatedTo(taskId) },
    },
  ]);
});

test('what is cancelled before its task is there makes none', async () => {
  const { open, opened } = gate();
  const prepare = async (args: Record<string, unknown>) => opened.then(() => args);
  const { ask, send, ran } = await clientOf(() => 'done', { tool: { prepare } });
  const created = send({ id: 'the call', method: 'tools/call', params: { name: 'x', task: {} } });
  await send({ method: 'notifications/cancelled', params: { requestId: 'the call' } });
  open();
  expect(await created).toBeUndefined();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect([(await ask('tasks/list')).result, ran()]).toEqual([{ tasks: [] }, 0]);
});

// Over HTTP.

test('a task is told on the stream of GET, its questions on that of tasks/result', async () => {
  const { open: release, opened } = gate();
  const { post, open, listen } = await start({
    tool: { execution: { taskSupport: 'required' } },
    handler: async ({ log, closeStream }) => {
      // Nothing under way is its own.
      (closeStream as undefined | (() => void))?.();
      await opened;
      await log('info', 'on its own');
      return 'done';
    },
  });
  const session = await open(CORE);
  const { messages } = await listen(session);
  const created = await post({ ...httpCall, params: { name: 'x', task: {} } }, session);
  expect([created.status, created.headers['content-type']]).toEqual([200, 'application/json']);
  const { taskId } = taskOf(created.json.result);
  release();
  const waiting = await post({ jsonrpc: '2.0', id: 3, method: 'tasks/result', params: { taskId } }, session);
  expect([waiting.status, waiting.json]).toMatchObject([200, { id: 3, result: text('done') }]);
  await expect
    .poll(messages)
    .toMatchObject([{ method: 'notifications/message' }, { method: 'notifications/tasks/status' }]);
});
