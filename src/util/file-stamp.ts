import { statSync } from 'node:fs';

/**
 * Reads a text that changes with the file; undefined if there is none. It contains the inode, since a replaced file may keep
 * time and size.
 */
export function readStamp(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats?.isFile() === true ? `${stats.mtimeNs} ${stats.size} ${stats.ino}` : undefined;
  } catch {
    return undefined;
  }
}
