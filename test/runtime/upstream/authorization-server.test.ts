import { allFeatures } from '../../../templates/runtime/all-features.ts';
import { expect, test } from 'vitest';
import type { SecuritySchemeBinding } from '../../../templates/runtime/contract/bindings.ts';
import { createUpstreamClient } from '../../../templates/runtime/upstream/upstream-client.ts';
import { defaultUpstreamLimits } from '../../../templates/runtime/contract/feature.ts';
import { httpServer, refusal } from './loopback.ts';

const env = { ID: 'id', SECRET: 'the-secret' };
const get = { kind: 'http' as const, method: 'GET', path: '/api', parameters: [] };

/** An API, its authorization server and its metadata, at one address; `metadata` is told that. */
async function world(path: string, metadata: (url: string) => unknown) {
  const asked: string[] = [];
  const server = await httpServer((request, response) => {
    const body: Buffer[] = [];
    request.on('data', (chunk: Buffer) => body.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      const how = Buffer.concat(body).includes('client_secret=') ? ' body' : '';
      asked.push(`${url}${url === '/t' ? how || ' basic' : ''}`);
      response.writeHead(200, { 'content-type': 'application/json' });
      if (url === path) response.end(JSON.stringify(metadata(server.url)));
      else if (url === '/t') response.end('{"access_token":"issued-token"}');
      else response.end(JSON.stringify({ isRight: headers.authorization === 'Bearer issued-token' }));
    });
  });
  const oidc: SecuritySchemeBinding = {
    type: 'oauth2',
    metadataUrl: `${server.url}${path}`,
    env: { token: 'TOKEN', clientId: 'ID', clientSecret: 'SECRET', scopes: 'SCOPES' },
  };
  const api = { servers: [{ url: server.url }], securitySchemes: { oidc }, security: [{ oidc: [] }] };
  const client = createUpstreamClient(api, {
    features: allFeatures,
    env,
    limits: { ...defaultUpstreamLimits, retryDelayMs: 1 },
  });
  return { server, client, asked };
}

test.each<[string, string, (url: string) => object, string]>([
  ['OpenID Connect', '/.well-known/openid-configuration', (url) => ({ issuer: url }), ' basic'],
  ['a slash at the end', '/a/.well-known/openid-configuration', (url) => ({ issuer: `${url}/a/` }), ' basic'],
  ['RFC 8414', '/.well-known/oauth-authorization-server/a/b', (url) => ({ issuer: `${url}/a/b` }), ' basic'],
  ['an address of no standard', '/meta.json', (url) => ({ issuer: `${url}/x` }), ' basic'],
  [
    'credentials in the body alone',
    '/meta',
    (url) => ({
      issuer: url,
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'],
    }),
    ' body',
  ],
  [
    'either way',
    '/meta',
    (url) => ({
      issuer: url,
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    }),
    ' basic',
  ],
])('the token endpoint is found once: %s', async (_what, path, members, way) => {
  const { server, client, asked } = await world(path, (url) => ({
    token_endpoint: `${url}/t`,
    ...members(url),
  }));
  const together = await Promise.all([client.call(get, {}, {}), client.call(get, {}, {})]);
  await server.close();
  expect(together.map(({ body }) => body)).toEqual(Array(2).fill({ kind: 'json', value: { isRight: true } }));
  expect(asked).toEqual([path, `/t${way}`, '/api', '/api']);
});

const openid = '/.well-known/openid-configuration';

test.each<[string, string, (url: string) => unknown, string]>([
  [
    'another issuer',
    openid,
    (url) => ({ issuer: 'https://evil.test', token_endpoint: `${url}/t` }),
    'of another issuer',
  ],
  [
    'another path',
    openid,
    (url) => ({ issuer: `${url}/a`, token_endpoint: `${url}/t` }),
    'of another issuer',
  ],
  ['no issuer', openid, (url) => ({ token_endpoint: `${url}/t` }), 'of another issuer'],
  [
    'another origin',
    '/meta',
    (url) => ({ issuer: 'https://evil.test', token_endpoint: `${url}/t` }),
    'of another issuer',
  ],
  ['no endpoint', openid, (url) => ({ issuer: url }), 'names no token endpoint'],
  [
    'an endpoint that is no URL',
    openid,
    (url) => ({ issuer: url, token_endpoint: '/t' }),
    'names no token endpoint',
  ],
  [
    'an endpoint not of HTTP',
    openid,
    (url) => ({ issuer: url, token_endpoint: 'ftp://x/t' }),
    'is not https',
  ],
  ['a list', openid, () => [], 'is no JSON object'],
])('nothing is sent on the word of metadata with %s', async (_what, path, metadata, reason) => {
  const { server, client, asked } = await world(path, metadata);
  const error = await refusal(client.call(get, {}, {}));
  // The next call asks again.
  await refusal(client.call(get, {}, {}));
  await server.close();
  expect(error.code).toBe('token');
  expect(error.message).toContain(`${server.url}${path} can't be used: `);
  expect(error.message).toContain(reason);
  expect(asked).toEqual([path, path]);
});

