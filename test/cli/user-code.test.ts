// Hooks and configurations that have the process to themselves: what they print, and how they may end it.
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { mcpgen } from './support/spawn.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const MEMBERS = "source: 'petstore.yaml', output: 'server'";
const HOOKED = `export default { ${MEMBERS}, hooks: './hooks.ts' };\n`;
const TEMPLATED = `export default { ${MEMBERS}, templates: 't' };\n`;

function folderOf(files: Record<string, string>): string {
  const folder = temporaryFolder();
  cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(folder, 'petstore.yaml'));
  mkdirSync(join(folder, 't'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test('what code and templates of the user print goes to stderr, and stdout is one document', async () => {
  const cwd = folderOf({
    'mcpgen.config.ts': `console.log('as configured');\n${TEMPLATED.replace('};', ", hooks: './hooks.ts' };")}`,
    'hooks.ts': "export function onModel() { console.log('as hooked'); process.stdout.write('written\\n'); }",
    't/README.md.hbs': "{{log 'as logged'}}",
  });
  const { exitCode, stdout, stderr } = await mcpgen(['generate', '--json'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, exitCode: 0 });
  expect(exitCode).toBe(0);
  for (const words of ['as configured', 'as hooked', 'written', 'as logged'])
    expect(stderr).toContain(`${words}\n`);
});

test('a server that runs at once has stdout to itself, and hooks none of it', async () => {
  const cwd = folderOf({
    'mcpgen.config.mjs': HOOKED,
    'hooks.ts': "export function onModel() { console.log('as hooked'); }",
  });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const stdin = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`;
  const { stdout, stderr } = await mcpgen(['serve', 'mcpgen.config.mjs'], { cwd, stdin });
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: {} });
  expect(stderr).toContain('as hooked\n');
});

const ENDED = 'user-code-ended';

test.each([
  {
    hooks: 'export function onModel() { process.exit(0); }',
    name: ENDED,
    message: 'mcpgen stopped: the hook onModel of hooks.ts ended the process.',
  },
  {
    hooks: 'export const onModel = () => new Promise(() => undefined);',
    name: ENDED,
    message: 'mcpgen stopped: the hook onModel of hooks.ts never settles, although nothing is pending.',
  },
  {
    hooks:
      'export async function onModel(): Promise<void> {\n  setTimeout(() => {\n    throw new Error("late");\n  });\n  await new Promise(() => undefined);\n}',
    name: ENDED,
    message: 'mcpgen stopped: the hook onModel of hooks.ts threw an uncaught error: late.',
    file: 'hooks.ts',
    line: 3,
    column: 11,
  },
])('$hooks: $message', async ({ hooks, ...want }) => {
  const cwd = folderOf({ 'mcpgen.config.mjs': HOOKED, 'hooks.ts': hooks });
  const { exitCode, stdout, stderr } = await mcpgen(['generate', '--json'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, exitCode: 1, diagnostics: [want] });
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
  expect(existsSync(join(cwd, 'server'))).toBe(false);
});

test('a configuration that ends the process is named', async () => {
  const cwd = folderOf({ 'mcpgen.config.mjs': 'process.exit(0);' });
  const { exitCode, stderr } = await mcpgen(['check'], { cwd });
  expect(exitCode).toBe(1);
  expect(stderr).toContain('mcpgen.config.mjs ended the process');
  expect(readdirSync(cwd).filter((name) => name.startsWith('.'))).toEqual([]);
});
