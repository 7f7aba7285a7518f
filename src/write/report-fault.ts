import { join, relative } from 'node:path';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { isSystemError, PathInTheWay } from './file-system.ts';

/** Reports an error of the operating system as a diagnostic. Other errors are bugs, and are thrown again. */
export function reportFault(error: unknown, fallback: string, diagnostics: DiagnosticCollector): void {
  if (error instanceof PathInTheWay) return diagnostics.report('path-in-the-way', { path: error.path });
  if (!isSystemError(error)) throw error;
  const path = error.dest ?? error.path ?? fallback;
  const reason = error.code;
  const isReading = error.reading === true;
  switch (reason) {
    case 'ENOSPC':
    case 'EDQUOT':
      return diagnostics.report('disk-full', { path });
    case 'EFBIG':
      return diagnostics.report('file-size-limit', { path });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return diagnostics.report(isReading ? 'target-not-readable' : 'target-not-writable', { path, reason });
    case 'EEXIST':
    case 'EISDIR':
    case 'ENOTDIR':
    case 'ENOTEMPTY':
      return diagnostics.report('path-in-the-way', { path });
    default:
      if (isReading) return diagnostics.report('target-not-readable', { path, reason });
      // `EIO: i/o error, write '/path'`: the message of the diagnostic names the path.
      diagnostics.report('write-failed', { path, reason: error.message.replace(/, .*$/, '') });
  }
}

/** Replaces a path in the staging folder, which the user does not know, by the path in the project. */
export function nameTarget(error: unknown, staging: string, target: string): unknown {
  if (!isSystemError(error)) return error;
  const path = error.dest ?? error.path;
  if (path === undefined) return error;
  const inside = relative(staging, path).split(/[\\/]/);
  if (inside[0] === '..') return error;
  const kept = inside[0] === 'new' || inside[0] === 'old' ? inside.slice(1) : inside;
  return Object.assign(error, { path: join(target, ...kept), dest: undefined });
}
