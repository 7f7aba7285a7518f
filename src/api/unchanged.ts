/**
 * Skips compiling a project if its lock shows that this compiler made it from the sources as they are now. `mcpgen check` before each
 * commit then takes 1.1 s of processor time instead of 4.2 s for GitHub's API, and 0.7 s instead of 1.0 s for the petstore.
 */
import type { ExistingProject } from '../project/existing-project.ts';
import { noTexts } from '../diagnostics/locate/text-places.ts';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isUrl } from '../config/options/make-config.ts';
import { isDocument, isFunctions } from '../config/options/sources.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { WRITTEN_ONCE, canEmit, isHashOf, type Lock, lockPath, packagePath } from '../emit/index.ts';
import { findSkillFiles } from '../frontends/skills/find-skills.ts';
import { findSkillsFolder } from './load-sources.ts';
import type { GenerateOptions, Generation } from './options.ts';
import { findOtherConfig } from '../project/check-target.ts';
import { hashConfigOptions, hashFile } from '../project/provenance.ts';
import { hasFaults, pickPublishedMembers, readManifestOnDisk } from '../project/package-json.ts';
import { hasOwnHandlers } from '../project/own-handlers.ts';
import { packageRoot, version } from '../util/version.ts';
import { runsUserCode } from './emit-files.ts';
import {
  emptyReport,
  isJsonFile,
  isSystemError,
  nodeFileSystem,
  listBuiltIfUnchanged,
  readHandlers,
  removeTemporaryFiles,
} from '../write/index.ts';

/** Returns a finished generation if nothing has changed. */
export async function skipIfUnchanged(
  options: GenerateOptions,
  project: ExistingProject,
  diagnostics: DiagnosticCollector,
): Promise<Generation | undefined> {
  if (!readsOnlyLocalFiles(options) || requestsChanges(options)) return undefined;
  const { dir, root, lock } = project;
  if (lock === undefined || !isLockOfThisVersion(lock, root)) return undefined;
  try {
    if (!areInputsUnchanged(lock, project, options)) return undefined;
    const files = await listUnchangedFiles(lock, root, options.check === true);
    if (files === undefined) return undefined;
    if (options.check !== true) await removeTemporaryFiles({ root, fs: nodeFileSystem, diagnostics });
    const tools = Object.keys(lock.names).length;
    const report = { ...emptyReport, ...files };
    return {
      ok: true,
      source: options.source,
      dir,
      skipped: { tools },
      report,
      diagnostics: diagnostics.found,
      texts: noTexts,
    };
  } catch (error) {
    // The full run reports a file that cannot be read.
    if (!isSystemError(error)) throw error;
    return undefined;
  }
}

/** Documents at URLs, code of the user with the packages it imports, and templates may have changed although no hash shows it. */
function readsOnlyLocalFiles(options: GenerateOptions): boolean {
  const { source, sources, allowRemoteRefs, overlays } = options;
  const { typescript, templates, hooks, helpers, limits, fetch } = options;
  const optionValues = [typescript, templates, hooks, helpers, limits, fetch];
  if (optionValues.some((option) => option !== undefined) || sources?.some(isFunctions) === true)
    return false;
  const documents = sources?.filter(isDocument) ?? [{ openapi: source, allowRemoteRefs, overlays }];
  return documents.every(
    (document) =>
      (document.allowRemoteRefs ?? allowRemoteRefs ?? []).length === 0 &&
      [document.openapi, ...(document.overlays ?? []), ...(overlays ?? [])].every(
        (file) => file !== '-' && !isUrl(file),
      ),
  );
}

function requestsChanges(options: GenerateOptions): boolean {
  const { force, keep, rename, rebuildLock, dryRun, observer, owner, maxTokens } = options;
  return (
    observer !== undefined ||
    owner?.edits !== undefined ||
    // An unchanged project may still exceed a budget that this run brings.
    maxTokens !== undefined ||
    [force, keep, rename, rebuildLock, dryRun].includes(true)
  );
}

/** Whether this compiler wrote the lock, and finished. A later build of the same version may write other files. */
function isLockOfThisVersion(lock: Lock, root: string): boolean {
  if (lock.compiler !== version || lock.hash === undefined || lock.isEdited === true) return false;
  const built = statSync(new URL('dist/runtime.json', packageRoot()), { throwIfNoEntry: false });
  const lockStats = statSync(join(root, lockPath), { throwIfNoEntry: false });
  return built !== undefined && lockStats !== undefined && built.mtimeMs < lockStats.mtimeMs;
}

/** Whether the configuration, the documents, the skills and package.json are as the lock recorded them. */
function areInputsUnchanged(lock: Lock, { dir, root }: ExistingProject, options: GenerateOptions): boolean {
  const { owner, cwd = '.', skills } = options;
  if (owner === undefined || lock.configuration === undefined || lock.server !== owner.server) return false;
  const configuration = resolve(cwd, owner.file);
  if (resolve(root, lock.configuration) !== configuration) return false;
  if (findOtherConfig(lock, root, configuration) !== undefined) return false;
  if (lock.config !== hashConfigOptions(options, dir)) return false;
  const inputs = new Map(
    Object.entries(lock.inputs ?? {}).map(([path, hash]) => [resolve(root, path), hash]),
  );
  if (inputs.size === 0 || ![...inputs].every(([path, hash]) => hashFile(path) === hash)) return false;
  // A file that is new in the folder of skills is no known input.
  const folder = findSkillsFolder(options);
  if (folder === undefined && skills !== undefined && skills !== '-') return false;
  if (folder !== undefined && !findSkillFiles(folder).files.every(({ absolute }) => inputs.has(absolute)))
    return false;
  const manifest = readManifestOnDisk(root, lock);
  if (hasFaults(manifest)) return false;
  if (!isDeepStrictEqual(pickPublishedMembers(manifest), lock.published ?? {})) return false;
  return runsUserCode(options) || Object.keys(lock.files).every(canEmit);
}

/** The files of the project, if a run would leave all as they are. One with files that the user owns is compared by a full run. */
async function listUnchangedFiles(
  lock: Lock,
  root: string,
  check: boolean,
): Promise<{ unchanged: string[]; kept: string[] } | undefined> {
  if (lock.owned !== undefined) return undefined;
  const built = check ? await listUncomparedFiles(root) : await listBuiltIfUnchanged(root, lock);
  if (built === undefined) return undefined;
  const isUnchanged = ([path, entry]: [string, string]): boolean => {
    const place = join(root, path);
    // A lock may name a device, whose data never ends.
    if (statSync(place, { throwIfNoEntry: false })?.isFile() !== true) return false;
    // package.json was merged by an earlier run; merging it again changes nothing.
    return path === packagePath ? isJsonFile(place) : isHashOf(entry, readFileSync(place, 'utf8'));
  };
  if (!Object.entries(lock.files).every(isUnchanged)) return undefined;
  const isKept = (path: string): boolean => !path.startsWith('dist/');
  return {
    unchanged: [...Object.keys(lock.files), ...built.filter((path) => !isKept(path)), lockPath],
    kept: built.filter(isKept),
  };
}

/** A check does not compare `dist/`. Handlers of the user may use tools that are gone, or features, so the project is compiled. */
async function listUncomparedFiles(root: string): Promise<string[] | undefined> {
  const handlers = await readHandlers(root, nodeFileSystem);
  if (hasOwnHandlers(root)) return undefined;
  return [...handlers.keys(), ...[...WRITTEN_ONCE].filter((path) => existsSync(join(root, path)))];
}
