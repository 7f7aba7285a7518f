/** Whenever a run is killed: the next one finds the old project whole, or the new one, and no file of the user is changed. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DiagnosticCollector } from '../../src/diagnostics/collector.ts';
import { hashContents } from '../../src/emit/index.ts';
import { type FileSystem, nodeFileSystem } from '../../src/write/file-system.ts';
import { recoverProject } from '../../src/write/index.ts';
import { type Journal, writeJournal } from '../../src/write/journal.ts';
import { appendSignature } from '../../src/write/staging-folder.ts';
import { complete, listCalls, mine, one, two, written } from './edited-project.ts';
import {
  changing,
  faultyFileSystem,
  filesOf,
  project,
  put,
  temporaryFolder,
  texts,
  tree,
  write,
} from './project-on-disk.ts';

/** Does nothing any more from an operation on, as a process that is gone. */
function killedAt(last: number): FileSystem {
  return faultyFileSystem((_, __, call) => {
    if (call >= last) throw new Error('killed');
  });
}

interface Recovered {
  ok: boolean;
  problems: string[];
  messages: string[];
  hints: string[];
}

async function recovered(dir: string, fs?: FileSystem, options = {}): Promise<Recovered> {
  const diagnostics = new DiagnosticCollector();
  const ok = await recoverProject(dir, diagnostics, options, fs);
  return {
    ok,
    problems: diagnostics.found.map(({ name }) => name),
    messages: diagnostics.found.map(({ message }) => message),
    hints: diagnostics.found.map(({ hint = '' }) => hint),
  };
}

test('killed at any operation: the old project or the new one, and the next run writes the new one', async () => {
  const calls = await listCalls(async (fs) => write(two, await written(), { force: true }, fs));
  const told = new Set<string>();
  for (const call of calls) {
    const dir = await written();
    const before = tree(dir);
    await write(two, dir, { force: true }, killedAt(call)).catch(() => undefined);
    const { ok, problems } = await recovered(dir);
    expect(ok).toBe(true);
    const isNew = filesOf(dir)['mcpgen.lock'] === texts(two)['mcpgen.lock'];
    if (isNew) expect(filesOf(dir), `new, killed at ${String(call)}`).toEqual(complete);
    else expect(tree(dir), `old, killed at ${String(call)}`).toEqual(before);
    told.add(`${problems.join()} ${isNew ? 'new' : 'old'}`);
    await write(two, dir, { force: true });
    expect(filesOf(dir)).toEqual(complete);
  }
  expect([...told].sort()).toEqual([' new', ' old', 'run-undone old']);
});

test('killed again while it is being undone', async () => {
  const begun = async (): Promise<string> => {
    const dir = await written();
    const last = await listCalls((fs) => write(two, dir, { force: true, dryRun: true }, fs));
    const calls = await listCalls(async (fs) => write(two, await written(), { force: true }, fs));
    await write(two, dir, { force: true }, killedAt(Math.round((last.length + 5 * calls.length) / 6))).catch(
      () => undefined,
    );
    return dir;
  };
  const before = tree(await written());
  const calls = await listCalls(async (fs) => recovered(await begun(), fs));
  for (const call of calls) {
    const dir = await begun();
    await recovered(dir, killedAt(call)).catch(() => undefined);
    await recovered(dir);
    expect(tree(dir), `killed at ${String(call)}`).toEqual(before);
  }
});

test('a first run that is killed leaves no project, and the next one cleans up', async () => {
  const calls = await listCalls((fs) => write(one, join(temporaryFolder(), 'a'), {}, fs));
  for (const call of calls) {
    const base = temporaryFolder();
    await write(one, join(base, 'a'), {}, killedAt(call)).catch(() => undefined);
    expect(Object.keys(tree(base)).filter((path) => path.startsWith('a'))).toEqual([]);
    await write(one, join(base, 'a'));
    expect(filesOf(base)).toEqual(
      Object.fromEntries(Object.entries(texts(one)).map(([path, text]) => [`a/${path}`, text])),
    );
  }
});

