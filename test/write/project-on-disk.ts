/** Small projects, temporary folders, and a file system that fails when told to. */
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DiagnosticCollector } from '../../src/diagnostics/collector.ts';
import { type GeneratedFile, hashWithoutLayout } from '../../src/emit/index.ts';
import { type FileSystem, nodeFileSystem } from '../../src/write/file-system.ts';
import { type WriteReport, writeProject, type WriteTarget } from '../../src/write/index.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';

export { temporaryFolder };

/** A project with a file of each ownership; `version` changes every generated one but `src/app/same.txt`. */
export function project(version: string, more: Record<string, string> = {}): GeneratedFile[] {
  const generated: GeneratedFile[] = Object.entries({
    'README.md': `# ${version}\n`,
    'src/app/same.txt': 'always the same\n',
    'src/main.ts': `main ${version}\n`,
    'src/generated/catalog.json': `{"v":"${version}"}\n`,
    ...more,
  }).map(([path, contents]) => ({ path, contents, ownership: 'generated' }));
  const lock = {
    format: 1,
    compiler: version,
    names: {},
    files: Object.fromEntries(generated.map(({ path, contents }) => [path, hashWithoutLayout(contents)])),
  };
  return [
    ...generated,
    { path: 'src/handlers/index.ts', contents: 'export const handlers = {};\n', ownership: 'once' },
    { path: 'dist/handlers/index.js', contents: 'export const handlers = {};\n', ownership: 'built' },
    { path: 'dist/main.js', contents: `built ${version}\n`, ownership: 'built', executable: true },
    { path: 'mcpgen.lock', contents: `${JSON.stringify(lock)}\n`, ownership: 'generated' },
  ];
}

export interface Outcome extends WriteReport {
  /** Names of what was reported. */
  problems: string[];
  /** Their messages. */
  messages: string[];
  hints: string[];
}

export async function write(
  files: GeneratedFile[],
  dir: string,
  options: Omit<WriteTarget, 'dir'> = {},
  fs?: FileSystem,
): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  const report = await writeProject(files, { dir, ...options }, diagnostics, fs);
  return {
    ...report,
    problems: diagnostics.found.map(({ name }) => name),
    messages: diagnostics.found.map(({ message }) => message),
    hints: diagnostics.found.map(({ hint = '' }) => hint),
  };
}

export function put(folder: string, files: Record<string, string>): void {
  for (const [path, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
}

/** Everything below a folder: files with their text, links with their target, folders as `null`. */
export function tree(folder: string): Record<string, string | null> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const named = entries.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll('\\', '/');
    if (entry.isSymbolicLink()) return [name, `-> ${readlinkSync(path)}`] as const;
    return [name, entry.isFile() ? readFileSync(path, 'utf8') : null] as const;
  });
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function texts(files: GeneratedFile[]): Record<string, string> {
  return Object.fromEntries(files.map(({ path, contents }) => [path, contents]));
}

/** Only the files of a tree. */
export function filesOf(folder: string): Record<string, string | null> {
  return Object.fromEntries(Object.entries(tree(folder)).filter(([, contents]) => contents !== null));
}

export function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: made to fail`), { code, syscall: 'test', path });
}

/** Node's file system, where `fails` may throw instead of an operation. Calls are counted from 0. */
export function faultyFileSystem(
  fails: (operation: keyof FileSystem, path: string, call: number) => void,
): FileSystem {
  let calls = 0;
  return new Proxy(nodeFileSystem, {
    get: (target, name: keyof FileSystem) => {
      const operation = target[name] as (...parameters: string[]) => Promise<unknown>;
      return async (...parameters: string[]) => {
        fails(name, parameters[0] ?? '', calls++);
        return operation(...parameters);
      };
    },
  });
}

/** The operations that change something. */
export const changing = new Set<keyof FileSystem>([
  'writeText',
  'copyFile',
  'makeFolder',
  'rename',
  'removeFile',
  'removeEmptyFolder',
]);
