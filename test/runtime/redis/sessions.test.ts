// Sessions over nodes that share a state: streams that resume anywhere, answers, levels, subscriptions, and the end of a session.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Handlers, ServerHandle } from '../../../templates/runtime/definition.ts';
import type { Guard, SharedState } from '../../../templates/runtime/feature-loaders.ts';
import { sharedStateAwayError } from '../../../templates/runtime/protocol/json-rpc.ts';
import { SharedEventBus } from '../../../templates/runtime/redis/shared-bus.ts';
import { parseStoredEvent, printStoredEvent } from '../../../templates/runtime/redis/shared-streams.ts';
import { UNKNOWN_SESSION } from '../../../templates/runtime/transports/http/endpoint.ts';
import { callerOf } from '../../support/caller.ts';
import { hello } from '../core/harness.ts';
import { call, error, gate, type Options, ping, start } from '../transports/http-harness.ts';
import { openStates, PLACES, WHERE } from './states.ts';

const SECRET = 'a secret of the nodes, long enough';

type Started = Awaited<ReturnType<typeof start>>;

async function startNodes(place: string, options: Options = {}, count = 2) {
  const states = await openStates(place, count);
  const nodes = await Promise.all(
    states.map(async (shared) =>
      start({ secret: SECRET, ...options, shared, bus: new SharedEventBus(shared) }),
    ),
  );
  return { nodes: nodes as [Started, Started, Started], states: states as [SharedState, SharedState] };
}

const note = (data: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data },
});
const done = { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'done' }] } };

/** A tool that says `first`, waits until it is told, says `second`, and answers. */
function slow() {
  const { open: release, opened } = gate();
  const handler: Options['handler'] = async ({ log }) => {
    await log('info', 'first');
    await opened;
    await log('info', 'second');
    return 'done';
  };
  return { handler, release };
}