/** Killed when all but the lock was in place. */
async function halfDone(): Promise<string> {
  const dir = await written();
  const dying = faultyFileSystem((operation, path) => {
    if (gone || (operation === 'rename' && path.endsWith('mcpgen.lock'))) gone = true;
    if (gone) throw new Error('killed');
  });
  let gone = false;
  await write(two, dir, { force: true }, dying).catch(() => undefined);
  return dir;
}

test('the run that undoes it says so, and goes on', async () => {
  const dir = await halfDone();
  expect(filesOf(dir)['src/main.ts']).toBe('main two\n');
  const { problems, messages } = await write(two, dir, { force: true });
  expect(problems).toEqual(['run-undone']);
  expect(messages[0]).toContain(dir);
  expect(filesOf(dir)).toEqual(complete);
});

test('what somebody has edited between the two runs stays, with what stood there before as .orig', async () => {
  const dir = await halfDone();
  put(dir, {
    'src/main.ts': 'edited since\n',
    'src/app/new/deep/born.ts': 'edited too\n',
    'src/app/old/gone.ts': 'mine now\n',
  });
  const { ok, problems } = await recovered(dir);
  expect({ ok, problems }).toEqual({ ok: true, problems: ['run-undone'] });
  expect(filesOf(dir)).toEqual({
    ...texts(one),
    ...mine,
    'src/main.ts': 'edited since\n',
    'src/main.ts.orig': 'main one\n',
    'src/app/new/deep/born.ts': 'edited too\n',
    'src/app/old/gone.ts': 'mine now\n',
  });
});

test('a copy that the run itself has kept is not kept twice', async () => {
  const dir = await halfDone();
  put(dir, { 'README.md': 'edited since\n' });
  const { messages } = await recovered(dir);
  expect(messages[0]).toContain('README.md.orig');
  expect(filesOf(dir)).toEqual({
    ...texts(one),
    ...mine,
    'README.md': 'edited since\n',
    'README.md.orig': 'edited\n',
  });
});

test('killed again while what was edited since is set aside', async () => {
  const since = { 'src/main.ts': 'edited since\n', 'README.md': 'edited since\n' };
  const begun = async (): Promise<string> => {
    const dir = await halfDone();
    put(dir, since);
    return dir;
  };
  const calls = await listCalls(async (fs) => recovered(await begun(), fs));
  for (const call of calls) {
    const dir = await begun();
    await recovered(dir, killedAt(call)).catch(() => undefined);
    await recovered(dir);
    expect(filesOf(dir), `killed at ${String(call)}`).toEqual({
      ...texts(one),
      ...mine,
      ...since,
      'README.md.orig': 'edited\n',
      'src/main.ts.orig': 'main one\n',
    });
  }
});

/** Files that git has checked out since then: text by path, `undefined` for a file that is not on that branch. */
const three = texts(project('three', { 'src/app/old/gone.ts': 'gone\n' }));

test.each<{ what: string; files: Record<string, string>; gone?: string[]; saved: Record<string, string> }>([
  { what: 'what was there before', files: texts(one), saved: {} },
  {
    what: 'another branch',
    files: three,
    saved: {
      'README.md.orig': 'edited\n',
      'src/main.ts.orig': 'main one\n',
      'src/generated/catalog.json.orig': '{"v":"one"}\n',
      'dist/main.js.orig': 'built one\n',
    },
  },
  {
    what: 'a branch without one of the files',
    files: {},
    gone: ['src/main.ts'],
    saved: { 'src/main.ts.orig': 'main one\n' },
  },
])('a checkout of git after the crash stays as it is: $what', async ({ files, gone = [], saved }) => {
  const dir = await halfDone();
  put(dir, files);
  for (const path of gone) rmSync(join(dir, path));
  const { ok, messages } = await recovered(dir);
  expect(ok).toBe(true);
  const rest = { ...texts(one), ...mine, ...files, ...saved };
  const want = Object.entries(rest).filter(([path]) => !gone.includes(path));
  const extra =
    files['README.md'] === '# one\n' ? { 'README.md': '# one\n', 'README.md.orig': 'edited\n' } : {};
  expect(filesOf(dir)).toEqual({ ...Object.fromEntries(want), ...extra });
  for (const path of Object.keys(saved)) expect(messages[0]).toContain(path);
});

