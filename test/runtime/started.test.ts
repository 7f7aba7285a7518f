// `started`: the project's own code changes the lists of the running server, and clients hear of it.
import { expect, test } from 'vitest';
import type { Handlers, ServerHandle } from '../../templates/runtime/types.ts';
import { hello, ready } from './client.ts';
import { makeClient, makeServer } from './core.ts';

const inputSchema = { type: 'object' as const };
const tool = { name: 'second', title: 'Second', inputSchema, handler: () => 'two' };
const HANDLERS: Handlers<object> = {
  prompts: { ask: { handler: () => 'asked' } },
  resources: { 'own://a': { name: 'a', read: () => 'words' } },
};

interface Reply {
  result?: Record<string, unknown>;
  error?: { code: number };
}

async function open(handlers: Handlers<object> = HANDLERS) {
  let handle: ServerHandle | undefined;
  const started = (running: ServerHandle): void => void (handle = running);
  const catalog = { tools: [{ name: 'first', inputSchema }] };
  const server = makeServer({ catalog, handlers: { ...handlers, started } }, []);
  await server.start();
  if (handle === undefined) throw new Error('`started` was not called');
  const sent: { method?: string }[] = [];
  const { send } = makeClient(server, sent);
  let id = 0;
  const ask = async (method: string, params: object = {}) =>
    (await send({ jsonrpc: '2.0', id: ++id, method, params })) as Reply;
  const namesOf = async (list: string) =>
    ((await ask(`${list}/list`)).result?.[list] as { name: string }[]).map(({ name }) => name);
  await send(hello('2025-03-26'));
  await send(ready);
  return { handle, ask, namesOf, changes: () => sent.map(({ method }) => method) };
}

const changed = (list: string) => `notifications/${list}/list_changed`;

test('a tool comes and goes', async () => {
  const { handle, ask, namesOf, changes } = await open();
  handle.addTool(tool);
  expect(await namesOf('tools')).toEqual(['first', 'second']);
  const text = { content: [{ type: 'text', text: 'two' }] };
  expect((await ask('tools/call', { name: 'second' })).result).toEqual(text);
  expect([handle.removeTool('second'), handle.removeTool('second')]).toEqual([true, false]);
  expect(await namesOf('tools')).toEqual(['first']);
  expect((await ask('tools/call', { name: 'second' })).error?.code).toBe(-32602);
  // One of the document can go, and another come in its place.
  handle.removeTool('first');
  handle.addTool({ ...tool, name: 'first' });
  expect((await ask('tools/call', { name: 'first' })).result).toEqual(text);
  expect(changes().filter((method) => method === changed('tools'))).toHaveLength(4);
});

test('a prompt comes, changes and goes', async () => {
  const { handle, ask, namesOf, changes } = await open();
  const read = async () => (await ask('prompts/get', { name: 'tell' })).result?.['messages'];
  for (const text of ['told', 'told anew']) {
    handle.addPrompt('tell', { handler: () => text });
    expect(await read()).toEqual([{ role: 'user', content: { type: 'text', text } }]);
  }
  expect(await namesOf('prompts')).toEqual(['ask', 'tell']);
  expect([handle.removePrompt('tell'), handle.removePrompt('tell')]).toEqual([true, false]);
  expect(await namesOf('prompts')).toEqual(['ask']);
  expect((await ask('prompts/get', { name: 'tell' })).error?.code).toBe(-32602);
  expect(changes()).toEqual(Array(3).fill(changed('prompts')));
});

test('a resource comes and goes, and who subscribed hears of its changes', async () => {
  const { handle, ask, namesOf, changes } = await open();
  handle.addResource('own://b', { name: 'b', read: () => 'more' });
  expect(await namesOf('resources')).toEqual(['a', 'b']);
  expect((await ask('resources/read', { uri: 'own://b' })).result?.['contents']).toEqual([
    { uri: 'own://b', mimeType: 'text/plain', text: 'more' },
  ]);
  expect([handle.removeResource('own://b'), handle.removeResource('own://b')]).toEqual([true, false]);
  expect((await ask('resources/read', { uri: 'own://b' })).error?.code).toBe(-32002);
  handle.resourceUpdated('own://a');
  await ask('resources/subscribe', { uri: 'own://a' });
  handle.resourceUpdated('own://a');
  expect(changes()).toEqual([changed('resources'), changed('resources'), 'notifications/resources/updated']);
});

test('of what there was none of, nothing can be added, nor what does not fit', async () => {
  const { handle, changes } = await open({});
  expect(() => handle.addPrompt('ask', { handler: () => '' })).toThrow(
    'The server had no prompts when it started',
  );
  const resource = { name: 'b', read: () => '' };
  expect(() => handle.addResource('own://b', resource)).toThrow('The server had no resources');
  expect(() => handle.addTool({ ...tool, name: 'first' })).toThrow('exists already');
  expect(changes()).toEqual([]);
});
