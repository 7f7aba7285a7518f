import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import {
  canEmit,
  hashOrigins,
  isReserved,
  type Lock,
  lockFormat,
  lockPath,
  parseLock,
  readNames,
} from '../emit/index.ts';
import { formatNameList, omitUndefined } from '../util/collections.ts';
import { findConflict, splitConflict } from '../util/conflict-markers.ts';
import { type FileSystem, nodeFileSystem, reportSystemError } from './file-system.ts';

export interface LockFile {
  /** Absent if there is none, or an unusable one. */
  lock?: Lock;
  text?: string;
  /** Files that two branches have generated differently, if the lock has conflict markers. */
  mergedPaths?: ReadonlySet<string>;
}

/** Reads `mcpgen.lock` of a project. Without a lock if there is none, or after an error, which is reported. */
export async function readLockFile(
  dir: string,
  diagnostics: DiagnosticCollector,
  fs: FileSystem = nodeFileSystem,
): Promise<LockFile> {
  const file = join(dir, lockPath);
  try {
    if ((await fs.follow(file)) === undefined) return {};
    const text = await fs.readText(file);
    const united =
      findConflict(text) === undefined ? omitUndefined({ lock: parseLock(text) }) : uniteSides(text);
    const { lock, mergedPaths, problem: conflict }: UnitedLock = united;
    if (lock === undefined) diagnostics.report('invalid-lock', { file, ...omitUndefined({ conflict }) });
    else if (lock.format > lockFormat)
      diagnostics.report('lock-from-future', { file, format: lock.format, supported: lockFormat });
    else if (!reportStrayPaths(lock, file, diagnostics, isReserved))
      return { lock, text, ...omitUndefined({ mergedPaths }) };
  } catch (error) {
    reportSystemError(error, file, diagnostics);
  }
  return {};
}

type UnitedLock = LockFile & { problem?: string };

/** Unites the two sides of a lock with conflict markers to one that accepts the files of both, or says why it can't. */
function uniteSides(text: string): UnitedLock {
  const [ours, theirs] = splitConflict(text).map(parseLock);
  if (ours === undefined || theirs === undefined) return { problem: 'one of its two sides is damaged' };
  const renamed = findContradiction(readNames(ours.names), readNames(theirs.names));
  if (renamed !== undefined) return { problem: `its two sides give ${renamed} different names` };
  const [ourOrigins, theirOrigins] = [ours.origins?.sentTo, theirs.origins?.sentTo];
  if (ourOrigins === undefined || theirOrigins === undefined)
    return { problem: 'one of its two sides lists no origins of credentials' };
  const redirected = findContradiction(ourOrigins, theirOrigins);
  if (redirected !== undefined) return { problem: `its two sides send ${redirected} to different origins` };
  const files = { ...ours.files };
  const mergedPaths = new Set<string>();
  for (const [path, hash] of Object.entries(theirs.files)) {
    if (files[path] === hash) continue;
    if (Object.hasOwn(files, path)) mergedPaths.add(path);
    files[path] = [files[path] ?? [], hash].flat().join(' ');
  }
  const lock: Lock = {
    ...ours,
    names: { ...theirs.names, ...ours.names },
    owned: { ...theirs.owned, ...ours.owned },
    origins: hashOrigins({ ...theirOrigins, ...ourOrigins }),
    files,
    isEdited: true,
  };
  return { lock, mergedPaths };
}

/** A key for which two records have different values. */
function findContradiction(
  ours: Readonly<Record<string, unknown>>,
  theirs: Readonly<Record<string, unknown>>,
): string | undefined {
  return Object.keys(ours).find(
    (key) => Object.hasOwn(theirs, key) && !isDeepStrictEqual(ours[key], theirs[key]),
  );
}

/** Reports paths that mcpgen never generates, since files there are the user's. Returns whether there are any. */
export function reportStrayPaths(
  { files }: Lock,
  file: string,
  diagnostics: DiagnosticCollector,
  isStray = (path: string): boolean => !canEmit(path),
): boolean {
  const paths = Object.keys(files).filter(isStray);
  if (paths.length > 0) diagnostics.report('lock-stray-paths', { file, paths: formatNameList(paths, 5) });
  return paths.length > 0;
}
