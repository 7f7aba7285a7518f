import { join, resolve } from 'node:path';
import type { NameLock } from './derive/index.ts';
import type { DiagnosticCollector } from './diagnostics/collector.ts';
import { isGenuine, lockPath, rememberedNames } from './emit/index.ts';
import { SEMVER } from './model/published.ts';
import { version } from './version.ts';
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
  if (lock !== undefined && isNewer(lock.compiler, version))
    diagnostics.report('project-of-newer', {
      file: join(dir, lockPath),
      there: lock.compiler,
      here: version,
    });
  return lock === undefined ? {} : rememberedNames(lock);
}

/** By the numbers of a version; what comes before a release counts as the release. */
function isNewer(one: string, other: string): boolean {
  return SEMVER.test(one) && numbersOf(one).localeCompare(numbersOf(other), 'en', { numeric: true }) > 0;
}

function numbersOf(text: string): string {
  return /^[\d.]*/.exec(text)?.[0] ?? '';
}
