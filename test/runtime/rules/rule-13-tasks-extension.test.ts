// Rule 13: tasks of the extension `io.modelcontextprotocol/tasks`, row by row: the server decides, the client looks.
import { expect, test, vi } from 'vitest';
import type { ExtraTool } from '../../../templates/runtime/types.ts';
import { META } from '../../../templates/runtime/json-rpc.ts';
import {
  DECLARED,
  EXTENSION,
  FORM,
  named,
  refusal,
  type Task,
  type TaskParts,
  taskServer,
  untilStopped,
} from './task-subject.ts';

const ENVELOPE = ['_meta', 'resultType'];
const FIELDS = ['createdAt', 'lastUpdatedAt', 'pollIntervalMs', 'status', 'taskId', 'ttlMs'];
const namesOf = (value: object = {}) => Object.keys(value).sort();
const withEnvelope = (...names: string[]) => [...ENVELOPE, ...FIELDS, ...names].sort();
const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

async function clientOf(handler?: ExtraTool['handler'], parts?: TaskParts) {
  const server = taskServer(handler, parts);
  return { ...server, ...(await server.client(EXTENSION, { capabilities: { elicitation: {} } })) };
}

const undeclared = (extensions: unknown) => ({ [`${META}clientCapabilities`]: { extensions } });

// Declared.

test('the extension is declared where a tool has tasks, and nothing of 2025-11-25 ever', async () => {
  for (const [declared, want] of [
    [true, DECLARED.extensions],
    [false, undefined],
  ] as const) {
    const { ask } = await clientOf(() => 'done', { support: 'forbidden', declared });
    const { capabilities } = (await ask('server/discover')).result as { capabilities: Task };
    expect([capabilities['extensions'], capabilities['tasks']]).toEqual([want, undefined]);
    expect(JSON.stringify((await ask('tools/list')).result)).not.toContain('execution');
  }
});

test('each request declares for itself', async () => {
  const { ask, call, create, get, ran } = await clientOf(() => 'done', { support: 'required' });
  const taskId = await create();
  for (const extensions of [undefined, {}, [], { [`${META}tasks`]: true }, { [`${META}tasks`]: null }]) {
    const { error, origin } = await ask('tasks/get', { taskId }, undeclared(extensions));
    expect([error?.code, origin]).toEqual([-32021, 'capability']);
    expect((await call({}, undeclared(extensions))).error?.code).toBe(-32021);
  }
  expect([(await get(taskId))['taskId'], ran()]).toEqual([taskId, 1]);
});

// Decided by.

const REQUIRED = {
  code: -32021,
  message: 'The tool x runs as a task only.',
  data: { requiredCapabilities: DECLARED },
};

test.each<[TaskParts['support'], object, string, object | undefined]>([
  ['forbidden', DECLARED, 'complete', undefined],
  ['optional', DECLARED, 'task', undefined],
  ['required', DECLARED, 'task', undefined],
  ['forbidden', {}, 'complete', undefined],
  ['optional', {}, 'complete', undefined],
  ['required', {}, '', REQUIRED],
])('a tool whose tasks are %s, and a client that declares %j: %s', async (support, declared, type, want) => {
  const { call, ran } = await clientOf(() => 'done', { support });
  for (const task of [undefined, {}, { ttl: 5 }, 7, null]) {
    const { result, error } = await call({ task }, { [`${META}clientCapabilities`]: declared });
    expect([result?.['resultType'] ?? '', error]).toEqual([type, want]);
    if (type === 'complete') expect(result).toMatchObject(text('done'));
    // What the client wished for how long decides nothing, too.
    if (type === 'task') expect(result).toMatchObject({ ttlMs: 3_600_000 });
  }
  expect(ran()).toBe(want === undefined ? 5 : 0);
});

// Creation, and fields.

test('a call is answered by the task, flat, at work, and found at once', async () => {
  const { call, get } = await clientOf(untilStopped);
  const { result = {} } = await call();
  expect(namesOf(result)).toEqual(withEnvelope());
  expect(result).toMatchObject({ resultType: 'task', status: 'working' });
  for (const name of ['ttlMs', 'pollIntervalMs']) expect(Number.isInteger(result[name])).toBe(true);
  const found = await get(String(result['taskId']));
  expect(found).toEqual({ ...result, resultType: 'complete' });
});

