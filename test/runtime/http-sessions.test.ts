// Sessions over HTTP: signed ids that any node continues, none at all, and who makes room for whom.
import { expect, test } from 'vitest';
import { call, failure, gate, hello, ping, start, type StartParts } from './client.ts';
import type { Feature } from '../../templates/runtime/feature.ts';
import { createHandler } from '../../templates/runtime/http.ts';
import { signedSessions } from '../../templates/runtime/features/signed-sessions.ts';
import { serve } from './http.ts';

const SECRET = 'a secret of the nodes, long enough';
const UNKNOWN = 'The session is unknown or has ended.';
const extraTools = [{ name: 'x', inputSchema: { type: 'object' }, handler: () => 'done' }];

/** Admits whom `authorization` names. */
const guard: Feature = {
  name: 'guard',
  admit: ({ request }) => ({ subject: String(request.headers.authorization) }),
};

type Node = Awaited<ReturnType<typeof startGuarded>>;
const postHead = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function startGuarded(parts: Parameters<typeof serve>[0] = {}) {
  const { url } = await serve({ secret: SECRET, features: [guard], handlers: { extraTools }, ...parts }, []);
  return async (message: object, headers: Record<string, string>) => {
    const body = JSON.stringify(message);
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      body,
      headers: { ...postHead, ...headers },
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
  };
}

async function issue(node: Node, who: Record<string, string>): Promise<string> {
  return (await node(hello(), who)).headers.get('mcp-session-id') ?? '';
}

test('whatever is no id of this secret, server and caller gets the same 404', async () => {
  const [alice, bob] = [{ authorization: 'alice' }, { authorization: 'bob' }];
  const node = await startGuarded();
  const id = await issue(node, alice);
  expect(id).toMatch(/^[\w-]+\.[\w-]{43}$/);
  expect(id.length).toBeLessThanOrEqual(300);
  const flipped = `${id.slice(0, 50)}${id[50] === 'A' ? 'B' : 'A'}${id.slice(51)}`;
  // The last character has two bits that no byte holds.
  const unused = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const padded = `${id.slice(0, -1)}${unused[unused.indexOf(id.at(-1) ?? '') + 1]}`;
  const ids = [
    await issue(await startGuarded({ secret: `${SECRET}!` }), alice),
    await issue(await startGuarded({ info: { name: 'other', version: '1' } }), alice),
    await issue(node, bob),
    ...[id.slice(0, -1), flipped, padded, `${id}=`, Buffer.from(id, 'base64url').toString('hex'), 'none'],
  ];
  for (const wrong of ids)
    expect(await node(call, { ...alice, 'mcp-session-id': wrong })).toMatchObject({
      status: 404,
      body: failure(-32600, UNKNOWN, 2),
    });
  const elsewhere = await startGuarded();
  expect((await elsewhere(call, { ...alice, 'mcp-session-id': id })).status).toBe(200);
  expect((await elsewhere(call, { ...bob, 'mcp-session-id': id })).status).toBe(404);
});

test('an id shows neither the client nor the caller', async () => {
  const id = await issue(await startGuarded(), { authorization: 'https://issuer.example alice' });
  const bytes = Buffer.from(id.split('.')[0] ?? '', 'base64url').toString('latin1');
  for (const name of ['client', 'alice', 'issuer']) expect(bytes).not.toContain(name);
});

const level = { jsonrpc: '2.0', id: 3, method: 'logging/setLevel', params: { level: 'error' } };

test('another node reads revision and capabilities, and this one knows its client', async () => {
  const seen: unknown[] = [];
  const options: StartParts = { secret: SECRET, handler: ({ client }) => void seen.push(client) };
  const [first, second] = [await start(options), await start(options)];
  const capabilities = { elicitation: { form: {} }, roots: { listChanged: true }, experimental: { x: {} } };
  const message = hello('2025-06-18');
  const opened = await first.post({ ...message, params: { ...message.params, capabilities } });
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
  for (const node of [first, second]) expect((await node.post(call, session)).status).toBe(200);
  const revision = '2025-06-18';
  const known = { elicitation: { form: {} }, roots: { listChanged: true } };
  expect(seen).toEqual([
    { capabilities, revision, info: { name: 'client', version: '0' } },
    { capabilities: known, revision },
  ]);
  expect((await second.post(level, session)).status).toBe(200);
});

