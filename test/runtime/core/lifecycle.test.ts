import { expect, test } from 'vitest';
import { hello, newServer } from './harness.ts';

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

test('initialize cannot be cancelled', async () => {
  const server = newServer({ catalog: { prompts: [{ name: 'p' }] } });
  const answer = server.send({ jsonrpc: '2.0', id: 'i', method: 'initialize', params: hello('2025-11-25') });
  await server.notify('notifications/cancelled', { requestId: 'i' });
  expect(await answer).toMatchObject({ id: 'i', result: { protocolVersion: '2025-11-25' } });
});
