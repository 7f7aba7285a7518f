// Credentials of callers for the API, by the user's own code. What the token endpoint is asked: test/runtime/oauth/on-behalf.
import { expect, test } from 'vitest';
import {
  type CredentialsRequest,
  exchange,
  type UpstreamCredentials,
} from '../../templates/runtime/features/exchange/index.ts';
import type { ExchangeOptions } from '../../templates/runtime/features/exchange/settings.ts';
import { oauth } from '../../templates/runtime/features/oauth/index.ts';
import { type SecurityScheme, ToolError } from '../../templates/runtime/types.ts';
import { AUDIENCE, seconds, startIssuer } from '../runtime/oauth/issuer.ts';
import { json, type Received, startApi } from './api.ts';
import { makeHttpClient, modern, modernHead } from './client.ts';
import { makeServer } from './core.ts';
import { serve } from './http.ts';

const BEARER: SecurityScheme = { type: 'bearer', env: { token: 'B' } };

interface World {
  schemes?: Record<string, SecurityScheme>;
  security?: Record<string, string[]>[];
  env?: Record<string, string>;
  options?: ExchangeOptions;
  status?: (request: Received, index: number) => number;
}

async function open(hook: UpstreamCredentials | undefined, world: World = {}) {
  const { schemes = { user: BEARER }, security = [{ user: [] }], env, options, status } = world;
  const issuer = await startIssuer();
  const api = await startApi((request, index) => ({
    ...json({ seen: request.headers }),
    status: status?.(request, index) ?? 200,
  }));
  const reported: unknown[] = [];
  const asked: CredentialsRequest[] = [];
  const upstreamCredentials: UpstreamCredentials = (request) => {
    asked.push(request);
    return hook?.(request);
  };
  const server = makeServer(
    {
      features: [exchange(options), oauth()],
      flags: { transport: 'http', 'rate-limit': 'off' },
      env: { MCP_AUTH_ISSUER: issuer.url, MCP_AUTH_AUDIENCE: AUDIENCE, ...env },
      catalog: { tools: [{ name: 'me', inputSchema: { type: 'object' } }] },
      bindings: {
        tools: { me: { do: { kind: 'http', method: 'GET', path: '/me', parameters: [], security } } },
        upstream: { servers: [{ url: api.url }], securitySchemes: schemes },
      },
      ...(hook && { handlers: { upstreamCredentials } }),
    },
    reported,
  );
  const { post } = makeHttpClient((await serve({ server }, reported)).url);
  const call = async (claims: object = {}) => {
    const head = {
      ...modernHead('tools/call', 'me'),
      authorization: `Bearer ${await issuer.token({ ...claims })}`,
    };
    return (await post(modern('tools/call', { name: 'me' }), head)).text;
  };
  const sent = () => api.requests.map(({ headers }) => headers);
  return { call, sent, asked, reported, issuer };
}

