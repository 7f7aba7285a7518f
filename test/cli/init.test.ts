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

test('a name is the folder, too', async () => {
  const cwd = folderWith('petstore.yaml');
  await runInProcess(['init', 'petstore.yaml', '--name', '@ada/zoo-mcp'], { cwd });
  const text = readFileSync(join(cwd, 'zoo-mcp/mcpgen.config.json'), 'utf8');
  expect(JSON.parse(text)).toEqual({ source: '../petstore.yaml', name: '@ada/zoo-mcp' });
});

test.each([
  ['a document', ['petstore.yaml'], 'openapi'],
  ['functions', ['tools.ts'], 'ts'],
])('the folder of %s is as without a configuration', async (_, sources, command) => {
  const cwd = folderWith('petstore.yaml');
  writeFileSync(join(cwd, 'package.json'), '{ "name": "weather" }');
  writeFileSync(join(cwd, 'tools.ts'), '/** @tool */\nexport function hello(): string {\n  return "";\n}\n');
  const written = await runInProcess(['init', ...sources], { cwd });
  const [, folder] = /^wrote (.*)\/mcpgen/.exec(written.stdout) ?? [];
  const { stdout } = await runInProcess([command, ...sources, '--dry-run'], { cwd });
  expect(stdout).toContain(`files in ./${folder}.\n`);
});

test('a document that cannot be read yet has a folder, too', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'api.yaml'), 'openapi: [');
  const { stdout } = await runInProcess(['init', 'api.yaml'], { cwd });
  expect(stdout).toBe('wrote mcp-server/mcpgen.config.json\n');
});

test.each([
  ['install', '--client', 'cursor', '--dry-run'],
  ['doctor', '--offline'],
])('%s beside its configuration finds the folder of the project', async (...args) => {
  const cwd = folderWith('petstore.yaml');
  await runInProcess(['init', 'petstore.yaml', '--format', 'ts'], { cwd });
  await runInProcess(['generate'], { cwd });
  const { stdout, stderr } = await runInProcess(args, { cwd });
  expect(stdout + stderr).toContain('petstore-mcp');
  expect(stdout + stderr).not.toContain('error');
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

test.each<[string[], number, RegExp]>([
  [['missing.yaml'], 1, /MCPG101 source-not-found: The file missing\.yaml does not exist/],
  [['petstore.yaml', 'missing.ts'], 1, /MCPG800 no-source-files/],
  [['petstore.yaml', '--include', 'tag:nope'], 1, /MCPG409 nothing-selected/],
])('%j: what is not there is no configuration', async (args, code, words) => {
  const cwd = folderWith('petstore.yaml');
  const { exitCode, stderr } = await runInProcess(['init', ...args], { cwd });
  expect(exitCode).toBe(code);
  expect(stderr).toMatch(words);
  expect(existsSync(join(cwd, 'petstore-mcp'))).toBe(false);
});

test('a selector without effect is a warning', async () => {
  const cwd = folderWith('petstore.yaml');
  const args = ['init', 'petstore.yaml', '--include', 'tag:pets', '--include', 'tag:nope'];
  const { exitCode, stdout, stderr } = await runInProcess(args, { cwd });
  expect(exitCode).toBe(0);
  expect(stdout).toBe('wrote petstore-mcp/mcpgen.config.json\n');
  expect(stderr).toContain('MCPG408 selector-matches-nothing: The selector `tag:nope` matches no operation.');
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
