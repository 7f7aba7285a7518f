import { join } from 'node:path';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import {
  canEmit,
  isReserved,
  type Lock,
  allFileHashes,
  lockFormat,
  lockPath,
  manifestPath,
  parseLock,
  addManifestEntries,
} from '../emit/index.ts';
import { findConflict, splitConflict } from '../util/conflict-markers.ts';
import { type FileSystem, withMarkedReadErrors, nodeFileSystem, reportSystemError } from './file-system.ts';
import { formatNameList } from '../util/collections.ts';
import { uniteLocks } from './unite-locks.ts';

/** Reads `mcpgen.lock` of a project. `undefined` if there is none, or after an error, which is reported. */
export async function readLock(
  dir: string,
  diagnostics: DiagnosticCollector,
  system: FileSystem = nodeFileSystem,
): Promise<Lock | undefined> {
  return (await readLockFile(dir, diagnostics, system)).lock;
}

export interface LockFile {
  /** Absent if there is none, or an unusable one. */
  lock?: Lock;
  text?: string;
  /** Files that both branches have generated, if the lock has conflict markers. */
  mergedPaths?: ReadonlySet<string>;
}

/** `readLock`, with the text of the file. */
export async function readLockFile(
  dir: string,
  diagnostics: DiagnosticCollector,
  system: FileSystem = nodeFileSystem,
): Promise<LockFile> {
  const fs = withMarkedReadErrors(system);
  const file = join(dir, lockPath);
  try {
    if ((await fs.follow(file)) === undefined) return {};
    const text = await fs.readText(file);
    const manifest = await readTextOfFile(join(dir, manifestPath), fs);
    if (findConflict(text) !== undefined) {
      const united = uniteLocks(text, manifest);
      if (!('problem' in united)) {
        const { lock, mergedPaths } = united;
        return reportMatchingPaths(lock, file, isReserved, diagnostics) ? {} : { lock, text, mergedPaths };
      }
      diagnostics.report('invalid-lock', { file, conflict: united.problem });
      return {};
    }
    const lock = parseLock(text);
    if (lock === undefined) {
      diagnostics.report('invalid-lock', { file });
    } else if (lock.format > lockFormat) {
      diagnostics.report('lock-from-future', { file, format: lock.format, supported: lockFormat });
    } else {
      const [ourManifest] = splitConflict(manifest ?? '');
      const whole = addManifestEntries(lock, ourManifest);
      if (!reportMatchingPaths(whole, file, isReserved, diagnostics)) return { lock: whole, text };
    }
  } catch (error) {
    reportSystemError(error, file, diagnostics);
  }
  return {};
}

/**
 * The hashes of a lock that is made again; none if it cannot be read. They are only compared with generated files, so a forged
 * lock can at most make an edited file look unedited.
 */
export async function readOldHashes(dir: string, fs: FileSystem): Promise<Lock['files']> {
  const file = join(dir, lockPath);
  const lock = parseLock((await readTextOfFile(file, fs)) ?? '');
  const manifest = await readTextOfFile(join(dir, manifestPath), fs);
  return lock === undefined ? {} : allFileHashes(addManifestEntries(lock, manifest));
}

async function readTextOfFile(file: string, fs: FileSystem): Promise<string | undefined> {
  return (await fs.follow(file))?.kind === 'file' ? fs.readText(file) : undefined;
}

/** Reports paths that mcpgen never generates, since files there are the user's. */
export function reportStrayPaths(lock: Lock, file: string, diagnostics: DiagnosticCollector): void {
  reportMatchingPaths(lock, file, (path) => !canEmit(path), diagnostics);
}

function reportMatchingPaths(
  lock: Lock,
  file: string,
  isStray: (path: string) => boolean,
  diagnostics: DiagnosticCollector,
): boolean {
  const paths = Object.keys(allFileHashes(lock)).filter(isStray);
  if (paths.length > 0) diagnostics.report('lock-stray-paths', { file, paths: formatNameList(paths, 5) });
  return paths.length > 0;
}
