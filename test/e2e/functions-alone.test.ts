/** A server of functions alone: nothing that it says is about an API, and with `--mock` none of them runs. */
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startClient, type StartedClient } from './support/clients.ts';
import { mcpgenHere, node } from './support/command.ts';
import { linkTypes, temporaryFolder } from './support/project.ts';
import { layOut, main } from './support/watched.ts';

const FILES = {
  'tsconfig.json':
    '{ "compilerOptions": { "module": "nodenext", "target": "es2023", "strict": true, "types": ["node"] } }',
  'package.json': '{ "name": "notes", "version": "1.0.0", "type": "module" }',
  'src/tidy.txt': 'the real prompt',
  'src/notes.ts': `
import { readFileSync } from 'node:fs';
import type { ServerHandle } from 'mcpgen/runtime';

console.error('the module runs');

interface Note {
  id: number;
  /** @minLength 3 */
  text: string;
  kind: 'short' | 'long';
}

/** @tool */
export function readNote(id: number): Note {
  return { id, text: 'the real one', kind: 'long' };
}

/** @tool */
export const countNotes = (): number => -1;

/** @tool @task optional */
export function writeNote(text: string): void {
  console.error(text);
}

/** @resource notes://all */
export const all = (): Note[] => [readNote(1)];

/** @resource notes://{id} */
export const one = (id: string): string => 'the real ' + id;

/** @resource notes://cover @mimeType image/png */
export const cover = (): Uint8Array => new Uint8Array([1]);

/** @list one */
export const ids = (): string[] => ['notes://1'];

/** @complete one.id */
export const complete = (): string[] => ['1'];

/** @prompt tidy */
export const tidy = (): string => readFileSync(new URL('./tidy.txt', import.meta.url), 'utf8');

/** @started */
export function begin(server: ServerHandle): () => void {
  console.error('begun with', Object.keys(server).length > 0);
  return () => console.error('ended');
}
`,
};

let folder: string;
const program = (): string => path.join(folder, 'server/dist/main.js');

beforeAll(async () => {
  folder = await temporaryFolder();
  await layOut(folder, FILES);
  await linkTypes(folder);
  const compiled = await mcpgenHere(
    ['ts', 'src/*.ts', '-o', 'server', '--publish', 'registry', '--publish', 'mcpb', '--feature', 'mock'],
    { cwd: folder },
  );
  expect(compiled.code, compiled.stderr).toBe(0);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const connected = (args: string[]): Promise<StartedClient> => startClient(args, { cwd: folder });

const INSTEAD =
  'This stands for what a function returns: the server was started with --mock, and calls none.';

test.each([
  { name: 'a project', args: () => [program(), '--mock'] },
  { name: 'serve', args: () => [main, 'serve', 'src/notes.ts', '--quiet', '--mock'] },
])('--mock calls no function: $name', async ({ args }) => {
  const { client, said } = await connected(args());
  const note = await client.callTool({ name: 'readNote', arguments: { id: 7 } });
  expect(note.structuredContent).toEqual({ id: expect.any(Number), text: 'sample', kind: 'short' });
  expect(note.content).toEqual([{ type: 'text', text: JSON.stringify(note.structuredContent) }]);
  const count = await client.callTool({ name: 'countNotes' });
  expect(count.structuredContent).toEqual({ result: expect.any(Number) });
  const written = await client.callTool({ name: 'writeNote', arguments: { text: 'x' } });
  expect(written).toEqual({ content: [{ type: 'text', text: 'Done.' }] });
  const refused = await client.callTool({ name: 'readNote', arguments: { id: 'seven' } });
  expect(refused.isError).toBe(true);
  const { contents } = await client.readResource({ uri: 'notes://all' });
  expect(contents).toEqual([
    {
      uri: 'notes://all',
      mimeType: 'application/json',
      text: expect.stringMatching(/^\[\{"id":\d+,"text":"sample"/),
    },
  ]);
  const cover = { uri: 'notes://cover', mimeType: 'image/png', blob: expect.stringMatching(/^iVBOR/) };
  expect((await client.readResource({ uri: 'notes://cover' })).contents).toEqual([cover]);
  expect((await client.readResource({ uri: 'notes://1' })).contents).toMatchObject([{ text: INSTEAD }]);
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
    'notes://all',
    'notes://cover',
  ]);
  const ref = { type: 'ref/resource' as const, uri: 'notes://{id}' };
  const { completion } = await client.complete({ ref, argument: { name: 'id', value: '' } });
  expect(completion.values).toEqual([]);
  const { messages } = await client.getPrompt({ name: 'tidy' });
  expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: INSTEAD } }]);
  await client.close();
  expect(said()).toMatch(
    /^notes-mcp: (?:No API and no function is called \(--mock\)|callers: anyone .*mock: on, nothing is called).*\n$/,
  );
});

test('--help and the files of a project name nothing that only an API heeds', async () => {
  const help = await node([program(), '--help'], { cwd: folder });
  const read = (name: string): Promise<string> => readFile(path.join(folder, 'server', name), 'utf8');
  const texts = [
    help.stdout,
    ...(await Promise.all(['README.md', '.env.example', 'server.json', 'manifest.json'].map(read))),
  ];
  for (const text of texts) {
    expect(text).not.toMatch(/API_|PASS_HEADERS|FILES_ROOT|PROXY|EXTRA_CA|--(pass-header|base-url|files)\b/);
    expect(text).not.toMatch(/without the API|to the API|What is missing/);
  }
  expect(help.stdout).toContain('MCP_RATE_LIMIT');
  expect(help.stdout).toContain('--mock');
});

test('@started and @list have their effect', async () => {
  const { client, said } = await connected([main, 'serve', 'src/notes.ts', '--quiet']);
  expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true, listChanged: true });
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
    'notes://all',
    'notes://cover',
    'notes://1',
  ]);
  await client.close();
  const lines = said().replace(/^notes-mcp: callers: .*\n/m, '');
  expect(lines).toBe('the module runs\nbegun with true\nended\n');
});
