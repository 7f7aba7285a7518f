/** Whenever a run is killed: the next one finds the old project whole, or the new one, and no file of the user is changed. */
import { mkdirSync, symlinkSync } from 'node:fs';
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

async function recovered(dir: string, fs?: FileSystem): Promise<{ ok: boolean; problems: string[] }> {
  const diagnostics = new DiagnosticCollector();
  const ok = await recover(dir, diagnostics, fs);
  return { ok, problems: diagnostics.found.map(({ name }) => name) };
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

test('what somebody has edited between the two runs is kept', async () => {
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
    'src/main.ts.orig': 'edited since\n',
    'new/deep/born.ts': 'edited too\n',
    'old/gone.ts': 'mine now\n',
  });
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
  expect(await recovered(dir)).toEqual({ ok: false, problems: ['journal-damaged'] });
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
  expect(await recovered(dir)).toEqual({ ok: false, problems: ['rollback-failed'] });
  expect(filesOf(base)['outside/victim.txt']).toBe('theirs\n');
});
