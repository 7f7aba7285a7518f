import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printStaleAnnotations } from '../../src/cli/generation-outcome.ts';
import { renderDiffs, renderShortenedEdits } from '../../src/cli/render-edits.ts';
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

const long = `--- a\n+++ b\n@@ -1 +1,60 @@\n${'+x\n'.repeat(60)}`;

test.each([
  [false, 41],
  [true, 63],
])('a long diff is cut, unless verbose is %s', (verbose, lines) => {
  const shown = renderDiffs([{ path: 'a', diff: long }], verbose)
    .trimEnd()
    .split('\n');
  expect(shown).toHaveLength(lines);
  expect(shown.at(-1)).toBe(verbose ? '+x' : '… 23 more lines (--verbose shows all)');
});

test('a refusal has 20 lines at most, progress included, whatever warnings there are', async () => {
  const cwd = temporaryFolder();
  cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(cwd, 'petstore.yaml'));
  const said = async (...args: string[]) => {
    const { stdout, stderr } = await runInProcess(args, { cwd });
    return `${stderr}${stdout}`.trimEnd();
  };
  await said('openapi', 'petstore.yaml', '-o', 'out');
  for (const path of ['README.md', '.env.example', 'src/main.ts', 'src/server.ts', 'test/wire.test.ts'])
    writeFileSync(join(cwd, 'out', path), 'mine\n'.repeat(30));
  // Without its feature, an edited module is a warning.
  const edited = join(cwd, 'out/src/runtime/audit/open-audit.ts');
  writeFileSync(edited, '// mine\n');
  writeFileSync(
    join(cwd, 'out/mcpgen.config.json'),
    JSON.stringify({ source: '../petstore.yaml', features: ['stdio'], serverVersion: '2.0.0' }),
  );
  const text = await said('generate', 'out');
  expect(text).toContain('file-edited');
  expect(text).not.toContain('obsolete-file-kept');
  expect(text.split('\n').length).toBeLessThanOrEqual(20);
  const all = await said('generate', 'out', '--verbose');
  expect(all).toContain('obsolete-file-kept');
  expect(all).toContain('src/server.ts was edited');
}, 60_000);

test('below a report of 5 lines, 12 lines of 300 edited files are shown, and all with verbose', () => {
  const edits = Array.from({ length: 300 }, (_, index) => ({
    path: `src/${String(index)}.ts`,
    diff: 'E\nE\nE\n',
  }));
  const lines = renderShortenedEdits(edits, false, 5).trimEnd().split('\n');
  expect(lines).toHaveLength(12);
  expect(lines.at(-1)).toBe('… 1,488 more lines about 300 edited files (--verbose shows all)');
  expect(renderShortenedEdits(edits, true, 5).match(/was edited/g)).toHaveLength(300);
});

test('a diff drives no terminal', () => {
  const diff = `--- a\n+++ b\n@@ -1 +1 @@\n-${'y'.repeat(300)}\n+\u001b[31m\u202e\n`;
  const shown = renderDiffs([{ path: 'a', diff }], false);
  expect(shown).toContain('+\\x1b[31m\\u{202e}\n');
  expect(shown).toContain(`-${'y'.repeat(199)}…\n`);
});

test('a changed long line is cut around the first difference', () => {
  const lines = ['a', 'b'].map((each) => `${'y'.repeat(500)}${each}${'z'.repeat(500)}`);
  const diff = `--- a\n+++ b\n@@ -1 +1,2 @@\n-${lines[0]}\n+${lines[1]}\n+${lines[1]}\n`;
  const shown = renderDiffs([{ path: 'a', diff }], false)
    .trimEnd()
    .split('\n')
    .slice(-3);
  expect(shown).toEqual([
    `-…${'y'.repeat(100)}a${'z'.repeat(98)}…`,
    `+…${'y'.repeat(100)}b${'z'.repeat(98)}…`,
    `+${'y'.repeat(199)}…`,
  ]);
});
