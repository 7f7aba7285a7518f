import { dirname } from 'node:path';

/** Asks a folder and those above it, the nearest first, until one has an answer. */
export function findAbove<T>(folder: string, find: (folder: string) => T | undefined): T | undefined {
  const match = find(folder);
  const parent = dirname(folder);
  return match !== undefined || parent === folder ? match : findAbove(parent, find);
}
