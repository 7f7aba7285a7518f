// Tests that a user writes, run by vitest in a folder where this package is installed.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { layOut } from '../docs/walk-folder.ts';
import { node, root } from '../e2e/support/command.ts';

const FUNCTIONS = `import { type Context, ToolError } from 'mcpgen/runtime';

let calls = 0;

/** Adds. @tool */
export function add(a: number, /** @minimum 0 */ b: number): number {
  calls += 1;
  return a + b;
}

/** @tool */
export function counted(): number {
  return calls;
}

/** @tool */
export async function ask(context: Context): Promise<string> {
  await context.log('info', 'asking');
  await context.progress(1, 2);
  const { action, content } = await context.elicit('Age?', { age: { type: 'integer' } });
  if (action !== 'accept') throw new ToolError('Nobody answered.');
  return \`\${content.age} years\`;
}

/** @tool */
export function broken(): string {
  throw new Error('a reason');
}

/** @tool @scope notes:read */
export function owner(context: Context): string {
  return context.auth?.subject ?? 'nobody';
}

/** @resource notes://{id} */
export const note = (id: number): string | undefined => (id === 1 ? 'first' : undefined);

/** @prompt */
export const greet = (name: string): string => \`Greet \${name}.\`;

let isRunning = 'no';

/** @started */
export function begin(): () => void {
  isRunning = 'yes';
  return () => (isRunning = Object.assign(globalThis, { ended: 'yes' }).ended);
}

/** @tool */
export const running = (): string => isRunning;

/** @tool */
export async function wait(context: Context): Promise<void> {
  const stopped = new Promise((resolve) => context.signal.addEventListener('abort', resolve));
  await context.log('info', 'waiting');
  await stopped;
  Object.assign(globalThis, { stopped: 'yes' });
}

/** @instance session */
export class Draft {
  /** @tool */
  draft(): string {
    return 'draft';
  }

  [Symbol.dispose](): void {
    Object.assign(globalThis, { disposed: 'yes' });
  }
}
`;

const TESTS = `import { connect, fakeContext } from 'mcpgen/testing';
import { expect, test, vi } from 'vitest';
import { add, ask } from './functions.ts';

test('a function, with a fake context', async () => {
  expect(await ask(fakeContext({ elicit: [{ age: 7 }] }))).toBe('7 years');
});

test.each(['2025-11-25', '2026-07-28'])('%s: tools, resources and prompts', async (revision) => {
  const client = await connect('own/functions.ts', { elicit: [{ age: 7 }, 'cancel'], revision });
  const { tools } = await client.listTools();
  expect(tools[0]).toMatchObject({ name: 'add', inputSchema: { properties: { b: { minimum: 0 } } } });
  expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toMatchObject({
    structuredContent: { result: 3 },
  });
  expect(await client.callTool({ name: 'add', arguments: { a: 1, b: -2 } })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('\`b\` must be ≥ 0 but is -2') }],
  });
  expect(await client.callTool({ name: 'ask' })).toMatchObject({ structuredContent: { result: '7 years' } });
  expect(await client.callTool({ name: 'ask' })).toMatchObject({ content: [{ text: 'Nobody answered.' }] });
  expect(client.asked.map(({ params }) => params['message'])).toEqual(['Age?', 'Age?']);
  expect(client.notifications[0]).toEqual({
    method: 'notifications/message',
    params: { level: 'info', data: 'asking' },
  });
  expect(client.notifications[1]).toMatchObject({ params: { progress: 1, total: 2 } });
  expect(await client.callTool({ name: 'broken' })).toMatchObject({ isError: true });
  expect(String(client.errors[0])).toContain('a reason');
  expect(await client.readResource({ uri: 'notes://1' })).toMatchObject({ contents: [{ text: 'first' }] });
  await expect(client.readResource({ uri: 'notes://2' })).rejects.toMatchObject({
    code: revision === '2026-07-28' ? -32602 : -32002,
  });
  expect(await client.getPrompt({ name: 'greet', arguments: { name: 'Ada' } })).toMatchObject({
    messages: [{ content: { text: 'Greet Ada.' } }],
  });
  expect(await client.callTool({ name: 'running' })).toMatchObject({ structuredContent: { result: 'yes' } });
  await client.callTool({ name: 'draft' });
  const waiting = expect(client.callTool({ name: 'wait' })).rejects.toThrow('tools/call was not answered.');
  await vi.waitFor(() => expect(client.notifications.at(-1)).toMatchObject({ params: { data: 'waiting' } }));
  await client.close();
  await waiting;
  expect(globalThis).toMatchObject({ ended: 'yes', stopped: 'yes', disposed: 'yes' });
  Object.assign(globalThis, { ended: '', stopped: '', disposed: '' });
});

test('with the modules of the test', async () => {
  const client = await connect('own/functions.ts', { import: (file) => import(file) });
  add(1, 2);
  expect(await client.callTool({ name: 'counted' })).toMatchObject({ structuredContent: { result: 1 } });
  await client.close();
});

test('a caller and its scopes', async () => {
  const client = await connect('own/functions.ts', { auth: { subject: 'ada', scopes: ['notes:read'] } });
  expect(await client.callTool({ name: 'owner' })).toMatchObject({ structuredContent: { result: 'ada' } });
  await client.close();
  const other = await connect('own/functions.ts', { auth: { subject: 'eve' } });
  await expect(other.callTool({ name: 'owner' })).rejects.toThrow('notes:read');
  await other.close();
});

test('errors of the code, and of a function', async () => {
  await expect(connect('src/none.ts')).rejects.toThrow('error MCPG800 no-source-files');
  const client = await connect('own/functions.ts', { env: { MCP_SHOW_ERRORS: '1' } });
  expect(await client.callTool({ name: 'broken' })).toMatchObject({
    content: [{ text: expect.stringContaining('a reason') }],
  });
  await client.close();
});
`;

test('tests of a user pass, and those of the guide', { timeout: 120_000 }, async () => {
  const folder = layOut({ page: 'docs/typescript.md' });
  symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  mkdirSync(join(folder, 'own'));
  writeFileSync(join(folder, 'own/functions.ts'), FUNCTIONS);
  writeFileSync(join(folder, 'own/functions.test.ts'), TESTS);
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  const ended = await node([vitest, 'run', '--testTimeout=60000'], { cwd: folder });
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(ended.stdout).toMatch(/✓ test\/.*✓ own\/|✓ own\/.*✓ test\//s);
});
