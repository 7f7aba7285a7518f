/** One check of `mcpgen doctor`. */
export interface Check {
  name: string;
  /** `skipped`: it does not apply, or depends on one that failed. */
  state: 'ok' | 'failed' | 'skipped';
  /** What was found, without secrets. */
  says: string;
  /** What to do. Of those that failed, and of some that were skipped. */
  next?: string;
}

export function passed(name: string, says: string): Check {
  return { name, state: 'ok', says };
}

export function failed(name: string, says: string, next: string): Check {
  return { name, state: 'failed', says, next };
}

export function skipped(name: string, says: string, next?: string): Check {
  return { name, state: 'skipped', says, ...(next === undefined ? {} : { next }) };
}
