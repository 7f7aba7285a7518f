// Rule 11: resources, what they read, which URIs are theirs, and who hears that they changed.
// Further: eras-listen.test.ts (who hears of it in the modern era), core/resources.test.ts (those of an API).
import { subscriptionsOf } from '../../../templates/runtime/features/changes.ts';
import { expect, test, vi } from 'vitest';
import type { Handlers } from '../../../templates/runtime/types.ts';
import { LEGACY_REVISIONS } from '../../../templates/runtime/json-rpc.ts';
import type { newServer } from '../harness.ts';
import { ALL, inEach, isModernRevision, plain, speaking } from './speaking.ts';
import { subject } from './subject.ts';

// What is read.

const bytes = new Uint8Array([0, 255, 7]);
const texts: Handlers<object>['resources'] = {
  'own://text': { name: 'text', read: () => 'words' },
  'own://typed': { name: 'typed', mimeType: 'text/css', read: () => 'a{}' },
  'own://empty': { name: 'empty', read: () => '' },
  'own://bytes': { name: 'bytes', mimeType: 'image/png', read: () => bytes.subarray(1) },
  'own://untyped': { name: 'untyped', read: () => bytes },
  'own://both': {
    name: 'both',
    read: (uri) => [
      { uri, text: 'one' },
      { uri: `${uri}/2`, mimeType: 'image/png', blob: '/wc=' },
    ],
  },
  'own://wrong': { name: 'wrong', read: () => 7 as never },
};

test.each(
  inEach<[string, object[]]>(ALL, [
    ['own://text', [{ uri: 'own://text', mimeType: 'text/plain', text: 'words' }]],
    ['own://bytes', [{ uri: 'own://bytes', mimeType: 'image/png', blob: '/wc=' }]],
    ['own://untyped', [{ uri: 'own://untyped', mimeType: 'application/octet-stream', blob: 'AP8H' }]],
    [
      'own://both',
      [
        { uri: 'own://both', text: 'one' },
        { uri: 'own://both/2', mimeType: 'image/png', blob: '/wc=' },
      ],
    ],
  ]),
)('%s: %s is text, or a base64 blob', async (revision, uri, contents) => {
  const { put } = await speaking(revision, subject(undefined, { handlers: { resources: texts } }));
  expect(plain((await put('resources/read', { uri })).result)).toEqual({ contents });
});

test.each(
  inEach<[string, string]>(ALL, [
    ['own://wrong', 'What was read at own://wrong must be a text, bytes or resource contents.'],
  ]),
)('%s: %s is neither', async (revision, uri, message) => {
  const { put } = await speaking(revision, subject(undefined, { handlers: { resources: texts } }));
  expect((await put('resources/read', { uri })).error).toEqual({ code: -32603, message, data: { uri } });
});

// Which URIs are there.

const TEMPLATES = ['own://t/{id}', 'own://files/{+path}', 'own://q/{id}{?limit}'];

/** A server with the templates alone, each of which reads its variables. */
function withTemplates() {
  const read = vi.fn((_: string, variables: Record<string, string>) => JSON.stringify(variables));
  const resourceTemplates = Object.fromEntries(TEMPLATES.map((template) => [template, { name: 't', read }]));
  return { read, server: subject(undefined, { handlers: { resources: {}, resourceTemplates } }) };
}

test.each(
  inEach<[string, object]>(ALL, [
    ['own://t/7', { id: '7' }],
    ['own://t/a%20b', { id: 'a b' }],
    ['own://t/a%2Fb', { id: 'a/b' }],
    ['own://files/a/b.txt', { path: 'a/b.txt' }],
    ['own://files/a/..b', { path: 'a/..b' }],
    ['own://q/7?limit=3', { id: '7', limit: '3' }],
  ]),
)('%s: %s is what a template makes', async (revision, uri, variables) => {
  const { server, read } = withTemplates();
  const { put } = await speaking(revision, server);
  const text = JSON.stringify(variables);
  expect(plain((await put('resources/read', { uri })).result)).toEqual({
    contents: [{ uri, mimeType: 'text/plain', text }],
  });
  expect(read).toHaveBeenCalledOnce();
});

test.each(
  inEach<[string]>(ALL, [
    ['own://none'],
    ['own://t/a/b'],
    ['own://t/7?other=1'],
    ['own://t/7#part'],
    ['own://t/..'],
    ['own://t/%2E%2E'],
    ['own://t/..%2Fsecret'],
    ['own://t/%ZZ'],
    ['own://files/../secret'],
    ['own://files/a/%2e%2e/secret'],
    ['own://files/..\\secret'],
    ['own://q/..?limit=3'],
    ['file:///etc/passwd'],
    [''],
  ]),
)('%s: %j is none, and nothing is read', async (revision, uri) => {
  const { server, read } = withTemplates();
  const { put } = await speaking(revision, server);
  const code = isModernRevision(revision) ? -32602 : -32002;
  const error = { code, message: `Resource not found: ${uri}`, data: { uri } };
  expect(await put('resources/read', { uri })).toMatchObject({ error, origin: 'work' });
  expect(read).not.toHaveBeenCalled();
});

