/** Whatever fails, and wherever: the old project is whole, and nothing is left behind. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileSystem } from '../../src/write/file-system.ts';
import { complete, listCalls, one, two, written } from './edited-project.ts';
import {
  changing,
  faultyFileSystem,
  filesOf,
  systemError,
  temporaryFolder,
  texts,
  tree,
  write,
} from './project-on-disk.ts';

const listChanges = (run: (fs: FileSystem) => Promise<unknown>): Promise<number[]> =>
  listCalls(run, (operation) => changing.has(operation));

/** `look` aside: the cleaning up looks too. */
const reading = new Set<keyof FileSystem>(['follow', 'readText', 'readFolder', 'realPath']);

function failAt(failing: number, code: string): FileSystem {
  return faultyFileSystem((_, path, call) => {
    if (call === failing) throw systemError(code, path);
  });
}

const wordsFor = {
  ENOSPC: 'disk-full',
  EACCES: 'target-not-writable',
  EIO: 'write-failed',
  EFBIG: 'file-size-limit',
} as const;

test.each(Object.entries(wordsFor))(
  '%s at any change of a second run: the old project, or the new one',
  async (code, problem) => {
    const calls = await listChanges(async (fs) => write(two, await written(), { force: true }, fs));
    expect(calls.length).toBeGreaterThan(20);
    for (const call of calls) {
      const dir = await written();
      const before = tree(dir);
      const { problems, messages } = await write(two, dir, { force: true }, failAt(call, code));
      const after = tree(dir);
      const leftover = Object.keys(after).filter((path) => path.startsWith('.mcpgen'));
      if (problems.includes('leftover-folder')) {
        // The last step failed: cleaning up. The project itself is whole.
        expect(leftover.length).toBeGreaterThan(0);
        expect(problems).toEqual(['leftover-folder']);
      } else if (problems.length > 0) {
        expect(problems).toEqual([problem]);
        expect(messages[0]).toContain(dir);
        expect(messages[0], 'a folder nobody made').not.toMatch(/[/\\\\]\.mcpgen-/);
        expect(after).toEqual(before);
      } else {
        expect(filesOf(dir)).toEqual(complete);
      }
    }
  },
);

test.each(Object.entries(wordsFor))(
  '%s at any change of a first run leaves nothing',
  async (code, problem) => {
    const calls = await listChanges((fs) => write(one, join(temporaryFolder(), 'a/b'), {}, fs));
    for (const call of calls) {
      const base = temporaryFolder();
      const { problems, messages } = await write(one, join(base, 'a/b'), {}, failAt(call, code));
      expect(problems).toEqual([problem]);
      expect(messages[0]).toContain(join(base, 'a'));
      expect(messages[0], 'a folder nobody made').not.toContain('.b.mcpgen-');
      expect(tree(base)).toEqual({});
    }
  },
);

test('a folder that refuses every write: target-not-writable names it', async () => {
  const dir = await written();
  const before = tree(dir);
  const readOnly = faultyFileSystem((operation, path) => {
    if (changing.has(operation)) throw systemError('EROFS', path);
  });
  const { problems, messages } = await write(two, dir, { force: true }, readOnly);
  expect(problems).toEqual(['target-not-writable']);
  expect(messages[0]).toContain(dir);
  expect(tree(dir)).toEqual(before);
});

test('a limit on the size of files is no fault of the disk', async () => {
  const limited = faultyFileSystem((operation, path) => {
    if (operation === 'writeText') throw systemError('EFBIG', path);
  });
  const { messages, hints } = await write(two, await written(), { force: true }, limited);
  expect(messages[0]).toContain('exceeds the limit for file sizes');
  expect(hints[0]).toContain('ulimit -f');
  expect(hints[0]).not.toContain('disk');
});

test.each([
  ['README.md', 'readText'],
  ['mcpgen.lock', 'readText'],
  ['src/handlers', 'readFolder'],
  ['src/handlers/index.ts', 'readText'],
] as const)('%s cannot be read: that is said of it, by a run and by a check', async (file, failing) => {
  const dir = await written();
  const before = tree(dir);
  const unreadable = faultyFileSystem((operation, path) => {
    if (operation === failing && path === join(dir, file)) throw systemError('EACCES', path);
  });
  for (const options of [{ force: true }, { check: true }]) {
    const { problems, messages, hints } = await write(two, dir, options, unreadable);
    expect(problems).toEqual(['target-not-readable']);
    expect(messages[0]).toBe(`${join(dir, file)} cannot be read (EACCES). Nothing was changed.`);
    expect(hints[0]).not.toContain('-o');
  }
  expect(tree(dir)).toEqual(before);
});

