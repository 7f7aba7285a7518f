import { join, resolve } from 'node:path';
import type { NameLock } from './derive/index.ts';
import type { DiagnosticCollector } from './diagnostics/collector.ts';
import { isGenuine, lockPath } from './emit/index.ts';
import { readLock } from './write/index.ts';

/** The names that earlier runs gave in the project `dir` (taken from `cwd`), so that they stay. */
export async function lockedNames(
  dir: string,
  cwd: string,
  diagnostics: DiagnosticCollector,
): Promise<NameLock> {
  const lock = await readLock(resolve(cwd, dir), diagnostics);
  if (lock !== undefined && !isGenuine(lock))
    diagnostics.report('lock-edited', { file: join(dir, lockPath) });
  return lock?.names ?? {};
}
