// Changes in the modern era: `subscriptions/listen`, its notifications, and its end.
import { expect, test } from 'vitest';
import type { Change } from '../../../templates/runtime/features/changes.ts';
import { META } from '../../../templates/runtime/json-rpc.ts';
import type { ServerParts } from '../harness.ts';
import { gate } from '../client.ts';
import { metaOf, subject } from './subject.ts';

const ALL = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['own://r'],
};
const EVENTS: Change[] = [
  { kind: 'list', list: 'tools' },
  { kind: 'list', list: 'prompts' },
  { kind: 'list', list: 'resources' },
  { kind: 'resource', uri: 'own://r' },
  { kind: 'resource', uri: 'own://other' },
];

/** A server that tells changes. */
function listening(parts: ServerParts = {}) {
  const server = subject(undefined, { handlers: { started: () => undefined }, ...parts });
  return {
    ...server,
    /** Resolves to the answer, when the subscription ends. */
    listen: (id: string | number, notifications: unknown, meta: Record<string, unknown> = {}) => {
      const params = { notifications, _meta: metaOf(meta) };
      return server.send({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params });
    },
    publish: () => EVENTS.forEach(server.publish),
    end: server.stop,
    methods: () => server.sent.map(({ method }) => method),
  };
}

const tag = (id: string | number) => ({ _meta: { [`${META}subscriptionId`]: id } });

test('the acknowledgement comes first, with the part that is honoured', async () => {
  const { listen, publish, sent, end } = listening();
  const ended = listen('s', { ...ALL, somethingNew: true });
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: ALL, ...tag('s') },
  });
  publish();
  await expect.poll(() => sent).toHaveLength(5);
  end();
  await ended;
});

test('nothing is honoured that the server does not declare', async () => {
  const { listen, publish, sent, end } = listening({ handlers: {} });
  const ended = listen('s', ALL);
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]?.params).toEqual({ notifications: {}, ...tag('s') });
  publish();
  end();
  await ended;
  expect(sent.map(({ method }) => method)).toEqual([
    'notifications/subscriptions/acknowledged',
    'notifications/cancelled',
  ]);
});

test.each<[object, string[]]>([
  [{}, []],
  [{ toolsListChanged: true }, ['notifications/tools/list_changed']],
  [{ promptsListChanged: true }, ['notifications/prompts/list_changed']],
  [{ resourcesListChanged: true }, ['notifications/resources/list_changed']],
  [{ resourceSubscriptions: ['own://r'] }, ['notifications/resources/updated']],
  [{ resourceSubscriptions: [] }, []],
])('%j is told what it asked for, and nothing else', async (filter, wanted) => {
  const { listen, publish, sent, methods, end } = listening();
  const ended = listen(7, filter);
  await expect.poll(() => sent).toHaveLength(1);
  publish();
  await expect.poll(() => sent).toHaveLength(1 + wanted.length);
  end();
  await ended;
  expect(methods().slice(1, -1)).toEqual(wanted);
});

test('every message names the request, of the type it has', async () => {
  const { listen, publish, sent, end } = listening();
  const ended = [listen('7', { toolsListChanged: true }), listen(7, { toolsListChanged: true })];
  await expect.poll(() => sent).toHaveLength(2);
  publish();
  await expect.poll(() => sent).toHaveLength(4);
  const ids = sent.map(({ params }) =>
    Reflect.get(Reflect.get(params ?? {}, '_meta') as object, `${META}subscriptionId`),
  );
  expect(new Set(ids.slice(2))).toEqual(new Set(['7', 7]));
  end();
  await Promise.all(ended);
});

test('the server ends it with the result, and where all share a channel also with notifications/cancelled', async () => {
  const { listen, sent, end } = listening();
  const ended = listen('s', ALL);
  await expect.poll(() => sent).toHaveLength(1);
  end();
  expect(await ended).toMatchObject({ id: 's', result: { resultType: 'complete', ...tag('s') } });
  expect(sent.slice(1)).toMatchObject([{ method: 'notifications/cancelled', params: { requestId: 's' } }]);
});

test('its client ends it by cancelling, and nothing follows', async () => {
  const { listen, notify, publish, sent } = listening();
  const ended = listen('s', ALL);
  await expect.poll(() => sent).toHaveLength(1);
  await notify('notifications/cancelled', { requestId: 's' });
  expect(await ended).toBeUndefined();
  publish();
  expect(sent).toHaveLength(1);
});

test.each<[string, unknown, string]>([
  ['no filter', undefined, '`notifications` must be an object: what to be told of.'],
  [
    'a flag that is a text',
    { toolsListChanged: 'yes' },
    '`notifications.toolsListChanged` must be true or false.',
  ],
  [
    'more than is kept in memory',
    { junk: 'x'.repeat(70_000) },
    'A request to listen may have 65536 characters at most.',
  ],
])('%s is refused', async (_, filter, message) => {
  const { listen, sent } = listening();
  expect(await listen('s', filter)).toMatchObject({ id: 's', error: { code: -32602, message } });
  expect(sent).toEqual([]);
});

test('a change that comes while the acknowledgement goes out is told behind it', async () => {
  const server = subject(undefined, { handlers: { started: () => undefined } });
  const sent: string[] = [];
  const sending = async ({ method }: { method: string }) => {
    sent.push(method);
    if (sent.length === 1) server.publish({ kind: 'list', list: 'tools' });
  };
  const params = { notifications: ALL, _meta: metaOf() };
  const request = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params };
  const ended = server.deliver(request, { sending });
  await expect.poll(() => sent).toHaveLength(2);
  expect(sent).toEqual(['notifications/subscriptions/acknowledged', 'notifications/tools/list_changed']);
  server.stop();
  await ended;
});

test('changes that a slow client has not been told of are not told behind the end', async () => {
  const { deliver, end, publish } = listening();
  const { open: read, opened } = gate();
  const sent: string[] = [];
  const sending = async ({ method }: { method: string }) => {
    sent.push(method);
    if (sent.length === 2) await opened;
  };
  const params = { notifications: ALL, _meta: metaOf() };
  const request = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params };
  const ended = deliver(request, { sending });
  await expect.poll(() => sent).toHaveLength(1);
  publish();
  end();
  expect(await ended).toMatchObject({ result: {} });
  const count = sent.length;
  read();
  await new Promise(setImmediate);
  expect(sent).toHaveLength(count);
  expect(sent.slice(0, 2)).toEqual([
    'notifications/subscriptions/acknowledged',
    'notifications/tools/list_changed',
  ]);
  expect(sent.at(-1)).toBe('notifications/cancelled');
});
