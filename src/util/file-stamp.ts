/** How a file is known again without being read. */
import { type BigIntStats, statSync } from 'node:fs';

/**
 * Equal as long as a file has not been touched; undefined where there is none. Time and size are not enough: a file that
 * another took the place of, as editors save, may have kept both.
 */
export function stampOf(path: string): string | undefined {
  const stats = statsOf(path);
  return stats?.isFile() === true ? `${stats.mtimeNs} ${stats.size} ${stats.ino}` : undefined;
}

/** Undefined of what is not there, or can't be looked at. */
export function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