test.each(inEach<[unknown]>(ALL, [[undefined], [null], [7], [['own://r']], [{}]]))(
  '%s: %j is no URI',
  async (revision, uri) => {
    const { put, ran } = await speaking(revision);
    expect(await put('resources/read', { uri })).toMatchObject({
      error: { code: -32602, message: '`uri` must be a string.' },
      origin: 'work',
    });
    expect(ran()).toBe(0);
  },
);

// Who hears that they changed.

const resource = { name: 'r', read: () => 'words' };
const changing: Handlers<object> = {
  resources: { 'own://a': resource, 'own://b': resource },
  resourceTemplates: { 'own://by/{id}': resource },
  started: () => undefined,
};

function listening(more: Parameters<typeof newServer>[0] = {}) {
  const server = subject(undefined, { handlers: changing, ...more });
  const push = vi.fn();
  server.session.push = push;
  return { push, server };
}

const updated = (uri: string) => [
  { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } },
];

test.each(LEGACY_REVISIONS)(
  '%s: a change is told to who subscribed, until they unsubscribe',
  async (revision) => {
    const { push, server: subject } = listening();
    const { put, server } = await speaking(revision, subject);
    const update = (uri: string) => server.services.bus.publish({ kind: 'resource', uri });
    update('own://a');
    for (const uri of ['own://a', 'own://a', 'own://by/7'])
      expect((await put('resources/subscribe', { uri })).result).toEqual({});
    for (const uri of ['own://a', 'own://b', 'own://by/7', 'own://by/8']) update(uri);
    expect(push.mock.calls).toEqual([updated('own://a'), updated('own://by/7')]);
    for (const uri of ['own://a', 'own://never'])
      expect((await put('resources/unsubscribe', { uri })).result).toEqual({});
    update('own://a');
    expect(push).toHaveBeenCalledTimes(2);
  },
);

test.each(LEGACY_REVISIONS)(
  '%s: who has not subscribed hears nothing, on the same server',
  async (revision) => {
    const { push, server: subject } = listening();
    const { push: pushed, server: other } = listening();
    const { put, server } = await speaking(revision, subject);
    await speaking(revision, other);
    // Both hear the same events.
    other.server.services.bus.subscribe((event) => server.services.bus.publish(event));
    await put('resources/subscribe', { uri: 'own://a' });
    other.server.services.bus.publish({ kind: 'resource', uri: 'own://a' });
    expect([push.mock.calls, pushed.mock.calls]).toEqual([[updated('own://a')], []]);
  },
);

test.each(LEGACY_REVISIONS)('%s: what is not there can not be subscribed to', async (revision) => {
  const { put, session } = await speaking(revision, listening().server);
  for (const uri of ['own://none', 'own://by/..', 'own://by/%2E%2E'])
    expect((await put('resources/subscribe', { uri })).error).toEqual({
      code: -32002,
      message: `Resource not found: ${uri}`,
      data: { uri },
    });
  for (const method of ['resources/subscribe', 'resources/unsubscribe'])
    for (const uri of [undefined, null, 7])
      expect((await put(method, { uri })).error).toEqual({
        code: -32602,
        message: '`uri` must be a string.',
      });
  expect(subscriptionsOf(session).size).toBe(0);
});

test.each(LEGACY_REVISIONS)('%s: a session has only so many subscriptions', async (revision) => {
  const { put } = await speaking(revision, listening({ limits: { subscribedResources: 1 } }).server);
  await put('resources/subscribe', { uri: 'own://a' });
  expect((await put('resources/subscribe', { uri: 'own://b' })).error).toEqual({
    code: -32603,
    message: 'This session has 1 subscriptions already.',
  });
  await put('resources/unsubscribe', { uri: 'own://a' });
  expect((await put('resources/subscribe', { uri: 'own://b' })).result).toEqual({});
});

test.each(LEGACY_REVISIONS)('%s: without changes there are no subscriptions', async (revision) => {
  const { put } = await speaking(revision);
  for (const method of ['resources/subscribe', 'resources/unsubscribe'])
    expect(await put(method, { uri: 'own://r' })).toMatchObject({
      error: { code: -32601, message: 'This server has no subscriptions.' },
      origin: 'method',
    });
});
