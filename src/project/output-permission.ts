/** Checks whether a configuration may write its project to a folder: in the repository, or with consent. */
import { dirname, relative, resolve } from 'node:path';
import { formatConsentOption, type Permissions } from '../config/options/permissions.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { isReserved } from '../emit/index.ts';
import { findRefRoot, isInside } from '../util/ref-policy.ts';
import type { CodeOrigin } from '../model/origin.ts';
import { resolveExistingLinks } from '../config/load/config-checks.ts';

export interface Confinement extends Pick<Permissions, 'allowOutput' | 'command'> {
  file: string;
  place?: () => Promise<CodeOrigin | undefined>;
}

/** `dir` is relative to `cwd`. Links are followed on both sides. False after an error. */
export async function mayWriteTo(
  dir: string,
  cwd: string,
  { file, place, allowOutput = [], command }: Confinement,
  diagnostics: DiagnosticCollector,
): Promise<boolean> {
  const root = findRefRoot(resolveExistingLinks(dirname(resolve(cwd, file))));
  const target = resolveExistingLinks(resolve(cwd, dir));
  const allowed = [root, ...allowOutput.map((folder) => resolveExistingLinks(resolve(cwd, folder)))];
  const within = allowed.filter((folder) => isInside(folder, target));
  // Folders of git and npm are not allowed, even below an allowed folder.
  if (within.some((folder) => !isReserved(relative(folder, target)))) return true;
  const at = await place?.();
  if (within.length > 0) {
    diagnostics.report('output-reserved', { file, folder: target }, at && { at });
    return false;
  }
  const consent = formatConsentOption('--allow-output', [target], command);
  diagnostics.report('output-outside', { file, folder: target, root, consent }, at && { at });
  return false;
}
