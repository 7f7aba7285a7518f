import { readFileSync, statSync } from 'node:fs';
import { type LoadFailure, loadFailure } from './load-failure.ts';

/** Synchronous, so that readers can follow a reference at once. */
export function readFile(path: string, source: string, limit: number): Uint8Array | LoadFailure {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return loadFailure('source-is-a-folder', { source }, 'it is a folder');
    if (!stats.isFile()) return unreadable(source, 'it is not a regular file');
    if (stats.size > limit) return tooLarge(source, limit);
    return readFileSync(path);
  } catch (error) {
    return describe(error, source);
  }
}

export function tooLarge(source: string, limit: number): LoadFailure {
  return loadFailure('source-too-large', { source, limit }, `it is larger than ${limit} bytes`);
}

export function unreadable(source: string, reason: string): LoadFailure {
  return loadFailure('source-unreadable', { source, reason }, reason);
}

function describe(error: unknown, source: string): LoadFailure {
  switch (systemCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return loadFailure('source-not-found', { source }, 'there is no such file');
    case 'EACCES':
    case 'EPERM':
      return unreadable(source, 'permission is denied');
    case 'ELOOP':
      return unreadable(source, 'its symbolic links lead in a circle');
    case 'ENAMETOOLONG':
      return unreadable(source, 'the name is too long');
    default:
      return unreadable(source, error instanceof Error ? error.message : String(error));
  }
}

/** Returns a code such as `ENOENT`; undefined for an error that is not the system's. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
