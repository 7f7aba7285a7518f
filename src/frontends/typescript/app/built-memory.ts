/** Keeps the built files for the next run. */
import type { BuiltAppFile } from '../../../model/app-files.ts';

export type Built = Omit<BuiltAppFile, 'path'>;

interface Source {
  /** In the project; it says how the file is read. */
  path: string;
  contents: string;
}

/** A file is built of its text alone, so that one with the same text, built in the same way, comes to the same. */
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