async function openOn({ post }: Started, params: object = hello('2025-11-25'), headers: object = {}) {
  const opened = await post({ jsonrpc: '2.0', id: 'i', method: 'initialize', params }, { ...headers });
  return { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
}

const messagesOf = (events: readonly { data?: string }[]) =>
  events.flatMap(({ data }) => (data ? [JSON.parse(data) as object] : []));

test.each(PLACES)(
  `%s (${WHERE}): another node gives what follows while the call still runs`,
  async (place) => {
    const { handler, release } = slow();
    const { nodes } = await startNodes(place, { handler }, 3);
    const [first, second, third] = nodes;
    const session = await openOn(first);
    const lost = await first.stream(call, session);
    const priming = await lost.next();
    expect(await lost.message()).toEqual(note('first'));
    lost.response.destroy();
    const resumed = await second.listen({ ...session, 'last-event-id': priming?.id ?? '' });
    expect(await resumed.message()).toEqual(note('first'));
    // The client comes back once more, to a third node, and the second leaves the stream to that one.
    const [last = ''] = /[^ ]+-1-[\da-f]{12}/.exec(resumed.text()) ?? [];
    const again = await third.listen({ ...session, 'last-event-id': last });
    expect(await resumed.rest()).toEqual([]);
    release();
    expect(messagesOf(await again.rest())).toEqual([note('second'), done]);
    expect(first.counted.calls + second.counted.calls + third.counted.calls).toBe(1);
  },
);

test.each(PLACES)(`%s (${WHERE}): a client of an older revision, without a priming event`, async (place) => {
  const { handler, release } = slow();
  const { nodes } = await startNodes(place, { handler });
  const [first, second] = nodes;
  const session = await openOn(first, hello('2025-03-26'));
  const lost = await first.stream(call, session);
  const { id = '' } = (await lost.next()) ?? {};
  lost.response.destroy();
  release();
  const resumed = await second.listen({ ...session, 'last-event-id': id });
  expect(messagesOf(await resumed.rest())).toEqual([note('second'), done]);
});

test.each(PLACES)(`%s (${WHERE}): a result that was stored is given once, then nothing`, async (place) => {
  const { handler, release } = slow();
  const { nodes } = await startNodes(place, { handler });
  const [first, second] = nodes;
  const session = await openOn(first);
  release();
  const events = await (await first.stream(call, session)).rest();
  const [, said, , result] = events;
  const resumed = await second.listen({ ...session, 'last-event-id': said?.id ?? '' });
  expect(messagesOf(await resumed.rest())).toEqual([note('second'), done]);
  const over = await second.listen({ ...session, 'last-event-id': result?.id ?? '' });
  expect(over.status).toBe(204);
});

test('a call in flight on a node that was killed ends with an error that its outcome is unknown, once', async () => {
  const states = await openStates('memory', 3);
  const { handler } = slow();
  const dying = Object.create(states[0] ?? null) as SharedState;
  const { open: die, opened: dead } = gate();
  let isDead = false;
  void dead.then(() => (isDead = true));
  const mortal = new Proxy(dying, {
    get: (_target, name) => {
      const value: unknown = Reflect.get(states[0] as SharedState, name);
      const silent = isDead && ['appendEntry', 'publish', 'set'].includes(String(name));
      return silent ? () => new Promise(() => undefined) : value;
    },
  });
  const [first, second, third] = await Promise.all(
    [mortal, states[1], states[2]].map(async (shared) =>
      start({ secret: SECRET, handler, ...(shared && { shared }) }),
    ),
  );
  if (first === undefined || second === undefined || third === undefined) throw new Error('no nodes');
  const session = await openOn(first);
  const lost = await first.stream(call, session);
  await lost.message();
  const [last = ''] = /[^ ]+-1-[\da-f]{12}/.exec(lost.text()) ?? [];
  die();
  await pause(1);
  lost.response.destroy();
  await states[1]?.delete(`alive ${states[0]?.node}`);
  const began = performance.now();
  const resumed = await second.listen({ ...session, 'last-event-id': last });
  const lostWords = 'The node that ran this request has ended, and the outcome of the request is unknown.';
  const events = await resumed.rest();
  expect(messagesOf(events)).toEqual([error(-32603, lostWords, 2)]);
  expect(performance.now() - began).toBeLessThan(5_000);
  const over = await third.listen({ ...session, 'last-event-id': events.at(-1)?.id ?? '' });
  expect(over.status).toBe(204);
  expect(second.counted.calls + third.counted.calls).toBe(0);
});

const asks: Options['handler'] = async ({ elicit }) => {
  const { action } = await elicit('May it?', { type: 'object', properties: {} });
  return action;
};
const ASKED = { ...hello('2025-11-25'), capabilities: { elicitation: {} } };
const answerTo = (id: unknown, action = 'accept') => ({ jsonrpc: '2.0', id, result: { action } });

test.each(PLACES)(`%s (${WHERE}): an answer on another node settles the question, once`, async (place) => {
  const { nodes } = await startNodes(place, { handler: asks });
  const [first, second] = nodes;
  const session = await openOn(first, ASKED);
  const stream = await first.stream(call, session);
  const question = await stream.message();
  const other = await openOn(second, ASKED);
  // Answers of another session, and answers to no question, settle nothing.
  for (const [headers, id] of [
    [other, question?.id],
    [session, '0123456789ab-1'],
    [session, 1],
  ] as const)
    expect((await second.post(answerTo(id, 'cancel'), headers)).status).toBe(202);
  expect((await second.post(answerTo(question?.id), session)).status).toBe(202);
  expect((await second.post(answerTo(question?.id, 'decline'), session)).status).toBe(202);
  expect((await stream.message())?.result).toMatchObject({ content: [{ text: 'accept' }] });
});

test('an answer for another node is sent on once, however many nodes have the session', async () => {
  const { nodes, states } = await startNodes('memory', { handler: asks }, 3);
  const [first, second, third] = nodes;
  const session = await openOn(first, ASKED);
  const stream = await first.stream(call, session);
  const question = await stream.message();
  for (const node of [second, third]) expect((await node.post(ping, session)).status).toBe(200);
  const answers: string[] = [];
  await states[0].subscribe('sessions', (text) => void (text.includes('"answer"') && answers.push(text)));
  expect((await second.post(answerTo(question?.id), session)).status).toBe(202);
  expect((await stream.message())?.result).toMatchObject({ content: [{ text: 'accept' }] });
  await pause(50);
  expect(answers).toHaveLength(1);
});

test.each(PLACES)(`%s (${WHERE}): a cancellation on another node stops the call`, async (place) => {
  let isStopped = false;
  const { nodes } = await startNodes(place, {
    handler: async ({ log, signal }) => {
      await log('info', 'first');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      isStopped = true;
    },
  });
  const [first, second] = nodes;
  const session = await openOn(first);
  const stream = await first.stream(call, session);
  await stream.message();
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
  expect((await second.post(cancelled, session)).status).toBe(202);
  expect(messagesOf(await stream.rest())).toEqual([]);
  expect(isStopped).toBe(true);
});

/** The caller is whom the request names. */
const guard: Guard = {
  documents: new Map(),
  admitRequest: async ({ headers }) => callerOf(String(headers.authorization)),
  demandScopes: () => undefined,
  coversScopes: () => true,
  scopeChallenge: () => '',
};

test('neither another session nor another subject gets a stream, or answers its question', async () => {
  const { nodes } = await startNodes('memory', { handler: asks, guard, auth: {} });
  const [first, second] = nodes;
  const [alice, bob] = [{ authorization: 'alice' }, { authorization: 'bob' }];
  const session = { ...(await openOn(first, ASKED, alice)), ...alice };
  const stream = await first.stream(call, session);
  const priming = await stream.next();
  const question = await stream.message();
  const foreign = { ...(await openOn(second, ASKED, bob)), ...bob };
  const place = { accept: 'text/event-stream', 'last-event-id': priming?.id ?? '' };
  const asBob = await second.send('GET', '/mcp', { ...session, ...bob, ...place });
  expect([asBob.status, asBob.json()]).toEqual([404, error(-32600, UNKNOWN_SESSION)]);
  expect((await second.send('GET', '/mcp', { ...foreign, ...place })).status).toBe(410);
  expect((await second.post(answerTo(question?.id, 'cancel'), { ...session, ...bob })).status).toBe(404);
  expect((await second.post(answerTo(question?.id, 'cancel'), foreign)).status).toBe(202);
  expect((await second.post(answerTo(question?.id), session)).status).toBe(202);
  expect((await stream.message())?.result).toMatchObject({ content: [{ text: 'accept' }] });
});

test.each(PLACES)(
  `%s (${WHERE}): DELETE on one node ends the session on all, and its streams`,
  async (place) => {
    const { handler } = slow();
    const { nodes } = await startNodes(place, { handler }, 3);
    const [first, second, third] = nodes;
    const session = await openOn(first);
    for (const node of nodes) expect((await node.post(ping, session)).status).toBe(200);
    const running = await first.stream(call, session);
    await running.message();
    const listening = await second.listen(session);
    await listening.next();
    expect((await third.send('DELETE', '/mcp', session)).status).toBe(204);
    const began = performance.now();
    expect(messagesOf(await running.rest())).toEqual([]);
    expect(await listening.rest()).toEqual([]);
    for (const node of nodes)
      await vi.waitFor(async () => expect((await node.post(ping, session)).status).toBe(404));
    expect(performance.now() - began).toBeLessThan(1_000);
  },
);

const WATCHED = 'test://watched';

function watched() {
  const handles: ServerHandle[] = [];
  const handlers: Handlers<object> = {
    started: (handle) => void handles.push(handle),
    resources: { [WATCHED]: { name: 'watched', read: () => 'watched' } },
  };
  return { handlers, handles };
}

const request = (method: string, params: object) => ({ jsonrpc: '2.0', id: 3, method, params });
const updated = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: WATCHED } };
const listChanged = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

