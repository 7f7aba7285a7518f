import { join, posix } from 'node:path';
import type { Handlers } from '../../templates/runtime/definition.ts';
import { suggest } from '../../templates/runtime/contract/suggest.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { builtPath, type GeneratedFile, lockPath, type Transpiled, transpile } from '../emit/index.ts';
import { listHandlers, readHandlers } from './built-stamp.ts';
import type { FileSystem } from './file-system.ts';
import { isImportable } from './importable.ts';

export interface HandlersOnDisk {
  /** Real path of the project's folder. */
  root: string;
  /** How messages name the folder. */
  label: string;
  fs: FileSystem;
  diagnostics: DiagnosticCollector;
  /** Names of the tools that they can replace. Default: not judged. */
  tools?: readonly string[] | undefined;
}

const ENTRY = 'src/handlers/index.ts';

/**
 * `files`, with what is built from the handlers on disk in place of what is built from the untouched template.
 * Handlers that could not run are reported: the server would not start. Loads TypeScript only when there is
 * something to compile.
 */
export async function withBuiltHandlers(
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
    built.set(builtPath(path), { path: builtPath(path), contents, ownership: 'built' });
  }
  for (const [path, transpiled] of edited) await reportFaults(path, transpiled, built, project);
  return sortLockLast([...built.values()]);
}

/** Of a file with syntax errors the first is told: the others mostly follow from it. */
async function reportFaults(
  path: string,
  transpiled: Transpiled,
  built: ReadonlyMap<string, GeneratedFile>,
  project: HandlersOnDisk,
): Promise<void> {
  const { root, fs, diagnostics } = project;
  const {
    faults: [fault],
    imports,
  } = transpiled;
  const at = placeIn(path, project);
  if (fault !== undefined) {
    const reason = fault.message.replace(/\.$/, '');
    diagnostics.report('handlers-not-compiled', { file: path, reason }, { at: at(fault.line, fault.column) });
    return;
  }
  for (const { specifier, built: target, line, column } of imports) {
    if (await isImportable(target, builtPath(path), { built, root, fs })) continue;
    diagnostics.report('handler-import-not-found', { file: path, specifier }, { at: at(line, column) });
  }
  reportStrayTools(path, transpiled, project);
  reportIdle(path, transpiled, project);
}

/** Members of `handlers`, that stand beside it. */
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

function reportIdle(path: string, { idle }: Transpiled, project: HandlersOnDisk): void {
  if (path !== ENTRY) return;
  for (const { name, line, column } of idle.filter(({ name }) => MEMBERS.has(name)))
    project.diagnostics.report(
      'handler-not-read',
      { file: path, name },
      { at: placeIn(path, project)(line, column) },
    );
}

/** What {@link withBuiltHandlers} reports of tools, without building anything. */
export async function checkHandledTools(files: GeneratedFile[], project: HandlersOnDisk): Promise<void> {
  // All of them: one that cannot be read could not be built.
  const source = (await readHandlers(project.root, project.fs)).get(ENTRY);
  if (source === undefined) return;
  if (files.find(({ path }) => path === ENTRY)?.contents === source) return;
  reportStrayTools(ENTRY, await transpile(source, ENTRY), project);
}

function reportStrayTools(path: string, { tools }: Transpiled, project: HandlersOnDisk): void {
  const { tools: known, diagnostics } = project;
  if (path !== ENTRY || known === undefined) return;
  for (const { name: tool, line, column } of tools.filter(({ name }) => !known.includes(name))) {
    const suggestion = suggest(tool, known);
    diagnostics.report(
      'handler-without-tool',
      { file: path, tool, ...(suggestion === undefined ? {} : { suggestion }) },
      { at: placeIn(path, project)(line, column) },
    );
  }
}

function placeIn(path: string, { label }: HandlersOnDisk) {
  const file = posix.join(label.replaceAll('\\', '/'), path);
  return (line: number, column: number) => ({ kind: 'code', file, line, column }) as const;
}

/** The lock says that all the rest is there, so it comes last. */
function sortLockLast(files: GeneratedFile[]): GeneratedFile[] {
  const isLock = ({ path }: GeneratedFile) => path === lockPath;
  return [...files.filter((file) => !isLock(file)), ...files.filter(isLock)];
}
