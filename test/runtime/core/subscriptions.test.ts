// Lists that change and resources that are subscribed to, as legacy sessions hear of them.
import { expect, test, vi } from 'vitest';
import { Session } from '../../../templates/runtime/core/session.ts';
import type { Handlers } from '../../../templates/runtime/definition.ts';
import { hello, newServer, openServer, type ServerParts } from './harness.ts';

const resource = { name: 'r', read: () => 'words' };

const handlers: Handlers<object> = {
  extraTools: [{ name: 'one', inputSchema: { type: 'object' }, handler: () => '' }],
  prompts: { ask: { handler: () => '' } },
  resources: { 'own://a': resource, 'own://b': resource },
  resourceTemplates: { 'own://by/{id}': resource },
  started: () => undefined,
};

function listening(parts: ServerParts = {}) {
  const session = new Session();
  const push = vi.fn();
  session.push = push;
  return { parts: { handlers, session, ...parts }, push, session };
}

test('a project that has `started` declares changes of what it has', async () => {
  const { result } = await newServer({ handlers }).ask('initialize', hello('2025-11-25'));
  expect(result?.['capabilities']).toEqual({
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    logging: {},
  });
});

test('others declare none, and have no subscriptions', async () => {
  const { started, ...still } = handlers;
  const server = newServer({ handlers: still });
  const { result } = await server.ask('initialize', hello('2025-11-25'));
  expect([started, result?.['capabilities']]).toEqual([
    handlers.started,
    { tools: {}, resources: {}, prompts: {}, logging: {} },
  ]);
  const { error, origin } = await server.ask('resources/subscribe', { uri: 'own://a' });
  expect([error?.code, origin]).toEqual([-32601, 'method']);
});

test.each(['tools', 'prompts', 'resources'] as const)(
  'a change of the %s is told to open sessions',
  async (list) => {
    const { parts, push } = listening();
    const server = await openServer(parts);
    server.server.bus.publishEvent({ kind: 'list-changed', list });
    expect(push.mock.calls).toEqual([[{ jsonrpc: '2.0', method: `notifications/${list}/list_changed` }]]);
  },
);

test('nothing is told before `initialized`, nor after the end', async () => {
  const { parts, push, session } = listening();
  const server = newServer(parts);
  await server.ask('initialize', hello('2025-11-25'));
  server.server.bus.publishEvent({ kind: 'list-changed', list: 'tools' });
  expect(push).not.toHaveBeenCalled();
  await server.notify('notifications/initialized');
  await server.notify('notifications/initialized');
  server.server.bus.publishEvent({ kind: 'list-changed', list: 'tools' });
  expect(push).toHaveBeenCalledOnce();
  session.end();
  server.server.bus.publishEvent({ kind: 'list-changed', list: 'tools' });
  expect(push).toHaveBeenCalledOnce();
});
