// The keys of an issuer: found, kept, renewed, and what counts while it can't be reached.
import type { JWK } from 'jose';
import { expect, test } from 'vitest';
import { AUTH_LIMITS } from '../../../templates/runtime/features/oauth/settings.ts';
import { startGuarded } from './guarded.ts';
import { type Issuer, newKey, seconds, startIssuer } from './issuer.ts';

const { keysMs, staleKeysMs, cooldownMs, failureMs } = AUTH_LIMITS;

/** A server whose clock the test moves. */
async function clocked(issuer: Issuer, env: Record<string, string> = {}) {
  const clock = { now: Date.now() };
  const server = await startGuarded(issuer, { env, now: () => clock.now });
  const fetches = () => issuer.asked.filter((path) => path === '/jwks').length;
  /** The status that a new token has, signed with `kid`. */
  const statusOf = async (key = issuer.key) => {
    const token = await issuer.token({ exp: seconds(100_000), jti: String(Math.random()) }, {}, key);
    return (await server.withToken(token)).status;
  };
  return { ...server, clock, fetches, statusOf };
}

test('keys are fetched once, and again as they grow old', async () => {
  const issuer = await startIssuer();
  const { statusOf, fetches, clock } = await clocked(issuer);
  expect([await statusOf(), await statusOf(), fetches()]).toEqual([200, 200, 1]);
  clock.now += keysMs;
  expect([await statusOf(), fetches()]).toEqual([200, 2]);
});

test('a new key is found, but an unknown one does not make us ask again and again', async () => {
  const issuer = await startIssuer();
  const { statusOf, fetches, clock } = await clocked(issuer);
  expect(await statusOf()).toBe(200);
  const second = await newKey('second');
  issuer.keys = [issuer.key.publicJwk, second.publicJwk];
  // Not at once: anyone can make up the name of a key.
  expect([await statusOf(second), fetches()]).toEqual([401, 1]);
  clock.now += cooldownMs;
  expect([await statusOf(second), fetches()]).toEqual([200, 2]);
  const third = await newKey('third');
  expect([await statusOf(third), await statusOf(third), fetches()]).toEqual([401, 401, 2]);
});

test('a key that was taken back counts no more, also for a token that was looked at a moment before', async () => {
  const issuer = await startIssuer();
  const { clock, statusOf, withToken } = await clocked(issuer);
  expect(await statusOf()).toBe(200);
  const token = await issuer.token({ exp: seconds(100_000) });
  clock.now += keysMs - 1;
  expect((await withToken(token)).status).toBe(200);
  issuer.keys = [(await newKey('second')).publicJwk];
  expect((await withToken(token)).status).toBe(200);
  clock.now += 1;
  expect((await withToken(token)).status).toBe(401);
});

test('a key that was taken back while the issuer is away counts until it is back', async () => {
  const issuer = await startIssuer();
  const { clock, withToken, fetches } = await clocked(issuer);
  const token = await issuer.token({ exp: seconds(100_000) });
  expect((await withToken(token)).status).toBe(200);
  issuer.isDown = true;
  clock.now += keysMs;
  expect([(await withToken(token)).status, (await withToken(token)).status, fetches()]).toEqual([
    200, 200, 1,
  ]);
  issuer.keys = [(await newKey('second')).publicJwk];
  issuer.isDown = false;
  clock.now += failureMs;
  expect((await withToken(token)).status).toBe(401);
});

test('a new key of an issuer that is away: nobody can say whether there is one', async () => {
  const issuer = await startIssuer();
  const { clock, statusOf } = await clocked(issuer);
  expect(await statusOf()).toBe(200);
  const second = await newKey('second');
  issuer.keys = [issuer.key.publicJwk, second.publicJwk];
  issuer.isDown = true;
  clock.now += cooldownMs;
  expect([await statusOf(second), await statusOf(second), await statusOf()]).toEqual([503, 503, 200]);
  issuer.isDown = false;
  clock.now += failureMs;
  expect(await statusOf(second)).toBe(200);
});

