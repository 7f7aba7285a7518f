// Nodes that share a Redis: HTTP in and out, at whichever of them a request arrives.
import { createClient } from '@redis/client';
import { expect, onTestFinished, test as anyTest, vi } from 'vitest';
import type { Feature } from '../../templates/runtime/feature.ts';
import type { Session } from '../../templates/runtime/session.ts';
import type { Handlers, ServerHandle } from '../../templates/runtime/types.ts';
import { HAS_REDIS, type RedisProcess, startRedis, WHERE } from '../support/redis-server.ts';
import { call, type Fields, gate, hello, META, modern, modernHead, ping, start } from './client.ts';

const SECRET = 'a secret of the nodes, long enough';
const LONG = { timeout: 12_000, interval: 50 };

const test = (name: string, run: () => Promise<void>): void =>
  anyTest.runIf(HAS_REDIS)(`${name} (${WHERE})`, run, 30_000);

type Parts = NonNullable<Parameters<typeof start>[0]>;
type Node = Awaited<ReturnType<typeof start>>;

async function startNodes(parts: Parts = {}, redis?: RedisProcess, count = 3) {
  const { url } = redis ?? (await startRedis());
  const env = { MCP_REDIS_URL: url, MCP_REDIS_PREFIX: 'test', MCP_NODES: String(count), ...parts.env };
  const nodes: Node[] = [];
  for (let node = 0; node < count; node++) nodes.push(await start({ secret: SECRET, ...parts, env }));
  return nodes as [Node, Node, Node];
}

const note = (data: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data },
});
const done = { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'done' }] } };
const request = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 3, method, params });

/** A tool that says `first`, waits until it is told, says `second`, and answers. */
function slow() {
  const { open: release, opened } = gate();
  const handler: NonNullable<Parts['handler']> = async ({ log }) => {
    await log('info', 'first');
    await opened;
    await log('info', 'second');
    return 'done';
  };
  return { handler, release };
}

type Stream = Awaited<ReturnType<Node['listen']>>;
const idsOf = ({ seen }: Stream): string[] =>
  [...seen.text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id);
const lastIdOf = (stream: Stream): string => idsOf(stream).at(-1) ?? '';
const untilMessages = (stream: Stream, messages: unknown[]) =>
  vi.waitFor(() => expect(stream.messages()).toEqual(messages), LONG);
const untilOver = (stream: Stream) => vi.waitFor(() => expect(stream.seen.isOver).toBe(true), LONG);

// Streams of calls.

test('another node gives what follows while the call still runs, and a third one takes it over', async () => {
  const { handler, release } = slow();
  const nodes = await startNodes({ handler });
  const [first, second, third] = nodes;
  const session = await first.open();
  const lost = await first.stream(call, session);
  await untilMessages(lost, [note('first')]);
  lost.response.destroy();
  const resumed = await second.listen({ ...session, 'last-event-id': idsOf(lost)[0] });
  await untilMessages(resumed, [note('first')]);
  const again = await third.listen({ ...session, 'last-event-id': lastIdOf(resumed) });
  await untilOver(resumed);
  release();
  await untilMessages(again, [note('second'), done]);
  await untilOver(again);
  expect(resumed.messages()).toEqual([note('first')]);
  expect(nodes.map(({ counted }) => counted.calls)).toEqual([1, 0, 0]);
  const over = await second.listen({ ...session, 'last-event-id': lastIdOf(again) });
  expect(over.status).toBe(204);
});

test('the node of a call goes on with it too, also for a client of an older revision', async () => {
  const { handler, release } = slow();
  const [node] = await startNodes({ handler });
  const session = await node.open('2025-03-26');
  const lost = await node.stream(call, session);
  await untilMessages(lost, [note('first')]);
  const resumed = await node.listen({ ...session, 'last-event-id': lastIdOf(lost) });
  await untilOver(lost);
  release();
  await untilMessages(resumed, [note('second'), done]);
});