test.each(['EACCES', 'EIO'])(
  '%s at any reading: nothing is changed, and nothing said of writing',
  async (code) => {
    const calls = await listCalls(
      async (fs) => write(two, await written(), { force: true }, fs),
      (operation) => reading.has(operation),
    );
    expect(calls.length).toBeGreaterThan(20);
    for (const call of calls) {
      const dir = await written();
      const before = tree(dir);
      const { problems } = await write(two, dir, { force: true }, failAt(call, code));
      if (problems.length === 0 || problems.includes('leftover-folder')) continue;
      expect(problems).toEqual(['target-not-readable']);
      expect(tree(dir)).toEqual(before);
    }
  },
);

test('a disk that goes away in the middle: rollback-failed, and the old files are kept', async () => {
  const dir = await written();
  const dying = faultyFileSystem((operation, path) => {
    const gone = operation === 'rename' && /new[\\/]src[\\/]main\.ts$|old[\\/]README\.md$/.test(path);
    if (gone) throw systemError('EIO', path);
  });
  const { problems, messages } = await write(two, dir, { force: true }, dying);
  expect(problems).toEqual(['rollback-failed']);
  expect(messages[0]).toContain('README.md');
  const kept = Object.entries(tree(dir)).find(([path]) => /^\.mcpgen-.*\/old\/README\.md$/.test(path));
  expect(kept?.[1]).toBe('edited\n');
});

test('a bug is thrown, not reported', async () => {
  const broken = faultyFileSystem((operation) => {
    if (operation === 'rename') throw new TypeError('a bug');
  });
  const base = temporaryFolder();
  await expect(write(one, join(base, 'x'), {}, broken)).rejects.toThrow('a bug');
  expect(tree(base)).toEqual({});
});

test('file modes that cannot be set are no failure', async () => {
  const dir = join(temporaryFolder(), 'x');
  const windows = faultyFileSystem((operation, path) => {
    if (operation === 'changeMode') throw systemError('EPERM', path);
  });
  expect((await write(one, dir, {}, windows)).problems).toEqual([]);
  expect(filesOf(dir)).toEqual(texts(one));
});

/** Aborts when the operation of a number begins. */
function abortAt(stopping: number, controller: AbortController): FileSystem {
  return faultyFileSystem((_, __, call) => {
    if (call === stopping) controller.abort(new Error('interrupted'));
  });
}

test('interrupted anywhere: the old project or the new one, and nothing else', async () => {
  const calls = await listChanges(async (fs) => write(two, await written(), { force: true }, fs));
  const outcomes = new Set<string>();
  for (const call of calls) {
    const dir = await written();
    const before = tree(dir);
    const controller = new AbortController();
    const fs = abortAt(call, controller);
    const outcome = await write(two, dir, { force: true, signal: controller.signal }, fs).then(
      () => 'finished',
      (error: unknown) => (error instanceof Error ? error.message : 'not an error'),
    );
    outcomes.add(outcome);
    if (outcome === 'interrupted') expect(tree(dir)).toEqual(before);
    else expect(filesOf(dir)).toEqual(complete);
  }
  expect([...outcomes].sort()).toEqual(['finished', 'interrupted']);
});

test('interrupted in a first run: nothing, or everything', async () => {
  const calls = await listChanges((fs) => write(one, join(temporaryFolder(), 'a/b'), {}, fs));
  for (const call of calls.slice(0, -1)) {
    const base = temporaryFolder();
    const controller = new AbortController();
    const run = write(one, join(base, 'a/b'), { signal: controller.signal }, abortAt(call, controller));
    await expect(run).rejects.toThrow('interrupted');
    expect(tree(base)).toEqual({});
  }
});

test('a run that was interrupted before it began changes nothing', async () => {
  const base = temporaryFolder();
  const signal = AbortSignal.abort(new Error('interrupted'));
  await expect(write(one, join(base, 'x'), { signal })).rejects.toThrow('interrupted');
  expect(tree(base)).toEqual({});
});
