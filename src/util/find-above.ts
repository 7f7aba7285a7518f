import { dirname } from 'node:path';

/** Asks a folder and those above it, the nearest first, until one has an answer. */
export function findAbove<T>(folder: string, find: (folder: string) => T | undefined): T | undefined {
  const found = find(folder);
  const parent = dirname(folder);
  return found !== undefined || parent === folder ? found : findAbove(parent, find);
}
