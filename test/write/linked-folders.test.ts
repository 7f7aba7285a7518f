/** Commands that write files of a person do not write through a link of a stranger's repository. */
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { runInProcess } from '../cli/support/fake-host.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';

const petstore = join(repositoryRoot, 'fixtures/petstore.yaml');

/** A repository with links `link` to a folder outside, and `note` to a file in it. */
function makeRepository(): { cwd: string; outside: string } {
  const [cwd, outside] = [join(temporaryFolder(), 'clone'), temporaryFolder()];
  mkdirSync(cwd);
  writeFileSync(join(outside, 'note.txt'), 'mine\n');
  symlinkSync(outside, join(cwd, 'link'));
  return { cwd, outside };
}

test.each([
  [['templates', 'eject', 'README.md', '-o', 'link']],
  [['templates', 'eject', 'README.md', '-o', 'link/deeper', '--force']],
  [['overlay', 'init', petstore, '-o', 'link/petstore.overlay.yaml']],
  [['skills', 'init', petstore, '-o', 'link/skills']],
])('%j writes nothing outside', async (args) => {
  const { cwd, outside } = makeRepository();
  const { exitCode, stderr } = await runInProcess(args, { cwd });
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('is a symbolic link');
  expect(readdirSync(outside)).toEqual(['note.txt']);
});

test.each([
  [['templates', 'eject', 'README.md', '--force'], 'templates/README.md.hbs'],
  [['overlay', 'init', petstore, '--force'], 'petstore.overlay.yaml'],
  [['init', petstore], 'petstore-mcp/mcpgen.config.json'],
])('%j replaces no file outside', async (args, file) => {
  const { cwd, outside } = makeRepository();
  mkdirSync(dirname(join(cwd, file)), { recursive: true });
  symlinkSync(join(outside, 'note.txt'), join(cwd, file));
  expect((await runInProcess(args, { cwd })).exitCode).not.toBe(0);
  expect(readFileSync(join(outside, 'note.txt'), 'utf8')).toBe('mine\n');
});

test.each([
  [['templates', 'eject', 'README.md', '--force'], 'templates/README.md.hbs'],
  [['init', petstore], 'petstore-mcp/mcpgen.config.json'],
])('%j makes no file for a link to nothing', async (args, file) => {
  const { cwd, outside } = makeRepository();
  mkdirSync(dirname(join(cwd, file)), { recursive: true });
  symlinkSync(join(outside, 'new.txt'), join(cwd, file));
  expect((await runInProcess(args, { cwd })).exitCode).not.toBe(0);
  expect(readdirSync(outside)).toEqual(['note.txt']);
});
