// A task is reached with the scopes that its call needed, also by other tokens of the same caller.
import { expect, test } from 'vitest';
import * as runtime from '../../../templates/runtime/oauth/index.ts';
import type { Revision } from '../../../templates/runtime/protocol/revisions.ts';
import { CORE, EXTENSION, taskServer, unknownTask, untilStopped } from '../rules/task-subject.ts';

const auth = { runtime: () => Promise.resolve(runtime), scopes: ['base'], implies: { root: ['admin'] } };
const NARROW = ['base', 'read'];

const refused = {
  code: -32600,
  message: 'The token does not reach this far: it takes the scopes base, admin.',
  data: { requiredScopes: ['base', 'admin'] },
};

async function subject(revision: Revision, scopes: string[], who = 'alice') {
  const server = taskServer(untilStopped, { tool: { scopes: ['admin'] }, auth });
  const wide = await server.client(revision, { subject: 'alice', scopes: ['base', 'admin'] });
  const other = await server.client(revision, { subject: who, scopes });
  return { wide, other, taskId: await wide.create() };
}

const METHODS: [Revision, string, object][] = [
  [CORE, 'tasks/get', {}],
  [CORE, 'tasks/result', {}],
  [CORE, 'tasks/cancel', {}],
  [EXTENSION, 'tasks/get', {}],
  [EXTENSION, 'tasks/update', { inputResponses: {} }],
  [EXTENSION, 'tasks/cancel', {}],
];

test.each(METHODS)('%s %s needs the scopes of the call', async (revision, method, more) => {
  const { wide, other, taskId } = await subject(revision, NARROW);
  const { error, origin } = await other.ask(method, { taskId, ...more });
  expect({ error, origin }).toEqual({ error: refused, origin: 'scope' });
  expect(await wide.get(taskId)).toMatchObject({ status: 'working' });
});

test.each(METHODS)('%s %s tells a stranger nothing of the task', async (revision, method, more) => {
  const { other, taskId } = await subject(revision, NARROW, 'mallory');
  expect((await other.ask(method, { taskId, ...more })).error).toEqual(unknownTask(taskId));
});

test.each<[string[], boolean]>([
  [NARROW, false],
  [['base', 'admin'], true],
  [['base', 'root'], true],
])('a list for a token with %j shows the task: %s', async (scopes, isShown) => {
  const { other, taskId } = await subject(CORE, scopes);
  const { result } = await other.ask('tasks/list');
  expect(result).toEqual({ tasks: isShown ? [expect.objectContaining({ taskId })] : [] });
});

test.each([[['base', 'root']], [['base', 'admin']]])(
  'another token with %j gets at the task',
  async (scopes) => {
    const { other, taskId } = await subject(EXTENSION, scopes);
    expect(await other.get(taskId)).toMatchObject({ taskId, status: 'working' });
  },
);

test('a subscription to the task needs the scopes of the call', async () => {
  const { other, taskId } = await subject(EXTENSION, NARROW);
  const { error } = await other.ask('subscriptions/listen', { notifications: { taskIds: [taskId] } });
  expect(error).toEqual(refused);
});

test('a task of a tool without scopes is for all tokens of its caller', async () => {
  const server = taskServer(() => 'done', { auth });
  const wide = await server.client(CORE, { subject: 'alice', scopes: ['base', 'admin'] });
  const other = await server.client(CORE, { subject: 'alice', scopes: NARROW });
  const taskId = await wide.create();
  expect(await other.ended(taskId)).toMatchObject({ status: 'completed' });
  expect((await other.ask('tasks/list')).result).toEqual({ tasks: [expect.objectContaining({ taskId })] });
});
