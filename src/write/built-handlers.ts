import { join } from 'node:path';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { builtPath, type GeneratedFile, lockPath, transpile } from '../emit/index.ts';
import type { FileSystem } from './file-system.ts';

const folder = 'src/handlers';

/**
 * `files`, with what is built from the handlers on disk in place of what is built from the untouched template.
 * Loads TypeScript only when there is something to compile.
 */
export async function withBuiltHandlers(
  files: GeneratedFile[],
  root: string,
  fs: FileSystem,
  diagnostics: DiagnosticCollector,
): Promise<GeneratedFile[]> {
  const emitted = new Map(files.map(({ path, contents }) => [path, contents]));
  const built = new Map(files.map((file) => [file.path, file]));
  for (const path of await listSources(folder, root, fs)) {
    const source = await fs.readText(join(root, path));
    if (emitted.get(path) === source) continue;
    const { code, faults } = await transpile(source, path);
    const [fault] = faults;
    if (fault !== undefined) {
      diagnostics.report('handlers-not-compiled', { file: path, line: fault.line, reason: fault.message });
    }
    built.set(builtPath(path), { path: builtPath(path), contents: code, ownership: 'built' });
  }
  return sortLockLast([...built.values()]);
}

async function listSources(path: string, root: string, fs: FileSystem): Promise<string[]> {
  if ((await fs.follow(join(root, path)))?.kind !== 'folder') return [];
  const sources: string[] = [];
  for (const name of await fs.readFolder(join(root, path))) {
    const child = `${path}/${name}`;
    const entry = await fs.look(join(root, child));
    if (entry?.kind === 'folder') sources.push(...(await listSources(child, root, fs)));
    else if (entry?.kind === 'file' && /(?<!\.d)\.ts$/.test(name)) sources.push(child);
  }
  return sources;
}

/** The lock says that all the rest is there, so it comes last. */
function sortLockLast(files: GeneratedFile[]): GeneratedFile[] {
  const isLock = ({ path }: GeneratedFile) => path === lockPath;
  return [...files.filter((file) => !isLock(file)), ...files.filter(isLock)];
}