test.each(PLACES)(
  `%s (${WHERE}): subscriptions hold on every node, and a change is told once`,
  async (place) => {
    const { nodes, states } = await startNodes(place, { handlers: watched().handlers }, 3);
    const [first, second, third] = nodes;
    const session = await openOn(first);
    expect((await second.post(request('resources/subscribe', { uri: WATCHED }), session)).status).toBe(200);
    expect((await third.post(ping, session)).status).toBe(200);
    const listening = await third.listen(session);
    await listening.next();
    for (const node of nodes) expect((await node.post(ping, session)).status).toBe(200);
    await pause(50);
    first.server.bus.publishEvent({ kind: 'resource-updated', uri: WATCHED });
    expect(await listening.message()).toEqual(updated);
    second.server.bus.publishEvent({ kind: 'list-changed', list: 'tools' });
    expect(await listening.message()).toEqual(listChanged);
    // The client goes, changes come, and it finds each once wherever it comes back.
    const [last = ''] = /0-\d+-\d+-all(?![\s\S]*0-\d+-\d+-all)/.exec(listening.text()) ?? [];
    listening.response.destroy();
    first.server.bus.publishEvent({ kind: 'list-changed', list: 'prompts' });
    await vi.waitFor(async () =>
      expect(await states[0].readEntries(`session ${hashOf(first, session)} listening`)).toHaveLength(3),
    );
    const again = await second.listen({ ...session, 'last-event-id': last });
    expect(await again.message()).toMatchObject({ method: 'notifications/prompts/list_changed' });
    await pause(50);
    third.server.bus.publishEvent({ kind: 'resource-updated', uri: WATCHED });
    expect(await again.message()).toEqual(updated);
    expect((await first.post(request('resources/unsubscribe', { uri: WATCHED }), session)).status).toBe(200);
    await pause(50);
    third.server.bus.publishEvent({ kind: 'resource-updated', uri: WATCHED });
    first.server.bus.publishEvent({ kind: 'list-changed', list: 'tools' });
    expect(await again.message()).toEqual(listChanged);
  },
);

