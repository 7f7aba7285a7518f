/** The user's modules in `src/handlers/`. */
import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';

import { ownMember } from '../../templates/runtime/json-rpc.ts';
import { nearest } from '../../templates/runtime/validate.ts';
import { FEATURES } from '../model/feature-table.ts';
import {
  type GeneratedFile,
  type HandlerCode,
  type Transpiled,
  isHashOf,
  pathOfBuild,
  lockPath,
  transpile,
} from '../emit/index.ts';
import { omitUndefined } from '../util/collections.ts';
import { findConflict } from '../util/conflict-markers.ts';
import { findAbove } from '../util/find-above.ts';
import { type FileSystem, isSystemError, listFiles, nodeFileSystem } from './file-system.ts';
import type { PlanContext } from './write-target.ts';

/** The modules from which `dist/handlers/` is built. */
export async function listHandlers(root: string, fs: FileSystem): Promise<string[]> {
  const files = await listFiles('src/handlers', root, fs);
  return files.filter((path) => /(?<!\.d)\.ts$/.test(path));
}

async function readHandlers(root: string, fs: FileSystem): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of await listHandlers(root, fs)) texts.set(path, await fs.readText(join(root, path)));
  return texts;
}

/** Members and keys that bring a feature. */
const WORDS = FEATURES.flatMap(({ uses = {} }) => [...(uses.members ?? []), ...(uses.keys ?? [])]);

/** Reads the handlers as far as features depend on them. TypeScript loads only if they contain one of the words. */
export async function readHandlerCode(root: string): Promise<HandlerCode | undefined> {
  try {
    const texts = [...(await readHandlers(root, nodeFileSystem)).values()];
    const mentioning = texts.filter((text) => WORDS.some((word) => text.includes(word)));
    const modules = await Promise.all(mentioning.map((text) => transpile(text, 'handlers.ts')));
    return {
      files: texts.map((contents) => ({ contents })),
      members: new Set(modules.flatMap(({ members }) => [...members])),
      keys: new Set(modules.flatMap(({ keys }) => [...keys])),
    };
  } catch (error) {
    // Writing reports handlers that cannot be read.
    if (!isSystemError(error)) throw error;
    return undefined;
  }
}

type HandlersOnDisk = Pick<
  PlanContext,
  'root' | 'label' | 'fs' | 'diagnostics' | 'tools' | 'renamedTools' | 'lock' | 'keep' | 'force'
>;

const ENTRY = 'src/handlers/index.ts';

/**
 * `files` with the builds of the person's modules: the handlers on disk instead of those of the template, and generated modules
 * that are theirs. Reports those with which the server would not start. TypeScript loads only if there is one to compile.
 */
export async function replaceBuiltHandlers(
  files: GeneratedFile[],
  project: HandlersOnDisk,
): Promise<GeneratedFile[]> {
  const edited = await transpileEdited(files, project);
  const built = new Map(files.map((file) => [file.path, file]));
  for (const [source, { code: contents }] of edited) {
    const path = pathOfBuild(source);
    built.set(path, { path, contents, ownership: 'built' });
  }
  for (const [path, transpiled] of edited) await reportHandlerFaults(path, transpiled, built, project);
  reportNames(edited, project);
  // The lock comes last: once written, it states that all other files exist.
  const isLock = ({ path }: GeneratedFile) => path === lockPath;
  const all = [...built.values()];
  return [...all.filter((file) => !isLock(file)), ...all.filter(isLock)];
}

async function transpileEdited(
  files: readonly GeneratedFile[],
  project: HandlersOnDisk,
): Promise<Map<string, Transpiled>> {
  const generated = new Map(files.map(({ path, contents }) => [path, contents]));
  const edited = new Map<string, Transpiled>();
  const sources = [...(await readHandlers(project.root, project.fs)), ...(await readOwned(files, project))];
  for (const [path, source] of sources)
    if (generated.get(path) !== source) edited.set(path, await transpile(source, path));
  return edited;
}

