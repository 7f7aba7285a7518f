// Code that makes, compares or prints paths, with those of each system.
import { posix, win32 } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const SYSTEMS = [
  { name: 'POSIX', path: posix, home: '/home/ada', elsewhere: '/srv/x' },
  { name: 'Windows', path: win32, home: 'C:\\Users\\ada', elsewhere: 'D:\\x' },
];

describe.each(SYSTEMS)('$name', ({ path, home, elsewhere }) => {
  beforeAll(() => {
    vi.resetModules();
    vi.doMock('node:path', () => ({ ...path, default: path }));
  });
  afterAll(() => {
    vi.doUnmock('node:path');
    vi.resetModules();
  });
  const isWindows = path === win32;
  const at = (...names: string[]): string => path.join(home, ...names);
  const dir = at('work');

  test('a configuration names files of its drive from its folder, with `/`', async () => {
    const { makeConfig, resolveConfigPath } = await import('../../src/config/options/make-config.ts');
    const write = (source: string): unknown => makeConfig({ source, cwd: dir }, 'p').source;
    expect(write(path.join('docs', 'pets.yaml'))).toBe('../docs/pets.yaml');
    expect(write(at('work', 'p', 'pets.yaml'))).toBe('pets.yaml');
    expect(write(elsewhere)).toBe(isWindows ? 'D:/x' : '../../../../srv/x');
    expect(resolveConfigPath('../docs/pets.yaml', 'p', dir)).toBe(path.join('docs', 'pets.yaml'));
    expect(resolveConfigPath(elsewhere, 'p', dir)).toBe(elsewhere);
  });

  test('what is below a folder', async () => {
    const { isBelow } = await import('../../src/write/find-obstacle.ts');
    const { isInside } = await import('../../src/util/ref-policy.ts');
    for (const [place, want] of [
      [at('work', 'a'), true],
      [at('work', '..a'), true],
      [at('works'), false],
      [home, false],
      [elsewhere, false],
    ] as const)
      expect([place, isBelow(dir, place), isInside(dir, place)]).toEqual([place, want, want]);
  });

  test('annotations name files of the repository, with `/`', async () => {
    const { toWorkspacePath } = await import('../../src/cli/present.ts');
    const name = (file: string): string =>
      toWorkspacePath(file, { cwd: dir, env: { GITHUB_WORKSPACE: home } });
    expect(name(path.join('docs', 'pets.yaml'))).toBe('work/docs/pets.yaml');
    for (const file of [elsewhere, 'https://a.example/b.yaml', '<stdin>']) expect(name(file)).toBe(file);
  });

  test('entries of clients', async () => {
    const { resolveEntryPath } = await import('../../src/install/entry.ts');
    const { INSTALL_CLIENTS } = await import('../../src/install/clients.ts');
    const program = at('work', 'dist', 'main.js');
    for (const arg of ['${workspaceFolder}/dist/main.js', 'dist/main.js', program])
      expect(resolveEntryPath(arg, dir)).toBe(program);
    const machine = { platform: isWindows ? 'win32' : 'linux', home, node: 'node', env: {} } as const;
    expect(INSTALL_CLIENTS.cursor.files.user?.(machine)).toBe(at('.cursor', 'mcp.json'));
  });

  test('messages name the home folder, and files from the working folder', async () => {
    const { readMachine, shortenPath } = await import('../../src/cli/machine.ts');
    const env = { HOME: isWindows ? 'H:\\' : home, USERPROFILE: home };
    const platform = isWindows ? 'win32' : 'linux';
    expect(readMachine({ env }, platform).home).toBe(home);
    const shorten = (file: string): string => shortenPath(file, { cwd: dir, env: { HOME: home } });
    expect(shorten(at('work', 'p', 'a.ts'))).toBe('p/a.ts');
    expect(shorten(at('other', 'a.ts'))).toBe('~/other/a.ts');
    expect(shorten(elsewhere)).toBe(isWindows ? 'D:/x' : elsewhere);
  });

  test('a temporary file is beside its place', async () => {
    const temporary = await import('../../src/write/temporary-files.ts');
    const place = at('work', 'README.md');
    const file = temporary.makeTemporaryPath(place);
    expect([path.dirname(file), temporary.removeTemporaryEnding(file)]).toEqual([dir, place]);
  });

  test('the map of linked code names its source, with `/`', async () => {
    const { emitApp } = await import('../../src/emit/emit-app.ts');
    const built = { path: 'dist/app/a.js', contents: '', map: '{"sources":[]}' };
    const origin = at('src', 'a.ts').replaceAll('\\', '/');
    const file = { path: 'src/app/a.ts', origin, contents: '', imports: [], built };
    const app = { root: home, files: [file], dependencies: {}, devDependencies: {}, compilerOptions: {} };
    const [code] = emitApp({ app, link: true, root: dir });
    const map = Buffer.from(code?.contents.split('base64,')[1] ?? '', 'base64').toString();
    expect(map).toContain('"../../../src/a.ts"');
  });
});