test.each<[SecurityScheme, ReturnType<UpstreamCredentials>, object]>([
  [BEARER, { token: 'abcdef' }, { authorization: 'Bearer abcdef' }],
  [
    { type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'K' } },
    { apiKey: 'abcdef' },
    { 'x-key': 'abcdef' },
  ],
  [
    { type: 'basic', env: { username: 'U', password: 'P' } },
    { username: 'a', password: 'b' },
    { authorization: 'Basic YTpi' },
  ],
  [
    { type: 'http', scheme: 'Shared', env: { authorization: 'A' } },
    { authorization: 'abcdef' },
    { authorization: 'Shared abcdef' },
  ],
  [
    { type: 'oauth2', env: { token: 'T', clientId: 'I', clientSecret: 'S', scopes: 'C' } },
    { token: 'abcdef' },
    { authorization: 'Bearer abcdef' },
  ],
])('%j by %j', async (scheme, credentials, want) => {
  // The server's own must not be mixed in.
  const env = { B: 'own', U: 'own', P: 'own-password', K: 'own-key', I: 'own-id', S: 'own-secret' };
  const { call, sent, asked, issuer } = await open(() => credentials, { schemes: { user: scheme }, env });
  expect(await call()).not.toContain('abcdef');
  expect(sent()).toMatchObject([want]);
  expect(asked).toMatchObject([
    {
      caller: { issuer: issuer.url, subject: 'alice', scopes: ['read'] },
      scheme: 'user',
      type: scheme.type,
      scopes: [],
    },
  ]);
  expect(asked[0]?.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test.each<[string, unknown]>([
  ['another shape', { apiKey: 'x' }],
  ['an empty token', { token: '' }],
  ['null', null],
  ['a time that is over', { token: 'given', expiresAt: seconds(-1) }],
  ['a time in milliseconds', { token: 'given', expiresAt: Date.now() + 60_000 }],
])('%s is reported, and refuses the call', async (_, answer) => {
  const { call, sent, reported } = await open(() => answer as never, { env: { B: 'own' } });
  expect(await call()).toContain("can't be used");
  expect([sent(), reported.join()]).toEqual([
    [],
    expect.stringContaining('must return { token } for the scheme user'),
  ]);
});

test.each<[string, Error, string, boolean]>([
  ['for the caller', new ToolError('Connect your account first.'), 'Connect your account first.', false],
  ['by mistake', new Error('password=hunter2 failed'), 'could not be looked for', true],
])('what it throws %s', async (_, thrown, words, isReported) => {
  const { call, sent, reported } = await open(() => {
    throw thrown;
  });
  const text = await call();
  expect(text).toContain(words);
  expect(text).not.toContain('hunter2');
  expect([sent(), reported.length]).toEqual([[], isReported ? 1 : 0]);
});

test.each<[string, Record<string, string>, ExchangeOptions, string[]]>([
  ['by default', {}, {}, []],
  ['by the configuration', {}, { onBehalf: 'optional' }, ['Bearer own-token']],
  ['by the environment', { MCP_AUTH_ON_BEHALF: 'optional' }, {}, ['Bearer own-token']],
  ['required by the environment', { MCP_AUTH_ON_BEHALF: 'required' }, { onBehalf: 'optional' }, []],
  ['required by the configuration', { MCP_AUTH_ON_BEHALF: 'optional' }, { onBehalf: 'required' }, []],
  ['whatever API_CREDENTIALS says', { API_CREDENTIALS: 'optional' }, {}, []],
])('who has none is refused, or left to the server: %s', async (_, env, options, want) => {
  const { call, sent } = await open(() => undefined, { env: { B: 'own-token', ...env }, options });
  const text = await call();
  expect(sent().map(({ authorization }) => authorization)).toEqual(want);
  expect(text.includes('its caller has no credentials for the API (user)')).toBe(want.length === 0);
});

test('of several ways in the first counts that the caller has credentials for', async () => {
  const key: SecurityScheme = { type: 'apiKey', in: 'header', name: 'x-key', env: { key: 'K' } };
  const { call, sent } = await open(({ scheme }) => (scheme === 'user' ? { token: 'of-alice' } : undefined), {
    schemes: { key, user: BEARER },
    security: [{ key: [] }, { user: [] }],
    env: { K: 'own-key' },
  });
  await call();
  expect(sent()).toMatchObject([{ authorization: 'Bearer of-alice' }]);
  expect(sent()[0]).not.toHaveProperty('x-key');
});

test.each<[string, object, number]>([
  ['are asked for again without an end', {}, 3],
  ['are kept until their end', { expiresAt: seconds(60) }, 1],
])('credentials %s', async (_, rest, want) => {
  const { call, asked } = await open(() => ({ token: 'given', ...rest }));
  for (let count = 0; count < 3; count++) await call();
  expect(asked).toHaveLength(want);
});

test.each<[string, object, number]>([
  ['another token of the same caller', { jti: 'k', exp: seconds(120) }, 1],
  ['another subject', { sub: 'bob' }, 2],
  ['fewer scopes', { scope: '' }, 2],
  ['another client', { client_id: 'other' }, 2],
  ['another tenant', { org: 'b' }, 2],
])('kept credentials serve no one else: %s', async (_, claims, want) => {
  const { call, asked } = await open(({ caller }) => ({
    token: `of-${caller.subject}`,
    expiresAt: seconds(60),
  }));
  await call();
  await call(claims);
  expect(asked).toHaveLength(want);
});

test('credentials that the API refuses are asked for again, once', async () => {
  let count = 0;
  const { call, sent } = await open(() => ({ token: `number-${++count}`, expiresAt: seconds(60) }), {
    status: (_, index) => (index < 3 ? 401 : 200),
  });
  expect(await call()).toContain('may have been revoked');
  await call();
  expect(sent().map(({ authorization }) => authorization)).toEqual(
    ['number-1', 'number-2', 'number-2', 'number-3'].map((token) => `Bearer ${token}`),
  );
});

test.each<[ExchangeOptions, Record<string, string>, string]>([
  [{ exchange: { user: {} } }, {}, 'MCP_AUTH_EXCHANGE_URI is not set'],
  [{ onBehalf: 'required' }, {}, 'have no effect without credentials of callers'],
  [{}, { MCP_AUTH_EXCHANGE_AUDIENCE: 'a' }, 'goes with MCP_AUTH_EXCHANGE_URI'],
  [{}, { MCP_AUTH_EXCHANGE_URI: 'http://id.test/token' }, 'MCP_AUTH_EXCHANGE_URI must be an https URL'],
  [{}, { MCP_AUTH_EXCHANGE_URI: 'https://id.test/token' }, 'needs MCP_AUTH_EXCHANGE_CLIENT_ID'],
])('a server does not start with %j and %j', async (options, env, words) => {
  await expect(open(undefined, { options, env })).rejects.toThrow(words);
});