test('questions before creation are asked by rounds, and the task begins with their answers', async () => {
  const { call, ended, ran } = await clientOf(({ name }) => `hello ${String(name)}`, {
    tool: {
      prepare: async (args, { elicit }) => ({
        ...args,
        ...(await elicit('Who?', FORM, { key: 'who' })).content,
      }),
    },
  });
  const first = await call();
  expect(namesOf(first.result)).toEqual([...ENVELOPE, 'inputRequests', 'requestState'].sort());
  expect([first.result?.['resultType'], ran()]).toEqual(['input_required', 0]);
  const { requestState } = first.result ?? {};
  const second = await call({ requestState, inputResponses: { who: named('Ada') } });
  expect(namesOf(second.result)).toEqual(withEnvelope());
  expect(await ended(String(second.result?.['taskId']))).toMatchObject({ result: text('hello Ada') });
});

test('arguments that break the schema are answered by the call itself', async () => {
  const { call, ran } = await clientOf();
  const { result } = await call({ arguments: { n: 'one' } });
  expect([result?.['resultType'], result?.['isError'], ran()]).toEqual(['complete', true, 0]);
});

// Outcome, and isError.

const failing = (thrown: Error) => () => Promise.reject(thrown);
const sealed = refusal(-32602, 'sealed', { until: 'May' });

test.each<[string, ExtraTool['handler'], string, string[], object]>([
  [
    'a result',
    () => 'done',
    'completed',
    ['result'],
    { result: { resultType: 'complete', ...text('done') } },
  ],
  [
    'a failure of the tool',
    failing(new Error('no luck')),
    'completed',
    ['result'],
    { result: { ...text('no luck'), isError: true } },
  ],
  [
    'an error of the protocol',
    failing(sealed),
    'failed',
    ['error', 'statusMessage'],
    { error: { code: -32602, message: 'sealed', data: { until: 'May' } } },
  ],
])('%s is found in tasks/get, and names no task', async (_, handler, status, more, want) => {
  const { create, ended } = await clientOf(handler);
  const task = await ended(await create());
  expect(namesOf(task)).toEqual(withEnvelope(...more));
  expect(task).toMatchObject({ resultType: 'complete', status, ...want });
  expect(JSON.stringify(task)).not.toContain(`${META}related-task`);
});

// Input.

const twoNames: ExtraTool['handler'] = async (_, { elicit }) => {
  const answers = await Promise.all([elicit('One?', FORM, { key: 'one' }), elicit('Two?', FORM)]);
  return answers.map(({ content }) => content?.['name']).join(' ');
};

test('questions are answered in parts: answered keys vanish, and the last one sets the task to work', async () => {
  const { ask, create, get, asking, ended, sent } = await clientOf(twoNames);
  const taskId = await create();
  const task = await asking(taskId);
  expect(namesOf(task)).toEqual(withEnvelope('inputRequests'));
  const question = (message: string) => ({ method: 'elicitation/create', params: { message } });
  const both = { one: question('One?'), 'ask-1': question('Two?') };
  expect(task['inputRequests']).toMatchObject(both);
  const first = await ask('tasks/update', { taskId, inputResponses: { one: named('Ada'), other: {} } });
  expect(namesOf(first.result)).toEqual(ENVELOPE);
  expect(await get(taskId)).toMatchObject({ status: 'input_required' });
  expect(namesOf((await get(taskId))['inputRequests'] as object)).toEqual(['ask-1']);
  // The first answer counts.
  await ask('tasks/update', { taskId, inputResponses: { one: named('Eve') } });
  await ask('tasks/update', { taskId, inputResponses: { 'ask-1': named('Bo') } });
  const done = await ended(taskId);
  expect(namesOf(done)).toEqual(withEnvelope('result'));
  expect(done).toMatchObject({ result: text('Ada Bo') });
  // Nobody was asked but by the task.
  expect(sent).toEqual([]);
});

test.each<[unknown, string]>([
  [undefined, '`inputResponses` must be an object.'],
  [{ one: 'Ada' }, '`inputResponses["one"]` must be an object.'],
  [{ 'ask-1': named('Bo'), other: null }, '`inputResponses["other"]` must be an object.'],
])('the answers %j are refused, and no question is answered', async (inputResponses, message) => {
  const { ask, create, get, asking } = await clientOf(twoNames);
  const taskId = await create();
  const before = await asking(taskId);
  const { error } = await ask('tasks/update', { taskId, inputResponses });
  expect(error).toEqual({ code: -32602, message });
  expect(await get(taskId)).toEqual(before);
  await ask('tasks/cancel', { taskId });
});