test.each([
  { what: 'in a repository', folder: '.git', want: 'git status' },
  { what: 'elsewhere', folder: 'other', want: 'Nothing to do' },
])('what to look at $what', async ({ folder, want }) => {
  const dir = await halfDone();
  mkdirSync(join(dir, '..', folder));
  const { hints } = await recovered(dir);
  expect(hints[0]).toContain(want);
});

test('a run that goes on is left alone: project-in-use', async () => {
  const dir = await written();
  put(dir, { [`${appendSignature('.mcpgen-1-0123abcd', realpathSync(dir))}/journal.json`]: '{}' });
  const before = tree(dir);
  const { problems, messages } = await write(two, dir, { force: true });
  expect(problems).toEqual(['project-in-use']);
  expect(messages[0]).toContain('process 1');
  expect(tree(dir)).toEqual(before);
});

/** Runs `meanwhile` just before the first change. */
function withAnother(meanwhile: () => Promise<unknown>): FileSystem {
  let begun = false;
  const waiting = faultyFileSystem(() => undefined);
  return new Proxy(waiting, {
    get: (target, name: keyof FileSystem) => {
      if (!changing.has(name)) return target[name];
      return async (...parameters: string[]) => {
        if (!begun) {
          begun = true;
          await meanwhile();
        }
        return (target[name] as (...parameters: string[]) => Promise<unknown>)(...parameters);
      };
    },
  });
}

test('two runs at the same time: the second is told, and nothing is mixed', async () => {
  const dir = await written();
  const other = withAnother(() => write(two, dir, { force: true }));
  const { problems } = await write(project('three'), dir, { force: true }, other);
  expect(problems).toEqual(['project-changed-meanwhile']);
  expect(filesOf(dir)).toEqual(complete);
});

test('two runs that make the same new project: the second is told, and the first one is whole', async () => {
  const base = temporaryFolder();
  const dir = join(base, 'new/petstore-mcp');
  const other = withAnother(() => write(two, dir));
  const { problems, written: paths } = await write(project('three'), dir, {}, other);
  expect(problems).toEqual(['project-changed-meanwhile']);
  expect(paths).toEqual([]);
  expect(filesOf(base)).toEqual(
    Object.fromEntries(two.map(({ path, contents }) => [`new/petstore-mcp/${path}`, contents])),
  );
});

test('two runs that make projects in the same new folder: both are written', async () => {
  const base = temporaryFolder();
  const other = withAnother(() => write(two, join(base, 'new/deep/one')));
  expect((await write(two, join(base, 'new/deep/other'), {}, other)).problems).toEqual([]);
  expect(filesOf(join(base, 'new/deep/other'))).toEqual(filesOf(join(base, 'new/deep/one')));
});

/** The name of what a run has left in the project that was killed. */
const leftoverIn = (dir: string): string => appendSignature('.mcpgen-99999999-0123abcd', realpathSync(dir));

/** A folder as a run leaves it that was killed, signed by this user. */
async function plant(
  dir: string,
  journal: Journal | object,
  old: Record<string, string> = {},
): Promise<void> {
  const name = leftoverIn(dir);
  const folder = join(dir, name);
  put(dir, Object.fromEntries(Object.entries(old).map(([path, text]) => [`${name}/old/${path}`, text])));
  mkdirSync(folder, { recursive: true });
  await writeJournal(journal as Journal, { root: realpathSync(dir), folder, fs: nodeFileSystem });
}

