// `mcpgen templates`: the names, copies to change, and a project that is the same when nothing in them was changed.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { templateNames } from '../../src/emit/views/template-views.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { hashWithoutLayout } from '../../src/emit/hash.ts';
import { runInProcess, type Said } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

function inFolder(): { cwd: string; run: (...args: string[]) => Promise<Said> } {
  const cwd = temporaryFolder();
  return { cwd, run: (...args) => runInProcess(args, { cwd }) };
}

test('list names them, and says which a folder replaces', async () => {
  const { cwd, run } = inFolder();
  expect(await run('templates', 'list')).toEqual({
    exitCode: 0,
    stdout: `${templateNames.join('\n')}\n`,
    stderr: '',
  });
  mkdirSync(join(cwd, 'mine'));
  writeFileSync(join(cwd, 'mine/Dockerfile.hbs'), '');
  const { stdout } = await run('templates', 'list', '--templates', 'mine');
  expect(stdout).toMatch(/^Dockerfile +mine\/Dockerfile\.hbs$/m);
  const json = JSON.parse((await run('templates', 'list', '--templates', 'mine', '--json')).stdout) as {
    result: object[];
  };
  expect(json.result).toContainEqual({ name: 'Dockerfile', file: 'mine/Dockerfile.hbs' });
  expect(json.result).toContainEqual({ name: 'README.md' });
});

test('a project of ejected templates is that of the built-in ones', async () => {
  const { cwd, run } = inFolder();
  cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(cwd, 'petstore.yaml'));
  const { stdout, stderr } = await run('templates', 'eject', ...templateNames);
  expect(stdout.split('\n')).toContain('wrote templates/src/handlers/index.ts.hbs');
  expect(stderr).toContain('mcpgen openapi <source> --templates templates');
  const feature = ['--feature', 'audit'];
  await run('openapi', 'petstore.yaml', '-o', 'plain', ...feature);
  await run('openapi', 'petstore.yaml', '-o', 'own', ...feature, '--templates', 'templates');
  const own = ['mcpgen.config.json', 'mcpgen.lock'];
  const read = (dir: string): [string, string][] =>
    readdirSync(join(cwd, dir), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !own.includes(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file): [string, string] => [file.slice(join(cwd, dir).length), textOf(file)]);
  expect(new Map(read('own'))).toEqual(new Map(read('plain')));
});

/** Templates of the user are formatted: tables of Markdown get even columns, and TypeScript prints the code of dist/. */
function textOf(file: string): string {
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.js')) return hashWithoutLayout(text);
  return file.endsWith('.md') ? text.replace(/ +/g, ' ').replace(/-{3,}/g, '---') : text;
}

test.each([['README.md'], ['README.md.hbs']])('%s is copied, and never overwritten unasked', async (name) => {
  const { cwd, run } = inFolder();
  expect(await run('templates', 'eject', name, '-o', 'mine')).toMatchObject({
    exitCode: 0,
    stdout: 'wrote mine/README.md.hbs\n',
  });
  const file = join(cwd, 'mine/README.md.hbs');
  const text = readFileSync(file, 'utf8');
  expect(text).toBe(readFileSync(join(repositoryRoot, 'templates/project/README.md.hbs'), 'utf8'));
  writeFileSync(file, 'mine');
  const again = await run('templates', 'eject', 'Dockerfile', name, '-o', 'mine');
  expect(again).toMatchObject({ exitCode: 1, stdout: '' });
  expect(again.stderr).toContain('MCPG129 draft-not-written');
  expect(existsSync(join(cwd, 'mine/Dockerfile.hbs'))).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(await run('templates', 'eject', name, '-o', 'mine', '--force')).toMatchObject({ exitCode: 0 });
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(readFileSync(`${file}.orig`, 'utf8')).toBe('mine');
});

test.each<[string, string[], number, RegExp]>([
  ['a misspelt name', ['eject', 'REDME.md'], 2, /there is no template REDME\.md\. Did you mean README\.md\?/],
  ['no name', ['eject'], 2, /a template name is missing/],
  ['a folder that is not there', ['list', '--templates', 'nowhere'], 1, /templates-not-found/],
])('%s', async (_, args, exitCode, words) => {
  const { cwd, run } = inFolder();
  const said = await run('templates', ...args);
  expect(said).toMatchObject({ exitCode, stdout: '' });
  expect(said.stderr).toMatch(words);
  expect(readdirSync(cwd)).toEqual([]);
});
