// Headers of the operator, which are secrets: where they go, and where not.
import { allFeatures } from '../../../templates/runtime/all-features.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpBinding, UpstreamBinding } from '../../../templates/runtime/contract/bindings.ts';
import { createUpstreamClient } from '../../../templates/runtime/upstream/upstream-client.ts';
import { defaultUpstreamLimits } from '../../../templates/runtime/contract/feature.ts';
import { listSecrets } from '../../../templates/runtime/redact.ts';
import { type Loopback, headerOf, rawServer, refusal } from './loopback.ts';

const get: HttpBinding = { kind: 'http', method: 'GET', path: '/', parameters: [] };
const SECRETS = 'X-Team: team-secret\nUser-Agent: agent-secret\nAuthorization: Bearer token-secret';

async function server(answer?: Parameters<typeof rawServer>[0]): Promise<Loopback> {
  const opened = await rawServer(answer);
  onTestFinished(() => opened.close());
  return opened;
}

function clientOf(url: string, env: Record<string, string>, api: Partial<UpstreamBinding> = {}) {
  return createUpstreamClient(
    { servers: [{ url }], securitySchemes: {}, ...api },
    { features: allFeatures, env, limits: defaultUpstreamLimits },
  );
}

const redirectTo = (url: string) => `HTTP/1.1 302 Found\r\nlocation: ${url}/b\r\ncontent-length: 0\r\n\r\n`;
const json = (value: unknown) => {
  const body = JSON.stringify(value);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
};

test('a redirect elsewhere takes none along, whatever its name; one to the same origin does', async () => {
  const other = await server();
  const upstream = await server(({ line }) => redirectTo(line.includes('/b') ? other.url : ''));
  await clientOf(upstream.url, { API_HEADERS: SECRETS }).call(get, {}, {});
  expect(upstream.requests.map((one) => headerOf(one, 'X-Team'))).toEqual(['team-secret', 'team-secret']);
  expect(other.requests).toHaveLength(1);
  expect(other.requests[0]?.headers.join('\n')).not.toContain('-secret');
});

test('a token endpoint gets none', async () => {
  const issuer = await server(() => json({ access_token: 'issued', token_type: 'Bearer' }));
  const upstream = await server();
  const env = { token: 'T', clientId: 'I', clientSecret: 'S', scopes: 'C' };
  const securitySchemes = { oauth: { type: 'oauth2' as const, tokenUrl: `${issuer.url}/token`, env } };
  const given = { I: 'id', S: 'client-word', API_HEADERS: SECRETS };
  const client = clientOf(upstream.url, given, { securitySchemes });
  await client.call({ ...get, security: [{ oauth: [] }] }, {}, {});
  expect(issuer.requests).toHaveLength(1);
  expect(JSON.stringify(issuer.requests)).not.toContain('-secret');
  expect(headerOf(upstream.requests[0], 'Authorization')).toBe('Bearer issued');
  expect(headerOf(upstream.requests[0], 'X-Team')).toBe('team-secret');
});

test('a server of an operation alone gets those of its own variable', async () => {
  const [own, upstream] = [await server(), await server()];
  const host = new URL(own.url).host.replace(/\W/g, '_');
  const env = { API_HEADERS: 'X-Team: team-secret', [`API_HEADERS_${host}`]: 'X-Other: other-secret' };
  const client = clientOf(upstream.url, env, { headers: { 'X-Fixed': 'a' } });
  await client.call({ ...get, servers: [{ url: own.url }] }, {}, {});
  await client.call({ ...get, servers: [{ url: `${upstream.url}/v2` }] }, {}, {});
  const sent = [own, upstream].map(({ requests: [request] }) =>
    ['X-Team', 'X-Other', 'X-Fixed'].map((name) => headerOf(request, name)),
  );
  expect(sent).toEqual([
    [undefined, 'other-secret', undefined],
    ['team-secret', undefined, 'a'],
  ]);
});

test('each API among several has its own', async () => {
  const upstream = await server();
  const env = { API_HEADERS: 'X-A: all', API_HEADERS_CATS: 'X-B: cats', API_HEADERS_DOGS: 'X-C: dogs' };
  await clientOf(upstream.url, env, { name: 'CATS' }).call(get, {}, {});
  expect(['X-A', 'X-B', 'X-C'].map((name) => headerOf(upstream.requests[0], name))).toEqual([
    undefined,
    'cats',
    undefined,
  ]);
});

test('headers of the configuration are filled from the environment, and API_HEADERS replaces them', async () => {
  const upstream = await server();
  const headers = { 'X-A': 'a $${b}', 'X-B': 'Token ${WORD}', 'X-C': '${GONE}', 'X-D': 'old' };
  const env = { WORD: 'word-secret', API_HEADERS: 'x-d: new' };
  const { code, message } = await refusal(clientOf(upstream.url, env, { headers }).call(get, {}, {}));
  expect([code, message]).toEqual(['credentials', expect.stringContaining('In its environment set GONE,')]);
  await clientOf(upstream.url, { ...env, API_CREDENTIALS: 'optional' }, { headers }).call(get, {}, {});
  expect(['X-A', 'X-B', 'X-C', 'X-D'].map((name) => headerOf(upstream.requests[0], name))).toEqual([
    'a ${b}',
    'Token word-secret',
    undefined,
    'new',
  ]);
});

test('a variable with a line break is refused by its name', async () => {
  const upstream = await server();
  const client = clientOf(
    upstream.url,
    { WORD: 'word-secret\r\nX-Evil: 1' },
    { headers: { 'X-A': '${WORD}' } },
  );
  const { message } = await refusal(client.call(get, {}, {}));
  expect(message).toContain('The header X-A of WORD');
  expect(message).not.toContain('word-secret');
  expect(upstream.requests).toHaveLength(0);
});

test.each([
  ['a value', 'X-Team: team-secret', 'team-secret'],
  ['a token without its scheme', 'Authorization: Bearer token-secret', 'token-secret'],
  ['the password of Basic', `Authorization: Basic ${btoa('ada:pass-secret')}`, 'pass-secret'],
])('an answer does not show it: %s', async (_what, given, secret) => {
  const upstream = await server(() => json({ seen: secret }));
  const { body } = await clientOf(upstream.url, { API_HEADERS: given }).call(get, {}, {});
  expect(body).toMatchObject({ value: { seen: '[redacted]' } });
});

test('logs do not show them either', () => {
  const env = {
    API_HEADERS: 'X-A: one-secret\\nAuthorization: Bearer two-secret',
    API_HEADERS_CATS: '{"X-B":"cat"}',
  };
  expect(listSecrets(env)).toEqual([
    'one-secret',
    'one-secret',
    'Bearer two-secret',
    'two-secret',
    'cat',
    'cat',
  ]);
  expect(listSecrets({ API_HEADERS: 'no header at all' })).toEqual(['no header at all']);
});

test('the password of a URL in the environment is a secret, as it is and decoded', () => {
  const env = {
    DATABASE_URL: 'postgres://ada:pass%2Dword@db.example/shop',
    SHOP_URL: 'https://shop.example/a:b@c',
    PLAIN: 'https://ada@shop.example',
  };
  expect(listSecrets(env)).toEqual(['pass%2Dword', 'pass-word']);
});
