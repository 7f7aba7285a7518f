import { builtinModules } from 'node:module';
import { dirname, join, posix } from 'node:path';

import { suggestNearest } from '../../templates/runtime/contract/feature.ts';
import type { Handlers } from '../../templates/runtime/definition.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { type GeneratedFile, type Transpiled, pathOfBuild, lockPath, transpile } from '../emit/index.ts';
import { omitUndefined } from '../util/collections.ts';
import { listHandlers, readHandlers } from './built-stamp.ts';
import type { FileSystem } from './file-system.ts';

interface HandlersOnDisk {
  root: string;
  label: string;
  fs: FileSystem;
  diagnostics: DiagnosticCollector;
  /** Names of the tools that handlers can replace. Default: not checked. */
  tools?: readonly string[] | undefined;
  /** Tools that had another name before: old name → new name. */
  renamedTools?: ReadonlyMap<string, string> | undefined;
}

const ENTRY = 'src/handlers/index.ts';

/**
 * `files` with the builds of the handlers on disk instead of those of the template. Reports handlers with which the server would
 * not start. TypeScript loads only if there is a handler to compile.
 */
export async function replaceBuiltHandlers(
  files: GeneratedFile[],
  project: HandlersOnDisk,
): Promise<GeneratedFile[]> {
  const { root, fs } = project;
  const emitted = new Map(files.map(({ path, contents }) => [path, contents]));
  const built = new Map(files.map((file) => [file.path, file]));
  const edited = new Map<string, Transpiled>();
  for (const path of await listHandlers(root, fs)) {
    const source = await fs.readText(join(root, path));
    if (emitted.get(path) === source) continue;
    const transpiled = await transpile(source, path);
    edited.set(path, transpiled);
    const contents = transpiled.code;
    built.set(pathOfBuild(path), { path: pathOfBuild(path), contents, ownership: 'built' });
  }
  for (const [path, transpiled] of edited) await reportHandlerFaults(path, transpiled, built, project);
  reportNames(edited, project);
  return sortLockLast([...built.values()]);
}

/** Reports only the first syntax error of a file, since the others mostly follow from it. */
async function reportHandlerFaults(
  path: string,
  transpiled: Transpiled,
  built: ReadonlyMap<string, GeneratedFile>,
  project: HandlersOnDisk,
): Promise<void> {
  const { root, fs, diagnostics } = project;
  const { faults, imports, idle } = transpiled;
  const [fault] = faults;
  const at = createPlaceMapper(path, project);
  if (fault !== undefined) {
    const problem = `is not valid TypeScript (${fault.message.replace(/\.$/, '')})`;
    const fix = 'Correct it and run mcpgen again.';
    diagnostics.report('handler-broken', { file: path, problem, fix }, { at: at(fault.line, fault.column) });
    return;
  }
  for (const { specifier, built: target, line, column } of imports) {
    if (await isImportable(target, pathOfBuild(path), { built, root, fs })) continue;
    const problem = `imports "${specifier}", which does not exist`;
    const fix = specifier.startsWith('.')
      ? 'Correct the path. mcpgen compiles modules in src/handlers/, `npm run build` also compiles others. Types of the runtime are in ../runtime/types.ts.'
      : 'Install the package in the project, or remove the import.';
    diagnostics.report('handler-broken', { file: path, problem, fix }, { at: at(line, column) });
  }
  if (path !== ENTRY) return;
  for (const { name, line, column } of idle.filter((member) => MEMBERS.has(member.name)))
    diagnostics.report('handler-not-read', { file: path, name }, { at: at(line, column) });
}

/** Names that are exported by mistake instead of being members of `handlers`. */
const MEMBERS: ReadonlySet<string> = new Set<keyof Handlers>([
  'beforeRequest',
  'afterResponse',
  'tools',
  'extraTools',
  'prompts',
  'resources',
  'resourceTemplates',
  'completions',
  'started',
  'verifyToken',
  'upstreamCredentials',
]);

