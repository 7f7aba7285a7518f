/** Whenever a run is killed: the next one finds the old project whole, or the new one, and no file of the user is changed. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiagnosticCollector } from '../../src/diagnostics/collector.ts';
import type { FileSystem } from '../../src/write/file-system.ts';
import { recover } from '../../src/write/index.ts';
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

async function recovered(dir: string, fs?: FileSystem): Promise<Recovered> {
  const diagnostics = new DiagnosticCollector();
  const ok = await recover(dir, diagnostics, fs);
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
    'new/deep/born.ts': 'edited too\n',
    'old/gone.ts': 'mine now\n',
  });
  const { ok, problems } = await recovered(dir);
  expect({ ok, problems }).toEqual({ ok: true, problems: ['run-undone'] });
  expect(filesOf(dir)).toEqual({
    ...texts(one),
    ...mine,
    'src/main.ts': 'edited since\n',
    'src/main.ts.orig': 'main one\n',
    'new/deep/born.ts': 'edited too\n',
    'old/gone.ts': 'mine now\n',
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

/** What git has checked out since then: text by path, `undefined` for a file that is not on that branch. */
const three = texts(project('three', { 'old/gone.ts': 'gone\n' }));

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
  { what: 'elsewhere', folder: 'other', want: 'Nothing has to be done' },
])('what to look at $what', async ({ folder, want }) => {
  const dir = await halfDone();
  mkdirSync(join(dir, '..', folder));
  const { hints } = await recovered(dir);
  expect(hints[0]).toContain(want);
});

test('a run that goes on is left alone: project-in-use', async () => {
  const dir = await written();
  put(dir, { '.mcpgen-1-0123abcd/journal.json': '{}' });
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

test.each([
  ['no JSON', '{'],
  ['another format', '{"format":2,"folders":[],"removals":[],"changes":[]}'],
  ['no list', '{"format":1,"folders":[],"removals":[]}'],
  [
    'a path outside',
    '{"format":1,"folders":[],"removals":[],"changes":[{"path":"../victim.txt","hash":"","replaces":false}]}',
  ],
  ['a removal outside', '{"format":1,"folders":[],"removals":["/etc/victim"],"changes":[]}'],
])('a journal that is not to be trusted (%s): journal-damaged, and nothing changes', async (_, text) => {
  const dir = await written();
  put(dir, { '.mcpgen-99999999-0123abcd/journal.json': text, '../victim.txt': 'theirs\n' });
  const before = tree(join(dir, '..'));
  expect(await recovered(dir)).toMatchObject({ ok: false, problems: ['journal-damaged'] });
  expect(tree(join(dir, '..'))).toEqual(before);
});

test('no link leads the undoing out of the project', async () => {
  const base = temporaryFolder();
  const dir = join(base, 'p');
  put(base, { 'outside/victim.txt': 'theirs\n' });
  mkdirSync(dir);
  symlinkSync(join(base, 'outside'), join(dir, 'link'));
  const journal = {
    format: 1,
    folders: [],
    removals: [],
    changes: [{ path: 'link/victim.txt', hash: '', replaces: true }],
  };
  put(dir, {
    '.mcpgen-99999999-0123abcd/journal.json': JSON.stringify(journal),
    '.mcpgen-99999999-0123abcd/old/link/victim.txt': 'hostile\n',
  });
  expect(await recovered(dir)).toMatchObject({ ok: false, problems: ['rollback-failed'] });
  expect(filesOf(base)['outside/victim.txt']).toBe('theirs\n');
});