test('requests that come at once for a session of another node are of one session', async () => {
  const { open: finish, opened } = gate();
  const options: StartParts = { secret: SECRET, handler: () => opened };
  const [first, second] = [await start(options), await start(options)];
  const session = await first.open();
  const answers = Promise.all([second.post(call, session), second.post(call, session)]);
  await expect.poll(() => second.counted.calls).toBe(1);
  finish();
  // The ids of requests in one session differ.
  expect((await answers).map((answer) => 'error' in answer.json).sort()).toEqual([false, true]);
});

test('DELETE ends a session on its node', async () => {
  const [first, second] = [await start({ secret: SECRET }), await start({ secret: SECRET })];
  const session = await first.open();
  expect((await second.send('DELETE', '/mcp', session)).status).toBe(204);
  expect((await second.post(ping, session)).status).toBe(404);
  expect((await first.post(ping, session)).status).toBe(200);
});

test('a session ends after its lifetime, however much it is used', async () => {
  const node = await start({ secret: SECRET, lifetime: 1 });
  const session = await node.open();
  expect((await node.post(ping, session)).status).toBe(200);
  await expect.poll(async () => (await node.post(ping, session)).status, { timeout: 4_000 }).toBe(404);
});

test('the previous secret is accepted, and signs nothing', async () => {
  const old = await start({ secret: SECRET });
  const rotated = await start({ secret: `${SECRET}!`, previous: SECRET });
  const dropped = await start({ secret: `${SECRET}!` });
  const [before, after] = [await old.open(), await rotated.open()];
  expect((await rotated.post(ping, before)).status).toBe(200);
  expect((await dropped.post(ping, before)).status).toBe(404);
  expect((await dropped.post(ping, after)).status).toBe(200);
  expect((await old.post(ping, after)).status).toBe(404);
});

test('signed sessions that nobody uses make room, and come back', async () => {
  const { open: finish, opened } = gate();
  const limits = { sessions: 2 };
  const node = await start({ secret: SECRET, limits, handler: () => opened });
  const sessions = [await node.open(), await node.open(), await node.open(), await node.open()];
  for (const session of sessions) expect((await node.post(ping, session)).status).toBe(200);
  const busy = sessions.slice(0, 2).map(async (session) => node.post(call, session));
  await expect.poll(() => node.counted.calls).toBe(2);
  const refused = await node.post(ping, sessions[2]);
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
  finish();
  expect((await Promise.all(busy)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await node.post(ping, sessions[2])).status).toBe(200);
});

// `a` is a party, `A` the same with a session in use.
test.each([
  ['room for all', 'abc', 3, 2, 'abc'],
  ['one party more than it may have: its oldest ends', 'abaa', 9, 2, 'baa'],
  ['its oldest that is not in use', 'AbaaB', 9, 2, 'AbaB'],
  ['all of its own in use: no more', 'AAba', 9, 2, 'AAb'],
  ['all taken: the oldest ends', 'abca', 3, 9, 'bca'],
  ['all in use: no more for anybody', 'ABCa', 3, 9, 'ABC'],
])('without a secret: %s', async (_, parties, sessions, sessionsPerClient, want) => {
  const { open: finish, opened } = gate();
  const handlers = { extraTools: [{ ...extraTools[0], handler: () => opened }] };
  const node = await startGuarded({ secret: '', handlers, limits: { sessions, sessionsPerClient } });
  const ids: [string, string][] = [];
  const busy: Promise<unknown>[] = [];
  for (const party of parties) {
    const who = { authorization: party.toLowerCase() };
    const id = await issue(node, who);
    if (id === '') continue;
    ids.push([party, id]);
    if (party !== party.toLowerCase()) busy.push(node(call, { ...who, 'mcp-session-id': id }));
    await node(ping, { ...who, 'mcp-session-id': id });
  }
  let left = '';
  for (const [party, id] of ids) {
    const who = { authorization: party.toLowerCase(), 'mcp-session-id': id };
    if ((await node(ping, who)).status === 200) left += party;
  }
  finish();
  await Promise.all(busy);
  expect(left).toBe(want);
});

