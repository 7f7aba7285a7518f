// `mcpgen init`, and what is compiled of what it wrote.
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

function folderWith(...names: string[]): string {
  const folder = temporaryFolder();
  for (const name of names) cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(folder, name));
  return folder;
}

test.each([
  { format: 'ts', dir: '.', file: 'mcpgen.config.ts' },
  { format: 'js', dir: '.', file: 'mcpgen.config.js' },
  { format: 'json', dir: 'petstore-mcp', file: 'petstore-mcp/mcpgen.config.json' },
])('as $format it is compiled', async ({ format, dir, file }) => {
  const cwd = folderWith('petstore.yaml');
  writeFileSync(join(cwd, 'tools.ts'), '/** @tool */\nexport function hello(): string {\n  return "";\n}\n');
  const args = ['init', 'petstore.yaml', 'tools.ts', '--format', format];
  expect(await runInProcess(args, { cwd })).toEqual({
    exitCode: 0,
    stdout: `wrote ${file}\n`,
    stderr: `  Next: mcpgen generate${dir === '.' ? '' : ` ${dir}`}\n`,
  });
  const inspected = await runInProcess(['inspect', dir, '--json'], { cwd });
  const { tools } = JSON.parse(inspected.stdout) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['listPets', 'hello']));
});

test('without a word a document of a usual name is taken', async () => {
  const cwd = folderWith('swagger.json', 'openapi.yml');
  const { stdout } = await runInProcess(['init', '--json'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    result: { file: 'petstore-mcp/mcpgen.config.json', sources: [{ openapi: 'openapi.yml' }] },
  });
});

test.each<[string, string[], RegExp]>([
  ['no source', ['init'], /MCPG615 nothing-to-configure/],
  ['standard input', ['init', '-'], /a later run cannot read standard input again/],
  ['a format that is none', ['init', 'petstore.yaml', '--format', 'toml'], /json, ts, js/],
])('%s: exit 2, and nothing written', async (_, args, words) => {
  const cwd = folderWith('petstore.yaml');
  const { exitCode, stderr } = await runInProcess(args, { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(words);
  expect(existsSync(join(cwd, 'petstore-mcp'))).toBe(false);
});

test('where nothing can be written it says so', async () => {
  const folder = folderWith('petstore.yaml');
  const cwd = join(folder, 'petstore.yaml');
  const { exitCode, stderr } = await runInProcess(['init', join(folder, 'petstore.yaml')], { cwd });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/MCPG\d+ path-in-the-way: .*mcpgen\.config\.json/);
});

test('a configuration that is there is never overwritten', async () => {
  const cwd = folderWith('petstore.yaml');
  writeFileSync(join(cwd, 'mcpgen.config.json'), '{ "source": "petstore.yaml" }\n');
  const { exitCode, stderr } = await runInProcess(['init', 'petstore.yaml'], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('MCPG614 config-exists: The configuration mcpgen.config.json already exists.');
  expect(readFileSync(join(cwd, 'mcpgen.config.json'), 'utf8')).toBe('{ "source": "petstore.yaml" }\n');
});
