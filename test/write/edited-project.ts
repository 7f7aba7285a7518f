/** A project that a person has edited and added to, and what a second run with `--force` has to make of it. */
import { join } from 'node:path';
import type { FileSystem } from '../../src/write/file-system.ts';
import {
  changing,
  faultyFileSystem,
  project,
  put,
  temporaryFolder,
  texts,
  write,
} from './project-on-disk.ts';

export const one = project('one', { 'src/app/old/gone.ts': 'gone\n' });
export const two = project('two', { 'src/app/new/deep/born.ts': 'born\n' });

/** Text that the person has written. */
export const mine = { 'mine.txt': 'mine\n', 'README.md': 'edited\n', 'src/handlers/notes.md': 'mine\n' };

/** Once `two` is written over it. */
export const complete = { ...texts(two), ...mine, 'README.md': '# two\n', 'README.md.orig': 'edited\n' };

/** The folder of `one` with `mine`. */
export async function written(): Promise<string> {
  const dir = join(temporaryFolder(), 'petstore-mcp');
  await write(one, dir);
  put(dir, mine);
  return dir;
}

/** Runs once without faults, and lists the operations that `counts`, by their number. */
export async function listCalls(
  run: (fs: FileSystem) => Promise<unknown>,
  counts: (operation: keyof FileSystem) => boolean = () => true,
): Promise<number[]> {
  const calls: number[] = [];
  await run(
    faultyFileSystem((operation, _, call) => {
      if (counts(operation)) calls.push(call);
    }),
  );
  return calls;
}

/** The operations that change something. */
export function listChanges(run: (fs: FileSystem) => Promise<unknown>): Promise<number[]> {
  return listCalls(run, (operation) => changing.has(operation));
}
