/** Unites the two sides of a lock with conflict markers: two branches have generated the project. */
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { type Lock, addManifestEntries, allFileHashes, hashOrigins, parseLock } from '../emit/index.ts';
import { splitConflict } from '../util/conflict-markers.ts';

interface UnitedLock {
  lock: Lock;
  /** Files that both branches have generated differently. */
  mergedPaths: ReadonlySet<string>;
}

/** The lock that accepts the files of both sides, or why there is none. `manifest` is the text of the runtime's manifest. */
export function uniteLocks(text: string, manifest: string | undefined): UnitedLock | { problem: string } {
  const [ourManifest, theirManifest] = splitConflict(manifest ?? '');
  const [ourText, theirText] = splitConflict(text);
  const [ours, theirs] = [parseLock(ourText), parseLock(theirText)];
  if (ours === undefined || theirs === undefined) return { problem: 'one of its two sides is damaged' };
  const renamed = findContradiction(ours.names, theirs.names);
  if (renamed !== undefined) return { problem: `its two sides give ${renamed} different names` };
  const [ourOrigins, theirOrigins] = [ours.origins?.sentTo, theirs.origins?.sentTo];
  if (ourOrigins === undefined || theirOrigins === undefined)
    return { problem: 'one of its two sides lists no origins of credentials' };
  const redirected = findContradiction(ourOrigins, theirOrigins);
  if (redirected !== undefined) return { problem: `its two sides send ${redirected} to different origins` };
  const files = { ...allFileHashes(addManifestEntries(ours, ourManifest)) };
  const mergedPaths = new Set<string>();
  for (const [path, hash] of Object.entries(allFileHashes(addManifestEntries(theirs, theirManifest)))) {
    if (files[path] === hash) continue;
    if (Object.hasOwn(files, path)) mergedPaths.add(path);
    files[path] = [files[path] ?? [], hash].flat().join(' ');
  }
  const { runtime, runtimeFiles, ...rest } = ours;
  void [runtime, runtimeFiles];
  const lock: Lock = {
    ...rest,
    names: { ...theirs.names, ...ours.names },
    operationIds: { ...theirs.operationIds, ...ours.operationIds },
    owned: { ...theirs.owned, ...ours.owned },
    origins: hashOrigins({ ...theirOrigins, ...ourOrigins }),
    files,
    unfinished: { packages: [theirs.package].filter(isRecord) },
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
