/** Does something again each time a file changes that it looked at. */
import { statsOf } from '../util/file-stamp.ts';
import type { Observer } from '../model/observer.ts';
import { FolderEvents } from './folder-events.ts';
import { LookedAt } from './looked-at.ts';

export interface Round {
  /** Absolute paths of the files that changed, came or went since the round before; none in the first. */
  changed: readonly string[];
  /** To be told of all that the round looks at. */
  observer: Observer;
}

/**
 * Rounds one after another, until `signal` is aborted or a round says that it is the last. What a round that failed looked
 * at counts beside what the last good one did, so that mending any of it is seen.
 *
 * @param round resolves to whether it succeeded, and `'end'` when there shall be no other
 */
export async function watch(
  round: (round: Round) => Promise<boolean | 'end'>,
  signal: AbortSignal,
): Promise<void> {
  const events = new FolderEvents(signal);
  let looked: LookedAt | undefined;
  let changed: string[] = [];
  try {
    while (!signal.aborted) {
      const next: LookedAt = new LookedAt(looked);
      const outcome = await round({ changed, observer: next });
      if (outcome === 'end') return;
      if (!outcome && looked !== undefined) next.refresh(looked);
      looked = next;
      changed = await changesOf(looked, events, signal);
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    events.close();
  }
}

/** Waits for some. What changed before its folder was watched is one too. */
async function changesOf(looked: LookedAt, events: FolderEvents, signal: AbortSignal): Promise<string[]> {
  for (;;) {
    events.watch(looked.files, looked.folders);
    if (looked.changes().some(isEmpty)) await events.rest();
    const changed = looked.changes();
    if (changed.length > 0 || signal.aborted) return changed;
    await events.next();
  }
}

/** As a file is while it is being written. */
function isEmpty(path: string): boolean {
  return statsOf(path)?.size === 0n;
}
