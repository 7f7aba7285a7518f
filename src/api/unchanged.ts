/** Skips compiling a project if its lock shows that this compiler made it from the sources as they are now. */
import { getOwnMember } from '../../templates/runtime/contract/json-value.ts';
import { type ExistingProject, readProject } from '../project/existing-project.ts';
import { noTexts } from '../diagnostics/locate/text-places.ts';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isUrl } from '../config/options/make-config.ts';
import { isDocument, isFunctions } from '../config/options/sources.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import {
  WRITTEN_ONCE,
  readBaseText,
  canEmit,
  isUneditedLock,
  isHashOf,
  isHashOfBytes,
  type Lock,
  allFileHashes,
  lockFormat,
  hashLock,
  lockPath,
  manifestPath,
  packagePath,
} from '../emit/index.ts';
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
  hasNoFault,
  nodeFileSystem,
  listBuiltIfUnchanged,
  readHandlers,
  removeTemporaryFiles,
} from '../write/index.ts';

interface Unchanged {
  tools: number;
  unchanged: string[];
  kept: string[];
  /** Kept files whose generated text has changed since the user last merged it. */
  behind: string[];
}

/** Returns a finished generation if nothing has changed; else the project, if it was read. */
export async function skipIfUnchanged(
  options: GenerateOptions,
  diagnostics: DiagnosticCollector,
): Promise<{ generation?: Generation; project?: ExistingProject }> {
  const { cwd = '.', source, dir } = options;
  if (dir === undefined) return {};
  const project = await readProject(dir, cwd);
  const same = await findUnchangedProject(options, project).catch(ignoreFileError);
  if (same === undefined) return { project };
  const { tools, unchanged, kept, behind } = same;
  if (options.check !== true)
    await removeTemporaryFiles({ root: project.root, fs: nodeFileSystem, diagnostics });
  for (const path of behind) diagnostics.report('owned-file-behind', { path, base: 'known' });
  const generation: Generation = {
    ok: true,
    source,
    dir,
    skipped: { tools },
    report: { ...emptyReport, unchanged, kept },
    diagnostics: diagnostics.found,
    texts: noTexts,
  };
  return { generation };
}

/**
 * `undefined` if the project has to be compiled: something differs, or may differ although no hash of a file does (documents at
 * URLs, functions with the packages they import, templates of the user).
 */
async function findUnchangedProject(
  options: GenerateOptions,
  { dir, root, lock }: ExistingProject,
): Promise<Unchanged | undefined> {
  if (!readsOnlyLocalFiles(options) || requestsChanges(options)) return undefined;
  if (lock === undefined || !isLockOfThisVersion(lock, root) || !isUneditedLock(lock)) return undefined;
  if (lock.unfinished !== undefined) return undefined;
  if (!isOwnerLocked(options, lock, root)) return undefined;
  // A lock without origins has to be written again, with the origins that credentials are sent to.
  if (lock.origins === undefined || lock.format < lockFormat) return undefined;
  if (lock.config !== hashConfigOptions(options, dir) || !areInputsUnchanged(lock, root)) return undefined;
  if (!areSkillFilesLocked(options, lock, root)) return undefined;
  const onDisk = readManifestOnDisk(root, lock);
  if (hasFaults(onDisk)) return undefined;
  if (!isDeepStrictEqual(pickPublishedMembers(onDisk), lock.published ?? {})) return undefined;
  const { owned = {} } = lock;
  const files = allFileHashes(lock);
  if (lock.isManifestForeign === true || hashFile(join(root, manifestPath)) === undefined) return undefined;
  if (!runsUserCode(options) && !Object.keys(files).every(canEmit)) return undefined;
  const built =
    options.check === true
      ? await listUncomparedFiles(root)
      : await listBuiltIfUnchanged(root, hashLock(lock, { owned: false }));
  if (built === undefined) return undefined;
  const isGenerated = (path: string, text: string): boolean =>
    options.check === true
      ? isHashOf(files[path], path, text)
      : isHashOfBytes([getOwnMember(built.generated, path), files[path]].join(' '), text);
  if (!Object.keys(files).every((path) => wouldKeepFile(join(root, path), path, isGenerated, lock)))
    return undefined;
  const isKeptFile = (path: string): boolean =>
    Object.hasOwn(owned, path) ||
    !(Object.hasOwn(files, path) || path.startsWith('dist/') || path === manifestPath || path === lockPath);
  const all = [...Object.keys(files), manifestPath, ...built.paths, lockPath];
  return {
    tools: Object.keys(lock.names).length,
    unchanged: all.filter((path) => !isKeptFile(path)),
    kept: all.filter(isKeptFile),
    // The text that an owned file takes account of is in the lock; hashes of it are of another kind than those of generated files.
    behind: Object.entries(owned)
      .filter(([path, hash]) => !isHashOf(files[path], path, readBaseText(lock, path, hash) ?? ''))
      .map(([path]) => path),
  };
}