test.each<[Record<string, string>, RegExp]>([
  [{ MCP_STATE_SECRET: 'x'.repeat(31) }, /MCP_STATE_SECRET must have 32 characters or more/],
  [{ MCP_STATE_SECRET: SECRET, MCP_STATE_SECRET_PREVIOUS: 'short' }, /PREVIOUS must have 32 characters/],
  [{ MCP_STATE_SECRET_PREVIOUS: SECRET }, /MCP_STATE_SECRET_PREVIOUS goes with MCP_STATE_SECRET/],
  [{ MCP_STATE_SECRET: SECRET, MCP_SESSION_TTL: '0' }, /MCP_SESSION_TTL must be a whole number/],
])('%j is refused', async (env, words) => {
  const lists = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
  const generated = {
    'catalog.json': JSON.stringify(lists),
    'bindings.json': '{"tools":{},"resources":{},"resourceTemplates":{},"prompts":{},"completions":[]}',
  };
  const definition = { info: { name: 't', version: '1' }, generated, features: [signedSessions()] };
  await expect(createHandler(definition, { env, report: () => undefined })).rejects.toThrow(words);
});

// `--stateless`.

const initialize = (revision: string) => {
  const { params, ...message } = hello(revision);
  return { ...message, params: { ...params, capabilities: { elicitation: {} } } };
};

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'without sessions, %s: no id, and every POST is answered',
  async (revision) => {
    const seen: unknown[] = [];
    const { post } = await start({ stateless: true, handler: ({ client }) => void seen.push(client) });
    const opened = await post(initialize(revision));
    expect([opened.status, opened.headers['mcp-session-id']]).toEqual([200, undefined]);
    expect(opened.json.result).toMatchObject({ protocolVersion: revision, capabilities: { tools: {} } });
    expect(opened.json.result).not.toHaveProperty('capabilities.logging');
    const version = { 'mcp-protocol-version': revision, 'mcp-session-id': 'of-another-time' };
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, version)).status).toBe(202);
    for (const message of [call, ping, { ...call, id: 3, method: 'tools/list' }])
      expect((await post(message, version)).json).toHaveProperty('result');
    expect(seen).toEqual([{ capabilities: {}, revision }]);
  },
);

test('without sessions, logs do not come, and what needs a session is refused', async () => {
  const { post, stream, send } = await start({
    stateless: true,
    handler: async ({ log, progress }) => {
      await log('emergency', 'told');
      await progress(1, 2);
    },
  });
  const version = { 'mcp-protocol-version': '2025-11-25' };
  const params = { name: 'x', _meta: { progressToken: 't' } };
  const events = await (await stream({ ...call, params }, version)).rest();
  expect(events.map(({ data = '' }) => (JSON.parse(data) as { method?: string }).method)).toEqual([
    'notifications/progress',
    undefined,
  ]);
  const reason = 'logging/setLevel needs a session, and this server has none (--stateless).';
  expect((await post(level, version)).json).toEqual(failure(-32601, reason, 3));
  expect((await post(call, { 'mcp-protocol-version': '2020-01-01' })).status).toBe(400);
  for (const method of ['GET', 'DELETE']) {
    const answer = await send(method, '/mcp', { accept: 'text/event-stream' });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST, OPTIONS']);
  }
});

test('without sessions, a client that goes cancels its call', async () => {
  const { open: cancelled, opened: isCancelled } = gate();
  const { stream } = await start({
    stateless: true,
    handler: async ({ signal, progress }) => {
      signal.addEventListener('abort', cancelled);
      await progress(1);
      await isCancelled;
    },
  });
  const params = { name: 'x', _meta: { progressToken: 't' } };
  const { response } = await stream({ ...call, params }, { 'mcp-protocol-version': '2025-11-25' });
  response.destroy();
  await isCancelled;
});

test('without sessions and without the header, a request is of 2025-03-26, which has batches', async () => {
  const { post } = await start({ stateless: true });
  expect((await post([ping, call])).json).toHaveLength(2);
  expect((await post([ping], { 'mcp-protocol-version': '2025-11-25' })).status).toBe(400);
});
