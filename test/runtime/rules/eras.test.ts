// Differences of the modern era, row by row, and the era of a message.
import { expect, test } from 'vitest';
import { META } from '../../../templates/runtime/json-rpc.ts';
import { hello } from '../harness.ts';
import { LISTS, metaOf, REQUESTS, subject } from './subject.ts';

const notFound = (method: string) => ({ code: -32601, message: `Unknown method: ${method}` });

test.each<[string, Record<string, unknown>]>([
  ['no capabilities', { [`${META}clientCapabilities`]: undefined }],
  ['capabilities that are a list', { [`${META}clientCapabilities`]: [] }],
  ['a version that is a number', { [`${META}protocolVersion`]: 2026 }],
  ['a version that is null', { [`${META}protocolVersion`]: null }],
])('_meta with %s is refused', async (_, meta) => {
  const { modern, ran } = subject();
  const { error, origin } = await modern(...REQUESTS.call, meta);
  const message = `\`_meta\` must hold the string "${META}protocolVersion" and the object "${META}clientCapabilities".`;
  expect([error, origin, ran()]).toEqual([{ code: -32602, message }, 'metadata', 0]);
});

test('nothing is inferred from earlier requests, nor from a session on the same channel', async () => {
  const { ask, modern, notify, sent } = subject(async ({ client, log }) => {
    await log('error', 'told');
    return `${client.revision} ${JSON.stringify(client.capabilities)} ${client.info?.name ?? 'nobody'}`;
  });
  await ask('initialize', { ...hello('2025-06-18'), capabilities: { roots: {} } });
  await notify('notifications/initialized');
  await modern(...REQUESTS.call, {
    [`${META}clientCapabilities`]: { sampling: {} },
    [`${META}clientInfo`]: { name: 'earlier', version: '1' },
    [`${META}logLevel`]: 'debug',
  });
  expect(sent).toHaveLength(1);
  const { result } = await modern(...REQUESTS.call);
  expect(result).toMatchObject({ content: [{ text: '2026-07-28 {} nobody' }] });
  expect(sent).toHaveLength(1);
  const legacy = await ask(...REQUESTS.call);
  expect(legacy.result).toMatchObject({ content: [{ text: '2025-06-18 {"roots":{}} client' }] });
});

test.each(['2025-11-25', '2026-01-01', '2027-01-01', '', 'newest'])(
  'the version %j is not supported',
  async (requested) => {
    const { modern, ran } = subject();
    const { error, origin } = await modern(...REQUESTS.call, { [`${META}protocolVersion`]: requested });
    const message = `The protocol version ${JSON.stringify(requested)} is not supported.`;
    expect(error).toEqual({ code: -32022, message, data: { supported: ['2026-07-28'], requested } });
    expect([origin, ran()]).toEqual(['version', 0]);
  },
);

test('server/discover says the versions, the capabilities and the instructions', async () => {
  const { modern } = subject(undefined, { instructions: 'Ask first.' });
  const { result } = await modern('server/discover');
  expect(result).toMatchObject({ supportedVersions: ['2026-07-28'], instructions: 'Ask first.' });
  const names = Object.keys((result?.['capabilities'] as object | undefined) ?? {});
  expect(names).toEqual(['tools', 'logging', 'resources', 'prompts', 'completions']);
});

test.each([REQUESTS.call, REQUESTS.prompt, REQUESTS.read])(
  '%s may answer with questions, and sends none',
  async (method, params) => {
    const { modern, sent } = subject(async ({ roots }) => (await roots()).length);
    const { result } = await modern(method, params, { [`${META}clientCapabilities`]: { roots: {} } });
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'ask-1': { method: 'roots/list' } },
      requestState: expect.any(String),
    });
    expect(sent).toEqual([]);
  },
);

test('no other method may', async () => {
  const { modern, sent } = subject(async ({ roots }) => (await roots()).length);
  const { result, error } = await modern(...REQUESTS.complete, {
    [`${META}clientCapabilities`]: { roots: {} },
  });
  expect([result, error?.code, sent]).toEqual([undefined, expect.any(Number), []]);
});

test('a result says its type and who answers', async () => {
  const { modern } = subject();
  for (const [method, params] of [...Object.values(REQUESTS), ...LISTS.map((each) => [each, {}] as const)]) {
    const { result } = await modern(method, params);
    expect(result).toMatchObject({
      resultType: 'complete',
      _meta: { [`${META}serverInfo`]: { name: 'test', version: '1.2.3' } },
    });
  }
});

test('lists, contents and discovery carry caching hints, other results do not', async () => {
  const { modern } = subject();
  const hints = async (method: string, params: object = {}) => {
    const { ttlMs, cacheScope } = (await modern(method, params)).result ?? {};
    return [Number.isInteger(ttlMs) && Number(ttlMs) >= 0, cacheScope];
  };
  for (const method of [...LISTS, 'server/discover']) expect(await hints(method)).toEqual([true, 'public']);
  expect(await hints(...REQUESTS.read)).toEqual([true, 'private']);
  for (const [method, params] of [REQUESTS.call, REQUESTS.prompt, REQUESTS.complete])
    expect(await hints(method, params)).toEqual([false, undefined]);
});

test('what was read with the help of answers is not kept: another client would answer otherwise', async () => {
  const { modern } = subject();
  const [method, params] = REQUESTS.read;
  expect((await modern(method, params)).result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  const answered = (await modern(method, { ...params, inputResponses: {} })).result;
  expect(answered).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
});

test.each([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'tasks/list',
  'tasks/result',
])('%s is gone', async (method) => {
  const { modern } = subject();
  const params = { ...hello('2026-07-28'), level: 'info', uri: 'own://r', taskId: 't' };
  const { error, origin } = await modern(method, params);
  expect([error, origin]).toEqual([notFound(method), 'method']);
});

test('a request that names no version belongs to its session', async () => {
  const { ask, ran } = subject();
  const refused = await ask('tools/call', {
    name: 'x',
    _meta: { [`${META}clientCapabilities`]: {}, progressToken: 1 },
  });
  expect([refused.error?.code, refused.origin, ran()]).toEqual([-32600, 'session', 0]);
  await ask('initialize', hello('2025-11-25'));
  const { result } = await ask('tools/call', { name: 'x', _meta: { [`${META}clientCapabilities`]: {} } });
  expect(result).toEqual({ content: [{ type: 'text', text: 'done' }] });
});

test.each([
  ['2025-03-26', 'Only 2025-03-26 has batches, of 1 to 100 messages that need its session.'],
  ['2025-11-25', 'Only 2025-03-26 has batches, of 1 to 100 messages that need its session.'],
])('a modern request in a batch is refused, in a session of %s too', async (revision, message) => {
  const { ask, send, ran } = subject();
  await ask('initialize', hello(revision));
  const modern = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', _meta: metaOf() } };
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
  expect(await send([ping, modern])).toMatchObject({ error: { code: -32600, message }, origin: 'message' });
  expect(ran()).toBe(0);
});
