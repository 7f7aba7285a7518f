import { expect, test } from 'vitest';
import { hello, newServer } from './harness.ts';

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
