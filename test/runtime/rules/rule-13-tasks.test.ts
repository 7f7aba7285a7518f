// Rule 13: tasks, for what both kinds have in common. Each column of the table: rule-13-tasks-{core,extension}.test.ts.
// Further: limits.test.ts (how many over all).
import { expect, test, vi } from 'vitest';
import { LEGACY_REVISIONS } from '../../../templates/runtime/json-rpc.ts';
import { CORE, FORM, TASK_REVISIONS, taskServer, unknownTask, untilStopped } from './task-subject.ts';

test.each(LEGACY_REVISIONS.filter((revision) => revision !== CORE))(
  '%s has no tasks: none declared, none listed, none made, and no method of theirs',
  async (revision) => {
    const { client, ran } = taskServer(() => 'done', { support: 'required' });
    const { ask, call } = await client(revision);
    expect(JSON.stringify((await ask('tools/list')).result)).not.toContain('execution');
    expect((await call()).result).toEqual({ content: [{ type: 'text', text: 'done' }] });
    for (const method of ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel', 'tasks/update'])
      expect((await ask(method, { taskId: 'x' })).error).toEqual({
        code: -32601,
        message: `Unknown method: ${method}`,
      });
    expect(ran()).toBe(1);
  },
);

test.each(TASK_REVISIONS)('%s: ids are unguessable', async (revision) => {
  const { create } = await taskServer().client(revision);
  const ids = [await create(), await create(), await create()];
  // 128 bits, of which no two tasks share more than chance gives.
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(3);
});

test.each(TASK_REVISIONS)('%s: a task is bound to who asked for it', async (revision) => {
  const { client, ran } = taskServer(untilStopped);
  const owner = await client(revision, { subject: 'ada' });
  const taskId = await owner.create();
  for (const who of [{ subject: 'eve' }, {}]) {
    const { ask } = await client(revision, who);
    const methods = ['tasks/get', 'tasks/cancel', revision === CORE ? 'tasks/result' : 'tasks/update'];
    for (const method of methods)
      expect((await ask(method, { taskId, inputResponses: {} })).error).toEqual(unknownTask(taskId));
  }
  expect([await owner.get(taskId), ran()]).toMatchObject([{ status: 'working' }, 1]);
  // Another session or connection, and the same person.
  const again = await client(revision, { subject: 'ada' });
  expect(await again.get(taskId)).toMatchObject({ taskId, status: 'working' });
  await again.ask('tasks/cancel', { taskId });
});

test.each(TASK_REVISIONS)('%s: unknown tasks, and what names none', async (revision) => {
  const { client, ran } = taskServer();
  const { ask } = await client(revision);
  for (const method of ['tasks/get', 'tasks/cancel', revision === CORE ? 'tasks/result' : 'tasks/update']) {
    for (const taskId of ['nobody', '', '__proto__'])
      expect((await ask(method, { taskId, inputResponses: {} })).error).toEqual(unknownTask(taskId));
    for (const taskId of [undefined, null, 7, {}])
      expect((await ask(method, { taskId, inputResponses: {} })).error).toEqual({
        code: -32602,
        message: '`taskId` must be a string.',
      });
  }
  expect(ran()).toBe(0);
});

test.each(TASK_REVISIONS)('%s: the number of tasks is limited, by client', async (revision) => {
  const { client, ran } = taskServer(untilStopped, { limits: { tasksPerClient: 1 } });
  const [first, second] = [await client(revision), await client(revision)];
  const taskId = await first.create();
  expect(await first.call()).toMatchObject({
    error: { code: -32603, message: 'There are too many tasks. Try again in 60 seconds.' },
    origin: 'rate',
  });
  expect(ran()).toBe(1);
  for (const id of [taskId, await second.create()]) await first.ask('tasks/cancel', { taskId: id });
});

test.each(TASK_REVISIONS)(
  '%s: a task is gone when its time is over, and its work is stopped',
  async (revision) => {
    vi.useFakeTimers();
    try {
      let signal: AbortSignal | undefined;
      const { client } = taskServer(
        (_, context) => {
          ({ signal } = context);
          return untilStopped(_, context);
        },
        { limits: { taskTtlMs: 5_000 } },
      );
      const { ask, create, get } = await client(revision);
      const taskId = await create();
      await vi.advanceTimersByTimeAsync(4_999);
      expect([await get(taskId), signal?.aborted]).toMatchObject([{ status: 'working' }, false]);
      await vi.advanceTimersByTimeAsync(1);
      expect(signal?.aborted).toBe(true);
      expect((await ask('tasks/get', { taskId })).error).toEqual(unknownTask(taskId));
    } finally {
      vi.useRealTimers();
    }
  },
);

test.each(TASK_REVISIONS)(
  '%s: what has ended stays so, whatever its work comes to afterwards',
  async (revision) => {
    const stopped = vi.fn();
    const { client } = taskServer(async (_, context) => {
      await untilStopped(_, context);
      await expect(context.elicit('Who?', FORM)).rejects.toThrow(/has ended/);
      stopped();
      throw new Error('broken');
    });
    const { ask, create, get } = await client(revision, { capabilities: { elicitation: {} } });
    const taskId = await create();
    await ask('tasks/cancel', { taskId });
    await vi.waitFor(() => expect(stopped).toHaveBeenCalled(), { interval: 1 });
    const task = await get(taskId);
    expect(task).toMatchObject({ status: 'cancelled', statusMessage: 'The client cancelled the task.' });
    for (const name of ['result', 'error', 'inputRequests']) expect(task).not.toHaveProperty(name);
  },
);

test.each(TASK_REVISIONS)('%s: two questions of one task have two keys', async (revision) => {
  const { client } = taskServer(async (_, { elicit, signal }) => {
    const first = elicit('One?', FORM, { key: 'one' });
    await expect(elicit('Two?', FORM, { key: 'one' })).rejects.toThrow(
      'Two questions of one call have the key "one".',
    );
    return Promise.race([first, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
  });
  const { ask, create, asking } = await client(revision, { capabilities: { elicitation: {} } });
  const taskId = await create();
  await asking(taskId);
  await ask('tasks/cancel', { taskId });
});