/** Reports names and writes as {@link replaceBuiltHandlers} does, without building. */
export async function reportNamesOfHandlers(files: GeneratedFile[], project: HandlersOnDisk): Promise<void> {
  const generated = new Map(files.map(({ path, contents }) => [path, contents]));
  const edited = new Map<string, Transpiled>();
  for (const [path, source] of await readHandlers(project.root, project.fs))
    if (generated.get(path) !== source) edited.set(path, await transpile(source, path));
  reportNames(edited, project);
}

/** Reports tools that are replaced, compared or called, and are gone, and modules that write below their folder. */
function reportNames(edited: ReadonlyMap<string, Transpiled>, project: HandlersOnDisk): void {
  const { tools: listed, renamedTools, diagnostics } = project;
  const declared = [...edited.values()].flatMap(({ declaredTools }) => declaredTools);
  for (const [file, { tools, toolUses, ownFolderWrite: write }] of edited) {
    const at = createPlaceMapper(file, project);
    if (write !== undefined)
      diagnostics.report(
        'writes-own-folder',
        { folder: 'dist/handlers/' },
        { at: at(write.line, write.column) },
      );
    if (listed === undefined) continue;
    const suggest = (tool: string) =>
      omitUndefined({ suggestion: suggestNearest(tool, listed), newName: renamedTools?.get(tool) });
    for (const { name: tool, line, column } of file === ENTRY ? tools : [])
      if (!listed.includes(tool))
        diagnostics.report(
          'handler-without-tool',
          { file, tool, ...suggest(tool) },
          { at: at(line, column) },
        );
    const knownTools = [...listed, ...declared];
    for (const { name: tool, kind: use, line, column } of toolUses)
      if (!knownTools.some((name) => (use === 'prefix' ? name.startsWith(tool) : name === tool)))
        diagnostics.report(
          'handler-names-no-tool',
          { file, tool, use, ...suggest(tool) },
          { at: at(line, column) },
        );
  }
}

function createPlaceMapper(path: string, { label }: HandlersOnDisk) {
  const file = posix.join(label.replaceAll('\\', '/'), path);
  return (line: number, column: number) => ({ kind: 'code', file, line, column }) as const;
}

/** Moves the lock to the end: once written, it states that all other files exist. */
function sortLockLast(files: GeneratedFile[]): GeneratedFile[] {
  const isLock = ({ path }: GeneratedFile) => path === lockPath;
  return [...files.filter((file) => !isLock(file)), ...files.filter(isLock)];
}

interface ModulePlaces {
  /** The files that the project will have, by path. */
  built: ReadonlyMap<string, GeneratedFile>;
  root: string;
  fs: FileSystem;
}

/**
 * Whether Node will resolve an import of a built module, found without running the user's code. `from` is the importing module,
 * below `dist/`. `#imports` and URLs pass unchecked.
 */
async function isImportable(specifier: string, from: string, places: ModulePlaces): Promise<boolean> {
  if (/^\.{1,2}\//.test(specifier)) return isFile(posix.join(posix.dirname(from), specifier), places);
  if (/^(#|\/|[a-z]+:)/i.test(specifier)) return true;
  if (builtinModules.includes(specifier)) return true;
  const [first = '', second = ''] = specifier.split('/');
  const name = first.startsWith('@') ? `${first}/${second}` : first;
  return isInstalled(name, places.root, places.fs);
}

/** Files of the built runtime count only if they are built now, since others are removed. */
async function isFile(path: string, { built, root, fs }: ModulePlaces): Promise<boolean> {
  if (built.has(path)) return true;
  if (path.startsWith('dist/runtime/')) return false;
  return (await fs.follow(join(root, path)))?.kind === 'file';
}

/** Searches the project and the folders above it, as Node does. */
async function isInstalled(name: string, folder: string, fs: FileSystem): Promise<boolean> {
  if ((await fs.follow(join(folder, 'node_modules', name)))?.kind === 'folder') return true;
  const parent = dirname(folder);
  return parent !== folder && isInstalled(name, parent, fs);
}
