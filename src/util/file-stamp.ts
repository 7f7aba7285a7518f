import { type BigIntStats, statSync } from 'node:fs';

/** Changes with the file; undefined if there is none. It has the inode, since a replaced file may keep time and size. */
export function stampOf(path: string): string | undefined {
  const stats = statsOf(path);
  return stats?.isFile() === true ? `${stats.mtimeNs} ${stats.size} ${stats.ino}` : undefined;
}

/** Undefined if the path is missing or not accessible. */
export function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
