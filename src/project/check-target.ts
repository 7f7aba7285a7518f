/** Checks the folder of a run: it may have another server's project, belong to another configuration, or change its name. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { CONFIG_FILES } from '../config/options/project-config.ts';
import { type Diagnostic, type DiagnosticCollector, createDiagnostic } from '../diagnostics/collector.ts';
import type { Provenance } from '../emit/index.ts';
import { isPackageName } from '../model/published.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { ExistingProject, ProjectRun } from './existing-project.ts';
import { findSearchedPath, listSourcesOfProject, listSourcesOfRun, mayOverlap } from './project-sources.ts';

/**
 * Another server has no source in common, and another name. The name alone says little if nobody has chosen it or the folder: two
 * documents may have one title, and functions without a package.json are all called alike. Then it is another server while the
 * sources of the project are still there; else they were renamed.
 */
function isOtherServer(
  name: string,
  { inputs }: Provenance,
  project: ExistingProject,
  options: ProjectRun,
  isChosen: boolean,
): boolean {
  const nameBefore = project.lock?.package?.['name'];
  if (typeof nameBefore !== 'string') return false;
  const before = listSourcesOfProject(project);
  const placesBefore = [...before.inputs, ...before.configured];
  const places = [...inputs.map((path) => resolve(project.root, path)), ...listSourcesOfRun(options)];
  if (placesBefore.length === 0 || places.length === 0) return false;
  if (places.some((place) => placesBefore.some((placeBefore) => mayOverlap(place, placeBefore))))
    return false;
  if (nameBefore !== name) return true;
  const sources = before.configured.length > 0 ? before.configured : before.inputs;
  return !isChosen && sources.some((source) => existsSync(findSearchedPath(source)));
}

/** Returns false, after a report, if another configuration makes the project: the two would undo each other's settings. */
export function checkOwner(
  { dir, root, lock }: ExistingProject,
  { owner, cwd = '.' }: ProjectRun,
  diagnostics: DiagnosticCollector,
): boolean {
  if (owner === undefined) return true;
  // The configuration that the lock names, or one in the folder, where that is not `file`.
  const other = [lock?.configuration ?? [], CONFIG_FILES]
    .flat()
    .find((path) => existsSync(resolve(root, path)) && resolve(root, path) !== resolve(cwd, owner.file));
  if (other === undefined) return true;
  diagnostics.add(createOtherOwner(dir, join(dir, other), owner.file));
  return false;
}

export function createOtherOwner(dir: string, there: string, here: string): Diagnostic {
  return createDiagnostic('configured-twice', {
    problem: `${dir} belongs to the configuration ${there}, and this run would make it from ${here}`,
    fix: `Keep one: delete ${there} if ${here} has all of its settings, or name another folder with \`output\` or \`-o\`.`,
  });
}

/**
 * Returns false, after a report, if the folder has another server's project, which a wrong `-o` would replace. A run from the
 * configuration that the lock names is never wrong. `isChosen`: the command line names the folder or the server.
 */
export function checkSameServer(
  { name }: ServerModel,
  provenance: Provenance,
  project: ExistingProject,
  options: ProjectRun,
  isChosen: boolean,
  diagnostics: DiagnosticCollector,
): boolean {
  const { dir, root, lock, problems } = project;
  const { owner, cwd = '.', force = false, check = false, rebuildLock = false } = options;
  const isOwn =
    owner !== undefined &&
    lock?.configuration !== undefined &&
    resolve(root, lock.configuration) === resolve(cwd, owner.file);
  const isSame = isOwn && lock.server === owner.server && owner.edits === undefined;
  if (force || check || rebuildLock || isSame) return true;
  diagnostics.include(problems);
  if (!isOtherServer(name, provenance, project, options, isChosen)) return true;
  diagnostics.report('target-of-another', { dir, there: String(lock?.package?.['name']), name });
  return false;
}

export function reportRenamed(
  { name }: ServerModel,
  { lock }: ExistingProject,
  { name: newName, owner }: ProjectRun,
  diagnostics: DiagnosticCollector,
): void {
  if (newName !== undefined) return;
  const there = lock?.package?.['name'];
  if (typeof there !== 'string' || there === name || !isPackageName(there)) return;
  diagnostics.report('project-renamed', { there, name, file: owner?.file ?? '' });
}
