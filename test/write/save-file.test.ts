// One file of a person's: whatever fails on the way, it is as it was, or new, and nothing stands beside it.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileSystem } from '../../src/write/file-system.ts';
import { saveFile } from '../../src/write/save-file.ts';
import { listCalls } from './edited-project.ts';
import { changing, faultyFileSystem, filesOf, put, systemError, temporaryFolder } from './project-on-disk.ts';

function folder(files: Record<string, string>): string {
  const dir = temporaryFolder();
  put(dir, files);
  return dir;
}

const save = (dir: string, force: boolean, fs?: FileSystem): Promise<string | undefined> =>
  saveFile(join(dir, 'a.yaml'), 'new\n', { force }, fs);

test.each<[what: string, before: Record<string, string>, force: boolean, after: Record<string, string>]>([
  ['a new file', {}, false, { 'a.yaml': 'new\n' }],
  ['over one that is there', { 'a.yaml': 'old\n' }, true, { 'a.yaml': 'new\n', 'a.yaml.orig': 'old\n' }],
])('%s: whatever fails, the old state, or the new one', async (_, before, force, after) => {
  const calls = await listCalls((fs) => save(folder(before), force, fs));
  for (const failing of calls) {
    const dir = folder(before);
    const full = faultyFileSystem((operation, path, call) => {
      if (call === failing && changing.has(operation)) throw systemError('ENOSPC', path);
    });
    const failed = await save(dir, force, full).then(
      () => false,
      () => true,
    );
    const copy = failed && 'a.yaml.orig' in filesOf(dir) ? { 'a.yaml.orig': 'old\n' } : {};
    expect(filesOf(dir), `failing at ${String(failing)}`).toEqual(failed ? { ...before, ...copy } : after);
  }
  const dir = folder(before);
  await save(dir, force);
  expect(filesOf(dir)).toEqual(after);
});

test('a file that is there stays', async () => {
  const dir = folder({ 'a.yaml': 'old\n' });
  await expect(save(dir, false)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(filesOf(dir)).toEqual({ 'a.yaml': 'old\n' });
});

test('a link goes on leading to its file', async () => {
  const dir = folder({ 'real/b.yaml': 'old\n' });
  mkdirSync(join(dir, 'other'));
  symlinkSync('real/b.yaml', join(dir, 'a.yaml'));
  await save(dir, true);
  expect(filesOf(dir)).toEqual({
    'a.yaml': '-> real/b.yaml',
    'a.yaml.orig': 'old\n',
    'real/b.yaml': 'new\n',
  });
});