test.each([
  ['was killed', false],
  ['was stopped', true],
])('what may have changed while no node listened is told after a node %s', async (_, isStopped) => {
  const [one, two] = await openStates('memory', 2);
  if (one === undefined || two === undefined) throw new Error('no states');
  let isDead = false;
  const silent = ['appendEntry', 'publish', 'set', 'compareAndSet'];
  const mortal = new Proxy(one, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      return isDead && silent.includes(String(name)) ? () => new Promise(() => undefined) : value;
    },
  });
  const nodes = await Promise.all(
    [mortal, two].map(async (shared) =>
      start({
        ...{ secret: SECRET, handlers: watched().handlers, shared },
        bus: new SharedEventBus(shared),
      }),
    ),
  );
  const [first, second] = nodes as [Started, Started];
  const session = await openOn(first);
  expect((await first.post(request('resources/subscribe', { uri: WATCHED }), session)).status).toBe(200);
  const listening = await first.listen(session);
  await listening.next();
  second.server.bus.publishEvent({ kind: 'list-changed', list: 'tools' });
  expect(await listening.message()).toEqual(listChanged);
  const [last = ''] = /0-\d+-\d+-all(?![\s\S]*0-\d+-\d+-all)/.exec(listening.text()) ?? [];
  if (isStopped) {
    first.sessions.endListening();
    first.sessions.endAllSessions();
    await pause(50);
  }
  isDead = true;
  listening.response.destroy();
  second.server.bus.publishEvent({ kind: 'resource-updated', uri: WATCHED });
  const again = await second.listen({ ...session, 'last-event-id': last });
  expect([await again.message(), await again.message()]).toEqual([listChanged, updated]);
  // It came back to a node that lives.
  const [place = ''] = /0-\d+-\d+-all(?![\s\S]*0-\d+-\d+-all)/.exec(again.text()) ?? [];
  again.response.destroy();
  await pause(50);
  const then = await second.listen({ ...session, 'last-event-id': place });
  second.server.bus.publishEvent({ kind: 'list-changed', list: 'prompts' });
  expect(await then.message()).toMatchObject({ method: 'notifications/prompts/list_changed' });
});

