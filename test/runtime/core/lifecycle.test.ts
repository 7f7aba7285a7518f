import { expect, test } from 'vitest';
import { hello, newServer, openServer } from './harness.ts';

test.each([
  ['2024-11-05', '2024-11-05'],
  ['2025-03-26', '2025-03-26'],
  ['2025-06-18', '2025-06-18'],
  ['2025-11-25', '2025-11-25'],
  ['2026-07-28', '2025-11-25'],
  ['1.0', '2025-11-25'],
])('a client that asks for %s is answered with %s', async (asked, answered) => {
  const { result } = await newServer().ask('initialize', hello(asked));
  expect(result).toEqual({
    protocolVersion: answered,
    capabilities: { logging: {} },
    serverInfo: { name: 'test', version: '1.2.3' },
  });
});

test('instructions are said', async () => {
  const { result } = await newServer({ instructions: 'Ask first.' }).ask('initialize', hello('2025-11-25'));
  expect(result?.['instructions']).toBe('Ask first.');
});

test.each([
  ['2024-11-05', ['name', 'version']],
  ['2025-06-18', ['name', 'version', 'title']],
  ['2025-11-25', ['name', 'version', 'title', 'description', 'websiteUrl', 'icons']],
] as const)('%s is told the members of serverInfo that it knows', async (revision, members) => {
  const info = {
    name: 'n',
    version: '1',
    title: 't',
    description: 'd',
    websiteUrl: 'https://a.example',
    icons: [{ src: 'https://a.example/i.png' }],
  };
  const { result } = await newServer({ info }).ask('initialize', hello(revision));
  expect(Object.keys(result?.['serverInfo'] ?? {})).toEqual(members);
});

test('only what the project has is declared', async () => {
  const tool = { name: 'a', inputSchema: { type: 'object' as const } };
  const prompt = { name: 'p', arguments: [{ name: 'x' }] };
  const completion = {
    ref: { kind: 'prompt' as const, name: 'p' },
    argument: 'x',
    from: { kind: 'values' as const, values: ['1'] },
  };
  const declared = async (parts: Parameters<typeof newServer>[0], revision = '2025-11-25') =>
    (await newServer(parts).ask('initialize', hello(revision))).result?.['capabilities'];
  expect(await declared({ catalog: { tools: [tool] } })).toEqual({ tools: {}, logging: {} });
  expect(await declared({ catalog: { resources: [{ uri: 'a:b', name: 'b' }] } })).toEqual({
    resources: {},
    logging: {},
  });
  const prompts = { catalog: { prompts: [prompt] }, bindings: { completions: [completion] } };
  expect(await declared(prompts)).toEqual({ prompts: {}, completions: {}, logging: {} });
  expect(await declared(prompts, '2024-11-05')).toEqual({ prompts: {}, logging: {} });
  expect(await declared({ catalog: { prompts: [prompt] } })).toEqual({ prompts: {}, logging: {} });
});

test.each([
  [{ capabilities: {}, clientInfo: { name: 'c', version: '1' } }, '`protocolVersion` must be a string.'],
  [
    { protocolVersion: '2025-11-25', clientInfo: { name: 'c', version: '1' } },
    '`capabilities` must be an object.',
  ],
  [
    { protocolVersion: '2025-11-25', capabilities: {} },
    '`clientInfo` must be an object with a `name` and a `version`.',
  ],
  [
    { protocolVersion: '2025-11-25', capabilities: [], clientInfo: { name: 'c', version: '1' } },
    '`capabilities` must be an object.',
  ],
])('initialize with unusable parameters is refused, and may be tried again', async (params, message) => {
  const server = newServer();
  expect((await server.ask('initialize', params)).error).toEqual({ code: -32602, message });
  expect((await server.ask('initialize', hello('2025-11-25'))).error).toBeUndefined();
});

test('a second initialize is refused, and the session stays as it was', async () => {
  const server = await openServer({}, '2025-06-18');
  const { error } = await server.ask('initialize', hello('2025-11-25'));
  expect(error).toEqual({ code: -32600, message: 'The session is initialized already.' });
  expect(server.session.agreement?.revision).toBe('2025-06-18');
});

test('of two initializes at a time the second is refused', async () => {
  const server = newServer();
  const [first, second] = await Promise.all([
    server.ask('initialize', hello('2025-06-18')),
    server.ask('initialize', hello('2025-11-25')),
  ]);
  expect(first.error).toBeUndefined();
  expect(second.error?.code).toBe(-32600);
});

test('before initialize only ping is answered', async () => {
  let calls = 0;
  const handler = () => ++calls;
  const server = newServer({
    handlers: { extraTools: [{ name: 'a', inputSchema: { type: 'object' }, handler }] },
  });
  expect((await server.ask('ping')).result).toEqual({});
  for (const [method, params] of [
    ['tools/list', {}],
    ['tools/call', { name: 'a' }],
    ['no/such', {}],
  ] as const) {
    const { error, origin } = await server.ask(method, params);
    expect([error?.code, origin]).toEqual([-32600, 'session']);
    expect(error?.message).toBe('The session is not initialized: `initialize` comes first.');
  }
  expect(calls).toBe(0);
});

test('notifications/initialized before initialize opens nothing', async () => {
  const server = newServer();
  await server.notify('notifications/initialized');
  expect(server.session.ready).toBe(false);
});

test('initialize cannot be cancelled', async () => {
  const server = newServer({ catalog: { prompts: [{ name: 'p' }] } });
  const answer = server.send({ jsonrpc: '2.0', id: 'i', method: 'initialize', params: hello('2025-11-25') });
  await server.notify('notifications/cancelled', { requestId: 'i' });
  expect(await answer).toMatchObject({ id: 'i', result: { protocolVersion: '2025-11-25' } });
});
