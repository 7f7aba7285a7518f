import { type BigIntStats, statSync } from 'node:fs';

/** Undefined of what is not there, or can't be looked at. */
export function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
