// Another project takes the place of the one that answers: what clients are told, and what goes on.
import { expect, test } from 'vitest';
import type { FunctionBinding } from '../../../templates/runtime/contract/bindings.ts';
import { META } from '../../../templates/runtime/protocol/revisions.ts';
import type { ExtraTool } from '../../../templates/runtime/definition.ts';
import { metaOf } from '../rules/subject.ts';
import { gate } from '../transports/http-harness.ts';
import { hello, newServer, openServer, type ServerParts } from './harness.ts';

const tool = (name: string, answer: unknown = name, more: Partial<ExtraTool> = {}): ExtraTool => ({
  name,
  inputSchema: { type: 'object' },
  handler: () => answer,
  ...more,
});
const prompt = { handler: () => 'text' };
const resource = { name: 'r', read: () => 'text' };

const FIRST: ServerParts = {
  isReplaceable: true,
  handlers: {
    extraTools: [tool('a')],
    prompts: { p: prompt },
    resources: { 'own://r': resource },
    resourceTemplates: { 'own://t/{id}': resource },
  },
};

test.each<{ what: string; next: ServerParts['handlers']; want: string[] }>([
  { what: 'nothing', next: {}, want: [] },
  { what: 'what a tool does', next: { extraTools: [tool('a', 'other')] }, want: [] },
  { what: 'a description', next: { extraTools: [tool('a', 'a', { description: 'A' })] }, want: ['tools'] },
  { what: 'a tool more', next: { extraTools: [tool('a'), tool('b')] }, want: ['tools'] },
  { what: 'a tool less', next: { extraTools: [] }, want: ['tools'] },
  { what: 'a prompt more', next: { prompts: { p: prompt, q: prompt } }, want: ['prompts'] },
  { what: 'no resource', next: { resources: {} }, want: ['resources'] },
  { what: 'no template', next: { resourceTemplates: {} }, want: ['resources'] },
  {
    what: 'all',
    next: { extraTools: [], prompts: {}, resources: {} },
    want: ['tools', 'resources', 'prompts'],
  },
])('$what has changed: $want', async ({ next, want }) => {
  const server = await openServer(FIRST);
  const pushed: string[] = [];
  server.session.push = ({ method }) => void pushed.push(method);
  expect(server.replace({ handlers: { ...FIRST.handlers, ...next } })).toEqual(want);
  expect(pushed).toEqual(want.map((list) => `notifications/${list}/list_changed`));
});

test('a server that may be replaced declares what it has none of yet', async () => {
  const { result } = await newServer({ isReplaceable: true }).ask('initialize', hello('2025-11-25'));
  expect(result?.['capabilities']).toEqual({
    tools: { listChanged: true },
    resources: { listChanged: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  });
});

test('a call that has begun is finished by the old code, and the next is done by the new', async () => {
  const { opened, open } = gate();
  const slow = { ...tool('a'), handler: async () => (await opened, 'old') };
  const server = await openServer({ isReplaceable: true, handlers: { extraTools: [slow] } });
  const first = server.ask('tools/call', { name: 'a', arguments: {} });
  server.replace({ handlers: { extraTools: [tool('a', 'new')] } });
  const second = await server.ask('tools/call', { name: 'a', arguments: {} });
  expect(second.result).toMatchObject({ content: [{ text: 'new' }] });
  open();
  expect((await first).result).toMatchObject({ content: [{ text: 'old' }] });
});

test('an instance of the old code is disposed of when its call has returned', async () => {
  const { opened, open } = gate();
  const events: string[] = [];
  class Held {
    async wait(): Promise<string> {
      events.push('called');
      await opened;
      events.push('returned');
      return 'old';
    }
    [Symbol.dispose] = (): void => void events.push('disposed');
  }
  const { name, inputSchema } = tool('a');
  const binding: FunctionBinding = {
    kind: 'function',
    module: 'app/a.ts',
    export: 'Held',
    method: 'wait',
    instance: 'process',
    parameters: [],
  };
  const server = await openServer({
    isReplaceable: true,
    catalog: { tools: [{ name, inputSchema }] },
    bindings: { tools: { a: { do: binding } } },
    functions: {
      runtime: () => import('../../../templates/runtime/functions/index.ts'),
      modules: { 'app/a.ts': () => Promise.resolve({ Held }) },
    },
  });
  const called = server.ask('tools/call', { name: 'a', arguments: {} });
  await expect.poll(() => events).toEqual(['called']);
  server.replace(FIRST);
  open();
  expect((await called).result).toMatchObject({ content: [{ text: 'old' }] });
  await expect.poll(() => events).toEqual(['called', 'returned', 'disposed']);
});

test('a tool that is gone is unknown, and one that came is there', async () => {
  const server = await openServer(FIRST);
  server.replace({ handlers: { extraTools: [tool('b')] } });
  const gone = await server.ask('tools/call', { name: 'a', arguments: {} });
  expect(gone.error?.message).toContain('Unknown tool: a');
  const { result } = await server.ask('tools/list');
  expect(result).toMatchObject({ tools: [{ name: 'b' }] });
});

test('a subscription of the modern era outlives the project that it met', async () => {
  const server = newServer(FIRST);
  const notifications = { toolsListChanged: true, promptsListChanged: true };
  const request = {
    jsonrpc: '2.0',
    id: 's',
    method: 'subscriptions/listen',
    params: { notifications, _meta: metaOf() },
  };
  const ended = server.send(request);
  await expect.poll(() => server.sent.length).toBe(1);
  server.replace({ handlers: { ...FIRST.handlers, extraTools: [] } });
  await expect
    .poll(() => server.sent.slice(1))
    .toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/tools/list_changed',
        params: { _meta: { [META.subscriptionId]: 's' } },
      },
    ]);
  for (const end of server.server.state.subscriptions?.keys() ?? []) end();
  await ended;
});