const nothing = { format: 1, folders: [], removals: [], changes: [] };

test.each([
  ['another format', { ...nothing, format: 2 }],
  ['no list', { format: 1, folders: [], removals: [] }],
  ['a path outside', { ...nothing, changes: [{ path: '../victim.txt', hash: '', replaces: false }] }],
  ['a removal outside', { ...nothing, removals: ['/etc/victim'] }],
  ['a hook of git', { ...nothing, changes: [{ path: '.git/hooks/pre-commit', hash: '', replaces: true }] }],
])(
  'a signed journal that this version cannot read (%s): journal-damaged, and nothing changes',
  async (_, journal) => {
    const dir = await written();
    put(dir, { '../victim.txt': 'theirs\n' });
    await plant(dir, journal);
    const before = tree(join(dir, '..'));
    expect(await recovered(dir)).toMatchObject({ ok: false, problems: ['journal-damaged'] });
    expect(tree(join(dir, '..'))).toEqual(before);
  },
);

/** Each undoes an edit of README.md, were it believed. */
const undoing = {
  ...nothing,
  changes: [{ path: 'README.md', hash: hashContents('mine\n'), replaces: true }],
};
const believed = { 'README.md': 'hostile\n' };

test('the journal that the next tests spoil is believed as it is', async () => {
  const dir = await written();
  put(dir, { 'README.md': 'mine\n' });
  await plant(dir, undoing, believed);
  expect(await recovered(dir)).toMatchObject({ ok: true, problems: ['run-undone'] });
  expect(filesOf(dir)['README.md']).toBe('hostile\n');
});

const journalIn = (dir: string): string => join(leftoverIn(dir), 'journal.json');

test.each<[string, (dir: string) => void]>([
  ['no JSON', (dir) => put(dir, { [journalIn(dir)]: '{' })],
  ['without a signature', (dir) => put(dir, { [journalIn(dir)]: JSON.stringify(undoing) })],
  [
    'with an empty signature',
    (dir) =>
      put(dir, { [journalIn(dir)]: JSON.stringify({ journal: JSON.stringify(undoing), signature: '' }) }),
  ],
  [
    'changed after it was signed',
    (dir) => {
      const text = readFileSync(join(dir, journalIn(dir)), 'utf8');
      put(dir, { [journalIn(dir)]: text.replace('removals\\":[]', 'removals\\":[\\"same\\"]') });
    },
  ],
  [
    'of another folder',
    (dir) =>
      renameSync(
        join(dir, leftoverIn(dir)),
        join(dir, appendSignature('.mcpgen-99999999-0123abce', realpathSync(dir))),
      ),
  ],
  [
    'that is a link',
    (dir) => {
      renameSync(join(dir, journalIn(dir)), join(dir, 'elsewhere'));
      symlinkSync(join(dir, 'elsewhere'), join(dir, journalIn(dir)));
    },
  ],
  [
    'with a link among the copies',
    (dir) => symlinkSync(temporaryFolder(), join(dir, leftoverIn(dir), 'old/home')),
  ],
  ['with a link in a folder of its own', (dir) => symlinkSync('README.md', join(dir, leftoverIn(dir), 'x'))],
  [
    'that git has',
    (dir) => {
      for (const args of [
        ['init', '-q'],
        ['add', '-f', leftoverIn(dir)],
      ])
        execFileSync('git', args, { cwd: dir });
    },
  ],
])('a leftover %s is ignored and reported, whatever the command', async (_, spoil) => {
  const dir = await written();
  put(dir, { 'README.md': 'mine\n' });
  await plant(dir, undoing, believed);
  spoil(dir);
  const before = tree(dir);
  for (const options of [{}, { check: true }, { dryRun: true }])
    expect(await recovered(dir, undefined, options)).toMatchObject({
      ok: true,
      problems: ['leftover-foreign'],
    });
  expect(tree(dir)).toEqual(before);
});

