/** Keeps the built files for the next run. */
import type { BuiltAppFile } from '../../../model/app-files.ts';

export type Built = Omit<BuiltAppFile, 'path'>;

interface Source {
  path: string;
  contents: string;
}

/** The output depends only on a file's text and the options, so both form the cache key. */
export class BuiltMemory {
  readonly #kept = new Map<string, { contents: string; how: string; built: Built }>();

  /** @param how all that decides how it is built */
  get({ path, contents }: Source, how: string): Built | undefined {
    const kept = this.#kept.get(path);
    return kept?.contents === contents && kept.how === how ? kept.built : undefined;
  }

  set({ path, contents }: Source, how: string, built: Built): void {
    this.#kept.set(path, { contents, how, built });
  }
}
