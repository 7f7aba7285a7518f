/** One check of `mcpgen doctor`. */
export interface Check {
  name: string;
  /** `skipped`: it does not apply, or depends on one that failed. */
  state: 'ok' | 'failed' | 'skipped';
  /** Says what was found, without secrets. */
  says: string;
  /** Says what to do; set if the check failed, and if some were skipped. */
  next?: string;
}

export function makePassedCheck(name: string, says: string): Check {
  return { name, state: 'ok', says };
}

export function makeFailedCheck(name: string, says: string, next: string): Check {
  return { name, state: 'failed', says, next };
}

export function makeSkippedCheck(name: string, says: string, next?: string): Check {
  return { name, state: 'skipped', says, ...(next === undefined ? {} : { next }) };
}
