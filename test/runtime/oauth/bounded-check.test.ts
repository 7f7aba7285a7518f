// `verifyToken`: so many checks at a time, those included that go on after their time.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { VerifyToken } from '../../../templates/runtime/definition.ts';
import { limitConcurrentChecks } from '../../../templates/runtime/oauth/checked-tokens.ts';
import { openGuard } from '../../../templates/runtime/oauth/index.ts';
import { AUTH_LIMITS } from '../../../templates/runtime/oauth/settings.ts';
import { neverTaken, startGuarded } from './guarded.ts';
import { AUDIENCE, startIssuer } from './issuer.ts';

const good = { issuer: 'https://own.test', subject: 'carol', scopes: [], expiresAt: 9_999_999_999 };
const hangs: VerifyToken = async () => new Promise(() => undefined);

/** Its checks end when `end` is called for their token. */
function held(limits = { ownChecks: 2, ownLateMs: 1_000 }) {
  const ends = new Map<string, () => void>();
  const check = limitConcurrentChecks(
    async (token) => new Promise((resolve) => void ends.set(token, () => resolve(good))),
    limits,
  );
  const controller = new AbortController();
  return {
    check: async (token: string) => check(token, { signal: controller.signal }),
    end: (token: string) => ends.get(token)?.(),
    abort: () => controller.abort(),
  };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('one more than may be under way is not begun; one that has ended makes room', async () => {
  const { check, end } = held();
  const [first] = [check('a'), check('b')];
  await expect(check('c')).rejects.toMatchObject({ name: 'CheckFailure', isOfToken: false });
  end('a');
  expect(await first).toBe(good);
  const third = check('c');
  end('c');
  expect(await third).toBe(good);
});

test.each<[string, VerifyToken]>([
  ['throws', () => JSON.parse('{')],
  ['rejects', async () => Promise.reject(new Error('no'))],
])('one that %s makes room', async (_, verifyToken) => {
  const check = limitConcurrentChecks(verifyToken, { ownChecks: 1, ownLateMs: 1_000 });
  const { signal } = new AbortController();
  for (let index = 0; index < 3; index++)
    await expect(check('a', { signal })).rejects.not.toMatchObject({
      name: 'CheckFailure',
      isOfToken: false,
    });
});

test('one that goes on after its time counts, for a while', async () => {
  const { check, abort } = held();
  void check('a');
  void check('b');
  abort();
  vi.advanceTimersByTime(999);
  await expect(check('c')).rejects.toMatchObject({ name: 'CheckFailure', isOfToken: false });
  vi.advanceTimersByTime(1);
  void check('c');
  void check('d');
  await expect(check('e')).rejects.toMatchObject({ name: 'CheckFailure', isOfToken: false });
});

test('a request that would need one more is answered by 503, and when to come back', async () => {
  vi.useRealTimers();
  const verifyToken = limitConcurrentChecks(hangs, { ownChecks: 1, ownLateMs: 60_000 });
  const server = await startGuarded(await startIssuer(), { verifyToken, authLimits: { ownTimeoutMs: 50 } });
  const late = await server.withToken('one');
  const { status, headers } = await server.withToken('another');
  expect([late.status, status, headers['retry-after']]).toEqual([503, 503, '5']);
  expect(server.told.map(String).join()).toContain('did not answer');
});

test('the guard of a server is bounded so', async () => {
  let begun = 0;
  const guard = await openGuard({
    definition: { runtime: () => import('../../../templates/runtime/oauth/index.ts') },
    info: { name: 'test', version: '1' },
    env: { MCP_AUTH_ISSUER: 'https://id.example', MCP_AUTH_AUDIENCE: AUDIENCE },
    paths: ['/mcp'],
    scopes: [],
    verifyToken: async () => {
      begun += 1;
      return new Promise(() => undefined);
    },
    shared: neverTaken,
    report: () => undefined,
  });
  const ask = async (index: number) =>
    guard.admitRequest(requestFrom(`10.0.${index >> 8}.${index & 255}`, index));
  for (let index = 0; index < AUTH_LIMITS.ownChecks; index++) void ask(index).catch(() => undefined);
  await expect(ask(AUTH_LIMITS.ownChecks)).rejects.toMatchObject({ status: 503 });
  expect(begun).toBe(AUTH_LIMITS.ownChecks);
});

function requestFrom(remoteAddress: string, token: number): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  request.headers.authorization = `Bearer t${token}`;
  return request;
}
