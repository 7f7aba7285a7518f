/** Code that stays where it is: built from there, started, and built again after a change. */
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startClient } from './support/clients.ts';
import { fixtures, mcpgenHere, root } from './support/command.ts';
import { filesOf, linkTypes, temporaryFolder } from './support/project.ts';

let folder: string;
let project: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  await cp(path.join(fixtures, 'mixed/trip'), folder, { recursive: true });
  const { code, stderr } = await mcpgenHere(['ts', 'src/**/*.ts', '-o', 'server', '--link'], { cwd: folder });
  expect(code, stderr).toBe(0);
  project = path.join(folder, 'server');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const budget = { total: 100, nights: 3 };

async function answer(args: object = budget): Promise<unknown> {
  const { client } = await startClient([path.join(project, 'dist/main.js')]);
  try {
    return await client.callTool({ name: 'nightly_budget', arguments: { ...args } });
  } finally {
    await client.close();
  }
}

test('the project has no copy of the code, and runs', async () => {
  expect(existsSync(path.join(project, 'src/app'))).toBe(false);
  const config = JSON.parse(await readFile(path.join(project, 'mcpgen.config.json'), 'utf8')) as unknown;
  expect(config).toEqual({ typescript: { files: ['../src/**/*.ts'] }, link: true });
  expect(await answer()).toMatchObject({ structuredContent: { words: '€33.33 a night' } });
});

test('words meant for the caller reach it', async () => {
  expect(await answer({ total: 1, nights: 1, tickets: 2 })).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: 'The tickets cost €1.00 more than there is.' }],
  });
});

test('a change of the code is seen once the project is built again', async () => {
  const money = path.join(folder, 'src/money.ts');
  await writeFile(money, (await readFile(money, 'utf8')).replace("'EUR'", "'CHF'"));
  const before = await filesOf(path.join(project, 'src'));
  await linkTypes(project);
  await mkdir(path.join(folder, 'node_modules/.bin'), { recursive: true });
  await symlink(path.join(root, 'dist/bin/mcpgen.js'), path.join(folder, 'node_modules/.bin/mcpgen'));
  await symlink(
    path.join(root, 'node_modules/typescript-7/bin/tsc'),
    path.join(folder, 'node_modules/.bin/tsc'),
  );
  const built = spawnSync('npm', ['run', 'build'], { cwd: project, encoding: 'utf8', shell: true });
  expect(built.status, `${built.stdout}${built.stderr}`).toBe(0);
  expect(await filesOf(path.join(project, 'src'))).toEqual(before);
  const { structuredContent } = (await answer()) as { structuredContent: { words: string } };
  expect(structuredContent.words).toMatch(/^CHF\s33\.33 a night$/);
  expect((await mcpgenHere(['check', 'server'], { cwd: folder })).code).toBe(0);
});

test('code that is gone is told, and the project stays as it was', async () => {
  const before = await filesOf(project);
  await rm(path.join(folder, 'src'), { recursive: true });
  const { code, stderr } = await mcpgenHere(['generate', 'server'], { cwd: folder });
  expect(code).toBe(1);
  expect(stderr).toContain('No TypeScript or JavaScript file matches src/**/*.ts.');
  expect(await filesOf(project)).toEqual(before);
});
