// Tokens for the API by client credentials: fetched once, renewed in time, and given to nobody else.
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SecurityScheme } from '../../templates/runtime/types.ts';
import { json, openApi, type Received, type Reply, textOf } from './api.ts';

const ENV = { ID: 'my id', SECRET: 's:cret-of-it' };
const NAMES = { token: 'TOKEN', clientId: 'ID', clientSecret: 'SECRET', scopes: 'SCOPES' };

interface World {
  life?: unknown;
  env?: Record<string, string>;
  /** Instead of a token. */
  token?: (request: Received, count: number) => Reply;
  metadata?: (url: string) => unknown;
  path?: string;
  status?: (request: Received) => number;
}

/** An API, its authorization server and its metadata at one address. */
async function open({ life = 3600, env = {}, token, metadata, path = '/meta', status }: World = {}) {
  const asked: Received[] = [];
  let url = '';
  const scheme = { type: 'oauth2', env: NAMES } as SecurityScheme & Record<string, unknown>;
  const api = { securitySchemes: { oauth: scheme }, security: [{ oauth: ['read'] }] };
  const opened = await openApi({
    api,
    env: { ...ENV, ...env },
    answer: (request) => {
      if (request.target === '/a')
        return {
          ...json({ seen: request.headers['authorization'] ?? null }),
          status: status?.(request) ?? 200,
        };
      asked.push(request);
      if (request.target === path) return json(metadata?.(url));
      const count = asked.filter(({ target }) => target === '/token').length;
      return token?.(request, count) ?? json({ access_token: `token-number-${count}`, expires_in: life });
    },
  });
  url = opened.url;
  const { upstream } = opened.server.bindings;
  const scheduled = upstream?.securitySchemes['oauth'] as unknown as Record<string, unknown>;
  Object.assign(scheduled, metadata ? { metadataUrl: url + path } : { tokenUrl: `${url}/token` });
  const sent = () =>
    opened.requests.filter(({ target }) => target === '/a').map(({ headers }) => headers['authorization']);
  return { ...opened, asked, sent };
}

test('one token serves many calls, and nobody sees it', async () => {
  const { call, asked, sent } = await open();
  const results = await Promise.all([call(), call()]);
  results.push(await call());
  expect(sent()).toEqual(Array(3).fill('Bearer token-number-1'));
  expect(results.map(textOf).join()).not.toContain('token-number');
  const basic = Buffer.from('my+id:s%3Acret-of-it').toString('base64');
  expect(asked.map(({ headers, body }) => [headers['authorization'], body])).toEqual([
    [`Basic ${basic}`, 'grant_type=client_credentials&scope=read'],
  ]);
});

test.each([
  ['HTTP Basic is refused', () => ({ ...json({ error: 'invalid_client' }), status: 401 })],
  ['it is refused in other words', () => ({ ...json({}), status: 400 })],
])('where %s, credentials go in the body', async (_, refuse) => {
  const { call, asked, sent } = await open({
    env: { SCOPES: 'a b' },
    life: 0,
    token: ({ headers }, count) =>
      headers['authorization'] === undefined ? json({ access_token: `t${count}`, expires_in: 0 }) : refuse(),
  });
  await call();
  await call();
  expect(asked.map(({ headers }) => headers['authorization'] !== undefined)).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(asked[1]?.body).toBe(
    'grant_type=client_credentials&scope=a+b&client_id=my+id&client_secret=s%3Acret-of-it',
  );
  expect(sent()).toEqual(['Bearer t2', 'Bearer t4']);
});

test.each<[unknown, number[]]>([
  [90, [1, 1, 2]],
  [20, [1, 2, 3]],
  [undefined, [1, 1, 1]],
])('a token of %s seconds is renewed before its end', async (life, counts) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { call, asked } = await open({
    life,
    ...(life === undefined && { token: () => json({ access_token: 't' }) }),
  });
  const reached: number[] = [];
  for (const later of [0, 59_000, 2_000 + (life === 20 ? 9_000 : 0)]) {
    vi.setSystemTime(Date.now() + later);
    await call();
    reached.push(asked.length);
  }
  expect(reached).toEqual(counts);
});

