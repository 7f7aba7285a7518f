// Tasks of modern clients over HTTP, where requests have nothing in common but their address.
import { expect, test } from 'vitest';
import { getTaskStore } from '../../../templates/runtime/core/tasks/task.ts';
import type { ExtraTool } from '../../../templates/runtime/definition.ts';
import { gate, type Options, start } from './http-harness.ts';

const VERSION = '2026-07-28';
const KEY = 'io.modelcontextprotocol/';
const meta = {
  [`${KEY}protocolVersion`]: VERSION,
  [`${KEY}clientCapabilities`]: { extensions: { [`${KEY}tasks`]: {} } },
};
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', _meta: meta } };
const headers = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': 'x' };

const withTasks = (options: Options, more: Partial<ExtraTool> = {}) =>
  start({ ...options, tool: { execution: { taskSupport: 'required' }, ...more } });

test('one address has a share of the tasks, and no more', async () => {
  const { open: release, opened } = gate();
  const { post } = await withTasks({ handler: () => opened, limits: { tasksPerClient: 1 } });
  expect((await post(call, headers)).json().result).toMatchObject({ resultType: 'task' });
  const { status, headers: fields, json } = await post({ ...call, id: 2 }, headers);
  expect([status, fields['retry-after'], json().error?.code]).toEqual([429, '60', -32603]);
  release();
});

test('a client that goes away before it knows of a task leaves none behind', async () => {
  const { open: release, opened } = gate();
  const prepared: AbortSignal[] = [];
  const prepare: ExtraTool['prepare'] = async (args, { signal }) => {
    prepared.push(signal);
    await opened;
    return args;
  };
  const { stream, post, server, counted } = await withTasks({}, { prepare });
  const leaving = new AbortController();
  const left = stream(call, headers, leaving.signal);
  await expect.poll(() => prepared.length).toBe(1);
  leaving.abort();
  await expect(left).rejects.toThrow();
  await expect.poll(() => prepared[0]?.aborted).toBe(true);
  release();
  // Answered after the one that was left has come to its end.
  await post({ ...call, id: 2 }, headers);
  const tasks = getTaskStore(server).listTasksOf({ subject: undefined, client: '127.0.0.1' });
  expect([counted.calls, tasks.length]).toEqual([1, 1]);
});