test('what is not kept, and what no event had, is refused', async () => {
  const handler: Parts['handler'] = async ({ log }) => {
    for (let at = 0; at < 1_010; at++) await log('info', at);
  };
  const [first, second] = await startNodes({ handler, limits: { logsPerSecond: 2_000 } });
  const session = await first.open();
  const stream = await first.stream(call, session);
  await untilOver(stream);
  const last = { ...session, 'last-event-id': lastIdOf(stream) };
  await vi.waitFor(async () => expect((await second.listen(last)).status).toBe(204), LONG);
  const [place = ''] = idsOf(stream);
  const statuses = ['none', '1-1', place, place.replace(/\.\d+\.0$/, '.99.0')].map(
    async (id) => (await second.listen({ ...session, 'last-event-id': id })).status,
  );
  expect(await Promise.all(statuses)).toEqual([400, 400, 410, 410]);
  const other = await second.open();
  expect((await second.listen({ ...other, 'last-event-id': lastIdOf(stream) })).status).toBe(410);
});

test('a call of a node that has ended is answered by an error', async () => {
  const redis = await startRedis();
  const { handler } = slow();
  const [first, second] = await startNodes({ handler }, redis);
  const session = await first.open();
  const lost = await first.stream(call, session);
  await untilMessages(lost, [note('first')]);
  lost.response.destroy();
  // As if a node had written them that says no longer that it lives.
  const client = await connectTo(redis);
  const [key = ''] = await client.keys('test:stream:*');
  const entries = (await client.xRange(key, '-', '+')) ?? [];
  await client.del(key);
  for (const { message } of entries)
    await client.xAdd(key, '*', { text: String(message['text']).replace(/"node":"[^"]*"/, '"node":"gone"') });
  const resumed = await second.listen({ ...session, 'last-event-id': lastIdOf(lost) });
  const message = 'The node that ran this request has ended, so the outcome of its work is unknown.';
  await untilMessages(resumed, [{ jsonrpc: '2.0', id: 2, error: { code: -32603, message } }]);
  await untilOver(resumed);
});

async function connectTo({ url }: RedisProcess) {
  const client = await createClient({ url, RESP: 2 }).connect();
  onTestFinished(() => client.destroy());
  return client;
}

// Replies and cancellations.

const ASKING = {
  ...hello('2025-11-25'),
  params: { ...hello('2025-11-25').params, capabilities: { elicitation: {} } },
};
const FORM = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;

async function openAsking({ post }: Node, headers: Fields = {}): Promise<Fields> {
  const opened = await post(ASKING, headers);
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']), ...headers };
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  return session;
}

const asks: Parts['handler'] = async ({ elicit }) => (await elicit('Who?', FORM)).action;
const answerTo = (id: unknown, action = 'accept') => ({
  jsonrpc: '2.0',
  id,
  result: { action, ...(action === 'accept' && { content: { name: 'Ada' } }) },
});

/** Admits whom `authorization` names, for what `scope` names. */
const guard: Feature = {
  name: 'guard',
  admit: ({ request }) => ({
    subject: String(request.headers.authorization),
    require: (needs) => {
      if (needs.some((scope) => !String(request.headers['x-scopes']).includes(scope)))
        throw new Error(`No ${needs}.`);
    },
  }),
  aroundRequest: (methodCall, next) =>
    next({ ...methodCall, ...(methodCall.method === 'resources/subscribe' && { needs: ['admin'] }) }),
};

test('the answer to a question may reach any node, and counts for its session and caller alone', async () => {
  const [alice, bob] = [{ authorization: 'alice' }, { authorization: 'bob' }];
  const [first, second] = await startNodes({ handler: asks, features: [guard] });
  const session = await openAsking(first, alice);
  const stream = await first.stream(call, session);
  await vi.waitFor(() => expect(stream.messages()).toHaveLength(1));
  const [question] = stream.messages();
  expect((await second.post(answerTo(question?.['id'], 'cancel'), { ...session, ...bob })).status).toBe(404);
  const foreign = await openAsking(second, bob);
  expect((await second.post(answerTo(question?.['id'], 'cancel'), foreign)).status).toBe(202);
  expect((await second.post(answerTo(question?.['id']), session)).status).toBe(202);
  await vi.waitFor(() =>
    expect(stream.messages()[1]).toMatchObject({ result: { content: [{ text: 'accept' }] } }),
  );
});

test('questions of two nodes in one session have different ids', async () => {
  const [first, second] = await startNodes({ handler: asks });
  const session = await openAsking(first);
  const streams = await Promise.all([first.stream(call, session), second.stream(call, session)]);
  await vi.waitFor(() => expect(streams.map((stream) => stream.messages().length)).toEqual([1, 1]));
  const ids = streams.map((stream) => stream.messages()[0]?.['id']);
  await first.post(answerTo(ids[1], 'decline'), session);
  await second.post(answerTo(ids[0]), session);
  await Promise.all(streams.map(untilOver));
  expect(streams.map((stream) => stream.messages()[1])).toMatchObject([
    { result: { content: [{ text: 'accept' }] } },
    { result: { content: [{ text: 'decline' }] } },
  ]);
});

test('another node cancels a request', async () => {
  let isAborted = false;
  const handler: Parts['handler'] = async ({ log, signal }) => {
    await log('info', 'first');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    isAborted = true;
  };
  const [first, second] = await startNodes({ handler });
  const session = await first.open();
  const stream = await first.stream(call, session);
  await untilMessages(stream, [note('first')]);
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
  expect((await second.post(cancelled, session)).status).toBe(202);
  await untilOver(stream);
  expect([isAborted, stream.messages()]).toEqual([true, [note('first')]]);
});

// The session itself.

test('DELETE on one node ends the session on all, and its streams', async () => {
  const { handler } = slow();
  const [first, second, third] = await startNodes({ handler });
  const session = await first.open();
  for (const node of [first, second, third]) expect((await node.post(ping, session)).status).toBe(200);
  const running = await first.stream(call, session);
  await untilMessages(running, [note('first')]);
  const listening = await second.listen(session);
  expect((await third.send('DELETE', '/mcp', session)).status).toBe(204);
  await untilOver(running);
  await untilOver(listening);
  for (const node of [first, second, third])
    await vi.waitFor(async () => expect((await node.post(ping, session)).status).toBe(404));
});

const WATCHED = 'test://watched';
const updated = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: WATCHED } };
const changed = (list: string) => ({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` });

function watched() {
  const handles: ServerHandle[] = [];
  const handlers: Handlers<object> = {
    started: (handle) => void handles.push(handle),
    resources: { [WATCHED]: { name: 'watched', read: () => 'watched' } },
  };
  const has = new Set<number>();
  const tool = { name: 'grown', inputSchema: { type: 'object' as const }, handler: () => '' };
  return {
    handlers,
    touch: (at: number) => handles[at]?.resourceUpdated(WATCHED),
    grow: (at: number) => {
      if (has.delete(at)) handles[at]?.removeTool(tool.name);
      else handles[at]?.addTool((has.add(at), tool));
    },
  };
}

test('subscriptions hold on every node, and each change is told once, wherever the client listens', async () => {
  const { handlers, touch, grow } = watched();
  const [first, second, third] = await startNodes({ handlers });
  const session = await first.open();
  expect((await second.post(request('resources/subscribe', { uri: WATCHED }), session)).status).toBe(200);
  expect((await third.post(ping, session)).status).toBe(200);
  const before = await first.listen(session);
  const listening = await third.listen(session);
  await untilOver(before);
  touch(0);
  await untilMessages(listening, [updated]);
  grow(1);
  await untilMessages(listening, [updated, changed('tools')]);
  listening.response.destroy();
  touch(0);
  const again = await second.listen({ ...session, 'last-event-id': lastIdOf(listening) });
  await untilMessages(again, [updated]);
  expect((await first.post(request('resources/unsubscribe', { uri: WATCHED }), session)).status).toBe(200);
  await vi.waitFor(async () => {
    // The order to forget it may come later than the answer.
    expect((await second.post(ping, session)).status).toBe(200);
    touch(2);
    grow(0);
    expect(again.messages().at(-1)).toEqual(changed('tools'));
  }, LONG);
  expect(before.messages()).toEqual([]);
});

test('a place that the log has no more is followed by all that may have changed', async () => {
  const { handlers } = watched();
  const [first, second] = await startNodes({ handlers });
  const session = await first.open();
  await first.post(request('resources/subscribe', { uri: WATCHED }), session);
  const listening = await second.listen({ ...session, 'last-event-id': 'all.1-0' });
  await untilMessages(listening, [changed('tools'), changed('resources'), updated]);
});

test('messages of a session reach it where it listens, and wait for it', async () => {
  const sessions: Session[] = [];
  const watch: Feature = {
    name: 'watch',
    aroundRequest: (methodCall, next) => {
      sessions.push(methodCall.session);
      return next(methodCall);
    },
  };
  const [first, second] = await startNodes({ features: [watch] });
  const session = await first.open();
  await first.post(ping, session);
  const listening = await second.listen(session);
  sessions[0]?.push(changed('tools') as never);
  await untilMessages(listening, [changed('tools')]);
  listening.response.destroy();
  await untilOver(listening);
  sessions[0]?.push(changed('prompts') as never);
  const again = await first.listen({ ...session, 'last-event-id': lastIdOf(listening) });
  await untilMessages(again, [changed('prompts')]);
});

test('a stream is not given to a token that is good for less than what was subscribed to elsewhere', async () => {
  const { handlers } = watched();
  const [first, second] = await startNodes({ handlers, features: [guard] });
  const alice = { authorization: 'alice', 'x-scopes': 'admin' };
  const session = await openAsking(first, alice);
  const narrow = { ...session, 'x-scopes': 'read' };
  const listening = await second.listen(narrow);
  expect(listening.status).toBe(200);
  await first.post(request('resources/subscribe', { uri: WATCHED }), session);
  await untilOver(listening);
  expect((await second.listen(narrow)).status).toBe(500);
  expect((await second.listen(session)).status).toBe(200);
});

test('a client is told of changes where it listens, also if another node was told that it is ready', async () => {
  const { handlers, grow } = watched();
  const [first, second] = await startNodes({ handlers });
  const opened = await first.post(hello('2025-11-25'));
  const session = {
    'mcp-session-id': String(opened.headers['mcp-session-id']),
    'mcp-protocol-version': '2025-11-25',
  };
  await second.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const listening = await first.listen(session);
  grow(0);
  await untilMessages(listening, [changed('tools')]);
});

test('2026-07-28: a change is heard by the subscribers of all nodes', async () => {
  const { handlers, touch, grow } = watched();
  const [first, second] = await startNodes({ handlers });
  const notifications = { toolsListChanged: true, resourceSubscriptions: [WATCHED] };
  const message = modern('subscriptions/listen', { notifications });
  const streams = await Promise.all(
    [first, second].map((node) => node.stream(message, modernHead('subscriptions/listen'))),
  );
  await vi.waitFor(() => expect(streams.map((stream) => stream.messages().length)).toEqual([1, 1]));
  const told = (...methods: string[]) =>
    vi.waitFor(() => {
      for (const stream of streams)
        expect(
          stream
            .messages()
            .slice(1)
            .map(({ method }) => method),
        ).toEqual(methods);
    });
  touch(0);
  await told(updated.method);
  grow(2);
  await told(updated.method, changed('tools').method);
});

// What counts once, and rates.

test('a limit of calls counts over all nodes', async () => {
  const nodes = await startNodes({ flags: { 'rate-limit': '10' } });
  const calls = Array.from({ length: 30 }, (_, at) => {
    const node = nodes[at % 3] as Node;
    return node.post(modern('tools/call', { name: 'x' }), modernHead('tools/call', 'x'));
  });
  const answers = await Promise.all(calls);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(20);
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(3);
});

// Tasks.

const taskMeta = {
  [`${META}protocolVersion`]: '2026-07-28',
  [`${META}clientCapabilities`]: { elicitation: {}, extensions: { [`${META}tasks`]: {} } },
};

const LATER = { execution: { taskSupport: 'optional' } };

const ask = async (node: Node, method: string, params: { name?: string; taskId?: unknown }) => {
  const head = modernHead(method, params.name ?? String(params.taskId));
  const message = { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: taskMeta } };
  const { json, status } = await node.post(message, head);
  return { ...json, status };
};
const begin = async (node: Node) => (await ask(node, 'tools/call', { name: 'x' })).result?.['taskId'];
const untilTask = (node: Node, taskId: unknown, state: object) =>
  vi.waitFor(
    async () => expect((await ask(node, 'tasks/get', { taskId })).result).toMatchObject(state),
    LONG,
  );

test('any node has the status and the result of a task, and none has an unknown one', async () => {
  const { open: release, opened } = gate();
  const [first, second] = await startNodes({ tool: LATER, handler: () => opened.then(() => 'done') });
  const taskId = await begin(first);
  await untilTask(second, taskId, { taskId, status: 'working' });
  release();
  await untilTask(second, taskId, { taskId, status: 'completed', result: done.result });
  const { error } = await ask(second, 'tasks/get', { taskId: 'nope' });
  expect(error).toEqual({ code: -32602, message: 'Unknown task: nope' });
});

test('a task that its node refuses is on no list', async () => {
  const handler: Parts['handler'] = () => new Promise(() => undefined);
  const [first, second] = await startNodes({ tool: LATER, handler, limits: { tasksPerClient: 1 } });
  const session = await first.open();
  const calls = [];
  for (const id of [7, 8])
    calls.push((await first.post({ ...call, id, params: { name: 'x', task: {} } }, session)).json);
  expect(calls.map(({ result, error }) => error?.message ?? Object.keys(result ?? {}))).toEqual([
    expect.arrayContaining(['task']),
    'There are too many tasks. Try again in 60 seconds.',
  ]);
  const { result } = (await second.post(request('tasks/list'), session)).json;
  expect(result?.['tasks']).toHaveLength(1);
});

test('another node cancels a task, whose work is aborted', async () => {
  let aborted = 0;
  const handler: Parts['handler'] = ({ signal }) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(aborted++)));
  const [first, second, third] = await startNodes({ tool: LATER, handler });
  const taskId = await begin(first);
  expect((await ask(second, 'tasks/cancel', { taskId })).status).toBe(200);
  await untilTask(third, taskId, { status: 'cancelled' });
  await untilTask(first, taskId, { status: 'cancelled' });
  expect(aborted).toBe(1);
});

test('another node takes the answer to a question of a task', async () => {
  const handler: Parts['handler'] = async ({ elicit }) =>
    JSON.stringify((await elicit('Who?', FORM, { key: 'who' })).content);
  const [first, second] = await startNodes({ tool: LATER, handler });
  const taskId = await begin(first);
  await untilTask(second, taskId, { inputRequests: { who: { method: 'elicitation/create' } } });
  const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } };
  await ask(second, 'tasks/update', { taskId, inputResponses } as never);
  await untilTask(second, taskId, { result: { content: [{ text: '{"name":"Ada"}' }] } });
});

test('2025-11-25: a session lists its tasks and waits for a result on another node', async () => {
  const { open: release, opened } = gate();
  const [first, second] = await startNodes({ tool: LATER, handler: () => opened.then(() => 'done') });
  const session = await first.open();
  const begun = await first.post({ ...call, params: { name: 'x', task: {} } }, session);
  const { taskId } = begun.json.result?.['task'] as { taskId: string };
  const listed = async (fields: Fields) => (await second.post(request('tasks/list'), fields)).json.result;
  expect(await listed(session)).toMatchObject({ tasks: [{ taskId, status: 'working' }] });
  expect(await listed(await second.open())).toEqual({ tasks: [] });
  const waiting = second.post(request('tasks/result', { taskId }), session);
  release();
  expect((await waiting).json.result).toMatchObject(done.result);
  expect(await listed(session)).toMatchObject({ tasks: [{ taskId, status: 'completed' }] });
});

test('the task of a node that has ended fails, since its outcome is unknown, and stays so', async () => {
  const redis = await startRedis();
  const { open: release, opened } = gate();
  const [first, second, third] = await startNodes({ tool: LATER, handler: () => opened }, redis);
  const taskId = await begin(first);
  await untilTask(second, taskId, { status: 'working' });
  const client = await connectTo(redis);
  const [key = ''] = await client.keys('test:task:*');
  const text = String(await client.get(key)).replace(/"node":"[^"]*"/, '"node":"gone"');
  await client.set(key, text, { PX: 60_000 });
  const message = 'The node that ran this task has ended, so the outcome of its work is unknown.';
  const failed = { status: 'failed', statusMessage: message, error: { code: -32603, message } };
  await untilTask(second, taskId, failed);
  release();
  await untilTask(third, taskId, failed);
});

test('2026-07-28: subscribers of all nodes are told of their tasks', async () => {
  const { open: release, opened } = gate();
  const [first, second] = await startNodes({ tool: LATER, handler: () => opened });
  const taskId = await begin(first);
  const params = { notifications: { taskIds: [taskId] }, _meta: taskMeta };
  const message = { jsonrpc: '2.0', id: 8, method: 'subscriptions/listen', params };
  const stream = await second.stream(message, modernHead('subscriptions/listen'));
  await vi.waitFor(() => expect(stream.messages()).toHaveLength(1));
  release();
  await vi.waitFor(() =>
    expect(stream.messages().at(-1)).toMatchObject({ params: { taskId, status: 'completed' } }),
  );
});

// While Redis is away.

const stateOf = async (node: Node) => (await node.send('GET', '/readyz', {})).json as object;
const untilState = (nodes: readonly Node[], redis: string) =>
  vi.waitFor(async () => {
    for (const node of nodes) expect(await stateOf(node)).toEqual({ status: 'ready', redis });
  }, LONG);

test('plain calls and streams go on while Redis is away, and all else is found again when it is back', async () => {
  const redis = await startRedis();
  const { handler, release } = slow();
  const { handlers, touch, grow } = watched();
  const nodes = await startNodes({ handler, handlers, tool: LATER, flags: { 'rate-limit': '300' } }, redis);
  const [first, second] = nodes;
  const session = await first.open();
  expect((await second.post(request('resources/subscribe', { uri: WATCHED }), session)).status).toBe(200);
  const other = await second.open();
  const stream = await first.stream(call, session);
  const listening = await second.listen(session);
  await untilMessages(stream, [note('first')]);
  const taskId = await begin(third(nodes));
  await redis.stop();
  await untilState(nodes, 'away');
  expect((await second.post(ping, session)).status).toBe(200);
  const away = [503, '2'];
  const statusOf = ({ status, headers }: Stream | Awaited<ReturnType<Node['post']>>) => [
    status,
    headers['retry-after'],
  ];
  expect(statusOf(await second.listen({ ...session, 'last-event-id': lastIdOf(stream) }))).toEqual(away);
  expect(statusOf(await second.listen(other))).toEqual(away);
  for (const [method, params] of [
    ['resources/subscribe', { uri: WATCHED }],
    ['logging/setLevel', { level: 'error' }],
  ] as const)
    expect(statusOf(await first.post(request(method, params), session))).toEqual(away);
  expect(statusOf(await first.post(answerTo('unknown'), session))).toEqual(away);
  expect((await ask(first, 'tasks/get', { taskId })).status).toBe(503);
  expect((await ask(first, 'tools/call', { name: 'x' })).status).toBe(503);
  const listen = modern('subscriptions/listen', { notifications: {} });
  expect(statusOf(await first.post(listen, modernHead('subscriptions/listen')))).toEqual(away);
  expect((await third(nodes).send('DELETE', '/mcp', other)).status).toBe(204);
  touch(0);
  grow(2);
  release();
  await untilMessages(stream, [note('first'), note('second'), done]);
  await startRedis({ port: redis.port });
  await untilState(nodes, 'up');
  await vi.waitFor(() => {
    const methods = listening.messages().map(({ method }) => method);
    expect(methods).toEqual(expect.arrayContaining([updated.method, changed('tools').method]));
  }, LONG);
  expect((await third(nodes).post(ping, other)).status).toBe(404);
  await untilTask(first, taskId, { status: 'completed' });
  // What Redis missed is there now, and what it has forgotten is not.
  const [place, event] = idsOf(stream);
  await untilMessages(await second.listen({ ...session, 'last-event-id': event }), [note('second'), done]);
  expect((await second.listen({ ...session, 'last-event-id': place })).status).toBe(410);
  expect((await third(nodes).post(request('resources/subscribe', { uri: WATCHED }), session)).status).toBe(
    200,
  );
});

const third = ([, , node]: readonly [Node, Node, Node]): Node => node;

test('the level of logs and subscriptions outlast a Redis that has forgotten them', async () => {
  const redis = await startRedis();
  const nodes = await startNodes({ handler: ({ log }) => log('info', 'said') }, redis);
  const [first, second] = nodes;
  const session = await first.open();
  await first.post(request('logging/setLevel', { level: 'error' }), session);
  await redis.stop();
  await untilState(nodes, 'away');
  await startRedis({ port: redis.port });
  await untilState(nodes, 'up');
  await vi.waitFor(async () => {
    const fresh = await second.post(call, session);
    expect(fresh.headers['content-type']).toBe('application/json');
  }, LONG);
});

test('each node limits rates to its part while Redis is away', async () => {
  const redis = await startRedis();
  const nodes = await startNodes({ flags: { 'rate-limit': '9' } }, redis);
  await redis.stop();
  await untilState(nodes, 'away');
  const statuses: number[] = [];
  for (let at = 0; at < 5; at++)
    statuses.push(
      (await nodes[0].post(modern('tools/call', { name: 'x' }), modernHead('tools/call', 'x'))).status,
    );
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
});

test('a Redis that hangs is away, and back when it goes on; strictly, sessions are refused meanwhile', async () => {
  const redis = await startRedis();
  const nodes = await startNodes({ env: { MCP_REVOCATION: 'strict' } }, redis);
  const session = await nodes[0].open();
  redis.process.kill('SIGSTOP');
  await untilState(nodes, 'away');
  expect((await nodes[0].post(ping, session)).status).toBe(503);
  expect((await nodes[1].post(ping, session)).status).toBe(503);
  expect((await nodes[0].send('DELETE', '/mcp', session)).status).toBe(503);
  redis.process.kill('SIGCONT');
  await untilState(nodes, 'up');
  for (const node of nodes) expect((await node.post(ping, session)).status).toBe(200);
});

test('a Redis that refuses writes is away until it takes them, and that is reported once', async () => {
  const redis = await startRedis();
  const nodes = await startNodes({}, redis);
  const admin = await connectTo(redis);
  await admin.sendCommand(['CONFIG', 'SET', 'maxmemory', '1']);
  await untilState(nodes, 'away');
  await admin.sendCommand(['CONFIG', 'SET', 'maxmemory', '0']);
  await untilState(nodes, 'up');
  const refusals = nodes[0].reported.filter((words) => String(words).includes('OOM'));
  expect(refusals).toEqual([
    expect.stringMatching(/^Redis is away \(OOM.*this node limits rates to its part/s),
  ]);
});

test('a server starts without Redis and finds it later; a password is not shown', async () => {
  const redis = await startRedis({ password: 'right-password' });
  const wrong = { ...redis, url: redis.url.replace('right', 'wrong') };
  const [node] = await startNodes({ env: {} }, wrong);
  expect(await stateOf(node)).toEqual({ status: 'ready', redis: 'away' });
  expect(node.reported).toEqual([expect.stringMatching(/^Redis is away \(WRONGPASS/)]);
  expect(String(node.reported)).not.toContain('wrong-password');
  await redis.stop();
  await startRedis({ port: redis.port, password: 'wrong-password' });
  await untilState([node], 'up');
});

// Settings.

anyTest.each([
  [{ MCP_REDIS_URL: 'http://:secret-word@a' }, 'MCP_REDIS_URL must be one URL such as'],
  [{ MCP_REDIS_URL: 'redis://:secret-word@a,redis://b' }, 'MCP_REDIS_URL must be one URL such as'],
  [{ MCP_REDIS_URL: 'redis://a', MCP_NODES: '0' }, 'MCP_NODES must be a whole number'],
  [{ MCP_REDIS_URL: 'redis://a', MCP_REDIS_PREFIX: 'a{b}' }, 'MCP_REDIS_PREFIX must be'],
  [{ MCP_REDIS_URL: 'redis://a', MCP_REVOCATION: 'no' }, 'MCP_REVOCATION must be lenient or strict'],
])('a setting that can not be used stops the start: %j', async (env, words) => {
  const failed = await start({ secret: SECRET, env }).catch((thrown: unknown) => String(thrown));
  expect(failed).toContain(words);
  expect(failed).not.toContain('secret-word');
});

const NO_SECRET = expect.stringMatching(/^MCP_STATE_SECRET is not set, so sessions and states/);

anyTest.each([
  [{ MCP_NODES: '1' }, undefined, []],
  [{ MCP_NODES: '2' }, undefined, [NO_SECRET]],
  [{ MCP_NODES: '2' }, SECRET, []],
])('nodes without Redis: %j, %s', async (env, secret, reported) => {
  const node = await start({ env, secret });
  expect(node.reported).toEqual(reported);
  expect(await stateOf(node)).toEqual({ status: 'ready' });
});
