/** The files that a round has read, and which of them changed since. */
import { resolve } from 'node:path';
import { stampOf } from '../util/file-stamp.ts';
import type { Observer } from '../model/observer.ts';

type Stamp = ReturnType<typeof stampOf>;

interface Pattern {
  folder: string;
  find: () => readonly string[];
  /** The files that it matched. */
  found: ReadonlySet<string>;
}

export class LookedAt implements Observer {
  readonly #stamps = new Map<string, Stamp>();
  readonly #patterns: Pattern[] = [];
  readonly #before = new Map<string, Stamp>();

  /** Stamps of files of the round `before` are taken now, so that a change after this round has read them is noticed. */
  constructor(before?: LookedAt) {
    for (const path of before?.files ?? []) this.#before.set(path, stampOf(path));
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
    this.#stamps.set(file, this.#before.has(file) ? this.#before.get(file) : stampOf(file));
  }

  pattern(folder: string, find: () => readonly string[]): void {
    this.#patterns.push({ folder, find, found: new Set(find()) });
  }

  /** Adds the files of another round, with their stamps from before this one. */
  refresh(other: LookedAt): void {
    for (const path of other.files) this.file(path);
    for (const { folder, find } of other.#patterns) this.pattern(folder, find);
  }

  /** Paths of files that were changed, added or removed. */
  changes(): string[] {
    const changed = new Set<string>();
    for (const [path, stamp] of this.#stamps) if (stampOf(path) !== stamp) changed.add(path);
    for (const { find, found } of this.#patterns)
      for (const path of find()) if (!found.has(path)) changed.add(path);
    return [...changed];
  }
}
