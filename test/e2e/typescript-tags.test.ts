/** Tags of functions and arguments, as a running server lists them. */
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startClient } from './support/clients.ts';
import { fixtures, mcpgenHere } from './support/command.ts';
import { temporaryFolder } from './support/project.ts';

let folder: string;
let client: Client;

beforeAll(async () => {
  folder = await temporaryFolder();
  await cp(path.join(fixtures, 'typescript/tags'), folder, { recursive: true });
  const { code, stderr } = await mcpgenHere(['ts', 'src/*.ts', '-o', 'server', '--strict'], { cwd: folder });
  expect(code, stderr).toBe(0);
  ({ client } = await startClient([path.join(folder, 'server/dist/main.js')]));
});

afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true, force: true });
});

test.each([
  { name: 'loans', args: {}, want: '2026 20 2' },
  { name: 'loans', args: { since: '2020-01-01T00:00:00Z', page: { size: 1 } }, want: '2020 1 2' },
  { name: 'prolong', args: { id: 7 }, want: '7 by 14' },
  { name: 'prolong', args: { id: 7, days: 1 }, want: '7 by 1' },
  { name: 'put_book', args: { title: 'Emma' }, want: 'Novels: Emma' },
  { name: 'put_book', args: { title: 'Persuasion' }, want: 'Novels: Emma, Persuasion' },
  { name: 'count_on', args: { by: 2 }, want: 42 },
  { name: 'stamp', args: {}, want: 1 },
  { name: 'stamp', args: {}, want: 2 },
])('$name of $args', async ({ name, args, want }) => {
  expect(await client.callTool({ name, arguments: args })).toMatchObject({
    structuredContent: { result: want },
  });
});

test('an argument of a prompt that is left out arrives as its default', async () => {
  const { messages } = await client.getPrompt({ name: 'remind', arguments: { name: 'Ada' } });
  expect(messages).toMatchObject([{ content: { text: 'Remind Ada, 2 weeks late.' } }]);
});

test('what is deprecated says so first', async () => {
  const { tools } = await client.listTools();
  const { resources } = await client.listResources();
  const { prompts } = await client.listPrompts();
  const descriptions = [...tools, ...resources, ...prompts].map(({ description }) => description ?? '');
  expect(descriptions.filter((each) => each.startsWith('Deprecated'))).toEqual([
    'Deprecated: Use stamp. Old.',
    'Deprecated: Read the book. The rules.',
    'Deprecated.',
  ]);
});
