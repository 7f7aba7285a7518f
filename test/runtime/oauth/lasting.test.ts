// Streams and sockets last as long as the token that opened them is good.
import { expect, test, vi } from 'vitest';
import { startGuarded } from './guarded.ts';
import { AUDIENCE, introspection, startIssuer, seconds } from './issuer.ts';
import { modernCall } from './modern-call.ts';

const LOOKS = { introspectionMs: 10, failureMs: 1 };
const authorization = 'Bearer opaque';

/** With a session and its stream, opened by a token that the issuer is asked about. */
async function listening(says: Record<string, unknown>) {
  const issuer = await startIssuer();
  const known = { active: true, sub: 'bob', aud: AUDIENCE, scope: 'read', ...says };
  issuer.opaque['opaque'] = known;
  const options = { env: introspection(issuer), authLimits: LOOKS };
  const server = await startGuarded(issuer, options);
  const { headers } = await server.withToken('opaque');
  const session = { 'mcp-session-id': String(headers['mcp-session-id']), authorization };
  const stream = await server.listen(session);
  const looks = () => issuer.asked.filter((path) => path === '/introspect').length;
  return { ...server, issuer, known, session, stream, looks };
}

test.each<[string, Record<string, unknown>]>([
  ['without an end', {}],
  ['that ends later', { exp: seconds(600) }],
])('a stream by a token %s goes on from look to look, and ends when that is revoked', async (_, says) => {
  const { issuer, stream, looks } = await listening(says);
  const opened = looks();
  await vi.waitUntil(() => looks() >= opened + 3);
  expect(stream.response.readableEnded).toBe(false);
  issuer.opaque['opaque'] = { active: false };
  expect(await stream.rest()).toBeInstanceOf(Array);
  expect(stream.response.readableEnded).toBe(true);
});

test('a stream that was taken over lasts as long as the token of who took it', async () => {
  const { issuer, known, session, stream, listen } = await listening({});
  issuer.opaque['other'] = known;
  const taken = await listen({ ...session, authorization: 'Bearer other' });
  expect(taken.status).toBe(200);
  await stream.rest();
  const looks = () => issuer.asked.length;
  issuer.opaque['opaque'] = { active: false };
  const before = looks();
  await vi.waitUntil(() => looks() >= before + 3);
  expect(taken.seen.isOver).toBe(false);
  issuer.opaque['other'] = { active: false };
  await taken.rest();
  expect(taken.seen.isWhole).toBe(true);
});

test('an issuer that is away for a moment ends no stream, and requests wait for it', async () => {
  const { issuer, stream, looks, session, post } = await listening({});
  issuer.isDown = true;
  const before = looks();
  await vi.waitUntil(() => looks() >= before + 3);
  expect((await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, session)).status).toBe(503);
  issuer.isDown = false;
  const back = looks();
  await vi.waitUntil(() => looks() >= back + 3);
  expect(stream.response.readableEnded).toBe(false);
  expect((await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, session)).status).toBe(200);
});

test('a handler is told no end that the issuer did not say', async () => {
  const issuer = await startIssuer();
  issuer.opaque['opaque'] = { active: true, sub: 'bob', aud: AUDIENCE };
  const seen: unknown[] = [];
  const { post } = await startGuarded(issuer, {
    env: introspection(issuer),
    handler: ({ auth }) => void seen.push(auth?.expiresAt, auth?.claims['exp']),
  });
  await post(...modernCall('x', { authorization }));
  expect(seen).toEqual([undefined, undefined]);
});

test('of a token that the project took, what it opened ends when the project takes it no more', async () => {
  const issuer = await startIssuer();
  const own = { issuer: 'https://own.test', subject: 'carol', scopes: ['read'], expiresAt: seconds(600) };
  let isTaken = true;
  let looks = 0;
  const { withToken, listen } = await startGuarded(issuer, {
    authLimits: { introspectionMs: 10 },
    verifyToken: () => {
      looks += 1;
      return isTaken ? own : undefined;
    },
  });
  const { headers } = await withToken('key');
  const stream = await listen({
    'mcp-session-id': String(headers['mcp-session-id']),
    authorization: 'Bearer key',
  });
  const before = looks;
  await vi.waitUntil(() => looks >= before + 3);
  isTaken = false;
  await stream.rest();
  expect(stream.response.readableEnded).toBe(true);
});