test('an issuer that is away: its keys count on for a while, then nothing does', async () => {
  const issuer = await startIssuer();
  const { statusOf, clock, reported, fetches } = await clocked(issuer);
  expect(await statusOf()).toBe(200);
  issuer.isDown = true;
  clock.now += keysMs;
  expect([await statusOf(), await statusOf(), reported.length]).toEqual([200, 200, 1]);
  clock.now += staleKeysMs;
  expect(await statusOf()).toBe(503);
  issuer.isDown = false;
  const before = fetches();
  expect([await statusOf(), fetches()]).toEqual([503, before]);
  clock.now += failureMs;
  expect(await statusOf()).toBe(200);
});

test('an issuer that was never there: 503, no challenge, and words for who runs the server', async () => {
  const issuer = await startIssuer();
  issuer.isDown = true;
  const { withToken, reported, counted } = await startGuarded(issuer);
  const token = await issuer.token();
  const { status, headers, text } = await withToken(token);
  expect([status, headers['retry-after'], headers['www-authenticate']]).toEqual([503, '5', undefined]);
  expect([counted.calls, text.includes(issuer.url)]).toEqual([0, false]);
  expect(reported.map(String).join('\n')).toContain('says nowhere where its keys are');
});

test.each<[string, Record<string, unknown>, string]>([
  ['another issuer', { issuer: 'https://evil.test' }, 'is not of the issuer'],
  ['no issuer', { issuer: undefined }, 'is not of the issuer'],
  ['keys over http', { jwks_uri: 'http://keys.test/jwks' }, 'no https URL'],
  ['keys in a file', { jwks_uri: 'file:///etc/passwd' }, 'no https URL'],
  ['no keys', { jwks_uri: undefined }, 'names no keys'],
])('metadata with %s are not used', async (_, metadata, words) => {
  const issuer = await startIssuer();
  issuer.metadata = metadata['issuer'] === 'SLASH' ? { issuer: `${issuer.url}/` } : metadata;
  const { withToken, reported } = await startGuarded(issuer);
  expect((await withToken(await issuer.token())).status).toBe(503);
  expect(reported.map(String).join('\n')).toContain(words);
  expect(issuer.asked).not.toContain('/jwks');
});

test('where the keys are may be said, and then the issuer is not asked', async () => {
  const issuer = await startIssuer();
  const { statusOf } = await clocked(issuer, { MCP_AUTH_JWKS_URI: `${issuer.url}/jwks` });
  expect([await statusOf(), issuer.asked]).toEqual([200, ['/jwks']]);
});

test.each<[string, (key: JWK) => JWK]>([
  ['symmetric', () => ({ kty: 'oct', k: 'c2VjcmV0', kid: 'first' })],
  ['of half a point', ({ kty, crv, x, kid }) => ({ kty, crv, x, kid }) as JWK],
  ['of a point that is no base64', (key) => ({ ...key, x: '%' })],
])('a key of the issuer that is %s verifies nothing', async (_, change) => {
  const issuer = await startIssuer();
  issuer.keys = [change(issuer.key.publicJwk)];
  const { statusOf } = await clocked(issuer);
  expect(await statusOf()).toBe(401);
});

test.each([
  ['', ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']],
  [
    '/a/b',
    [
      '/.well-known/oauth-authorization-server/a/b',
      '/.well-known/openid-configuration/a/b',
      '/a/b/.well-known/openid-configuration',
    ],
  ],
])('the metadata of an issuer with the path %j are looked for where clients look', async (path, places) => {
  const issuer = await startIssuer();
  const url = `${issuer.url}${path}`;
  const { withToken } = await startGuarded(issuer, { env: { MCP_AUTH_ISSUER: url } });
  issuer.isDown = true;
  expect((await withToken(await issuer.token({ iss: url }))).status).toBe(503);
  expect(issuer.asked).toEqual(places);
});
