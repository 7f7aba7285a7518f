// A repository of a stranger runs nothing when git is asked: by each protection alone, with the others taken away.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  findRepository,
  readFromGit,
  type GitProtection,
  gitProtections,
  runGit,
} from '../../src/write/git.ts';
import { put, temporaryFolder } from './project-on-disk.ts';

const tryGit = async (root: string, args: string[]): Promise<string | undefined> =>
  (await readFromGit(root, args))?.toString();

const program = {
  path: execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim(),
  env: process.env,
};
const ABSENT = '1'.repeat(40);

let base = '';
let dir = '';

beforeEach(() => {
  base = realpathSync(temporaryFolder());
  dir = join(base, 'p');
  mkdirSync(dir);
  put(base, { 'canary.sh': `#!/bin/sh\necho ran >> ${base}/ran\nexit 1\n` });
  chmodSync(join(base, 'canary.sh'), 0o755);
});

afterEach(() => void vi.unstubAllEnvs());

const hasRun = (): boolean => {
  const ran = existsSync(join(base, 'ran'));
  rmSync(join(base, 'ran'), { force: true });
  return ran;
};

const inGit = (...args: string[]): string => execFileSync('git', args, { cwd: dir, encoding: 'utf8' });

function commitFile(text = 'one\n'): void {
  put(dir, { 'a.txt': text });
  inGit('add', '-A');
  inGit('-c', 'user.name=a', '-c', 'user.email=a@a.example', 'commit', '-qm', 'one');
}

const promisor = (settings: string): string =>
  `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = far\n[remote "far"]\n\tpromisor = true\n${settings}`;

/** Whose commit is not there. */
function hollow(folder: string, config: string): void {
  for (const name of ['objects', 'refs']) mkdirSync(join(folder, name), { recursive: true });
  put(folder, { HEAD: `${ABSENT}\n`, config });
}

const LIST = ['rev-list', 'HEAD'];
const uploadPack = (): string => promisor(`\turl = ${base}\n\tuploadpack = ${base}/canary.sh\n`);
const allowed = '[protocol "file"]\n\tallow = always\n[protocol]\n\tallow = always\n';

interface Attack {
  plant: () => void;
  args: string[];
  /** Git finds the repository by itself, if it is not given one. */
  finds?: true;
}

const attacks = {
  bare: { plant: () => hollow(dir, uploadPack()), args: LIST, finds: true },
  config: { plant: () => hollow(join(dir, '.git'), uploadPack()), args: LIST },
  allowedConfig: { plant: () => hollow(join(dir, '.git'), `${uploadPack()}${allowed}`), args: LIST },
  fsmonitor: {
    plant: () => {
      inGit('init', '-q');
      commitFile();
      inGit('config', 'core.fsmonitor', `${base}/canary.sh`);
    },
    args: ['status', '--porcelain'],
  },
  hooks: {
    plant: () => {
      inGit('init', '-q');
      commitFile();
      inGit('config', 'core.hooksPath', base);
      symlinkSync('canary.sh', join(base, 'reference-transaction'));
    },
    args: ['update-ref', 'refs/heads/other', 'HEAD'],
  },
} satisfies Record<string, Attack>;

/** The protection against each attack, alone. */
const alone: [keyof typeof attacks, GitProtection][] = [
  ['bare', 'bareRepository'],
  ['bare', 'protocol'],
  ['bare', 'allowProtocol'],
  ['bare', 'lazyFetch'],
  ['config', 'protocol'],
  ['config', 'allowProtocol'],
  ['config', 'lazyFetch'],
  ['allowedConfig', 'allowProtocol'],
  ['allowedConfig', 'lazyFetch'],
  ['fsmonitor', 'fsmonitor'],
  ['hooks', 'hooks'],
];

test.each(Object.entries<Attack>(attacks))(
  '%s: runs a program without protections, and none with all',
  async (_, attack) => {
    attack.plant();
    const { dir: repository } = findRepository(dir) ?? { dir: '' };
    const place: Record<string, string> = attack.finds ? {} : { GIT_DIR: repository, GIT_WORK_TREE: dir };
    await runGit(program, dir, attack.args, place, []);
    expect(hasRun()).toBe(true);
    await runGit(program, dir, attack.args, place);
    expect(hasRun()).toBe(false);
    await tryGit(dir, attack.args);
    expect(hasRun()).toBe(false);
  },
);

/** `safe.bareRepository` is of git 2.38, `GIT_NO_LAZY_FETCH` of 2.45, and of versions that distributions have mended. */
test.each(alone)('%s: stopped by %s alone', async (name, protection) => {
  const attack: Attack = attacks[name];
  attack.plant();
  const place: Record<string, string> = attack.finds
    ? {}
    : { GIT_DIR: join(dir, '.git'), GIT_WORK_TREE: dir };
  await runGit(program, dir, attack.args, place, [protection]);
  expect(hasRun()).toBe(false);
});

test('each protection stops something alone, or is about what git writes and asks', () => {
  const proved = new Set<string>([...alone.map(([, protection]) => protection), 'optionalLocks', 'prompts']);
  expect([...proved].sort()).toEqual(Object.keys(gitProtections).sort());
});

