// A stream is given to who could have made the call that it tells of: another token of the same caller may reach less far.
import { expect, test } from 'vitest';
import * as sseFeature from '../../../templates/runtime/transports/http/sse.ts';
import { call, gate, ping } from '../transports/http-harness.ts';
import { initialize, startGuarded } from './guarded.ts';
import { type Issuer, startIssuer } from './issuer.ts';

async function opened(issuer: Issuer) {
  const { open: release, opened: released } = gate();
  const server = await startGuarded(issuer, {
    auth: { implies: { all: ['write'] } },
    tool: { scopes: ['write'], execution: { taskSupport: 'optional' } },
    handler: async ({ log }) => {
      await log('info', 'first');
      await released;
    },
  });
  const head = async (scope: string): Promise<Record<string, string>> => ({
    authorization: `Bearer ${await issuer.token({ scope })}`,
  });
  const wide = await head('read write');
  const session = { ...(await server.open('2025-11-25', {}, wide)), ...wide };
  await server.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const as = async (scope: string): Promise<typeof session> => ({ ...session, ...(await head(scope)) });
  return { ...server, as, session, release };
}

const lost = { 'last-event-id': '1-0' };

test.each<[string, number]>([
  ['read', 403],
  ['', 403],
  ['write', 200],
  ['all', 200],
])('a token with the scope %j that comes for the rest of a call: %i', async (scope, status) => {
  const issuer = await startIssuer();
  const { stream, listen, as, session, release, counted } = await opened(issuer);
  const first = await stream(call, session);
  await first.message();
  first.response.destroy();
  const narrow = await listen({ ...(await as(scope)), ...lost });
  expect([narrow.status, counted.calls]).toEqual([status, 1]);
  if (status === 403) {
    expect(narrow.headers['www-authenticate']).toContain(`scope="write`);
    await narrow.rest();
    expect(narrow.text()).not.toContain('first');
  }
  // Whoever could make the call still gets it, from its beginning.
  const again = await listen({ ...session, ...lost });
  release();
  expect((await again.rest()).map(({ id }) => id)).toEqual(['1-0', '1-1', '1-2']);
});

test('a stream that a narrower token listens on ends when a wider one makes a task in its session', async () => {
  const issuer = await startIssuer();
  const { post, listen, as, session, release } = await opened(issuer);
  const narrow = await listen(await as('read'));
  expect(narrow.status).toBe(200);
  const { params } = call;
  const created = await post({ ...call, params: { ...params, task: {} } }, session);
  expect(created.json().result).toMatchObject({ task: { status: 'working' } });
  await narrow.rest();
  expect(narrow.text()).not.toContain('first');
  expect((await listen(await as('read'))).status).toBe(403);
  const wide = await listen(await as('all'));
  release();
  expect(await wide.message()).toMatchObject({ params: { data: 'first' } });
});

test('a call that needs no scope is come back for with any', async () => {
  const issuer = await startIssuer();
  const { stream, listen, open } = await startGuarded(issuer, { handler: ({ log }) => log('info', 1) });
  const head = { authorization: `Bearer ${await issuer.token({ scope: 'read' })}` };
  const session = { ...(await open('2025-11-25', {}, head)), ...head };
  await (await stream(call, session)).rest();
  const authorization = `Bearer ${await issuer.token({ scope: '' })}`;
  expect((await listen({ ...session, authorization, ...lost })).status).toBe(200);
});

const sse = { path: '/sse', messagesPath: '/messages', ...sseFeature };

/** A session over HTTP+SSE, opened by a token with `scope`. */
async function openedBySse(scope: string, revision = '2024-11-05') {
  const issuer = await startIssuer();
  const tool = { scopes: ['write'] };
  const server = await startGuarded(issuer, { sse, auth: { implies: { all: ['write', 'read'] } }, tool });
  const head = async (of: string) => ({ authorization: `Bearer ${await issuer.token({ scope: of })}` });
  const stream = await server.listen(await head(scope), '/sse');
  const endpoint = (await stream.next())?.data ?? '';
  const say = async (of: string, message: object) =>
    server.send(
      'POST',
      endpoint,
      { 'content-type': 'application/json', ...(await head(of)) },
      JSON.stringify(message),
    );
  await say(scope, { ...initialize, params: { ...initialize.params, protocolVersion: revision } });
  await stream.message();
  return { ...server, stream, say };
}

test.each<[string, string, number, number]>([
  ['read write', 'write', 202, 1],
  ['read write', 'write read', 202, 1],
  ['all', 'write', 202, 1],
  ['read', 'read write', 403, 0],
  ['write', 'all', 403, 0],
])('over HTTP+SSE opened by %j, a call by %j: %i', async (opener, caller, status, calls) => {
  const { say, counted, stream } = await openedBySse(opener);
  const said = await say(caller, call);
  expect([said.status, counted.calls]).toEqual([status, calls]);
  if (status === 202) expect(await stream.message()).toMatchObject({ id: 2, result: {} });
  else expect(said.headers['www-authenticate']).toContain('insufficient_scope');
});

test.each<[string, object, string]>([
  ['a call', call, '2024-11-05'],
  ['a batch of it', [call], '2025-03-26'],
])(
  '%s without its scopes is refused where it is posted, and not on the stream',
  async (_, message, revision) => {
    const { say, counted, stream } = await openedBySse('read', revision);
    const { status, headers, text } = await say('read', message);
    expect([status, counted.calls]).toEqual([403, 0]);
    expect(headers['www-authenticate']).toMatch(/error="insufficient_scope".*scope="[^"]*write/);
    expect([JSON.parse(text)].flat()).toMatchObject([
      { id: 2, error: { data: { requiredScopes: ['write'] } } },
    ]);
    expect((await say('read', ping)).status).toBe(202);
    expect(await stream.message()).toMatchObject({ id: 1, result: {} });
  },
);

test.each<[object[], number]>([
  [[call], 403],
  [[call, { ...call, id: 3 }], 403],
  [[call, ping], 200],
])('a batch over Streamable HTTP %#: %i', async (batch, status) => {
  const issuer = await startIssuer();
  const { open, post } = await startGuarded(issuer, { tool: { scopes: ['write'] } });
  const head = { authorization: `Bearer ${await issuer.token({ scope: 'read' })}` };
  const session = { ...(await open('2025-03-26', {}, head)), ...head };
  const answer = await post(batch, session);
  expect(answer.status).toBe(status);
  expect(answer.headers['www-authenticate']).toEqual(
    status === 403 ? expect.stringContaining('write') : undefined,
  );
});