/** Ignores an unreadable file, since the full run then reports it. */
function ignoreFileError(error: unknown): undefined {
  if (!isSystemError(error)) throw error;
}

/** A check does not compare `dist/`. Handlers of the user may use tools that are gone, or features, so the project is compiled. */
async function listUncomparedFiles(
  root: string,
): Promise<{ paths: string[]; generated: Lock['files'] } | undefined> {
  const handlers = await readHandlers(root, nodeFileSystem);
  if (hasOwnHandlers(root)) return undefined;
  const others = [...WRITTEN_ONCE].filter((path) => existsSync(join(root, path)));
  return { paths: [...handlers.keys(), ...others], generated: {} };
}

function readsOnlyLocalFiles(options: GenerateOptions): boolean {
  const { source, sources, typescript, templates, hooks, allowRemoteRefs, overlays, limits, fetch } = options;
  if (
    typescript !== undefined ||
    templates !== undefined ||
    typeof hooks === 'object' ||
    limits !== undefined ||
    fetch !== undefined
  )
    return false;
  if (sources?.some(isFunctions) === true) return false;
  const documents = sources?.filter(isDocument) ?? [{ openapi: source, allowRemoteRefs, overlays }];
  return documents.every(
    (each) =>
      (each.allowRemoteRefs ?? allowRemoteRefs ?? []).length === 0 &&
      [each.openapi, ...(each.overlays ?? []), ...(overlays ?? [])].every(
        (file) => file !== '-' && !isUrl(file),
      ),
  );
}

function requestsChanges(options: GenerateOptions): boolean {
  const { force, keep, merge, rename, rebuildLock, dryRun, observer, owner } = options;
  return (
    observer !== undefined ||
    owner?.edits !== undefined ||
    [force, keep, merge, rename, rebuildLock, dryRun].some((flag) => flag === true)
  );
}

function isOwnerLocked({ owner, cwd = '.' }: GenerateOptions, lock: Lock, root: string): boolean {
  if (owner === undefined || lock.configuration === undefined) return false;
  const file = resolve(cwd, owner.file);
  const isSame = resolve(root, lock.configuration) === file && lock.server === owner.server;
  return isSame && findOtherConfig(lock, root, file) === undefined;
}

/** Whether this compiler wrote the lock. A later build of the same version may write other files. */
function isLockOfThisVersion({ compiler }: Lock, root: string): boolean {
  if (compiler !== version) return false;
  const built = statSync(new URL('dist/runtime.json', packageRoot()), { throwIfNoEntry: false });
  const written = statSync(join(root, lockPath), { throwIfNoEntry: false });
  return built !== undefined && written !== undefined && built.mtimeMs < written.mtimeMs;
}

function areInputsUnchanged({ inputs = {} }: Lock, root: string): boolean {
  const all = Object.entries(inputs);
  return all.length > 0 && all.every(([path, hash]) => hashFile(resolve(root, path)) === hash);
}

/** A file that is new in the folder of skills is no known input. */
function areSkillFilesLocked(options: GenerateOptions, { inputs = {} }: Lock, root: string): boolean {
  const folder = findSkillsFolder(options);
  if (folder === undefined) return options.skills === undefined || options.skills === '-';
  const known = new Set(Object.keys(inputs).map((path) => resolve(root, path)));
  return findSkillFiles(folder).files.every(({ absolute }) => known.has(absolute));
}

/** Whether a run would leave the file as it is: it is unedited, or the user owns it and the lock has its base. */
function wouldKeepFile(
  place: string,
  path: string,
  isGenerated: (path: string, text: string) => boolean,
  lock: Lock,
): boolean {
  // A lock may name a device, whose data never ends.
  if (statSync(place, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const base = getOwnMember(lock.owned ?? {}, path);
  // An owned file that equals the generated one is no longer owned, so the lock has to be written.
  if (isGenerated(path, readFileSync(place, 'utf8'))) return base === undefined;
  // package.json was merged by an earlier run; merging it again changes nothing.
  if (path === packagePath) return isJsonFile(place);
  return base !== undefined && readBaseText(lock, path, base) !== undefined && hasNoFault(place, path);
}
