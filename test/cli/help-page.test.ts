// `mcpgen --help` is printed from a file that the build has written: it says what the command says itself.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { HELP_PAGE, helpPage } from '../../src/cli/help-page.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const built = pathToFileURL(join(repositoryRoot, 'dist/bin/'));

test('the page is what the command prints', async () => {
  const { stdout } = await runInProcess(['--help'], { cwd: temporaryFolder() });
  expect(readFileSync(new URL(HELP_PAGE, built), 'utf8')).toBe(stdout);
});

test.each<[args: string[], env: NodeJS.ProcessEnv, isPage: boolean]>([
  [['--help'], {}, true],
  [['-h'], { MCPGEN_FORMAT: '' }, true],
  [['--help'], { MCPGEN_FORMAT: 'nonsense' }, false],
  [['--help', '--json'], {}, false],
  [['check', '--help'], {}, false],
  [['help'], {}, false],
  [[], {}, false],
])('%j with %j', (args, env, isPage) => {
  expect(helpPage(args, env, built) !== undefined).toBe(isPage);
});

test('without a build the command says it itself', () => {
  expect(helpPage(['--help'], {}, pathToFileURL(`${temporaryFolder()}/`))).toBeUndefined();
});

test('what understands the command line is built without the compiler', () => {
  const command = readFileSync(new URL('chunks/command.js', built), 'utf8');
  const imports = [...command.matchAll(/^import .* from "\.\/(.+)";$/gm)].map(([, name]) => name);
  expect(imports).toEqual(['rolldown-runtime.js']);
});
