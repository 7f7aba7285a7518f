import { type BigIntStats, statSync } from 'node:fs';

/**
 * Reads a text that changes with the file; undefined if there is none. It contains the inode, since a replaced file may keep
 * time and size.
 */
export function readStamp(path: string): string | undefined {
  const stats = readStats(path);
  return stats?.isFile() === true ? `${stats.mtimeNs} ${stats.size} ${stats.ino}` : undefined;
}

export function readStats(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
