// Tokens that count, and what a handler then knows of their callers.
import { expect, test } from 'vitest';
import {
  type AuthInfo,
  Unavailable,
  type VerifyToken,
} from '../../../templates/runtime/features/oauth/index.ts';
import { initialize, startGuarded, type GuardedOptions } from './guarded.ts';
import { AUDIENCE, introspection, type Issuer, newKey, seconds, startIssuer } from './issuer.ts';
import { modernCall } from './modern-call.ts';

/** The caller as a handler sees it, or the status of the refusal. */
async function seen(
  issuer: Issuer,
  token: string,
  options: GuardedOptions = {},
): Promise<AuthInfo | number | undefined> {
  let auth: AuthInfo | undefined;
  const server = await startGuarded(issuer, { ...options, handler: (context) => void (auth = context.auth) });
  const { status } = await server.post(...modernCall('x', { authorization: `Bearer ${token}` }));
  return status === 200 ? auth : status;
}

test('a handler knows who calls, and can not change what the next call sees', async () => {
  const issuer = await startIssuer();
  const auth = await seen(issuer, await issuer.token({ scope: 'read write', groups: ['a'] }));
  expect(auth).toMatchObject({
    issuer: issuer.url,
    subject: 'alice',
    clientId: 'client',
    scopes: ['read', 'write'],
    claims: { jti: 'j', groups: ['a'] },
  });
  expect(JSON.stringify(auth)).not.toContain('eyJ');
  if (typeof auth !== 'object') throw new Error('no caller');
  expect(() => Object.assign(auth.claims, { sub: 'root' })).toThrow(TypeError);
  expect(() => (auth.claims['groups'] as string[]).push('admin')).toThrow(TypeError);
});

test.each<[string, object, object, Record<string, string>]>([
  ['application/at+jwt', {}, { typ: 'application/at+jwt' }, {}],
  ['the type in capitals', {}, { typ: 'AT+JWT' }, {}],
  ['no type, by option', {}, { typ: undefined }, { MCP_AUTH_PLAIN_JWT: '1' }],
  ['several audiences', { aud: ['https://other.test', AUDIENCE] }, {}, {}],
  ['an origin with a slash', { aud: 'https://mcp.test/' }, {}, { MCP_AUTH_AUDIENCE: 'https://mcp.test' }],
  ['one of two audiences of ours', { aud: 'b' }, {}, { MCP_AUTH_AUDIENCE: `${AUDIENCE},b` }],
  ['expired a moment ago', { exp: seconds(-2) }, {}, {}],
  ['valid in a moment', { nbf: seconds(2) }, {}, {}],
  ['without a kid, where there is one key', {}, { kid: undefined }, {}],
])('%s', async (_, claims, header, env) => {
  const issuer = await startIssuer();
  const token = await issuer.token({ ...claims }, { ...header });
  expect(await seen(issuer, token, { env })).toMatchObject({ subject: 'alice' });
});

test.each<[object, string[]]>([
  [{ scope: 'a b  a' }, ['a', 'b']],
  [{ scope: undefined, scp: ['a', 'b'] }, ['a', 'b']],
  [{ scope: 'a', scp: ['b'] }, ['a', 'b']],
  [{ scope: undefined }, []],
  [{ scope: 7, scp: { a: 1 } }, []],
])('scopes of %j', async (claims, scopes) => {
  const issuer = await startIssuer();
  expect(await seen(issuer, await issuer.token({ ...claims }))).toMatchObject({ scopes });
});

test('every kind of algorithm that is offered', async () => {
  const issuer = await startIssuer();
  const algorithms = ['RS256', 'PS384', 'ES512', 'EdDSA'];
  const keys = await Promise.all(algorithms.map((alg) => newKey(alg, alg)));
  issuer.keys = keys.map(({ publicJwk }) => publicJwk);
  for (const key of keys) {
    const token = await issuer.token({}, {}, key);
    expect(await seen(issuer, token)).toMatchObject({ subject: 'alice' });
  }
});

