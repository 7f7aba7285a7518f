/**
 * Waits for events in folders. Folders are watched and not files: an editor that saves by replacing a file makes a new one,
 * which a watcher of the old file would miss, and a missing file cannot be watched.
 */
import { type Dirent, type FSWatcher, readdirSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { createDiagnostic, DiagnosticError } from '../diagnostics/collector.ts';
import { readStats } from '../util/file-stamp.ts';

/** Milliseconds without an event that end a change, so that many files saved at once cause one round. */
const QUIET_MS = 40;

/** Milliseconds for a program to write a file that it has emptied. */
const WRITING_MS = 200;

/** Folders that are not searched for new files. */
const SKIPPED = /^(?:node_modules|\..*)$/;

interface Watched {
  watcher: FSWatcher;
  /** Detects a folder that was removed and made again. */
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
   * Watches the folders of `files`, and `folders` with those below.
   *
   * @throws {DiagnosticError} `cannot-watch` where the system lets no more be watched
   */
  watch(files: Iterable<string>, folders: Iterable<string>): void {
    const folderPaths = new Set<string>();
    for (const file of files) folderPaths.add(nearestFolder(dirname(file)));
    for (const folder of folders) {
      // The folder around a missing one may be large, and tells all the same when that one comes.
      if (readInode(folder) === undefined) folderPaths.add(nearestFolder(folder));
      else addFolderTree(folder, folderPaths);
    }
    for (const [folder, { watcher, ino }] of this.#watched) {
      if (folderPaths.has(folder) && readInode(folder) === ino) continue;
      watcher.close();
      this.#watched.delete(folder);
    }
    for (const folder of folderPaths) if (!this.#watched.has(folder)) this.#watchFolder(folder);
  }

  /** Resolves after an event and a moment without one; at once when aborted. */
  async waitForEvent(): Promise<void> {
    while (!this.#isPending && !this.#signal.aborted)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    while (this.#isPending && !this.#signal.aborted) {
      this.#isPending = false;
      await waitUnlessAborted(QUIET_MS, this.#signal);
    }
  }

  /** Pauses, so that an editor can finish a file that it has emptied. */
  async waitForWriters(): Promise<void> {
    await waitUnlessAborted(WRITING_MS, this.#signal);
  }

  close(): void {
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
    this.#wake();
  }

  #watchFolder(folder: string): void {
    const ino = readInode(folder);
    if (ino === undefined || this.#signal.aborted) return;
    const onEvent = (): void => {
      this.#isPending = true;
      this.#wake();
    };
    try {
      // `error`: the folder was removed; the next round watches the one above it.
      const watcher = watch(folder, onEvent).on('error', onEvent);
      this.#watched.set(folder, { watcher, ino });
    } catch (thrown) {
      const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
      if (code === 'ENOENT') return onEvent();
      throw new DiagnosticError(createDiagnostic('cannot-watch', { folder, reason: code }));
    }
  }
}

function nearestFolder(folder: string): string {
  const parent = dirname(folder);
  return parent === folder || readInode(folder) !== undefined ? folder : nearestFolder(parent);
}

function readInode(folder: string): bigint | undefined {
  const stats = readStats(folder);
  return stats?.isDirectory() === true ? stats.ino : undefined;
}

function addFolderTree(folder: string, folders: Set<string>): void {
  folders.add(folder);
  for (const entry of listFolderEntries(folder))
    if (entry.isDirectory() && !SKIPPED.test(entry.name)) addFolderTree(join(folder, entry.name), folders);
}

/** Reads the entries of a folder; empty if the folder was removed meanwhile. */
function listFolderEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

async function waitUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(finishWaiting, milliseconds);
    function finishWaiting(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', finishWaiting);
      resolve();
    }
    signal.addEventListener('abort', finishWaiting);
  });
}
