// Lists that change and resources that are subscribed to, as legacy sessions hear of them.
import { expect, test, vi } from 'vitest';
import { Session } from '../../../templates/runtime/core/session.ts';
import type { Handlers } from '../../../templates/runtime/definition.ts';
import { LEGACY_REVISIONS } from '../../../templates/runtime/protocol/revisions.ts';
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

test.each(LEGACY_REVISIONS)(
  '%s: a change is told to who subscribed, until they unsubscribe',
  async (revision) => {
    const { parts, push } = listening();
    const server = await openServer(parts, revision);
    const update = (uri: string) => server.project.bus.publish({ kind: 'resource-updated', uri });
    expect((await server.ask('resources/subscribe', { uri: 'own://a' })).result).toEqual({});
    expect((await server.ask('resources/subscribe', { uri: 'own://by/7' })).result).toEqual({});
    update('own://a');
    update('own://b');
    update('own://by/7');
    expect(push.mock.calls).toEqual([
      [{ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'own://a' } }],
      [{ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'own://by/7' } }],
    ]);
    expect((await server.ask('resources/unsubscribe', { uri: 'own://a' })).result).toEqual({});
    update('own://a');
    expect(push).toHaveBeenCalledTimes(2);
  },
);

test('subscribing twice is once, and unsubscribing from nothing is nothing', async () => {
  const { parts, push } = listening();
  const server = await openServer(parts);
  await server.ask('resources/subscribe', { uri: 'own://a' });
  await server.ask('resources/subscribe', { uri: 'own://a' });
  server.project.bus.publish({ kind: 'resource-updated', uri: 'own://a' });
  expect(push).toHaveBeenCalledOnce();
  expect((await server.ask('resources/unsubscribe', { uri: 'own://never' })).result).toEqual({});
});

test('what is not there can not be subscribed to', async () => {
  const server = await openServer(listening().parts);
  const { error } = await server.ask('resources/subscribe', { uri: 'own://none' });
  const data = { uri: 'own://none' };
  expect(error).toEqual({ code: -32002, message: 'Resource not found: own://none', data });
});

test.each(['resources/subscribe', 'resources/unsubscribe'])('%s without a URI is refused', async (method) => {
  const server = await openServer(listening().parts);
  const { error } = await server.ask(method, { uri: 7 });
  expect(error).toEqual({ code: -32602, message: '`uri` must be a string.' });
});

test('a session has only so many subscriptions', async () => {
  const server = await openServer(listening({ limits: { subscribedResources: 1 } }).parts);
  await server.ask('resources/subscribe', { uri: 'own://a' });
  const { error } = await server.ask('resources/subscribe', { uri: 'own://b' });
  expect(error).toEqual({
    code: -32603,
    message: 'This session has 1 subscriptions already. Unsubscribe from some.',
  });
  await server.ask('resources/unsubscribe', { uri: 'own://a' });
  expect((await server.ask('resources/subscribe', { uri: 'own://b' })).result).toEqual({});
});

test.each(['tools', 'prompts', 'resources'] as const)(
  'a change of the %s is told to open sessions',
  async (list) => {
    const { parts, push } = listening();
    const server = await openServer(parts);
    server.project.bus.publish({ kind: 'list-changed', list });
    expect(push.mock.calls).toEqual([[{ jsonrpc: '2.0', method: `notifications/${list}/list_changed` }]]);
  },
);

test('nothing is told before `initialized`, nor after the end', async () => {
  const { parts, push, session } = listening();
  const server = newServer(parts);
  await server.ask('initialize', hello('2025-11-25'));
  server.project.bus.publish({ kind: 'list-changed', list: 'tools' });
  expect(push).not.toHaveBeenCalled();
  await server.notify('notifications/initialized');
  await server.notify('notifications/initialized');
  server.project.bus.publish({ kind: 'list-changed', list: 'tools' });
  expect(push).toHaveBeenCalledOnce();
  session.end();
  server.project.bus.publish({ kind: 'list-changed', list: 'tools' });
  expect(push).toHaveBeenCalledOnce();
});