test('a token without a kid is tried with each key of its algorithm', async () => {
  const issuer = await startIssuer();
  const other = await newKey('other');
  issuer.keys = [other.publicJwk, issuer.key.publicJwk];
  const [own, strange] = [issuer.key, await newKey('strange')];
  expect(await seen(issuer, await issuer.token({}, { kid: undefined }, own))).toMatchObject({
    subject: 'alice',
  });
  expect(await seen(issuer, await issuer.token({}, { kid: undefined }, strange))).toBe(401);
});

test.each([
  ['known', { active: true, sub: 'bob', aud: AUDIENCE, scope: 'read', exp: seconds(60) }, 200],
  ['known, with its issuer', { active: true, sub: 'bob', aud: AUDIENCE, iss: 'ISSUER' }, 200],
  ['not active', { active: false, sub: 'bob', aud: AUDIENCE }, 401],
  ['for another audience', { active: true, sub: 'bob', aud: 'other' }, 401],
  ['for no audience', { active: true, sub: 'bob' }, 401],
  ['expired', { active: true, sub: 'bob', aud: AUDIENCE, exp: seconds(-60) }, 401],
  ['ending in milliseconds', { active: true, sub: 'bob', aud: AUDIENCE, exp: Date.now() + 60_000 }, 401],
  ['of another issuer', { active: true, sub: 'bob', aud: AUDIENCE, iss: 'https://evil.test' }, 401],
  ['of nobody', { active: true, aud: AUDIENCE }, 401],
])('an opaque token that is %s', async (_, { iss, ...says }: Record<string, unknown>, status) => {
  const issuer = await startIssuer();
  issuer.opaque['opaque+/='] = {
    ...says,
    ...(iss === undefined ? {} : { iss: iss === 'ISSUER' ? issuer.url : iss }),
  };
  const env = introspection(issuer);
  const { post, counted } = await startGuarded(issuer, { env });
  for (const calls of [1, 2]) {
    const answer = await post(...modernCall('x', { authorization: 'Bearer opaque+/=' }));
    expect([answer.status, counted.calls]).toEqual([status, status === 200 ? calls : 0]);
  }
  // Good tokens are remembered, and bad ones for a moment.
  expect(issuer.asked.filter((path) => path === '/introspect')).toHaveLength(1);
});

const OWN = { issuer: 'https://own.test', subject: 'carol', scopes: ['read'], expiresAt: seconds(60) };

test.each<[string, VerifyToken, number, string | undefined]>([
  ['takes it', () => OWN, 200, 'carol'],
  ['leaves it', () => undefined, 200, 'alice'],
  [
    'throws',
    (token) => {
      throw new Error(`no: ${token}`);
    },
    401,
    undefined,
  ],
  ['takes one that has expired', () => ({ ...OWN, expiresAt: seconds(-1) }), 401, undefined],
  ['says an end in milliseconds', () => ({ ...OWN, expiresAt: Date.now() + 60_000 }), 401, undefined],
  ['has claims that are code', () => ({ ...OWN, claims: Object({ a: () => 1 }) }), 401, undefined],
  [
    'can not say now',
    () => {
      throw new Unavailable('away');
    },
    503,
    undefined,
  ],
  ['does not answer', async () => new Promise(() => undefined), 503, undefined],
])('a check of the project that %s', async (_, verifyToken, status, subject) => {
  const issuer = await startIssuer();
  let auth: AuthInfo | undefined;
  const handler: GuardedOptions['handler'] = (context) => void (auth = context.auth);
  const server = await startGuarded(issuer, {
    verifyToken,
    handler,
    authLimits: { ownTimeoutMs: 200 },
  });
  const token = await issuer.token();
  const answer = await server.post(...modernCall('x', { authorization: `Bearer ${token}` }));
  expect([answer.status, auth?.subject]).toEqual([status, subject]);
  const told = server.reported.map((each) => (each instanceof Error ? `${each.message}${each.stack}` : each));
  expect(told.join('\n')).not.toContain(token);
});

test('a known token is not checked again, and many at a time are checked once', async () => {
  const issuer = await startIssuer();
  let checks = 0;
  const server = await startGuarded(issuer, {
    verifyToken: () => {
      checks += 1;
      return undefined;
    },
  });
  const token = await issuer.token();
  const answers = await Promise.all([1, 2, 3].map(() => server.withToken(token)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await server.post(initialize, { authorization: `Bearer ${token}` });
  expect(checks).toBe(1);
});
