// One configuration owns a project: its lock names it, and every command that changes the project changes that file or nothing. test/project/settings-stay.test.ts draws the commands.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Said, runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const petstore = fileURLToPath(new URL('../../fixtures/petstore.yaml', import.meta.url));

function folder(files: Record<string, string> = {}): string {
  const cwd = temporaryFolder();
  copyFileSync(petstore, join(cwd, 'petstore.yaml'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  return cwd;
}

function run(line: string, cwd: string): Promise<Said> {
  return runInProcess(line.split(' '), { cwd });
}

async function runAll(lines: readonly string[], cwd: string): Promise<void> {
  for (const line of lines) {
    const { exitCode, stderr } = await run(line, cwd);
    expect(exitCode, `${line}\n${stderr}`).toBe(0);
  }
}

const read = (cwd: string, file: string): string => readFileSync(join(cwd, file), 'utf8');

test('openapi makes the same files as init and generate', async () => {
  const [one, other] = [folder(), folder()];
  await runAll(['init petstore.yaml --include tag:pets', 'generate petstore-mcp'], one);
  await runAll(['openapi petstore.yaml --include tag:pets', 'check petstore-mcp'], other);
  for (const file of ['mcpgen.config.json', 'mcpgen.lock', 'README.md', 'src/generated/catalog.json'])
    expect(read(one, `petstore-mcp/${file}`), file).toBe(read(other, `petstore-mcp/${file}`));
});

test('openapi writes what it is given into the configuration, and keeps the rest', async () => {
  const cwd = folder({
    'p/mcpgen.config.json':
      '{\n  "exclude": ["method:DELETE"], // never\n  "source": "../petstore.yaml"\n}\n',
  });
  await runAll(['generate p'], cwd);
  const { exitCode, stderr } = await run('openapi petstore.yaml -o p --output-schema off', cwd);
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toContain("settings-written: p/mcpgen.config.json gets `outputSchema: 'off'`");
  const text = read(cwd, 'p/mcpgen.config.json');
  expect(text).toContain('  "exclude": ["method:DELETE"], // never\n  "source": "../petstore.yaml",\n');
  expect(text).toContain('"outputSchema": "off"');
  await runAll(['check p', 'openapi petstore.yaml -o p', 'check p'], cwd);
  expect(read(cwd, 'p/mcpgen.config.json')).toBe(text);
});

const CODE = "export default { output: 'p', source: 'petstore.yaml' };\n";

test.each([
  ['publish init docker npm p', "publish: ['npm', 'docker']"],
  ['generate p --feature ask', "features: ['stdio', 'http', 'ask']"],
  ['generate --feature mock', "features: ['stdio', 'http', 'mock']"],
  ['openapi petstore.yaml -o p --include tag:pets', "include: ['tag:pets']"],
])('of a configuration in code, %s prints the line to add', async (line, want) => {
  const cwd = folder({ 'mcpgen.config.ts': CODE });
  await runAll(['generate'], cwd);
  const lock = read(cwd, 'p/mcpgen.lock');
  const { exitCode, stderr } = await run(line, cwd);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    `MCPG628 config-not-edited: mcpgen does not edit mcpgen.config.ts. Add to it: ${want}`,
  );
  expect(read(cwd, 'p/mcpgen.lock')).toBe(lock);
  expect(read(cwd, 'mcpgen.config.ts')).toBe(CODE);
  await runAll(['check p', 'openapi petstore.yaml -o p', 'generate p'], cwd);
  expect(existsSync(join(cwd, 'p/mcpgen.config.json'))).toBe(false);
});

test('of several servers, a target goes to the one whose project is named', async () => {
  const config =
    '{ "servers": { "pets": { "source": "petstore.yaml" }, "zoo": { "source": "petstore.yaml" } } }\n';
  const cwd = folder({ 'mcpgen.config.json': config });
  await runAll(['generate', 'publish init docker zoo', 'check', 'check zoo', 'generate'], cwd);
  expect(existsSync(join(cwd, 'zoo/Dockerfile'))).toBe(true);
  expect(existsSync(join(cwd, 'pets/Dockerfile'))).toBe(false);
  const { exitCode, stderr } = await run('publish init docker', cwd);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('MCPG617');
});

test('a project belongs to one configuration', async () => {
  const cwd = folder();
  await runAll(['openapi petstore.yaml -o p'], cwd);
  writeFileSync(join(cwd, 'mcpgen.config.ts'), CODE);
  const { exitCode, stderr } = await run('generate', cwd);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('MCPG629 configured-twice: p belongs to the configuration p/mcpgen.config.json');
  const inner = folder({ 'mcpgen.config.ts': CODE });
  await runAll(['generate'], inner);
  writeFileSync(join(inner, 'p/mcpgen.config.json'), '{ "source": "../petstore.yaml" }\n');
  expect((await run('generate', inner)).stderr).toContain('MCPG629');
  const root = folder({ 'mcpgen.config.ts': CODE });
  expect((await run('openapi petstore.yaml -o .', root)).stderr).toContain('MCPG629');
});

test('a source that the configuration does not have is refused, and a renamed one is written into it', async () => {
  const cwd = folder({
    'mcpgen.config.json':
      '{ "output": "p", "sources": [{ "openapi": "petstore.yaml" }, { "typescript": "t.ts" }] }',
    't.ts': '/** @tool */\nexport function hello(): string {\n  return "";\n}\n',
  });
  await runAll(['generate', 'openapi petstore.yaml -o p', 'ts t.ts -o p'], cwd);
  copyFileSync(petstore, join(cwd, 'shop.yaml'));
  expect((await run('openapi shop.yaml -o p', cwd)).stderr).toContain('MCPG629 configured-twice');
  await runAll(['openapi petstore.yaml -o q', 'openapi shop.yaml -o q', 'check q'], cwd);
  expect(JSON.parse(read(cwd, 'q/mcpgen.config.json'))).toEqual({ source: '../shop.yaml' });
  expect((await run('ts t.ts -o q', cwd)).stderr).toContain('MCPG629 configured-twice');
});

test('what a run removes is named before', async () => {
  const cwd = folder();
  await runAll(['openapi petstore.yaml -o p --publish docker --feature websocket'], cwd);
  writeFileSync(join(cwd, 'p/mcpgen.config.json'), '{ "source": "../petstore.yaml" }\n');
  const { stderr } = await run('generate p', cwd);
  expect(stderr).toMatch(
    /Removes from \.\/p: \.dockerignore, Dockerfile, compose\.yaml, .*src\/runtime\/ \(/,
  );
  expect(existsSync(join(cwd, 'p/Dockerfile'))).toBe(false);
});

test('a lock cannot make a configuration elsewhere write into its folder', async () => {
  const cwd = folder({ 'other/mcpgen.config.json': '{ "source": "../petstore.yaml" }\n' });
  await runAll(['openapi petstore.yaml -o clone/p'], cwd);
  const lock = read(cwd, 'clone/p/mcpgen.lock');
  writeFileSync(
    join(cwd, 'clone/p/mcpgen.lock'),
    lock.replace('"mcpgen.config.json"', '"../../other/mcpgen.config.json"'),
  );
  for (const line of ['generate clone/p', 'publish init docker clone/p']) {
    const { exitCode, stderr } = await run(line, cwd);
    expect(exitCode, stderr).toBe(2);
    expect(stderr).toContain('MCPG626 output-outside');
  }
  expect(read(cwd, 'other/mcpgen.config.json')).toBe('{ "source": "../petstore.yaml" }\n');
});