function hashOf({ sessions }: Started, session: { 'mcp-session-id': string }): string | undefined {
  return sessions.findAndTouch(session['mcp-session-id'])?.session.hash;
}

test('a stream that has lost an event ends before the next one', async () => {
  const { nodes, states } = await startNodes('memory');
  const session = await openOn(nodes[0]);
  const [mark, writer] = ['0123456789ab', 'another'];
  const name = `session ${hashOf(nodes[0], session)} ${mark} 1`;
  await states[0].set(`alive ${writer}`, '', 60_000);
  const append = async (index: number, message = '') => {
    const event = { index, node: writer, ids: [2], scopes: [], message, isLast: false };
    await states[0].appendEntry(name, printStoredEvent(event), { most: 10, ttlMs: 60_000 });
  };
  await append(0);
  const resumed = await nodes[0].listen({ ...session, 'last-event-id': `1-0-${mark}` });
  await append(1, JSON.stringify(note('first')));
  await append(3, JSON.stringify(note('third')));
  expect(messagesOf(await resumed.rest())).toEqual([note('first')]);
  const again = await nodes[0].listen({ ...session, 'last-event-id': `1-1-${mark}` });
  expect(again.status).toBe(410);
});

test('what another node writes into a stream is not given to a token without its scopes', async () => {
  const narrow: Guard = { ...guard, coversScopes: (scopes) => scopes.every((scope) => scope === 'read') };
  const { nodes, states } = await startNodes('memory', { guard: narrow, auth: {} });
  const [first, second] = nodes;
  const alice = { authorization: 'alice' };
  const session = { ...(await openOn(first, hello('2025-11-25'), alice)), ...alice };
  const listening = await second.listen(session);
  await listening.next();
  const name = `session ${second.sessions.findAndTouch(session['mcp-session-id'], 'alice')?.session.hash} listening`;
  const event = { index: 0, node: states[0].node, ids: [], isLast: false };
  for (const scope of ['read', 'admin']) {
    const message = JSON.stringify(note(scope));
    const keep = { most: 10, ttlMs: 60_000 };
    await states[0].appendEntry(name, printStoredEvent({ ...event, scopes: [scope], message }), keep);
  }
  // The stream ends, and the client has to come back with a token that reaches further.
  expect(messagesOf(await listening.rest())).toEqual([note('read')]);
});

test.each(PLACES)(`%s (${WHERE}): the level of logs holds on every node`, async (place) => {
  const { nodes } = await startNodes(place, { handler: ({ log }) => log('info', 'said').then(() => 'done') });
  const [first, second] = nodes;
  const session = await openOn(first);
  expect((await first.post(call, session)).headers['content-type']).toBe('text/event-stream');
  expect((await second.post(request('logging/setLevel', { level: 'error' }), session)).status).toBe(200);
  await vi.waitFor(async () =>
    expect((await first.post(call, session)).headers['content-type']).toBe('application/json'),
  );
});

/** A state that can be taken away. */
async function frailNodes(options: Options = {}) {
  const states = await openStates('memory', 2);
  const frail = { isAway: false, isLenient: false, commands: [] as string[] };
  const seen = states.map(
    (state) =>
      new Proxy(state, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]): unknown => {
            if (name === 'onReconnect') return () => undefined;
            frail.commands.push(String(name));
            if (name === 'isRevoked' && frail.isLenient) return Promise.resolve(false);
            return frail.isAway ? Promise.reject(sharedStateAwayError()) : Reflect.apply(value, target, args);
          };
        },
      }),
  );
  const nodes = await Promise.all(
    seen.map(async (shared) =>
      start({ secret: SECRET, ...options, shared, bus: new SharedEventBus(shared) }),
    ),
  );
  return { frail, nodes: nodes as [Started, Started] };
}

