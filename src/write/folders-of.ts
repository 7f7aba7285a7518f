import { posix } from 'node:path';

/** The folders of files (`a/b/c.ts`: `a`, `a/b`), each once, outer ones first. */
export function foldersOf(paths: Iterable<string>): string[] {
  const folders = new Set<string>();
  const add = (folder: string): void => {
    if (folder === '.' || folders.has(folder)) return;
    add(posix.dirname(folder));
    folders.add(folder);
  };
  for (const path of paths) add(posix.dirname(path));
  return [...folders];
}
