import { allFeatures } from '../../../templates/runtime/all-features.ts';
import { expect, test } from 'vitest';
import type { HttpBinding, UpstreamBinding } from '../../../templates/runtime/contract/bindings.ts';
import { createUpstreamClient } from '../../../templates/runtime/upstream/upstream-client.ts';
import { defaultUpstreamLimits } from '../../../templates/runtime/contract/feature.ts';
import { headerOf, rawServer, refusal } from './loopback.ts';

const api: Omit<UpstreamBinding, 'servers'> = {
  securitySchemes: {
    key: { type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'API_KEY_KEY' } },
    query: { type: 'apiKey', in: 'query', name: 'x-key', env: { key: 'API_KEY_QUERY' } },
  },
};
const get: HttpBinding = {
  kind: 'http',
  method: 'GET',
  path: '/',
  parameters: [{ argument: 'tenant', name: 'X-Tenant', in: 'header' }],
};

function clientOf(url: string, env: Record<string, string>) {
  return createUpstreamClient(
    { ...api, servers: [{ url }] },
    { features: allFeatures, env, limits: defaultUpstreamLimits },
  );
}

type Row = [
  string,
  {
    args?: Record<string, unknown>;
    env?: Record<string, string>;
    headers?: [string, string][];
    security?: string;
  },
  Record<string, string | undefined>,
];

test.each<Row>([
  ['nothing came', {}, { 'X-Tenant': undefined, 'X-Key': undefined }],
  ['it goes on', { headers: [['x-tenant', 'a b']] }, { 'X-Tenant': 'a b' }],
  ['an argument alone', { args: { tenant: 'mine' } }, { 'X-Tenant': 'mine' }],
  [
    'it replaces an argument',
    { args: { tenant: 'mine' }, headers: [['x-tenant', 'a']] },
    { 'X-Tenant': 'a' },
  ],
  ['the server’s key', { env: { API_KEY_KEY: 'ours' }, security: 'key' }, { 'X-Key': 'ours' }],
  ['the caller’s key', { headers: [['x-key', 'theirs']], security: 'key' }, { 'X-Key': 'theirs' }],
  [
    'the caller’s key before the server’s',
    { env: { API_KEY_KEY: 'ours' }, headers: [['x-key', 'theirs']], security: 'key' },
    { 'X-Key': 'theirs' },
  ],
])('a header that is let through: %s', async (_what, { args = {}, env = {}, headers, security }, want) => {
  const upstream = await rawServer();
  const binding = { ...get, ...(security === undefined ? {} : { security: [{ [security]: [] }] }) };
  await clientOf(upstream.url, env).call(binding, args, { headers });
  await upstream.close();
  const [request] = upstream.requests;
  expect(Object.fromEntries(Object.keys(want).map((name) => [name, headerOf(request, name)]))).toEqual(want);
});

test('it is no credential of another place, and a key that came is shown to nobody', async () => {
  const upstream = await rawServer(() => {
    const body = 'seen: their-secret-key';
    return `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  });
  const client = clientOf(upstream.url, {});
  const headers: [string, string][] = [['x-key', 'their-secret-key']];
  const error = await refusal(client.call({ ...get, security: [{ query: [] }] }, {}, { headers }));
  expect(error.code).toBe('credentials');
  const { body } = await client.call({ ...get, security: [{ key: [] }] }, {}, { headers });
  await upstream.close();
  expect(body).toEqual({ kind: 'text', text: 'seen: [redacted]' });
});

test('a redirect to another origin takes none along', async () => {
  const other = await rawServer();
  const upstream = await rawServer(
    () => `HTTP/1.1 302 Found\r\nlocation: ${other.url}/\r\ncontent-length: 0\r\n\r\n`,
  );
  await clientOf(upstream.url, {}).call(get, {}, { headers: [['x-tenant', 'a']] });
  await Promise.all([upstream.close(), other.close()]);
  expect(headerOf(other.requests[0], 'X-Tenant')).toBeUndefined();
  expect(other.requests).toHaveLength(1);
});