test('a token that the API refuses is fetched anew, once', async () => {
  const { call, sent } = await open({
    status: ({ headers }) => (headers['authorization'] === 'Bearer token-number-2' ? 200 : 401),
  });
  const results = [await call(), await call()];
  expect(sent()).toEqual(['Bearer token-number-1', 'Bearer token-number-2', 'Bearer token-number-2']);
  expect(results.map(({ isError }) => isError === true)).toEqual([false, false]);
  expect(results.map(textOf).join()).not.toContain('token-number');
});

test.each<[string, World, string]>([
  [
    'refuses',
    {
      token: ({ headers }) => ({
        ...json({ error: 'invalid_client', you: headers['authorization'] }),
        status: 400,
      }),
    },
    'Check ID and SECRET',
  ],
  ['repeats the secret', { token: () => ({ ...json({ error: ENV.SECRET }), status: 400 }) }, '([redacted])'],
  [
    'gives fewer scopes',
    { token: () => ({ ...json({ error: 'invalid_scope' }), status: 400 }) },
    'Check SCOPES',
  ],
  ['is down', { token: () => ({ status: 500 }) }, 'Try again later.'],
])('a token endpoint that %s: the API is not called, and no secret is shown', async (_, world, words) => {
  const { call, sent } = await open(world);
  const result = await call();
  expect([result.isError, sent()]).toEqual([true, []]);
  expect(textOf(result)).toContain(words);
  for (const secret of [ENV.SECRET, Buffer.from('my+id:s%3Acret-of-it').toString('base64')])
    expect(textOf(result)).not.toContain(secret);
});

const OPENID = '/.well-known/openid-configuration';

test.each<[string, (url: string) => object, boolean]>([
  [OPENID, (url) => ({ issuer: url }), true],
  ['/.well-known/oauth-authorization-server/a/b', (url) => ({ issuer: `${url}/a/b` }), true],
  ['/meta.json', (url) => ({ issuer: `${url}/x` }), true],
  ['/meta', (url) => ({ issuer: url, token_endpoint_auth_methods_supported: ['client_secret_post'] }), false],
])('metadata at %s name the token endpoint, and are asked for once', async (path, members, isBasic) => {
  const metadata = (url: string) => ({ token_endpoint: `${url}/token`, ...members(url) });
  const { call, asked, sent } = await open({ path, metadata, life: 0 });
  await call();
  await call();
  expect(asked.map(({ target }) => target)).toEqual([path, '/token', '/token']);
  expect(asked[1]?.headers['authorization'] !== undefined).toBe(isBasic);
  expect(sent()).toHaveLength(2);
});

test.each<[string, string, (url: string) => unknown, string]>([
  [
    'another issuer',
    OPENID,
    (url) => ({ issuer: 'https://evil.test', token_endpoint: `${url}/token` }),
    'another issuer',
  ],
  [
    'another origin',
    '/meta',
    (url) => ({ issuer: 'https://evil.test', token_endpoint: `${url}/token` }),
    'another issuer',
  ],
  ['no endpoint', OPENID, (url) => ({ issuer: url }), 'names no token endpoint'],
  [
    'an endpoint not of HTTP',
    OPENID,
    (url) => ({ issuer: url, token_endpoint: 'ftp://x/t' }),
    'is not https',
  ],
  ['a list', OPENID, () => [], 'was answered by 200'],
])('nothing is sent on the word of metadata with %s', async (_, path, metadata, reason) => {
  const { call, asked, sent } = await open({ path, metadata });
  // The next call asks again.
  const texts = [textOf(await call()), textOf(await call())];
  for (const text of texts) expect(text).toContain(reason);
  expect([asked.map(({ target }) => target), sent()]).toEqual([[path, path], []]);
});

test('a token that is set is sent as it is', async () => {
  const { call, asked, sent } = await open({ env: { TOKEN: 'ready-made' } });
  await call();
  expect([asked, sent()]).toEqual([[], ['Bearer ready-made']]);
});
