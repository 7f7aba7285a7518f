// Heads of requests that are accepted, and heads of answers.
import { expect, test } from 'vitest';
import { call, start } from './http-harness.ts';

const lock = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

test.each<[string, string, string, number]>([
  ['an answer', 'POST', '/mcp', 200],
  ['a refusal', 'POST', '/elsewhere', 404],
  ['the probe', 'GET', '/healthz', 200],
])('%s is data, and not to be kept', async (_, method, path, want) => {
  const { send, open } = await start();
  const types = { 'content-type': 'application/json', accept: '*/*' };
  const body = method === 'POST' ? JSON.stringify(call) : undefined;
  const { status, headers } = await send(method, path, { ...(await open()), ...types }, body);
  expect(status).toBe(want);
  expect(headers).toMatchObject(lock);
});

test('so is a stream', async () => {
  const { listen, open } = await start();
  const { headers } = await listen(await open());
  expect(headers).toMatchObject({ ...lock, 'cache-control': 'no-store, no-transform' });
});

test('a page of an allowed origin reads what it needs, and no other', async () => {
  const { send } = await start({ rules: { host: '0.0.0.0', allowedOrigins: ['https://app.example'] } });
  const read = async (origin?: string) => (await send('GET', '/mcp', { origin })).headers;
  expect(await read('https://app.example')).toMatchObject({
    'access-control-allow-origin': 'https://app.example',
    'access-control-expose-headers':
      'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, DPoP-Nonce, Retry-After',
    vary: 'Origin',
  });
  for (const origin of ['https://evil.example', 'null', undefined])
    expect((await read(origin))['access-control-allow-origin']).toBeUndefined();
});

test.each([
  ['', []],
  ['mcp-param-region, X-Other,, mcp-param-a b', ['mcp-param-region', 'X-Other']],
])('a preflight that asks for %j is allowed those beside the usual', async (asked, want) => {
  const { send } = await start();
  const { headers } = await send('OPTIONS', '/mcp', {
    origin: 'http://localhost:1',
    'access-control-request-headers': asked,
  });
  const usual = [
    ...['Accept', 'Authorization', 'Content-Type', 'DPoP', 'Last-Event-ID', 'Mcp-Method', 'Mcp-Name'],
    ...['MCP-Protocol-Version', 'Mcp-Session-Id'],
  ];
  expect(String(headers['access-control-allow-headers']).split(', ')).toEqual([...usual, ...want]);
});

test('a foreign page is granted no header', async () => {
  const { send } = await start();
  const asked = { origin: 'https://evil.example', 'access-control-request-headers': 'x-other' };
  const { status, headers } = await send('OPTIONS', '/mcp', asked);
  expect([status, headers['access-control-allow-headers']]).toEqual([403, undefined]);
});

test.each([
  [-1, 404],
  [0, 404],
  [1, 414],
])('`targetBytes`: %i more are %i', async (more, want) => {
  const { send, limits } = await start({ limits: { targetBytes: 100 } });
  expect((await send('GET', `/${'x'.repeat(limits.targetBytes - 1 + more)}`, {})).status).toBe(want);
});

test.each([
  [2_500, 404],
  [4_096, 431],
])('`headerBytes`: fields of %i bytes are %i', async (bytes, want) => {
  const { send } = await start({ limits: { headerBytes: 4_096 } });
  expect((await send('GET', '/x', { 'x-long': 'x'.repeat(bytes) })).status).toBe(want);
});
