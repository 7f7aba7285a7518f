import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printStaleAnnotations } from '../../src/cli/generation-outcome.ts';
import { renderDiffs } from '../../src/cli/render-edits.ts';
import type { WriteReport } from '../../src/write/index.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const report: WriteReport = {
  written: ['a,b.ts'],
  edited: ['README.md'],
  foreign: [],
  removed: ['old.ts'],
  unchanged: [],
  kept: [],
  taken: [],
  saved: [],
  diffs: [{ path: 'README.md', diff: '--- a\n+++ b\n@@ -7,3 +7,3 @@\n a\n-b\n+c\n d\n' }],
};

test('each file that differs is an annotation of its first line that does', () => {
  expect(printStaleAnnotations('packages\\p', report).split('\n')).toEqual([
    '::error file=packages/p/a%2Cb.ts,title=MCPG516 project-stale::a,b.ts is not what mcpgen would write.',
    '::error file=packages/p/README.md,line=7,title=MCPG516 project-stale::README.md is generated, and was edited by hand.',
    '::error file=packages/p/old.ts,title=MCPG516 project-stale::old.ts is no longer generated.',
    '',
  ]);
});

test('annotations of a command in a folder of the repository are of its files', async () => {
  const root = temporaryFolder();
  const cwd = join(root, 'apis');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'pets.yaml'), 'openapi: 3.1.0\n  broken\n');
  cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(cwd, 'petstore.yaml'));
  const said = (...args: string[]) =>
    runInProcess(args, { cwd, env: { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: root } });
  expect((await said('inspect', 'pets.yaml')).stderr).toMatch(/^::error file=apis\/pets\.yaml,line=\d+,/);
  await said('openapi', 'petstore.yaml', '-o', 'server');
  writeFileSync(join(cwd, 'server/README.md'), 'mine');
  const { exitCode, stdout } = await said('check', 'server');
  expect([exitCode, stdout.split(',')[0]]).toEqual([1, '::error file=apis/server/README.md']);
});

test('a refusal has 20 lines at most, progress included, whatever warnings there are', async () => {
  const cwd = temporaryFolder();
  cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(cwd, 'petstore.yaml'));
  const said = async (...args: string[]) => {
    const { stdout, stderr } = await runInProcess(args, { cwd });
    return `${stderr}${stdout}`.trimEnd();
  };
  await said('openapi', 'petstore.yaml', '-o', 'out', '--feature', 'audit,websocket');
  for (const path of ['README.md', '.env.example', 'src/main.ts', 'src/server.ts', 'test/wire.js'])
    writeFileSync(join(cwd, 'out', path), 'mine\n'.repeat(30));
  // Without its feature, an edited module is a warning.
  const edited = join(cwd, 'out/src/runtime/features/audit.ts');
  writeFileSync(edited, '// mine\n');
  writeFileSync(
    join(cwd, 'out/mcpgen.config.json'),
    JSON.stringify({ source: '../petstore.yaml', features: ['stdio', 'websocket'], serverVersion: '2.0.0' }),
  );
  const text = await said('generate', 'out');
  expect(text).toContain('file-edited');
  expect(text).not.toContain('obsolete-file-kept');
  expect(text.split('\n').length).toBeLessThanOrEqual(20);
  const all = await said('generate', 'out', '--verbose');
  expect(all).toContain('obsolete-file-kept');
  expect(all).toContain('src/server.ts was edited');
}, 60_000);

test('a diff drives no terminal', () => {
  const diff = `--- a\n+++ b\n@@ -1 +1 @@\n-${'y'.repeat(300)}\n+\u001b[31m\u202e\n`;
  const shown = renderDiffs([{ path: 'a', diff }], false);
  expect(shown).toContain('+\\x1b[31m\\u{202e}\n');
  expect(shown).toContain(`-${'y'.repeat(199)}…\n`);
});
