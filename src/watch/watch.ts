/** Repeats a run each time a file changes that it has read. */
import { statsOf } from '../util/file-stamp.ts';
import type { Observer } from '../model/observer.ts';
import { FolderEvents } from './folder-events.ts';
import { LookedAt } from './looked-at.ts';

export interface Round {
  /** Absolute paths of files that were changed, added or removed since the last round; none in the first. */
  changed: readonly string[];
  /** Receives the files that the round reads. */
  observer: Observer;
}

/**
 * Repeats `round` until `signal` is aborted. After a failed round, files of the last good one are watched too, so that a fix in
 * any of them is noticed.
 *
 * @param round resolves to whether it succeeded, or to `'end'` for no more rounds
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
      changed = await waitForChanges(looked, events, signal);
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    events.close();
  }
}

/** Includes changes from before the folders were watched. */
async function waitForChanges(
  looked: LookedAt,
  events: FolderEvents,
  signal: AbortSignal,
): Promise<string[]> {
  for (;;) {
    events.watch(looked.files, looked.folders);
    // A file is empty while an editor writes it.
    if (looked.changes().some((path) => statsOf(path)?.size === 0n)) await events.rest();
    const changed = looked.changes();
    if (changed.length > 0 || signal.aborted) return changed;
    await events.next();
  }
}