test('metadata at an address that is none', async () => {
  const oidc: SecuritySchemeBinding = {
    type: 'oauth2',
    metadataUrl: '/meta',
    env: { token: 'TOKEN', clientId: 'ID', clientSecret: 'SECRET', scopes: 'SCOPES' },
  };
  const api = {
    servers: [{ url: 'http://127.0.0.1:1' }],
    securitySchemes: { oidc },
    security: [{ oidc: [] }],
  };
  const client = createUpstreamClient(api, { features: allFeatures, env, limits: defaultUpstreamLimits });
  expect((await refusal(client.call(get, {}, {}))).message).toContain('no absolute URL');
});

test.each(['http://127.0.0.1:1/t', 'http://168.63.129.16/t', 'http://inner.localhost:1/t'])(
  'metadata elsewhere name no token endpoint at %s',
  async (endpoint) => {
    const words = /its token endpoint is in the network of this MCP server/;
    const proxy = await httpServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ issuer: 'http://id.example', token_endpoint: endpoint }));
    });
    const oidc: SecuritySchemeBinding = {
      type: 'oauth2',
      metadataUrl: 'http://id.example/.well-known/openid-configuration',
      env: { token: 'TOKEN', clientId: 'ID', clientSecret: 'SECRET', scopes: 'SCOPES' },
    };
    const api = { servers: [{ url: proxy.url }], securitySchemes: { oidc }, security: [{ oidc: [] }] };
    const limits = { ...defaultUpstreamLimits, retryDelayMs: 1 };
    const { call } = createUpstreamClient(api, {
      features: allFeatures,
      env: { ...env, HTTP_PROXY: proxy.url },
      limits,
    });
    const { code, message } = await refusal(call(get, {}, {}));
    expect([code, message]).toEqual(['token', expect.stringMatching(words)]);
    await proxy.close();
  },
);

/** Calls an API whose token endpoint gives no token. */
async function refusedToken(status: (isBasic: boolean) => number, errorOf: (isBasic: boolean) => string) {
  const tried: (string | undefined)[] = [];
  const server = await httpServer(({ headers: { authorization } }, response) => {
    tried.push(authorization?.split(' ')[0]);
    response.writeHead(status(authorization !== undefined));
    response.end(JSON.stringify({ error: errorOf(authorization !== undefined) }));
  });
  const oauth: SecuritySchemeBinding = {
    type: 'oauth2',
    tokenUrl: `${server.url}/t`,
    env: { token: 'TOKEN', clientId: 'ID', clientSecret: 'SECRET', scopes: 'SCOPES' },
  };
  const api = {
    servers: [{ url: server.url }],
    securitySchemes: { oauth },
    security: [{ oauth: ['read'] }],
  };
  const limits = { ...defaultUpstreamLimits, retryDelayMs: 1 };
  const client = createUpstreamClient(api, { features: allFeatures, env, limits });
  const { message } = await refusal(client.call(get, {}, {}));
  await server.close();
  return { message, tried };
}

test('scopes that the token endpoint does not give are named, and no other credentials are tried', async () => {
  const { message, tried } = await refusedToken(
    (isBasic) => (isBasic ? 400 : 401),
    (isBasic) => (isBasic ? 'invalid_scope' : 'invalid_client'),
  );
  expect(message).toMatch(/answered 400 \(invalid_scope\) .* Check SCOPES in the environment/);
  expect(tried).toEqual(['Basic']);
});

test.each([429, 500, 503])('a token endpoint that answers %i is asked again later', async (status) => {
  const { message } = await refusedToken(
    () => status,
    () => 'temporarily_unavailable',
  );
  expect(message).toMatch(/answered \d+ \(temporarily_unavailable\) and gave no token\. Try again later\.$/);
});
