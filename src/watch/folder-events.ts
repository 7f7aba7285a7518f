/**
 * Wakes when something happens in one of some folders. Folders are watched rather than files: a file that is replaced
 * as a whole, as many editors save, is another file afterwards, and one that is not there yet can't be watched.
 */
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { createDiagnostic, DiagnosticError } from '../diagnostics/collector.ts';
import { statsOf } from '../util/file-stamp.ts';

/** Milliseconds without an event until it counts as one change: who saves many files at once causes one round. */
const QUIET_MS = 40;

/** Milliseconds that who empties a file has to write what shall be in it. */
const WRITING_MS = 200;

/** Not looked into for files that come. */
const SKIPPED = /^(?:node_modules|\..*)$/;

interface Watched {
  watcher: FSWatcher;
  /** A folder that was made anew is another. */
  ino: bigint;
}

export class FolderEvents {
  readonly #watched = new Map<string, Watched>();
  readonly #signal: AbortSignal;
  #isPending = false;
  #wake: () => void = () => undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.close(), { once: true });
  }

  /**
   * From now on, the folders of `files` and those below `folders`.
   *
   * @throws {DiagnosticError} `cannot-watch` where the system lets no more be watched
   */
  watch(files: Iterable<string>, folders: Iterable<string>): void {
    const wanted = new Set<string>();
    for (const file of files) wanted.add(nearest(dirname(file)));
    for (const folder of folders) addTree(nearest(folder), wanted);
    for (const [folder, { watcher, ino }] of this.#watched) {
      if (wanted.has(folder) && inoOf(folder) === ino) continue;
      watcher.close();
      this.#watched.delete(folder);
    }
    for (const folder of wanted) if (!this.#watched.has(folder)) this.#add(folder);
  }

  /** Resolves when something has happened, and then nothing for a moment; at once when aborted. */
  async next(): Promise<void> {
    while (!this.#isPending && !this.#signal.aborted)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    while (this.#isPending && !this.#signal.aborted) {
      this.#isPending = false;
      await pause(QUIET_MS, this.#signal);
    }
  }

  /** Waits for what is being written. */
  async rest(): Promise<void> {
    await pause(WRITING_MS, this.#signal);
  }

  close(): void {
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
    this.#wake();
  }

  #add(folder: string): void {
    const ino = inoOf(folder);
    if (ino === undefined || this.#signal.aborted) return;
    const heard = (): void => {
      this.#isPending = true;
      this.#wake();
    };
    try {
      // A folder that goes is missed by the one above it.
      const watcher = watch(folder, heard).on('error', heard);
      this.#watched.set(folder, { watcher, ino });
    } catch (thrown) {
      const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
      if (code === 'ENOENT') return heard();
      throw new DiagnosticError(createDiagnostic('cannot-watch', { folder, reason: code }));
    }
  }
}

/** The folder, or the nearest above it that there is. */
function nearest(folder: string): string {
  const parent = dirname(folder);
  return parent === folder || inoOf(folder) !== undefined ? folder : nearest(parent);
}

function inoOf(folder: string): bigint | undefined {
  const stats = statsOf(folder);
  return stats?.isDirectory() === true ? stats.ino : undefined;
}

function addTree(folder: string, folders: Set<string>): void {
  folders.add(folder);
  for (const entry of entriesOf(folder))
    if (entry.isDirectory() && !SKIPPED.test(entry.name)) addTree(join(folder, entry.name), folders);
}

/** None of a folder that has gone meanwhile. */
function entriesOf(folder: string): ReturnType<typeof readEntries> {
  try {
    return readEntries(folder);
  } catch {
    return [];
  }
}

const readEntries = (folder: string) => readdirSync(folder, { withFileTypes: true });

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, milliseconds);
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
    signal.addEventListener('abort', end);
  });
}
