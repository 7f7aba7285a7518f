// Several nodes behind a balancer that sends each request to the next one.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, test } from 'vitest';
import { UNKNOWN_SESSION } from '../../../templates/runtime/transports/http/endpoint.ts';
import type { Caller, Guard } from '../../../templates/runtime/feature-loaders.ts';
import { callerOf } from '../../support/caller.ts';
import { judged } from '../../support/conversation.ts';
import { hello } from '../core/harness.ts';
import { call, error, gate, type Options, ping, start } from './http-harness.ts';

const SECRET = 'a secret of the nodes, long enough';

type Started = Awaited<ReturnType<typeof start>>;

/** `next` is the node whose turn it is. */
async function startNodes(count: number, options: Options = {}) {
  const nodes = await Promise.all(Array.from({ length: count }, () => start({ secret: SECRET, ...options })));
  let turn = 0;
  const next = (): Started => {
    const node = nodes[turn++ % count];
    if (node === undefined) throw new Error('There are no nodes.');
    return node;
  };
  const roundRobin = (async (target: URL | string, init?: RequestInit) => {
    const url = new URL(target);
    return fetch(new URL(`${url.pathname}${url.search}`, next().url), init);
  }) as typeof fetch;
  return {
    nodes,
    next,
    roundRobin,
    counted: () => nodes.reduce((sum, { counted }) => sum + counted.calls, 0),
  };
}

const initialize = { jsonrpc: '2.0', id: 'i', method: 'initialize', params: hello('2025-11-25') };

async function openOn({ post }: Started, params: object = hello('2025-11-25')) {
  const { headers } = await post({ ...initialize, params });
  return { 'mcp-session-id': String(headers['mcp-session-id']) };
}

const clients = {
  'SDK 1.x': async (url: string, roundRobin: typeof fetch) => {
    const client = new OlderClient({ name: 'client', version: '1' });
    await client.connect(judged(new OlderTransport(new URL(`${url}/mcp`), { fetch: roundRobin })));
    return client;
  },
  'SDK 2.x': async (url: string, roundRobin: typeof fetch) => {
    const client = new Client({ name: 'client', version: '1' });
    await client.connect(
      judged(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { fetch: roundRobin })),
    );
    return client;
  },
  'SDK 2.x in the modern era': async (url: string, roundRobin: typeof fetch) => {
    const options = { versionNegotiation: { mode: 'auto' as const } };
    const client = new Client({ name: 'client', version: '1' }, options);
    await client.connect(
      judged(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { fetch: roundRobin })),
    );
    return client;
  },
};

test.each([
  ['SDK 1.x', 2],
  ['SDK 1.x', 3],
  ['SDK 2.x', 2],
  ['SDK 2.x', 3],
  ['SDK 2.x in the modern era', 2],
  ['SDK 2.x in the modern era', 3],
] as const)('%s calls %i nodes in turn', async (name, count) => {
  const { nodes, roundRobin, counted } = await startNodes(count);
  const client = await clients[name](nodes[0]?.url ?? '', roundRobin);
  for (let each = 0; each < 30; each++)
    expect((await client.callTool({ name: 'x' })).content).toEqual([{ type: 'text', text: 'done' }]);
  expect(counted()).toBe(30);
  expect(nodes.every((node) => node.counted.calls > 0)).toBe(true);
  await client.close();
});

test('a session begins on one node, is ready on another, listens on a third, and is called on each', async () => {
  const seen: unknown[] = [];
  const { nodes } = await startNodes(3, {
    handler: ({ client }) => {
      seen.push(client);
      return 'done';
    },
  });
  const [first, second, third] = nodes as [Started, Started, Started];
  const params = { ...hello('2025-06-18'), capabilities: { elicitation: {}, sampling: {} } };
  const session = await openOn(first, params);
  const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
  expect((await second.post(ready, session)).status).toBe(202);
  expect((await third.listen(session)).status).toBe(200);
  for (const each of nodes) expect((await each.post(call, session)).json()).toHaveProperty('result');
  const { capabilities } = params;
  const own = { capabilities, revision: '2025-06-18', info: { name: 'client', version: '0' } };
  expect(seen).toEqual([
    own,
    { capabilities, revision: own.revision },
    { capabilities, revision: own.revision },
  ]);
  const level = { jsonrpc: '2.0', id: 3, method: 'logging/setLevel', params: { level: 'error' } };
  expect((await second.post(level, session)).status).toBe(200);
});

