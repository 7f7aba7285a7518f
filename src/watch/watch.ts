/** Repeats a run each time a file changes that it has read. */
import { resolve } from 'node:path';

import type { Observer } from '../model/observer.ts';
import { readStamp, readStats } from '../util/file-stamp.ts';
import { FolderEvents } from './folder-events.ts';

export interface Round {
  /** Absolute paths of files that were changed, added or removed since the last round; none in the first. */
  changed: readonly string[];
  observer: Observer;
}

/**
 * Repeats `round` until `signal` is aborted. After a failed round, files of the last good one are watched too, so that a fix in
 * any of them is noticed.
 *
 * @param round resolves to whether it succeeded, or to `'end'` for no more rounds
 */
export async function watchFiles(
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
      if (!outcome && looked !== undefined) next.addFilesOf(looked);
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
    if (looked.listChangedFiles().some((path) => readStats(path)?.size === 0n)) await events.waitForWriters();
    const changed = looked.listChangedFiles();
    if (changed.length > 0 || signal.aborted) return changed;
    await events.waitForEvent();
  }
}

type Stamp = ReturnType<typeof readStamp>;

interface Pattern {
  folder: string;
  find: () => readonly string[];
  paths: ReadonlySet<string>;
}

export class LookedAt implements Observer {
  readonly #stamps = new Map<string, Stamp>();
  readonly #patterns: Pattern[] = [];
  readonly #before = new Map<string, Stamp>();

  /** Stamps of files of the round `before` are taken now, so that a change after this round has read them is noticed. */
  constructor(before?: LookedAt) {
    for (const path of before?.files ?? []) this.#before.set(path, readStamp(path));
  }

  get files(): Iterable<string> {
    return this.#stamps.keys();
  }

  /** Folders of patterns, in which files may be added. */
  get folders(): string[] {
    return this.#patterns.map(({ folder }) => folder);
  }

  file(path: string): void {
    const file = resolve(path);
    if (this.#stamps.has(file)) return;
    this.#stamps.set(file, this.#before.has(file) ? this.#before.get(file) : readStamp(file));
  }

  pattern(folder: string, find: () => readonly string[]): void {
    this.#patterns.push({ folder, find, paths: new Set(find()) });
  }

  /** Adds the files of another round, with their stamps from before this one. */
  addFilesOf(other: LookedAt): void {
    for (const path of other.files) this.file(path);
    for (const { folder, find } of other.#patterns) this.pattern(folder, find);
  }

  listChangedFiles(): string[] {
    const changed = new Set<string>();
    for (const [path, stamp] of this.#stamps) if (readStamp(path) !== stamp) changed.add(path);
    for (const { find, paths } of this.#patterns)
      for (const path of find()) if (!paths.has(path)) changed.add(path);
    return [...changed];
  }
}
