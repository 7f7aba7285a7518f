// A title that changes, where nobody has named the project's folder; and how many files a project has.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { runInProcess, type Said } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

let cwd = '';
beforeEach(() => {
  cwd = temporaryFolder();
  cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(cwd, 'petstore.yaml'));
});

async function mcpgen(...args: string[]): Promise<Said> {
  return runInProcess(args, { cwd });
}

function rename(): void {
  const path = join(cwd, 'petstore.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^( +title: ).*$/m, '$1Zoo'));
}

test('in a folder that was named the server has another name, which `mcpgen diff` tells, unless it is given', async () => {
  await mcpgen('openapi', 'petstore.yaml', '-o', 'p');
  rename();
  const told = await mcpgen('diff', 'p');
  expect(told.stdout).toMatch(/Breaking\n +server +zoo-mcp +renamed from petstore-mcp\n/);
  const kept = await mcpgen('diff', 'p', 'petstore.yaml', '--name', 'petstore-mcp');
  expect(kept.stdout).not.toContain('server ');
});

test('projects of other documents stand beside each other', async () => {
  await mcpgen('openapi', 'petstore.yaml');
  rename();
  cpSync(join(cwd, 'petstore.yaml'), join(cwd, 'other.yaml'));
  expect((await mcpgen('openapi', 'other.yaml')).exitCode).toBe(0);
});

test('another document of the same title does not replace the project, unless -o says so', async () => {
  await mcpgen('openapi', 'petstore.yaml');
  const lock = readFileSync(join(cwd, 'petstore-mcp/mcpgen.lock'), 'utf8');
  cpSync(join(cwd, 'petstore.yaml'), join(cwd, 'other.yaml'));
  const { exitCode, stderr } = await mcpgen('openapi', 'other.yaml');
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    'MCPG534 target-of-another: petstore-mcp contains the project of other sources, which this run would replace. Nothing was written.',
  );
  expect(readFileSync(join(cwd, 'petstore-mcp/mcpgen.lock'), 'utf8')).toBe(lock);
  expect((await mcpgen('openapi', 'other.yaml', '--name', 'other-mcp')).exitCode).toBe(0);
  expect((await mcpgen('openapi', 'other.yaml', '-o', 'petstore-mcp')).exitCode).toBe(0);
});

test('other functions do not replace the project of the first, unless these were renamed or -o says so', async () => {
  mkdirSync(join(cwd, 'more'));
  const put = (file: string, name: string): void =>
    writeFileSync(join(cwd, file), `/** @tool */\nexport function ${name}(): void {}\n`);
  for (const name of ['weather', 'other', 'third']) put(`${name}.ts`, name);
  put('more/other.ts', 'more');
  expect((await mcpgen('ts', 'weather.ts')).exitCode).toBe(0);
  const config = (): string => readFileSync(join(cwd, 'functions-mcp/mcpgen.config.json'), 'utf8');
  const before = config();
  for (const files of [['other.ts'], ['other.ts', 'third.ts'], ['more/*.ts']]) {
    const { exitCode, stderr } = await mcpgen('ts', ...files);
    expect(exitCode, stderr).toBe(1);
    expect(stderr).toContain(
      'MCPG534 target-of-another: functions-mcp contains the project of other sources',
    );
    expect(config()).toBe(before);
  }
  for (const args of [
    ['weather.ts', 'other.ts'],
    ['*.ts'],
    ['other.ts'],
    ['third.ts', '-o', 'functions-mcp'],
  ])
    expect(await mcpgen('ts', ...args), args.join(' ')).toMatchObject({ exitCode: 0 });
  renameSync(join(cwd, 'third.ts'), join(cwd, 'fourth.ts'));
  expect(await mcpgen('ts', 'fourth.ts')).toMatchObject({ exitCode: 0 });
});

test.each(['ts', 'js', 'json'])('what init writes as %s keeps its folder', async (format) => {
  await mcpgen('init', 'petstore.yaml', '--format', format);
  const dir = format === 'json' ? 'petstore-mcp' : '.';
  expect((await mcpgen('generate', dir)).exitCode).toBe(0);
  rename();
  expect((await mcpgen('generate', dir)).exitCode).toBe(0);
  expect([existsSync(join(cwd, 'petstore-mcp/mcpgen.lock')), existsSync(join(cwd, 'zoo-mcp'))]).toEqual([
    true,
    false,
  ]);
});

test('openapi, generate and check count the same files, without dist/', async () => {
  const count = async (...args: string[]): Promise<string | undefined> =>
    / · (\d+ files)/.exec((await mcpgen(...args)).stdout)?.[1];
  const first = await count('openapi', 'petstore.yaml', '-o', 'pets');
  expect(first).toMatch(/^\d\d+ files$/);
  expect(await count('check', 'pets')).toBe(first);
  expect(await count('generate', 'pets')).toBe(first);
});
