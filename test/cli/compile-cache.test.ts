// Compiled code is kept in the user's own cache folder, and nothing is written into mcpgen's.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CacheContext, enableCompileCache } from '../../src/cli/engine.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { mcpgen } from '../e2e/support/command.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

function home(): string {
  return mkdtempSync(join(temporaryFolder(), 'home-'));
}

/** The folders that Node is given. */
function enabled(given: Partial<CacheContext> & { home: string }): string[] {
  const folders: string[] = [];
  const enable = (folder: string): void => void folders.push(folder);
  enableCompileCache({ env: {}, platform: 'linux', enable, ...given });
  return folders;
}

test.each<[platform: NodeJS.Platform, env: (home: string) => NodeJS.ProcessEnv, folder: string]>([
  ['linux', () => ({}), '.cache'],
  ['linux', (own) => ({ XDG_CACHE_HOME: join(own, 'elsewhere') }), 'elsewhere'],
  ['linux', () => ({ XDG_CACHE_HOME: 'relative' }), '.cache'],
  ['darwin', () => ({}), 'Library/Caches'],
  ['win32', (own) => ({ LOCALAPPDATA: join(own, 'Local') }), 'Local'],
])('on %s the folder is the user’s, and private', (platform, env, folder) => {
  const own = home();
  const cache = join(own, folder, 'mcpgen/compile-cache');
  expect(enabled({ home: own, platform, env: env(own) })).toEqual([cache]);
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  expect(statSync(join(cache, '..')).mode & 0o777).toBe(0o700);
});

test.each<[what: string, spoil: (cache: string, own: string) => void]>([
  ['others may write to the folder', (cache) => chmodSync(cache, 0o777)],
  ['others may write to the one around it', (cache) => chmodSync(join(cache, '..'), 0o775)],
])('nothing is kept where %s', (_, spoil) => {
  const own = home();
  const [cache = ''] = enabled({ home: own });
  spoil(cache, own);
  expect(enabled({ home: own })).toEqual([]);
});

test('nothing is kept behind a link', () => {
  const own = home();
  mkdirSync(join(own, 'other'), { mode: 0o700 });
  mkdirSync(join(own, '.cache'));
  symlinkSync(join(own, 'other'), join(own, '.cache/mcpgen'));
  expect(enabled({ home: own })).toEqual([]);
});

test('nothing is made where Node keeps no code, it is turned off, or there is no home', () => {
  const own = home();
  expect(enabled({ home: own, env: { NODE_DISABLE_COMPILE_CACHE: '1' } })).toEqual([]);
  enableCompileCache({ env: {}, platform: 'linux', home: own, enable: undefined });
  expect(readdirSync(own)).toEqual([]);
  expect(enabled({ home: '/dev/null' })).toEqual([]);
});

function listed(): string[] {
  const dist = join(repositoryRoot, 'dist');
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .map((name) => `${name} ${statSync(join(dist, name)).mtimeMs}`)
    .sort();
}

test('a run leaves mcpgen’s own folder as it was', { timeout: 60_000 }, async () => {
  const before = listed();
  const out = join(home(), 'out');
  const source = join(repositoryRoot, 'fixtures/typescript/weather/src/index.ts');
  expect(await mcpgen(['ts', source, '-o', out, '--quiet'])).toMatchObject({ code: 0 });
  expect(listed()).toEqual(before);
});
