/** What one round looked at, and what of it is another than then. */
import { resolve } from 'node:path';
import { stampOf } from '../util/file-stamp.ts';
import type { Observer } from '../model/observer.ts';

type Stamp = ReturnType<typeof stampOf>;

interface Pattern {
  folder: string;
  find: () => readonly string[];
  /** What it matched. */
  found: ReadonlySet<string>;
}

export class LookedAt implements Observer {
  readonly #stamps = new Map<string, Stamp>();
  readonly #patterns: Pattern[] = [];
  readonly #before = new Map<string, Stamp>();

  /**
   * @param before of the round before: its files have their stamps from before this round, so that a file which changed
   *   after it was read is a change
   */
  constructor(before?: LookedAt) {
    for (const path of before?.files ?? []) this.#before.set(path, stampOf(path));
  }

  get files(): Iterable<string> {
    return this.#stamps.keys();
  }

  /** Where there may be more files later. */
  get folders(): string[] {
    return this.#patterns.map(({ folder }) => folder);
  }

  file(path: string): void {
    const file = resolve(path);
    if (this.#stamps.has(file)) return;
    this.#stamps.set(file, this.#before.has(file) ? this.#before.get(file) : stampOf(file));
  }

  pattern(folder: string, find: () => readonly string[]): void {
    this.#patterns.push({ folder, find, found: new Set(find()) });
  }

  /** What another round looked at counts too, as it was before this one. */
  refresh(other: LookedAt): void {
    for (const path of other.files) this.file(path);
    for (const { folder, find } of other.#patterns) this.pattern(folder, find);
  }

  /** Paths of files that changed, came or went since they were looked at. */
  changes(): string[] {
    const changed = new Set<string>();
    for (const [path, stamp] of this.#stamps) if (stampOf(path) !== stamp) changed.add(path);
    for (const { find, found } of this.#patterns)
      for (const path of find()) if (!found.has(path)) changed.add(path);
    return [...changed];
  }
}
