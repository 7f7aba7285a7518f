import { expect, test, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../../../templates/runtime/contract/feature.ts';
import { createServer } from '../../../templates/runtime/core/server-instance.ts';
import * as oauth from '../../../templates/runtime/oauth/index.ts';
import { hello, newCatalog, newServer } from './harness.ts';

test('a module is loaded once, not by each call', async () => {
  const load = vi.fn(() => Promise.resolve(oauth));
  const { features, functions, auth } = createServer({
    definition: {
      info: { name: 'test', version: '1' },
      features: { api: load },
      functions: { modules: {}, runtime: load },
      auth: { runtime: load },
    },
    catalog: newCatalog({}),
    readBindings: () => '{}',
    env: {},
    limits: DEFAULT_LIMITS,
    report: vi.fn(),
  });
  for (const each of [features.api, functions?.runtime, auth?.runtime]) {
    await each?.();
    await each?.();
  }
  expect(load).toHaveBeenCalledTimes(3);
});

test('instructions are said', async () => {
  const { result } = await newServer({ instructions: 'Ask first.' }).ask('initialize', hello('2025-11-25'));
  expect(result?.['instructions']).toBe('Ask first.');
});

test.each([
  [undefined, /^Where a tool takes bytes .* file:<path> names a file/],
  ['Ask first.', /^Ask first\.\n\nWhere a tool takes bytes/],
])('of a files folder clients are told, beside the instructions %j', async (instructions, want) => {
  const parts = { filesRoot: '/files', ...(instructions === undefined ? {} : { instructions }) };
  const { result } = await newServer(parts).ask('initialize', hello('2025-11-25'));
  expect(result?.['instructions']).toMatch(want);
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
