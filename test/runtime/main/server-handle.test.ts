import { expect, test } from 'vitest';
import type { ServerEvent } from '../../../templates/runtime/core/session.ts';
import type { Handlers, ServerHandle } from '../../../templates/runtime/definition.ts';
import { createServerHandle } from '../../../templates/runtime/main/own-code.ts';
import type { Revision } from '../../../templates/runtime/protocol/revisions.ts';
import { openServer, type TestServer } from '../core/harness.ts';

const inputSchema = { type: 'object' as const };
const tool = { name: 'second', title: 'Second', inputSchema, handler: () => 'two' };
const catalog = { tools: [{ name: 'first', inputSchema }] };

const handlers: Handlers<object> = {
  prompts: { ask: { handler: () => 'asked' } },
  resources: { 'own://a': { name: 'a', read: () => 'words' } },
  started: () => undefined,
};

interface Running {
  server: TestServer;
  handle: ServerHandle;
  events: ServerEvent[];
}

async function running(own: Handlers<object> = handlers, revision?: Revision): Promise<Running> {
  const server = await openServer({ catalog, handlers: own }, revision);
  const handle = await createServerHandle(server.server);
  const events: ServerEvent[] = [];
  server.server.bus.subscribe((event) => events.push(event));
  return { server, handle, events };
}

async function namesOf(server: TestServer, list: 'tools' | 'prompts' | 'resources'): Promise<unknown[]> {
  const { result } = await server.ask(`${list}/list`);
  return (result?.[list] as { name: string }[]).map(({ name }) => name);
}

test('a tool comes and goes', async () => {
  // An older revision, whose lists are made of the newest.
  const { server, handle, events } = await running(handlers, '2025-03-26');
  await namesOf(server, 'tools');
  await server.ask('tools/call', { name: 'second' });
  handle.addTool(tool);
  expect((await server.ask('tools/list')).result).toEqual({
    tools: [
      { name: 'first', inputSchema },
      { name: 'second', inputSchema, annotations: expect.anything() as object },
    ],
  });
  const call = await server.ask('tools/call', { name: 'second' });
  expect(call.result).toEqual({ content: [{ type: 'text', text: 'two' }] });
  handle.addTool({ ...tool, name: 'third' });
  expect(await namesOf(server, 'tools')).toEqual(['first', 'second', 'third']);
  expect(handle.removeTool('second')).toBe(true);
  expect(await namesOf(server, 'tools')).toEqual(['first', 'third']);
  expect((await server.ask('tools/call', { name: 'second' })).error?.code).toBe(-32602);
  expect(events).toEqual(Array(3).fill({ kind: 'list-changed', list: 'tools' }));
});

test("the document's own tool can go, and another come in its place", async () => {
  const { server, handle } = await running();
  handle.removeTool('first');
  handle.addTool({ ...tool, name: 'first' });
  const { result } = await server.ask('tools/call', { name: 'first' });
  expect(result).toEqual({ content: [{ type: 'text', text: 'two' }] });
});

test('a prompt comes, changes and goes', async () => {
  const { server, handle, events } = await running();
  const read = async () => (await server.ask('prompts/get', { name: 'tell' })).result?.['messages'];
  await server.ask('prompts/get', { name: 'ask' });
  handle.addPrompt('tell', { handler: () => 'told' });
  expect(await read()).toEqual([{ role: 'user', content: { type: 'text', text: 'told' } }]);
  handle.addPrompt('tell', { handler: () => 'told anew' });
  expect(await read()).toEqual([{ role: 'user', content: { type: 'text', text: 'told anew' } }]);
  expect(await namesOf(server, 'prompts')).toEqual(['ask', 'tell']);
  expect(handle.removePrompt('tell')).toBe(true);
  expect(await namesOf(server, 'prompts')).toEqual(['ask']);
  expect((await server.ask('prompts/get', { name: 'tell' })).error?.code).toBe(-32602);
  expect(events).toHaveLength(3);
});

test('a resource comes and goes', async () => {
  const { server, handle, events } = await running();
  handle.addResource('own://b', { name: 'b', read: () => 'more' });
  expect(await namesOf(server, 'resources')).toEqual(['a', 'b']);
  const { result } = await server.ask('resources/read', { uri: 'own://b' });
  expect(result?.['contents']).toEqual([{ uri: 'own://b', mimeType: 'text/plain', text: 'more' }]);
  expect(handle.removeResource('own://b')).toBe(true);
  expect(await namesOf(server, 'resources')).toEqual(['a']);
  expect((await server.ask('resources/read', { uri: 'own://b' })).error?.code).toBe(-32002);
  handle.resourceUpdated('own://a');
  expect(events).toEqual([
    { kind: 'list-changed', list: 'resources' },
    { kind: 'list-changed', list: 'resources' },
    { kind: 'resource-updated', uri: 'own://a' },
  ]);
});

test('what is not listed can not be removed, and nobody is told', async () => {
  const { handle, events } = await running();
  expect([handle.removeTool('x'), handle.removePrompt('x'), handle.removeResource('own://x')]).toEqual([
    false,
    false,
    false,
  ]);
  expect(events).toEqual([]);
});

test('of what there was none of, nothing can be added', async () => {
  const { handle, events } = await running({ started: () => undefined });
  const resource = { name: 'b', read: () => '' };
  expect(() => handle.addResource('own://b', resource)).toThrow(
    'The server had no resources when it started, so its clients were told of none and would not look. ' +
      'Give it one in src/handlers/, and others can be added to it.',
  );
  expect(() => handle.addPrompt('ask', { handler: () => '' })).toThrow('The server had no prompts');
  expect(events).toEqual([]);
});

test.each(['optional', 'required'] as const)(
  'a tool whose tasks are %s can only join others that have them',
  async (taskSupport) => {
    const task = { ...tool, execution: { taskSupport } };
    const { handle } = await running();
    expect(() => handle.addTool(task)).toThrow('The server had no tasks when it started');
    const { handle: other, server } = await running({ ...handlers, extraTools: [{ ...task, name: 'slow' }] });
    other.addTool(task);
    expect(await namesOf(server, 'tools')).toEqual(['first', 'slow', 'second']);
  },
);

test.each<[string, (handle: ServerHandle) => void]>([
  ['`addTool`: a tool is named "first" already', (handle) => handle.addTool({ ...tool, name: 'first' })],
  ['`addTool`: `handler` must be a function.', (handle) => handle.addTool({ ...tool, handler: 1 as never })],
  ['`prompts["x"]` must be an object', (handle) => handle.addPrompt('x', {} as never)],
  ['the key must be a URI', (handle) => handle.addResource('b', { name: 'b', read: () => '' })],
])('%s', async (words, add) => {
  const { handle, events, server } = await running();
  expect(() => add(handle)).toThrow(words);
  expect(events).toEqual([]);
  expect(await namesOf(server, 'tools')).toEqual(['first']);
});
