// Public metadata of a server that asks for tokens, and refusals that point there.
import { expect, test } from 'vitest';
import { type GuardedOptions, startGuarded } from './guarded.ts';
import { AUDIENCE, startIssuer } from './issuer.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

test.each([WELL_KNOWN, `${WELL_KNOWN}/mcp`])('%s', async (path) => {
  const issuer = await startIssuer();
  const env = { MCP_AUTH_ISSUER: `${issuer.url},https://other.test` };
  const { send } = await startGuarded(issuer, {
    env,
    auth: { scopes: ['base', 'offline_access'] },
    scopes: ['read', 'base'],
  });
  const { status, headers, json } = await send('GET', path, {});
  expect([status, headers['content-type']]).toEqual([200, 'application/json']);
  expect(json).toEqual({
    resource: AUDIENCE,
    authorization_servers: [issuer.url, 'https://other.test'],
    scopes_supported: ['base', 'read'],
    bearer_methods_supported: ['header'],
    resource_name: 'A test',
  });
});

test.each<[string, Record<string, string>, string, string]>([
  ['a path', { MCP_AUTH_AUDIENCE: 'https://a.test/x/mcp' }, 'https://a.test/x/mcp', '/x/mcp'],
  ['an origin', { MCP_AUTH_AUDIENCE: 'https://a.test' }, 'https://a.test', ''],
  [
    'a name',
    { MCP_AUTH_AUDIENCE: 'api://mcp', MCP_AUTH_RESOURCE: 'https://a.test/mcp' },
    'https://a.test/mcp',
    '/mcp',
  ],
])('an audience that is %s', async (_, env, resource, suffix) => {
  const issuer = await startIssuer();
  const { send, post } = await startGuarded(issuer, { env });
  const { json } = await send('GET', `${WELL_KNOWN}${suffix}`, {});
  expect(json).toMatchObject({ resource });
  const { headers } = await post({});
  expect(headers['www-authenticate']).toBe(
    `Bearer scope="read write", resource_metadata="https://a.test${WELL_KNOWN}${suffix}"`,
  );
});

const MANY = Array.from({ length: 200 }, (_, index) => `scope:number-${index}`);

test.each<[string, GuardedOptions, string]>([
  ['those of every request', { auth: { scopes: ['base', 'more'] } }, 'scope="base more", '],
  ['those of all items, where none is of every request', {}, 'scope="read write", '],
  ['none that is for issuers alone', { auth: { scopes: ['base', 'offline_access'] } }, 'scope="base", '],
  ['none that a header can not hold', { scopes: ['ok', 'a"b', 'line\r\nbreak', 'ünicode'] }, 'scope="ok", '],
  ['none where they are too many for a header', { scopes: MANY }, ''],
])('the first refusal names %s, and a `Host` changes nothing in it', async (_, options, words) => {
  const issuer = await startIssuer();
  const { post, send } = await startGuarded(issuer, options);
  const { headers } = await post({}, { host: 'localhost:1' });
  expect(headers['www-authenticate']).toBe(
    `Bearer ${words}resource_metadata="https://mcp.test${WELL_KNOWN}/mcp"`,
  );
  if (options.scopes === MANY) {
    const { json } = await send('GET', WELL_KNOWN, {});
    expect(json).toMatchObject({ scopes_supported: MANY });
  }
});

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } };

test('a refusal for want of scopes names all at once, and those that the token had', async () => {
  const issuer = await startIssuer();
  const { post, withToken, counted } = await startGuarded(issuer, {
    auth: { scopes: ['base'] },
    tool: { scopes: ['write', 'delete'] },
    scopes: ['read', 'write', 'delete'],
  });
  const none = await withToken(await issuer.token({ scope: 'read' }));
  expect(none.status).toBe(403);
  expect(none.headers['www-authenticate']).toContain('error="insufficient_scope"');
  expect(none.headers['www-authenticate']).toContain('scope="base read"');
  const token = await issuer.token({ scope: 'base read profile' });
  const { headers } = await withToken(token);
  const session = { 'mcp-session-id': String(headers['mcp-session-id']), authorization: `Bearer ${token}` };
  const lacking = await post(call, session);
  expect([lacking.status, counted.calls]).toEqual([403, 0]);
  expect(lacking.headers['www-authenticate']).toContain('scope="base write delete read"');
  expect(lacking.json.error?.code).toBe(-32600);
  const all = `Bearer ${await issuer.token({ scope: 'base write delete' })}`;
  expect((await post(call, { ...session, authorization: all })).status).toBe(200);
});

const CORS = 'access-control-allow-';

test.each(['http://localhost:5173', 'https://inspector.test', 'null'])(
  'a page of %s reads the metadata, and nothing comes of its credentials',
  async (origin) => {
    const issuer = await startIssuer();
    const { send, counted } = await startGuarded(issuer);
    for (const path of [WELL_KNOWN, `${WELL_KNOWN}/mcp`]) {
      const { status, headers } = await send('GET', path, { origin });
      expect([status, headers[`${CORS}origin`]]).toEqual([200, '*']);
      const asked = await send('OPTIONS', path, { origin, 'access-control-request-method': 'GET' });
      expect([asked.status, asked.headers[`${CORS}origin`]]).toEqual([204, '*']);
      expect(asked.headers[`${CORS}methods`]).toContain('GET');
      expect([headers[`${CORS}credentials`], asked.headers[`${CORS}credentials`]]).toEqual([
        undefined,
        undefined,
      ]);
    }
    expect((await send('POST', WELL_KNOWN, { origin })).status).toBe(405);
    expect(counted.calls).toBe(0);
  },
);

test('the endpoint is read by pages of allowed origins alone, and metadata by the names that are ours', async () => {
  const issuer = await startIssuer();
  const { send } = await startGuarded(issuer);
  const origin = 'http://localhost:5173';
  const own = await send('POST', '/mcp', { origin });
  expect([own.status, own.headers[`${CORS}origin`]]).toEqual([401, origin]);
  expect(own.headers['access-control-expose-headers']).toContain('WWW-Authenticate');
  for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
    const foreign = await send(method, '/mcp', { origin: 'https://evil.test' });
    expect([foreign.status, foreign.headers[`${CORS}origin`]]).toEqual([403, undefined]);
  }
  expect((await send('GET', WELL_KNOWN, { host: 'evil.test' })).status).toBe(403);
});
