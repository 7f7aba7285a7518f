import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canEmit, isReserved } from '../../src/emit/index.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';

const examples = join(repositoryRoot, 'generated-examples');

test.each(readdirSync(examples))('all that the lock of %s lists can be generated', (name) => {
  const lock = JSON.parse(readFileSync(join(examples, name, 'mcpgen.lock'), 'utf8')) as { files: object };
  expect(Object.keys(lock.files).filter((path) => !canEmit(path))).toEqual([]);
});

test.each([
  ...['NOTES.md', 'src/index.ts', 'src/handlers/mine.ts', 'test/mine.test.ts', 'dist/main.js', 'mcpgen.lock'],
  ...['.ssh/id_ed25519', 'README.md/x', 'src/app', 'src/appendix.ts', 'readme.md'],
])('%s is a person’s', (path) => {
  expect(canEmit(path)).toBe(false);
});

test.each([
  ...[
    'src/app/....',
    'src/. /a',
    '.git/HEAD',
    '.git',
    '.GIT/config',
    '.Git/config',
    'x/.git/HEAD',
    'src/app/.git/HEAD',
    'src/app/.git',
  ],
  ...[
    '.git./HEAD',
    '.git /HEAD',
    '.git. ./HEAD',
    'git~1/HEAD',
    'GIT~2/HEAD',
    'gi7d29~1/HEAD',
    '.g\u200cit/HEAD',
  ],
  ...['.gıt/HEAD', '\uFF0Egit/HEAD', '.git\\HEAD', '.git\u00ad/HEAD', '.git\u{e0001}/HEAD'],
  ...[
    'node_modules/x',
    'NODE_MODULES/x',
    'a/node_modules/b',
    'node_m~1/x',
    'node_modules./x',
    'src/app/node_modules/x',
  ],
])('%j is of git or npm, in whatever spelling', (path) => {
  expect(isReserved(path)).toBe(true);
  expect(canEmit(path)).toBe(false);
});

test.each([
  '.gitignore',
  '.github/workflows/publish.yml',
  '.github/workflows/regenerate.yml',
  'src/app/git.ts',
  'src/app/.gitkeep',
  'src/app/a~1.ts',
])('%s is not', (path) => {
  expect(isReserved(path)).toBe(false);
});

test('a name longer than file systems take is refused before it is normalised', () => {
  const name = '\u0315\u0300'.repeat(128);
  expect(isReserved(`src/app/${name}`)).toBe(true);
  expect(isReserved(`src/app/${name.slice(1)}`)).toBe(false);
});