test('DELETE ends the session on its node', async () => {
  const { nodes } = await startNodes(2);
  const [first, second] = nodes as [Started, Started];
  const session = await openOn(first);
  expect((await second.send('DELETE', '/mcp', session)).status).toBe(204);
  expect((await second.post(ping, session)).status).toBe(404);
  expect((await second.send('DELETE', '/mcp', session)).status).toBe(404);
  expect((await first.post(ping, session)).status).toBe(200);
});

test('a session that is not in use is dropped for another, and comes back', async () => {
  const { open: finish, opened } = gate();
  const node = await start({
    secret: SECRET,
    limits: { sessions: 2, sessionsPerClient: 2 },
    handler: async () => {
      await opened;
      return 'done';
    },
  });
  const sessions = [await node.open(), await node.open(), await node.open(), await node.open()];
  expect(node.sessions.size).toBe(2);
  for (const each of sessions) expect((await node.post(ping, each)).status).toBe(200);
  expect(node.sessions.size).toBe(2);
  // Two are in use: there is no room for a third.
  const busy = sessions.slice(0, 2).map(async (each) => node.post(call, each));
  await expect.poll(() => node.counted.calls).toBe(2);
  const refused = await node.post(ping, sessions[2]);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '60']);
  finish();
  expect((await Promise.all(busy)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await node.post(ping, sessions[2])).status).toBe(200);
});

test('requests that come at once for a dropped session are of one session', async () => {
  const { nodes } = await startNodes(2, { handler: () => new Promise((resolve) => setTimeout(resolve, 50)) });
  const [first, second] = nodes as [Started, Started];
  const session = await openOn(first);
  const answers = await Promise.all([second.post(call, session), second.post(call, session)]);
  // The ids of requests in one session differ.
  expect(answers.map((answer) => 'error' in answer.json()).sort()).toEqual([false, true]);
  expect(second.sessions.size).toBe(1);
});

test('a session ends after its lifetime, however much it is used', async () => {
  const node = await start({ secret: SECRET, lifetime: 1 });
  const session = await node.open();
  expect((await node.post(ping, session)).status).toBe(200);
  await expect
    .poll(async () => (await node.post(ping, session)).status, { timeout: 4_000, interval: 50 })
    .toBe(404);
  expect(node.sessions.size).toBe(0);
});

/** The caller is whom the request names. */
const guard: Guard = {
  documents: new Map(),
  admitRequest: async ({ headers }) => callerOf(String(headers.authorization)),
  demandScopes: () => undefined,
  coversScopes: () => true,
  scopeChallenge: () => '',
} satisfies Guard & { admitRequest: (request: never) => Promise<Caller> };

test('whatever is no id of this server and caller gets the same 404', async () => {
  const options = { secret: SECRET, guard, auth: {} };
  const own = await start(options);
  const [alice, bob] = [{ authorization: 'alice' }, { authorization: 'bob' }];
  const others = await Promise.all([
    start({ ...options, secret: `${SECRET}!` }),
    start({ ...options, name: 'other' }),
    start({ ...options, lifetime: 2 }),
  ]);
  const issue = async (node: Started, who: object) => {
    const { headers } = await node.post(initialize, { ...who });
    return String(headers['mcp-session-id']);
  };
  const id = await issue(own, alice);
  const flipped = `${id.slice(0, 50)}${id[50] === 'A' ? 'B' : 'A'}${id.slice(51)}`;
  const ids = [
    await issue(others[0], alice),
    await issue(others[1], alice),
    await issue(own, bob),
    id.slice(0, -1),
    flipped,
    `${id}=`,
    Buffer.from(id, 'base64url').toString('hex'),
    'none',
  ];
  const refusals = await Promise.all(
    ids.map(async (each) => own.post(call, { ...alice, 'mcp-session-id': each })),
  );
  expect(refusals.map(({ status, json }) => [status, json()])).toEqual(
    ids.map(() => [404, error(-32600, UNKNOWN_SESSION, 2)]),
  );
  expect(own.counted.calls).toBe(0);
  // A shorter lifetime here would end it here alone.
  expect((await others[2].post(ping, { ...alice, 'mcp-session-id': id })).status).toBe(200);
});

