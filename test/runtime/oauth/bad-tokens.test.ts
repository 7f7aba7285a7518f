// Tokens that anyone can make up: what their checks cost is bounded, and good ones are checked all the same.
import { expect, test } from 'vitest';
import { AUTH_LIMITS } from '../../../templates/runtime/features/oauth/settings.ts';
import { startGuarded } from './guarded.ts';
import { AUDIENCE, introspection, type Issuer, seconds, startIssuer } from './issuer.ts';

const asked = ({ asked: paths }: Issuer) => paths.filter((path) => path === '/introspect').length;

async function limited(refusalsPerMinute: number) {
  const issuer = await startIssuer();
  issuer.opaque['good'] = { active: true, sub: 'bob', aud: AUDIENCE };
  const clock = { now: Date.now() };
  const env = introspection(issuer);
  const server = await startGuarded(issuer, { env, authLimits: { refusalsPerMinute }, now: () => clock.now });
  const statuses = async (...tokens: string[]): Promise<number[]> => {
    const all: number[] = [];
    for (const token of tokens) all.push((await server.withToken(token)).status);
    return all;
  };
  return { ...server, issuer, clock, statuses };
}

test('after some bad tokens of an address no more are asked about, until some time has gone', async () => {
  const { issuer, clock, statuses, withToken, counted } = await limited(2);
  expect(await statuses('a', 'b', 'c', 'd')).toEqual([401, 401, 429, 429]);
  const { headers, json } = await withToken('e');
  expect([headers['retry-after'], headers['www-authenticate']]).toEqual(['30', undefined]);
  expect(json.error?.message).toContain('Too many tokens of your address were refused.');
  expect([asked(issuer), counted.calls]).toEqual([2, 0]);
  clock.now += 30_000;
  expect(await statuses('e', 'f')).toEqual([401, 429]);
});

test('a token that is known to be good is not counted, nor kept waiting', async () => {
  const { statuses } = await limited(2);
  expect(await statuses('good', 'a', 'b', 'c', 'good')).toEqual([200, 401, 401, 429, 200]);
});

test('a token that was good when it was last looked at is looked at again, whoever else is at its address', async () => {
  const { issuer, statuses, clock } = await limited(2);
  expect(await statuses('good', 'a', 'b', 'c')).toEqual([200, 401, 401, 429]);
  clock.now += AUTH_LIMITS.introspectionMs;
  expect(await statuses('a', 'b', 'c', 'good')).toEqual([401, 429, 429, 200]);
  issuer.opaque['good'] = { active: false };
  clock.now += AUTH_LIMITS.introspectionMs;
  expect(await statuses('a', 'b', 'good')).toEqual([401, 429, 401]);
  // It is no better than any other then.
  clock.now += AUTH_LIMITS.refusedMs;
  expect(await statuses('good')).toEqual([429]);
});

test('so is one that the project takes, with each of its requests', async () => {
  const own = { issuer: 'https://own.test', subject: 'carol', scopes: ['read'], expiresAt: seconds(60) };
  const server = await startGuarded(await startIssuer(), {
    authLimits: { refusalsPerMinute: 2 },
    verifyToken: (token) => (token === 'good' ? own : undefined),
  });
  const all: number[] = [];
  for (const token of ['good', 'a', 'b', 'c', 'good', 'good'])
    all.push((await server.withToken(token)).status);
  expect(all).toEqual([200, 401, 401, 429, 200, 200]);
});

test('an issuer that fails is asked about few made-up tokens, and the others are told to come later', async () => {
  const { issuer, statuses, clock } = await limited(1000);
  const { failuresInARow, failureMs } = AUTH_LIMITS;
  issuer.isDown = true;
  const made = Array.from({ length: 40 }, (_, index) => `made${index}`);
  expect(new Set(await statuses(...made))).toEqual(new Set([503]));
  expect(asked(issuer)).toBe(failuresInARow);
  issuer.isDown = false;
  clock.now += failureMs;
  expect(await statuses('good')).toEqual([200]);
});

test.each([
  [{ error: 'invalid_request' }, 401],
  [{}, 401],
  [{ error: 'invalid_client' }, 503],
])('an issuer that answers by 400 and %j: %i', async (json, status) => {
  const { issuer, statuses } = await limited(10);
  issuer.introspection = { status: 400, json };
  expect(await statuses('a')).toEqual([status]);
});

test('many at a time are bounded as well', async () => {
  const { issuer, withToken } = await limited(3);
  const tokens = Array.from({ length: 20 }, (_, index) => `bad${index}`);
  const answers = await Promise.all(tokens.map(async (token) => (await withToken(token)).status));
  expect([answers.filter((status) => status === 401).length, asked(issuer)]).toEqual([3, 3]);
  expect(answers.filter((status) => status === 429)).toHaveLength(17);
});

test('requests without a token, or with one that can not be read, are not counted', async () => {
  const { post, statuses } = await limited(1);
  for (const authorization of ['', 'Bearer a b', 'Basic x'])
    expect((await post({}, { authorization })).status).toBe(401);
  expect(await statuses('a', 'b')).toEqual([401, 429]);
});

test('JWTs are checked by their signature alone, so none is counted', async () => {
  const { issuer, statuses } = await limited(1);
  expect(await statuses('a', 'b', await issuer.token({ exp: seconds(-60) }), await issuer.token())).toEqual([
    401, 429, 401, 200,
  ]);
});

test('that an address goes beyond the limit is reported once a minute', async () => {
  const { reported, statuses } = await limited(1);
  expect(await statuses('a', 'b', 'c')).toEqual([401, 429, 429]);
  expect(reported).toEqual([
    expect.stringContaining('More than 1 tokens a minute of 127.0.0.1 were refused'),
  ]);
});

test('made-up tokens drive no good one out of memory', async () => {
  const issuer = await startIssuer();
  issuer.opaque['good'] = { active: true, sub: 'bob', aud: AUDIENCE };
  const server = await startGuarded(issuer, { env: introspection(issuer), authLimits: { tokens: 2 } });
  for (const token of ['good', 'a', 'b', 'c', 'good']) await server.withToken(token);
  expect(asked(issuer)).toBe(4);
  // Of the bad ones the first was forgotten, and the last was not.
  for (const token of ['c', 'a']) await server.withToken(token);
  expect(asked(issuer)).toBe(5);
});

test.each<[string, Partial<Issuer>, number]>([
  ['refuses its client', { introspection: { status: 401, json: {} } }, 1],
  ['asks for a pause', { introspection: { status: 429, json: {} } }, 1],
  ['answers about none', { introspection: { status: 400, json: {} } }, 4],
])('an issuer that %s is asked about four tokens %i times', async (_, answers, want) => {
  const { issuer, statuses } = await limited(1_000);
  Object.assign(issuer, answers);
  await statuses('a', 'b', 'c', 'd');
  expect(asked(issuer)).toBe(want);
});
