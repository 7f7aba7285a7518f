import { join, relative } from 'node:path';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { PathInTheWay } from './commit.ts';
import { isSystemError } from './file-system.ts';

/** Reports an error of the operating system in words a user can act on. Anything else is a bug and thrown again. */
export function reportFault(error: unknown, fallback: string, diagnostics: DiagnosticCollector): void {
  if (error instanceof PathInTheWay) {
    diagnostics.report('path-in-the-way', { path: error.path });
    return;
  }
  if (!isSystemError(error)) throw error;
  const path = error.dest ?? error.path ?? fallback;
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      diagnostics.report('disk-full', { path });
      return;
    case 'EFBIG':
      diagnostics.report('file-size-limit', { path });
      return;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      diagnostics.report(error.reading === true ? 'target-not-readable' : 'target-not-writable', {
        path,
        reason: error.code,
      });
      return;
    case 'EEXIST':
    case 'EISDIR':
    case 'ENOTDIR':
    case 'ENOTEMPTY':
      diagnostics.report('path-in-the-way', { path });
      return;
    default:
      if (error.reading === true) {
        diagnostics.report('target-not-readable', { path, reason: error.code });
        return;
      }
      // `EIO: i/o error, write '/path'`: the path is named above.
      diagnostics.report('write-failed', { path, reason: error.message.replace(/, .*$/, '') });
  }
}

/** `error` about the temporary folder, told of what it stands for: a person never made that folder. */
export function nameTarget(error: unknown, staging: string, target: string): unknown {
  if (!isSystemError(error)) return error;
  const path = error.dest ?? error.path;
  if (path === undefined) return error;
  const inside = relative(staging, path).split(/[\\/]/);
  if (inside[0] === '..') return error;
  const kept = inside[0] === 'new' || inside[0] === 'old' ? inside.slice(1) : inside;
  return Object.assign(error, { path: join(target, ...kept), dest: undefined });
}
