/** Whatever fails, and wherever: the project is as it was, or the next run completes it, and no temporary file is left. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FileSystem, renameFile } from '../../src/write/file-system.ts';
import { complete, listCalls, listChanges, one, two, written } from './edited-project.ts';
import {
  type Outcome,
  changing,
  faultyFileSystem,
  filesOf,
  systemError,
  temporaryFolder,
  texts,
  tree,
  write,
} from './project-on-disk.ts';

/** `look` aside: the cleaning up looks too. */
const reading = new Set<keyof FileSystem>(['follow', 'readText', 'readFolder', 'realPath']);

function failAt(failing: number, code: string): FileSystem {
  return faultyFileSystem((_, path, call) => {
    if (call === failing) throw systemError(code, path);
  });
}

/** The words for a failure, and what the next run makes of the project. */
async function expectOldOrCompletable(dir: string, before: object, outcome: Outcome) {
  const { problems, messages } = outcome;
  expect(messages.join(), 'a file nobody made').not.toContain('mcpgen-tmp');
  if (problems.includes('write-unfinished')) {
    expect(problems).toEqual(['write-unfinished']);
    expect(messages[0]).toContain(dir);
  } else if (problems.length > 0) {
    expect(problems).toEqual(['file-inaccessible']);
    expect(messages[0]).toContain(dir);
    expect(tree(dir)).toEqual(before);
  }
  expect(Object.keys(tree(dir)).filter((path) => path.endsWith('.mcpgen-tmp'))).toEqual([]);
  await write(two, dir, { force: true });
  expect(filesOf(dir)).toEqual(complete);
}

test('a failure at any change of a second run: the old project, or one that the next run completes', async () => {
  const calls = await listChanges(async (fs) => write(two, await written(), { force: true }, fs));
  expect(calls.length).toBeGreaterThan(20);
  for (const call of calls) {
    const dir = await written();
    const before = tree(dir);
    const outcome = await write(two, dir, { force: true }, failAt(call, 'ENOSPC'));
    await expectOldOrCompletable(dir, before, outcome);
  }
});

test('a failure at any change of a first run: nothing, or what the next run completes', async () => {
  const calls = await listChanges((fs) => write(one, join(temporaryFolder(), 'a/b'), {}, fs));
  for (const call of calls) {
    const base = temporaryFolder();
    const dir = join(base, 'a/b');
    const { problems, messages } = await write(one, dir, {}, failAt(call, 'ENOSPC'));
    expect(messages.join(), 'a file nobody made').not.toContain('mcpgen-tmp');
    if (problems.includes('file-inaccessible')) expect(tree(base)).toEqual({});
    else if (problems.length > 0) expect(problems).toEqual(['write-unfinished']);
    for (const message of messages) expect(message).toContain(join(base, 'a'));
    await write(one, dir);
    expect(filesOf(dir)).toEqual(texts(one));
  }
});

test('a folder that refuses every write: file-inaccessible names it', async () => {
  const dir = await written();
  const before = tree(dir);
  const readOnly = faultyFileSystem((operation, path) => {
    if (changing.has(operation)) throw systemError('EROFS', path);
  });
  const { problems, messages } = await write(two, dir, { force: true }, readOnly);
  expect(problems).toEqual(['file-inaccessible']);
  expect(messages[0]).toContain(dir);
  expect(tree(dir)).toEqual(before);
});

test.each([
  ['README.md', 'readText'],
  ['mcpgen.lock', 'readText'],
  ['src/handlers', 'readFolder'],
  ['src/handlers/index.ts', 'readText'],
] as const)('%s cannot be read: a message names it, by a run and by a check', async (file, failing) => {
  const dir = await written();
  const before = tree(dir);
  const unreadable = faultyFileSystem((operation, path) => {
    if (operation === failing && path === join(dir, file)) throw systemError('EACCES', path);
  });
  for (const options of [{ force: true }, { check: true }]) {
    const { problems, messages } = await write(two, dir, options, unreadable);
    expect(problems).toEqual(['file-inaccessible']);
    expect(messages[0]).toContain(`${join(dir, file)} (EACCES`);
  }
  expect(tree(dir)).toEqual(before);
});

test('a failure at any reading: nothing is changed', async () => {
  const calls = await listCalls(
    async (fs) => write(two, await written(), { force: true }, fs),
    (operation) => reading.has(operation),
  );
  expect(calls.length).toBeGreaterThan(20);
  for (const call of calls) {
    const dir = await written();
    const before = tree(dir);
    const { problems } = await write(two, dir, { force: true }, failAt(call, 'EACCES'));
    if (problems.length === 0) continue;
    expect(problems).toEqual(['file-inaccessible']);
    expect(tree(dir)).toEqual(before);
  }
});

test('a bug is thrown, not reported', async () => {
  const broken = faultyFileSystem((operation) => {
    if (operation === 'rename') throw new TypeError('a bug');
  });
  await expect(write(one, join(temporaryFolder(), 'x'), {}, broken)).rejects.toThrow('a bug');
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

test('a run that was interrupted before it began changes nothing', async () => {
  const base = temporaryFolder();
  const signal = AbortSignal.abort(new Error('interrupted'));
  await expect(write(one, join(base, 'x'), { signal })).rejects.toThrow('interrupted');
  expect(tree(base)).toEqual({});
});

test.each([
  ['win32', 'EPERM', 3],
  ['win32', 'EBUSY', 3],
  ['win32', 'EXDEV', 1],
  ['linux', 'EPERM', 1],
] as const)('on %s, a file whose renaming fails with %s twice: %i tries', (platform, code, want) => {
  let tries = 0;
  const rename = (from: string): void => {
    tries += 1;
    if (tries < 3) throw systemError(code, from);
  };
  const run = (): void => renameFile('a', 'b', rename, platform);
  if (want === 3) run();
  else expect(run).toThrow(code);
  expect(tries).toBe(want);
});
