// A stream is given to who could have made the call that it tells of: another token of the same caller may reach less far.
import { expect, test } from 'vitest';
import { call, gate } from '../transports/http-harness.ts';
import { startGuarded } from './guarded.ts';
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
