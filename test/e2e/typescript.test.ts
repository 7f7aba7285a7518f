/** Annotated functions, from the command line to the official clients. */
import { spawnSync } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startClient } from './support/clients.ts';
import { fixtures, mcpgenHere, node, tsc } from './support/command.ts';
import { folderForTest, linkTypes, temporaryFolder } from './support/project.ts';

let folder: string;
let project: string;
let client: Client;

beforeAll(async () => {
  folder = await temporaryFolder();
  await cp(path.join(fixtures, 'typescript/weather'), folder, { recursive: true });
  const { code, stderr } = await mcpgenHere(['ts', 'src/**/*.ts', 'src/words.js', '-o', 'server'], {
    cwd: folder,
  });
  expect(code, stderr).toBe(0);
  project = path.join(folder, 'server');
  ({ client } = await startClient([path.join(project, 'dist/main.js')]));
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

test('the project builds itself again, and passes its own tests', async () => {
  const copy = path.join(await folderForTest(), 'server');
  await cp(project, copy, { recursive: true });
  await linkTypes(copy);
  const compiled = await tsc(['-p', '.'], { cwd: copy });
  expect(compiled.code, compiled.stdout).toBe(0);
  const tested = await node(['--test'], { cwd: copy });
  expect(tested.code, tested.stdout).toBe(0);
});
