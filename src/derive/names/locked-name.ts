import type { LockedName, NameLock } from '../options.ts';

/** Reads the entry of the lock for an operation's key; empty if there is none. */
export function lockedName(lock: NameLock, key: string): Partial<LockedName> {
  const locked = Object.hasOwn(lock, key) ? lock[key] : undefined;
  return typeof locked === 'string' ? { name: locked } : (locked ?? {});
}