// Cancel.

test.each<[string, ExtraTool['handler']]>([
  ['cancelled', untilStopped],
  ['completed', () => 'done'],
  ['failed', failing(sealed)],
])('cancelling is acknowledged with nothing, and then the task is %s', async (status, handler) => {
  const { ask, create, ended } = await clientOf(handler);
  const taskId = await create();
  if (status !== 'cancelled') await ended(taskId);
  for (let times = 0; times < 2; times++) {
    const { result } = await ask('tasks/cancel', { taskId });
    expect(namesOf(result)).toEqual(ENVELOPE);
    expect(result).toMatchObject({ resultType: 'complete' });
  }
  expect(await ended(taskId)).toMatchObject({ status });
});

// Methods.

test('there are get, update and cancel, for those who declare, and no others', async () => {
  const { ask } = await clientOf();
  const params = { taskId: 'nobody', inputResponses: {} };
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    expect((await ask(method, params)).error?.code).toBe(-32602);
    expect(await ask(method, params, undeclared({}))).toMatchObject({
      error: {
        code: -32021,
        message: 'Only clients that declare tasks may ask for them.',
        data: { requiredCapabilities: DECLARED },
      },
      origin: 'capability',
    });
  }
  for (const method of ['tasks/result', 'tasks/list'])
    expect(await ask(method, params)).toMatchObject({
      error: { code: -32601, message: `Unknown method: ${method}` },
      origin: 'method',
    });
});

// Notifications.

test('a subscription tells each change of its tasks, the whole task, tagged, and of no other', async () => {
  const { client } = taskServer(async (_, { elicit }) => (await elicit('Who?', FORM, { key: 'who' })).action);
  const can = { capabilities: { elicitation: {} }, subject: 'ada' };
  const [one, listener, foreign] = await Promise.all([
    client(EXTENSION, can),
    client(EXTENSION, can),
    client(EXTENSION, { ...can, subject: 'eve' }),
  ]);
  const [taskId, other] = [await one.create(), await one.create()];
  const theirs = await foreign.create();
  await one.asking(taskId);
  const ids = [taskId, theirs, 'nobody'];
  const listening = listener.ask('subscriptions/listen', { notifications: { taskIds: ids } });
  await vi.waitFor(() => expect(listener.sent).toHaveLength(1), { interval: 1 });
  expect(listener.sent[0]).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { taskIds: [taskId] }, _meta: { [`${META}subscriptionId`]: 1 } },
  });
  await one.ask('tasks/update', { taskId: other, inputResponses: { who: { action: 'decline' } } });
  await one.ended(other);
  await one.ask('tasks/update', { taskId, inputResponses: { who: { action: 'cancel' } } });
  const told = Object.entries(await one.ended(taskId)).filter(([name]) => !ENVELOPE.includes(name));
  const task = Object.fromEntries(told);
  await vi.waitFor(
    () =>
      expect(listener.sent.at(-1)).toEqual({
        on: 'request',
        jsonrpc: '2.0',
        method: 'notifications/tasks',
        params: { ...task, _meta: { [`${META}subscriptionId`]: 1 } },
      }),
    { interval: 1 },
  );
  expect(task).toMatchObject({ status: 'completed', result: text('cancel') });
  expect(new Set(listener.sent.slice(1).map(({ params }) => (params as Task)['taskId']))).toEqual(
    new Set([taskId]),
  );
  expect([one.sent, foreign.sent]).toEqual([[], []]);
  await foreign.ask('tasks/cancel', { taskId: theirs });
  await listener.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  await expect(listening).rejects.toThrow('was not answered');
});

test('tasks of a client that has not declared them are not listened to', async () => {
  const { ask, sent } = await clientOf();
  const { error } = await ask('subscriptions/listen', { notifications: { taskIds: ['a'] } }, undeclared({}));
  expect(error).toEqual({ ...REQUIRED, message: 'Only clients that declare tasks may ask for them.' });
  expect(sent).toEqual([]);
});

test('a task has no progress and no log', async () => {
  const { call, ended, sent } = await clientOf(async (_, { progress, log }) => {
    await progress(1);
    await log('error', 'told');
    return 'done';
  });
  const { result } = await call({}, { progressToken: 't', [`${META}logLevel`]: 'debug' });
  expect(await ended(String(result?.['taskId']))).toMatchObject({ result: text('done') });
  expect(sent).toEqual([]);
});
