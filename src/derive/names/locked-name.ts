import type { LockedName, NameLock } from '../options.ts';

/** What the lock has for an operation's key; nothing where it does not know it. */
export function lockedName(lock: NameLock, key: string): Partial<LockedName> {
  const locked = Object.hasOwn(lock, key) ? lock[key] : undefined;
  return typeof locked === 'string' ? { name: locked } : (locked ?? {});
}
