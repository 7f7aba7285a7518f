// Programs are found outside of the repository, and find no others there themselves.
import { chmodSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { findProgram } from '../../src/write/find-program.ts';
import { put, temporaryFolder } from './project-on-disk.ts';

const base = realpathSync(temporaryFolder());
const repository = join(base, 'repository');
const real = join(base, 'programs');

function putProgram(folder: string, name = 'claude'): string {
  put(folder, { [name]: '#!/bin/sh\n' });
  chmodSync(join(folder, name), 0o755);
  return folder;
}

putProgram(real);
mkdirSync(join(repository, '.git'), { recursive: true });
mkdirSync(join(repository, 'packages/one'), { recursive: true });
symlinkSync(putProgram(join(repository, 'linked')), join(base, 'link'));

mkdirSync(join(base, 'store/node_modules'), { recursive: true });
symlinkSync(putProgram(join(base, 'store/all')), join(base, 'store/node_modules/.bin'));

afterEach(() => void vi.unstubAllEnvs());

const find = (places: string[], { folder = repository, platform = process.platform } = {}) =>
  findProgram('claude', [folder], { PATH: [...places, real].join(delimiter), A: '1' }, platform);

test.each<[string, string]>([
  ['the repository', putProgram(repository)],
  ['a folder of it', putProgram(join(repository, 'bin'))],
  ['its node_modules/.bin', putProgram(join(repository, 'node_modules/.bin'))],
  ['a link into it', join(base, 'link')],
  ['node_modules/.bin elsewhere', putProgram(join(base, 'cache/node_modules/.bin'))],
  ['node_modules/.bin with another case', putProgram(join(base, 'other/node_modules/.BIN'))],
  ['node_modules/.bin that is a link', join(base, 'store/node_modules/.bin')],
  ['a folder of node_modules/.bin', putProgram(join(base, 'cache/node_modules/.bin/more'))],
  ['the working folder, as a point', '.'],
  ['the working folder, as nothing', ''],
  ['a relative folder', 'node_modules/.bin'],
  ['a relative folder upward', `../${base.slice(1)}`],
  ['a folder that is not there', join(base, 'nowhere')],
])('%s is not searched, also not by the program', (_, place) => {
  for (const folder of [repository, join(repository, 'packages/one')])
    expect(find([place], { folder })).toEqual({ path: join(real, 'claude'), env: { PATH: real, A: '1' } });
});

test('a folder without .git is the repository itself', () => {
  const folder = join(base, 'unpacked');
  expect(find([putProgram(join(folder, 'bin'))], { folder })?.path).toBe(join(real, 'claude'));
});

test('a repository that contains the home folder is of its user', () => {
  const home = join(base, 'home');
  mkdirSync(join(home, '.git'), { recursive: true });
  const bin = putProgram(join(home, '.local/bin'));
  expect(find([bin], { folder: home })?.path).toBe(join(real, 'claude'));
  vi.stubEnv('HOME', home);
  expect(homedir()).toBe(home);
  expect(find([bin], { folder: home })?.path).toBe(join(bin, 'claude'));
  expect(find(['.local/bin', dirname(bin)], { folder: home })?.path).toBe(join(real, 'claude'));
});

test('what is no program is passed over', () => {
  put(join(base, 'texts'), { claude: 'text' });
  mkdirSync(join(base, 'folders/claude'), { recursive: true });
  expect(find([join(base, 'texts'), join(base, 'folders')])?.path).toBe(join(real, 'claude'));
});

test('Windows: the name ends in .exe, and the variable has any case', () => {
  const folder = putProgram(join(base, 'windows'), 'claude.exe');
  expect(findProgram('claude', [repository], { Path: folder }, 'win32')).toEqual({
    path: join(folder, 'claude.exe'),
    env: { Path: folder },
  });
  expect(findProgram('claude', [repository], { Path: real }, 'linux')).toBeUndefined();
});

test('without PATH nothing is found', () => {
  expect(findProgram('claude', [repository], {})).toBeUndefined();
});
