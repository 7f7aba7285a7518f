// Files that a person has edited or written: their result, and the command's messages.
import { appendFileSync, cpSync, readFileSync } from 'node:fs';
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

test('--keep names what it takes, once', async () => {
  await mcpgen('openapi', 'petstore.yaml', '-o', 'out');
  appendFileSync(join(cwd, 'out/README.md'), '\nMine.\n');
  const dry = await mcpgen('generate', 'out', '--keep', '--dry-run');
  expect(dry.stdout).toContain('keep    README.md\n');
  expect((await mcpgen('generate', 'out', '--keep')).stderr).toContain('  Yours now: README.md\n');
  expect((await mcpgen('generate', 'out', '--keep')).stderr).toBe('');
  const { stdout } = await mcpgen('generate', 'out', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, result: { taken: [] } });
});

test('dist/ is built of what you own, also by later runs', async () => {
  await mcpgen('openapi', 'petstore.yaml', '-o', 'out');
  const built = (): string => readFileSync(join(cwd, 'out/dist/runtime/send.js'), 'utf8');
  const source = join(cwd, 'out/src/runtime/send.ts');
  appendFileSync(source, '// Mine.\n');
  for (const args of [['--keep'], [], ['--feature', 'audit']]) {
    expect(await mcpgen('generate', 'out', ...args)).toMatchObject({ exitCode: 0 });
    expect(built()).toContain('// Mine.');
  }
  appendFileSync(source, "import './missing.ts';\n");
  expect((await mcpgen('generate', 'out')).stderr).toContain('imports "./missing.ts", which does not exist');
});