test('rotated: the previous secret is accepted, and signs nothing', async () => {
  const old = await start({ secret: SECRET });
  const rotated = await start({ secret: `${SECRET}!`, previous: SECRET });
  const dropped = await start({ secret: `${SECRET}!` });
  const [before, after] = [await openOn(old), await openOn(rotated)];
  expect((await rotated.post(ping, before)).status).toBe(200);
  expect((await dropped.post(ping, before)).status).toBe(404);
  expect((await dropped.post(ping, after)).status).toBe(200);
  expect((await old.post(ping, after)).status).toBe(404);
});

test('an answer to a question of one node settles none of another', async () => {
  const asks: Options['handler'] = async ({ elicit }) => {
    const { action } = await elicit('May it?', { type: 'object', properties: {} });
    return action;
  };
  const { nodes } = await startNodes(2, { handler: asks });
  const [first, second] = nodes as [Started, Started];
  const session = await openOn(first, { ...hello('2025-11-25'), capabilities: { elicitation: {} } });
  const streams = await Promise.all(nodes.map(async (node) => node.stream(call, session)));
  const questions = await Promise.all(streams.map(async ({ message }) => message()));
  const [of1, of2] = questions.map((each) => each?.id);
  expect(of1).not.toEqual(of2);
  const answer = (id: unknown) => ({ jsonrpc: '2.0', id, result: { action: 'decline' } });
  const wrong = await second.post(answer(of1), session);
  expect([wrong.status, wrong.json().error?.message]).toEqual([
    409,
    'Another node asked this, and waits for the answer. Nodes need MCP_REDIS_URL for that, or a balancer that keeps a client on one node.',
  ]);
  expect((await first.post(answer(of1), session)).status).toBe(202);
  expect((await second.post(answer(of2), session)).status).toBe(202);
  const results = await Promise.all(streams.map(async ({ message }) => message()));
  for (const each of results) expect(each?.result).toMatchObject({ content: [{ text: 'decline' }] });
});

test('events of another node are not taken for those of this one', async () => {
  const { nodes } = await startNodes(2, {
    handler: async ({ log }) => {
      await log('info', 'told');
      return 'done';
    },
  });
  const [first, second] = nodes as [Started, Started];
  const session = await openOn(first);
  const events = await (await first.stream(call, session)).rest();
  const { id = '' } = events[0] ?? {};
  await (await second.stream(call, session)).rest();
  expect((await first.listen({ ...session, 'last-event-id': id })).status).toBe(200);
  const refused = await second.send('GET', '/mcp', {
    accept: 'text/event-stream',
    ...session,
    'last-event-id': id,
  });
  expect([refused.status, refused.json().error?.message]).toEqual([
    410,
    'The stream cannot be resumed: another node began it. Nodes need MCP_REDIS_URL for that, or a balancer that keeps a client on one node.',
  ]);
  // The stream of messages that belong to no request goes on anywhere.
  const listening = await first.listen(session);
  const { id: place = '' } = (await listening.next()) ?? {};
  expect(place).toMatch(/^0-0-/);
  expect((await second.listen({ ...session, 'last-event-id': place })).status).toBe(200);
});

test('without a secret ids are as they were, and other nodes do not know them', async () => {
  const { nodes } = await startNodes(2, { secret: '' });
  const [first, second] = nodes as [Started, Started];
  const session = await openOn(first);
  expect(session['mcp-session-id']).toMatch(/^[\w-]{22}$/);
  const unknown = await second.post(ping, session);
  expect([unknown.status, unknown.json().error?.message]).toEqual([404, UNKNOWN_SESSION]);
});