test('a bare repository is none, without any protection', async () => {
  hollow(dir, uploadPack());
  expect(findRepository(dir)).toBeUndefined();
  expect(await tryGit(dir, LIST)).toBeUndefined();
});

test('asking leaves the index as it is', async () => {
  inGit('init', '-q');
  commitFile();
  const index = readFileSync(join(dir, '.git/index'));
  put(dir, { 'a.txt': 'one\n' });
  await tryGit(dir, ['status', '--porcelain']);
  expect(readFileSync(join(dir, '.git/index')).equals(index)).toBe(true);
});

test('variables of git in the environment count for nothing', async () => {
  inGit('init', '-q');
  commitFile();
  vi.stubEnv('GIT_DIR', base);
  vi.stubEnv('GIT_INDEX_FILE', join(base, 'index'));
  vi.stubEnv('GIT_CONFIG_COUNT', '1');
  vi.stubEnv('GIT_CONFIG_KEY_0', 'core.fsmonitor');
  vi.stubEnv('GIT_CONFIG_VALUE_0', join(base, 'canary.sh'));
  expect(await tryGit(dir, ['rev-list', '--count', 'HEAD'])).toBe('1\n');
  expect(hasRun()).toBe(false);
});

test.each([
  ['core.worktree', '/'],
  ['core.bare', 'false'],
  ['include.path', '/dev/null'],
])('%s of the repository does not move it', async (key, value) => {
  inGit('init', '-q');
  commitFile();
  inGit('config', key, value);
  expect(await tryGit(dir, ['cat-file', 'blob', 'HEAD:./a.txt'])).toBe('one\n');
  expect(await tryGit(dir, ['rev-parse', '--show-toplevel'])).toBe(`${dir}\n`);
});

test.each(['node_modules/.bin', '.'])(
  'a program that is called git in %s of the project is not git',
  async (place) => {
    inGit('init', '-q');
    commitFile();
    mkdirSync(join(dir, place), { recursive: true });
    symlinkSync(join(base, 'canary.sh'), join(dir, place, 'git'));
    vi.stubEnv('PATH', [place, join(dir, place), process.env['PATH']].join(delimiter));
    expect(await tryGit(dir, ['rev-list', '--count', 'HEAD'])).toBe('1\n');
    expect(hasRun()).toBe(false);
  },
);

describe('a file .git', () => {
  const linked = (): string => join(base, 'linked');

  test('of a worktree: its repository is asked', async () => {
    inGit('init', '-q');
    commitFile();
    inGit('worktree', 'add', '-q', linked());
    put(linked(), { 'sub/x.txt': '' });
    expect(await tryGit(linked(), ['cat-file', 'blob', 'HEAD:./a.txt'])).toBe('one\n');
    expect(await tryGit(join(linked(), 'sub'), ['rev-list', '--count', 'HEAD'])).toBe('1\n');
  });

  test('that names a repository which does not name its folder: none is asked', async () => {
    inGit('init', '-q');
    commitFile();
    put(linked(), { '.git': `gitdir: ${join(dir, '.git')}\n` });
    expect(await tryGit(linked(), ['rev-list', '--count', 'HEAD'])).toBeUndefined();
    put(linked(), { '.git': 'gitdir: /nowhere\n' });
    expect(await tryGit(linked(), ['rev-list', '--count', 'HEAD'])).toBeUndefined();
    put(linked(), { '.git': 'no such line\n' });
    expect(await tryGit(linked(), ['rev-list', '--count', 'HEAD'])).toBeUndefined();
  });
});

test('git that does not end is killed, whatever signals it ignores', { timeout: 30_000 }, async () => {
  const stand = join(base, 'bin');
  put(stand, {
    git: `#!/bin/sh\necho $$ > ${base}/pid\ntrap '' TERM\nwhile :; do read -r _ < ${base}/never; done\n`,
  });
  chmodSync(join(stand, 'git'), 0o755);
  execFileSync('mkfifo', [join(base, 'never')]);
  inGit('init', '-q');
  commitFile();
  vi.stubEnv('PATH', [stand, process.env['PATH']].join(delimiter));
  expect(await tryGit(dir, ['rev-list', '--count', 'HEAD'])).toBeUndefined();
  const pid = Number(readFileSync(join(base, 'pid'), 'utf8'));
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

// git itself has a variable by which its tests act as if another user had the repository; it is one of those that are removed.
test('a repository of another user: only where safe.directory names it', async () => {
  inGit('init', '-q');
  commitFile();
  const home = join(base, 'home');
  const stand = join(base, 'bin');
  put(stand, { git: `#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec ${program.path} "$@"\n` });
  chmodSync(join(stand, 'git'), 0o755);
  mkdirSync(home);
  vi.stubEnv('HOME', home);
  vi.stubEnv('PATH', [stand, process.env['PATH']].join(delimiter));
  expect(await tryGit(dir, ['rev-list', '--count', 'HEAD'])).toBeUndefined();
  put(home, { '.gitconfig': `[safe]\n\tdirectory = ${dir}\n` });
  expect(await tryGit(dir, ['rev-list', '--count', 'HEAD'])).toBe('1\n');
});