/** The generated modules that the person has taken over, or takes over with this run. */
async function readOwned(
  files: readonly GeneratedFile[],
  { root, fs, lock, keep = false, force = false }: HandlersOnDisk,
): Promise<[path: string, source: string][]> {
  const owned: [string, string][] = [];
  for (const { path, ownership } of files) {
    const isOwned = Object.hasOwn(lock?.owned ?? {}, path);
    const entry = ownMember(lock?.files ?? {}, path);
    const mayBeTaken = keep && !force && entry !== undefined;
    if (ownership !== 'generated' || !/^src\/.*(?<!\.d)\.ts$/.test(path) || !(isOwned || mayBeTaken))
      continue;
    // A link may lead out of the project.
    if ((await fs.look(join(root, path)))?.kind !== 'file') continue;
    const source = await fs.readText(join(root, path));
    // The plan reports these.
    if (findConflict(source) !== undefined) continue;
    if (isOwned || !isHashOf(entry, source)) owned.push([path, source]);
  }
  return owned;
}

/** Reports only the first syntax error of a file, since the others mostly follow from it. */
async function reportHandlerFaults(
  path: string,
  transpiled: Transpiled,
  built: ReadonlyMap<string, GeneratedFile>,
  project: HandlersOnDisk,
): Promise<void> {
  const { diagnostics } = project;
  const { faults, imports } = transpiled;
  const [fault] = faults;
  const at = createPlaceMapper(path, project);
  if (fault !== undefined) {
    const problem = `is not valid TypeScript (${fault.message.replace(/\.$/, '')})`;
    const fix = 'Correct it and run mcpgen again.';
    diagnostics.report('handler-broken', { file: path, problem, fix }, { at: at(fault) });
    return;
  }
  for (const { specifier, built: target, ...place } of imports) {
    if (await isImportable(target, pathOfBuild(path), built, project)) continue;
    const problem = `imports "${specifier}", which does not exist`;
    const fix = specifier.startsWith('.')
      ? 'Correct the path. mcpgen compiles modules in src/handlers/, `npm run build` also compiles others. Types of the runtime are in ../runtime/types.ts.'
      : 'Install the package in the project, or remove the import.';
    diagnostics.report('handler-broken', { file: path, problem, fix }, { at: at(place) });
  }
}

/** Reports replaced tools that do not exist, without building. */
export async function reportNamesOfHandlers(files: GeneratedFile[], project: HandlersOnDisk): Promise<void> {
  reportNames(await transpileEdited(files, project), project);
}

function reportNames(
  edited: ReadonlyMap<string, Transpiled>,
  { tools, renamedTools, diagnostics, label }: HandlersOnDisk,
): void {
  if (tools === undefined) return;
  for (const { name: tool, ...place } of edited.get(ENTRY)?.tools ?? []) {
    if (tools.includes(tool)) continue;
    const names = omitUndefined({ suggestion: nearest(tool, tools), newName: renamedTools?.get(tool) });
    const at = createPlaceMapper(ENTRY, { label })(place);
    diagnostics.report('handler-without-tool', { file: ENTRY, tool, ...names }, { at });
  }
}

function createPlaceMapper(path: string, { label }: Pick<HandlersOnDisk, 'label'>) {
  const file = posix.join(label.replaceAll('\\', '/'), path);
  return ({ line, column }: { line: number; column: number }) =>
    ({ kind: 'code', file, line, column }) as const;
}

/**
 * Whether Node will resolve an import of a built module, found without running the user's code. `from` is the importing module,
 * below `dist/`. `#imports` and URLs pass unchecked.
 */
async function isImportable(
  specifier: string,
  from: string,
  built: ReadonlyMap<string, GeneratedFile>,
  { root, fs }: HandlersOnDisk,
): Promise<boolean> {
  if (/^\.{1,2}\//.test(specifier)) {
    const path = posix.join(posix.dirname(from), specifier);
    // Files of the runtime that are not built now are removed.
    if (built.has(path) || path.startsWith('dist/runtime/')) return built.has(path);
    return (await fs.follow(join(root, path)))?.kind === 'file';
  }
  if (/^(#|\/|[a-z]+:)/i.test(specifier) || builtinModules.includes(specifier)) return true;
  const [name = ''] = /^(?:@[^/]*\/)?[^/]*/.exec(specifier) ?? [];
  return findAbove(root, (folder) => existsSync(join(folder, 'node_modules', name)) || undefined) === true;
}