/** A folder that came with a repository or an archive, without a journal. */
const strangers: [what: string, name: string][] = [
  ['without a signature, of a process that is gone', 'mcpgen-99999999-abcdef12'],
  ['without a signature, of a process that lives', 'mcpgen-1-abcdef12'],
  ['signed by somebody else', `mcpgen-99999999-abcdef12-${'0'.repeat(16)}`],
  ['signed by somebody else, of a process that lives', `mcpgen-1-abcdef12-${'0'.repeat(16)}`],
];

test.each(strangers)('a folder in the project %s neither blocks a run nor is removed', async (_, name) => {
  const dir = await written();
  put(dir, { [`.${name}/precious`]: 'keep\n' });
  for (const options of [{ force: true }, { force: true, check: true }, {}]) {
    const { problems } = await write(two, dir, options);
    expect(problems).toEqual(['leftover-foreign']);
  }
  expect(filesOf(dir)).toEqual({ ...complete, [`.${name}/precious`]: 'keep\n' });
});

test.each(strangers)('a folder beside a new project %s is not removed', async (_, name) => {
  const base = temporaryFolder();
  put(base, { [`.new.${name}/precious`]: 'keep\n' });
  expect((await write(one, join(base, 'new'))).problems).toEqual(['leftover-foreign']);
  expect(filesOf(base)).toMatchObject({ [`.new.${name}/precious`]: 'keep\n', 'new/README.md': '# one\n' });
});

test('the signature of a name counts in its folder, for its process and its project alone', async () => {
  const base = realpathSync(temporaryFolder());
  const [, signature = ''] =
    /-([0-9a-f]{16})$/.exec(appendSignature('.mcpgen-99999999-abcdef12', base)) ?? [];
  const name = appendSignature('.new.mcpgen-99999999-abcdef12', base);
  put(base, {
    [`.new.mcpgen-99999999-abcdef12-${signature}/x`]: '',
    [`${name.replace('abcdef12', 'abcdef13')}/x`]: '',
    [`${appendSignature('.new.mcpgen-99999999-abcdef14', join(base, 'other'))}/x`]: '',
    [`${name}/x`]: '',
  });
  const { problems } = await write(one, join(base, 'new'));
  expect(problems).toEqual(['leftover-foreign', 'leftover-foreign', 'leftover-foreign']);
  expect(existsSync(join(base, name))).toBe(false);
});

test('a leftover that is a link is no leftover', async () => {
  const dir = await written();
  await plant(dir, undoing, believed);
  const outside = join(temporaryFolder(), 'outside');
  renameSync(join(dir, leftoverIn(dir)), outside);
  symlinkSync(outside, join(dir, leftoverIn(dir)));
  expect(await recovered(dir)).toMatchObject({ ok: true, problems: [] });
  expect(filesOf(outside)['old/README.md']).toBe('hostile\n');
});

test('a copied project is another one: its leftovers are not undone', async () => {
  const dir = await halfDone();
  const copy = join(temporaryFolder(), 'copy');
  cpSync(dir, copy, { recursive: true });
  const before = tree(copy);
  expect(await recovered(copy)).toMatchObject({ ok: true, problems: ['leftover-foreign'] });
  expect(tree(copy)).toEqual(before);
});

test.each([{ check: true }, { dryRun: true }])(
  '%j reports what a run has left, and repairs nothing',
  async (options) => {
    const dir = await halfDone();
    const before = tree(dir);
    const { ok, problems, hints } = await recovered(dir, undefined, options);
    expect({ ok, problems }).toEqual({ ok: true, problems: ['leftover-found'] });
    expect(hints[0]).toContain('mcpgen generate');
    expect(tree(dir)).toEqual(before);
  },
);

