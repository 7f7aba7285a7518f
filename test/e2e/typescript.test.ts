/** Annotated functions, from the command line to the official clients. */
import { spawnSync } from 'node:child_process';
import { cp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judged } from '../support/conversation.ts';
import { fixtures, mcpgen, mcpgenHere, node, tsc } from './support/command.ts';
import { folderForTest, linkTypes, temporaryFolder } from './support/project.ts';

let folder: string;
let project: string;
const client = new Client({ name: 'mcpgen-tests', version: '1.0.0' });

beforeAll(async () => {
  folder = await temporaryFolder();
  await cp(path.join(fixtures, 'typescript/weather'), folder, { recursive: true });
  const { code, stderr } = await mcpgen(['ts', 'src/**/*.ts', 'src/words.js', '-o', 'server'], {
    cwd: folder,
  });
  expect(code, stderr).toBe(0);
  project = path.join(folder, 'server');
  const args = [path.join(project, 'dist/main.js')];
  await client.connect(
    judged(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' })),
  );
});

afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true, force: true });
});

interface Call {
  name: string;
  args?: Record<string, unknown>;
  want: Record<string, unknown>;
}

test.each<Call>([
  {
    name: 'get_forecast',
    args: { city: 'Bern', days: 1 },
    want: {
      structuredContent: { city: 'Bern', days: [{ date: '2026-01-01T00:00:00.000Z', high: 20, unit: 'C' }] },
    },
  },
  {
    name: 'get_forecast',
    args: { city: 'Atlantis' },
    want: { isError: true, content: [{ type: 'text', text: 'There is no forecast for Atlantis.' }] },
  },
  {
    name: 'broken',
    want: {
      isError: true,
      content: [{ type: 'text', text: 'broken failed. The log of the server says why.' }],
    },
  },
  { name: 'warmUp', args: { steps: 2 }, want: { structuredContent: { steps: 2 } } },
  { name: 'to_celsius', args: { fahrenheit: 50 }, want: { structuredContent: { result: 10 } } },
  {
    name: 'add_note',
    args: { text: 'Pay', due: '2026-03-01T00:00:00Z', tags: ['a', 'b'] },
    want: { structuredContent: { result: ['Pay (2026) a,b'] } },
  },
  {
    name: 'add_note',
    args: { text: 'Rest' },
    want: { structuredContent: { result: ['Pay (2026) a,b', 'Rest (some day) '] } },
  },
  {
    name: 'add_note',
    args: { text: 'Pay', due: '2026-02-31T00:00:00Z' },
    want: { isError: true },
  },
  { name: 'draw_logo', want: { content: [{ type: 'image', data: 'iVBORw==', mimeType: 'image/png' }] } },
  {
    name: 'join',
    args: { first: 'a', others: ['b', 'c'] },
    want: { content: [{ type: 'text', text: 'a b c' }], structuredContent: { result: 'a b c' } },
  },
])('$name of $args', async ({ name, args = {}, want }) => {
  expect(await client.callTool({ name, arguments: args })).toMatchObject(want);
});

test('what is yielded is progress', () => {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const call = { name: 'warmUp', arguments: { steps: 2 }, _meta: { progressToken: 'mine' } };
  const messages = [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: call },
  ];
  const input = messages.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`).join('');
  const { stdout } = spawnSync(process.execPath, [path.join(project, 'dist/main.js')], {
    input,
    encoding: 'utf8',
  });
  const told = stdout.split('\n').filter((line) => line.includes('notifications/progress'));
  const progress = told.map((line) => (JSON.parse(line) as { params: unknown }).params);
  expect(progress).toEqual([
    { progressToken: 'mine', progress: 1, message: 'step 1' },
    { progressToken: 'mine', progress: 2, message: 'step 2' },
  ]);
});

test.each([
  { uri: 'weather://stations', text: '[{"id":1,"name":"Jungfraujoch"}]' },
  { uri: 'weather://stations/1?unit=C', text: '{"id":1,"name":"Jungfraujoch"}' },
  { uri: 'weather://logo', blob: 'iVBORw==', mimeType: 'image/png' },
])('$uri is read', async (want) => {
  const { contents } = await client.readResource({ uri: want.uri });
  expect(contents).toMatchObject([want]);
});

test.each([
  { uri: 'weather://stations/2', words: /Resource not found/ },
  { uri: 'weather://stations/one', words: /`id` must be a number/ },
  { uri: 'weather://stations/1?unit=K', words: /`unit` must be one of "C" or "F"/ },
])('$uri is refused', async ({ uri, words }) => {
  await expect(client.readResource({ uri })).rejects.toThrow(words);
});

test('a prompt is made of its arguments, parsed, and completes them', async () => {
  const args = { city: 'Bern', season: 'winter', days: '4' };
  const { messages } = await client.getPrompt({ name: 'plan_trip', arguments: args });
  expect(messages).toEqual([
    { role: 'user', content: { type: 'text', text: 'Plan 4 days in Bern, in winter.' } },
  ]);
  const refused = client.getPrompt({ name: 'plan_trip', arguments: { ...args, season: 'spring' } });
  await expect(refused).rejects.toThrow(/`season` must be one of/);
  const ref = { type: 'ref/prompt' as const, name: 'plan_trip' };
  const city = await client.complete({ ref, argument: { name: 'city', value: 'Ber' } });
  expect(city.completion.values).toEqual(['Bern', 'Berlin']);
  const season = await client.complete({ ref, argument: { name: 'season', value: '' } });
  expect(season.completion.values).toEqual(['summer', 'winter']);
});

test('the project builds itself again, and passes its own tests', async () => {
  const copy = path.join(await folderForTest(), 'server');
  await cp(project, copy, { recursive: true });
  await linkTypes(copy);
  const compiled = await tsc(['-p', '.'], { cwd: copy });
  expect(compiled.code, compiled.stdout).toBe(0);
  const tested = await node(['--test', 'dist/test/server.test.js'], { cwd: copy });
  expect(tested.code, tested.stdout).toBe(0);
});

test('a change in the source is stale until it is compiled again', async () => {
  const copy = await folderForTest();
  await cp(folder, copy, { recursive: true });
  const file = path.join(copy, 'src/lib/units.ts');
  await writeFile(
    file,
    'export enum Unit {\n  celsius = "C",\n}\nexport const celsius = (given: number): number => given;\n',
  );
  expect(await mcpgenHere(['check', 'server'], { cwd: copy })).toMatchObject({ code: 1 });
  expect(await mcpgenHere(['generate', 'server'], { cwd: copy })).toMatchObject({ code: 0 });
  expect(await mcpgenHere(['check', 'server'], { cwd: copy })).toMatchObject({ code: 0 });
});
