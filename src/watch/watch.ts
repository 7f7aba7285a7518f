/** Repeats a run each time a file changes that it has read. */
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Observer } from '../model/observer.ts';
import { readStamp } from '../util/file-stamp.ts';

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
  let looked: LookedAt | undefined;
  let changed: string[] = [];
  try {
    while (!signal.aborted) {
      const next: LookedAt = new LookedAt(looked);
      const outcome = await round({ changed, observer: next });
      if (outcome === 'end') return;
      if (!outcome && looked !== undefined) next.addFilesOf(looked);
      looked = next;
      changed = await waitForChanges(looked, signal);
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
}

/** Milliseconds between two comparisons. */
const INTERVAL_MS = 100;

/** The part of the time that comparing takes at most: a pattern may look through many folders. */
const SHARE = 1 / 20;

/** Events of the file system are lost on network drives, in containers, and for files that an editor replaces, so files are compared. */
async function waitForChanges(looked: LookedAt, signal: AbortSignal): Promise<string[]> {
  let lastState = '';
  for (;;) {
    const begun = performance.now();
    const changed = looked.listChangedFiles();
    // An editor empties a file before it writes it, and writes several files one after the other.
    const state = JSON.stringify(changed.map((path) => [path, readStamp(path)]));
    if (changed.length > 0 && state === lastState) return changed;
    lastState = state;
    await sleep(Math.max(INTERVAL_MS, (performance.now() - begun) / SHARE), undefined, { signal });
  }
}

type Stamp = ReturnType<typeof readStamp>;

interface Pattern {
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

  file(path: string): void {
    const file = resolve(path);
    if (this.#stamps.has(file)) return;
    this.#stamps.set(file, this.#before.has(file) ? this.#before.get(file) : readStamp(file));
  }

  pattern(find: () => readonly string[]): void {
    this.#patterns.push({ find, paths: new Set(find()) });
  }

  /** Adds the files of another round, with their stamps from before this one. */
  addFilesOf(other: LookedAt): void {
    for (const path of other.files) this.file(path);
    for (const { find } of other.#patterns) this.pattern(find);
  }

  listChangedFiles(): string[] {
    const changed = new Set<string>();
    for (const [path, stamp] of this.#stamps) if (readStamp(path) !== stamp) changed.add(path);
    for (const { find, paths } of this.#patterns)
      for (const path of find()) if (!paths.has(path)) changed.add(path);
    return [...changed];
  }
}