describe('the key', () => {
  const home = (): string => {
    const folder = temporaryFolder();
    vi.stubEnv('XDG_CACHE_HOME', folder);
    return folder;
  };
  afterEach(() => void vi.unstubAllEnvs());

  test('is made once, for this user alone', async () => {
    const file = join(home(), 'mcpgen/journal.key');
    const dir = await halfDone();
    const key = readFileSync(file, 'utf8');
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    expect(await recovered(dir)).toMatchObject({ problems: ['run-undone'] });
    await halfDone();
    expect(readFileSync(file, 'utf8')).toBe(key);
  });

  test.each<[string, (cache: string) => void]>([
    ['the folder cannot be made', (cache) => put(cache, { mcpgen: 'a file' })],
    [
      'the key is a link',
      (cache) => {
        put(cache, { elsewhere: 'a'.repeat(64), 'mcpgen/x': '' });
        symlinkSync(join(cache, 'elsewhere'), join(cache, 'mcpgen/journal.key'));
      },
    ],
    [
      'others can read it',
      (cache) => {
        put(cache, { 'mcpgen/journal.key': 'a'.repeat(64) });
        chmodSync(join(cache, 'mcpgen/journal.key'), 0o644);
      },
    ],
    [
      'it is no key',
      (cache) => {
        put(cache, { 'mcpgen/journal.key': 'short' });
        chmodSync(join(cache, 'mcpgen/journal.key'), 0o600);
      },
    ],
  ])('where %s, projects are written, and no leftover is undone', async (_, spoil) => {
    spoil(home());
    const dir = await halfDone();
    const before = tree(dir);
    expect(await recovered(dir)).toMatchObject({ ok: true, problems: ['leftover-foreign'] });
    expect(tree(dir)).toEqual(before);
    rmSync(
      join(
        dir,
        Object.keys(before)
          .find((path) => path.startsWith('.mcpgen-'))
          ?.split('/')[0] ?? '',
      ),
      { recursive: true },
    );
    expect((await write(two, await written(), { force: true })).problems).toEqual([]);
  });

  test('where there is none, a second run of the process waits its turn, and nothing is left', async () => {
    put(home(), { mcpgen: 'a file' });
    const dir = await written();
    const seen: string[][] = [];
    const inside = new Proxy(nodeFileSystem, {
      get: (target, name: keyof FileSystem) =>
        name === 'copyFile'
          ? async (...parameters: [string, string]) => {
              seen.push((await write(project('three'), dir, { force: true })).problems);
              return target.copyFile(...parameters);
            }
          : target[name],
    });
    expect((await write(two, dir, { force: true }, inside)).problems).toEqual([]);
    expect(seen).toContainEqual(['project-in-use']);
    expect(filesOf(dir)).toEqual(complete);
  });

  test.each(['.', '..'])('a key that came with the repository is none (%s)', async (above) => {
    const dir = await written();
    mkdirSync(join(dir, above, '.git'), { recursive: true });
    vi.stubEnv('XDG_CACHE_HOME', join(dir, above, 'cache'));
    put(join(dir, above), { 'cache/mcpgen/journal.key': 'a'.repeat(64) });
    chmodSync(join(dir, above, 'cache/mcpgen/journal.key'), 0o600);
    await plant(dir, undoing, believed);
    expect(await recovered(dir)).toMatchObject({ ok: true, problems: ['leftover-foreign'] });
  });
});

test('no link leads the undoing out of the project, nor elsewhere in it', async () => {
  for (const inside of [false, true]) {
    const base = temporaryFolder();
    const dir = join(base, 'p');
    const target = join(inside ? dir : base, 'outside');
    put(target, { 'victim.txt': 'theirs\n' });
    mkdirSync(dir, { recursive: true });
    symlinkSync(target, join(dir, 'link'));
    const changes = [{ path: 'link/victim.txt', hash: hashContents('theirs\n'), replaces: true }];
    await plant(dir, { ...nothing, changes }, { 'link/victim.txt': 'hostile\n' });
    expect(await recovered(dir)).toMatchObject({ ok: false, problems: ['rollback-failed'] });
    expect(filesOf(target)['victim.txt']).toBe('theirs\n');
  }
});