test('a plain call appends nothing, and an open session asks for nothing', async () => {
  const { frail, nodes } = await frailNodes();
  const session = await openOn(nodes[0]);
  frail.commands.length = 0;
  for (let each = 0; each < 5; each++)
    expect((await nodes[0].post(call, session)).json().result).toBeDefined();
  // Answered from what this node knows.
  expect(new Set(frail.commands)).toEqual(new Set(['isRevoked']));
});

test('while the state is away: plain calls and streams go on, resumption and subscriptions get 503', async () => {
  const { handler, release } = slow();
  const { frail, nodes } = await frailNodes({ handler, handlers: watched().handlers });
  const [first, second] = nodes;
  const session = await openOn(first);
  const stream = await first.stream(call, session);
  const priming = await stream.next();
  await second.post(ping, session);
  Object.assign(frail, { isAway: true, isLenient: true });
  expect((await second.post(ping, session)).status).toBe(200);
  const away = { accept: 'text/event-stream', ...session };
  const resumed = await second.send('GET', '/mcp', { ...away, 'last-event-id': priming?.id });
  expect([resumed.status, resumed.headers['retry-after']]).toEqual([503, '2']);
  expect((await second.send('GET', '/mcp', away)).status).toBe(503);
  for (const [method, params] of [
    ['resources/subscribe', { uri: WATCHED }],
    ['logging/setLevel', { level: 'error' }],
  ] as const)
    expect((await first.post(request(method, params), session)).status).toBe(503);
  release();
  expect(messagesOf(await stream.rest())).toEqual([note('first'), note('second'), done]);
});

test('a state that says nothing about revocations while it is away: each request of a session gets 503', async () => {
  const { frail, nodes } = await frailNodes();
  const session = await openOn(nodes[0]);
  // As with MCP_REVOCATION=strict: `isRevoked` rejects.
  frail.isAway = true;
  const refused = await nodes[0].post(ping, session);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2']);
  expect((await nodes[1].post(ping, session)).status).toBe(503);
  expect((await nodes[0].send('DELETE', '/mcp', session)).status).toBe(503);
  frail.isAway = false;
  expect((await nodes[0].post(ping, session)).status).toBe(200);
});

const event = { index: 1, node: 'n', ids: [1], scopes: ['a'], message: '{"id":1}', isLast: false };

test('an event is read as it was written', () => {
  expect(parseStoredEvent(printStoredEvent(event))).toEqual(event);
  expect(parseStoredEvent(printStoredEvent({ ...event, message: '' }))).toEqual({ ...event, message: '' });
});

test.each([
  ['no JSON', 'x\n{}'],
  ['one line', '{}'],
  ['an index that is none', printStoredEvent({ ...event, index: -1 })],
  ['a node that is none', printStoredEvent({ ...event, node: 1 as unknown as string })],
  ['ids that are none', printStoredEvent({ ...event, ids: [{}] as unknown as string[] })],
  ['scopes that are none', printStoredEvent({ ...event, scopes: [1] as unknown as string[] })],
  ['a message that is no JSON', printStoredEvent({ ...event, message: '{' })],
  ['a message that is no object', printStoredEvent({ ...event, message: '1' })],
  ['a message that begins another event', printStoredEvent({ ...event, message: '{}\n\ndata: {}' })],
  ['a message with a return', printStoredEvent({ ...event, message: '{}\rid: 9' })],
])('what others wrote is no event: %s', (_, text) => {
  expect(parseStoredEvent(text)).toBeUndefined();
});
