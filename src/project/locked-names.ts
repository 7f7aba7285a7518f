import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import type { Binding } from '../../templates/runtime/contract/bindings.ts';
import type { NameLock } from '../derive/index.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { isGenuine, lockPath, namesByOperation, operationIdsOf, rememberedNames } from '../emit/index.ts';
import { SEMVER } from '../model/published.ts';
import { version } from '../util/version.ts';
import { reportLeftovers } from '../write/index.ts';
import type { ExistingProject } from './existing-project.ts';

/**
 * The names that earlier runs gave in a project, so that they stay. What a run that was killed has
 * left there is reported, since the lock may be another one afterwards.
 */
export async function lockedNames(
  { dir, root, lock, problems }: ExistingProject,
  { rebuildLock = false }: { rebuildLock?: boolean },
  diagnostics: DiagnosticCollector,
): Promise<NameLock> {
  await reportLeftovers(root, diagnostics);
  if (rebuildLock) return standingNames(root);
  diagnostics.include(problems);
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

/** The names that the project's own server has now, where its bindings can be read. */
function standingNames(root: string): NameLock {
  const tools = Object.entries(bindingsIn(root)).flatMap(([name, tool]) => {
    const binding: unknown = isRecord(tool) ? tool['do'] : undefined;
    return isBinding(binding) ? [{ name, binding }] : [];
  });
  return rememberedNames({ names: namesByOperation({ tools }), ...operationIdsOf({ tools }) });
}

function bindingsIn(root: string): Record<string, unknown> {
  try {
    const bindings: unknown = JSON.parse(readFileSync(join(root, 'src/generated/bindings.json'), 'utf8'));
    return isRecord(bindings) && isRecord(bindings['tools']) ? bindings['tools'] : {};
  } catch {
    return {};
  }
}

/** By what an operation is known by. */
function isBinding(value: unknown): value is Binding {
  if (!isRecord(value)) return false;
  const { kind, api = '', method = '', path, module, export: exported } = value;
  const words = kind === 'http' ? [api, method, path] : [module, exported, method];
  return (kind === 'http' || kind === 'function') && words.every((word) => typeof word === 'string');
}

/** By the numbers of a version; what comes before a release counts as the release. */
function isNewer(one: string, other: string): boolean {
  return SEMVER.test(one) && numbersOf(one).localeCompare(numbersOf(other), 'en', { numeric: true }) > 0;
}

function numbersOf(text: string): string {
  return /^[\d.]*/.exec(text)?.[0] ?? '';
}
