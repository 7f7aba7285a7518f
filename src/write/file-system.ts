/** The few operations the writer needs, so that tests can make each of them fail. Paths are absolute. */
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';

export interface FileSystem {
  /** What is at a path, links not followed; `undefined` when nothing is. */
  look: (path: string) => Promise<Entry | undefined>;
  /** As `look`, links followed. */
  follow: (path: string) => Promise<Entry | undefined>;
  readText: (path: string) => Promise<string>;
  readFolder: (path: string) => Promise<string[]>;
  realPath: (path: string) => Promise<string>;
  writeText: (path: string, contents: string) => Promise<void>;
  copyFile: (from: string, to: string) => Promise<void>;
  changeMode: (path: string, mode: number) => Promise<void>;
  /** One level; its parent must exist. */
  makeFolder: (path: string) => Promise<void>;
  /** Replaces a file at `to`. */
  rename: (from: string, to: string) => Promise<void>;
  removeFile: (path: string) => Promise<void>;
  /** Fails when the folder is not empty. */
  removeEmptyFolder: (path: string) => Promise<void>;
  removeTree: (path: string) => Promise<void>;
}

export interface Entry {
  kind: 'file' | 'folder' | 'link' | 'other';
  /** Permission bits. */
  mode: number;
}

export const nodeFileSystem: FileSystem = {
  look: (path) => describe(lstat(path)),
  follow: (path) => describe(stat(path)),
  readText: (path) => readFile(path, 'utf8'),
  readFolder: async (path) => (await readdir(path)).sort(),
  realPath: (path) => realpath(path),
  writeText: (path, contents) => writeFile(path, contents, { flag: 'wx' }),
  copyFile: (from, to) => copyFile(from, to),
  changeMode: (path, mode) => chmod(path, mode),
  makeFolder: async (path) => {
    await mkdir(path);
  },
  rename: (from, to) => rename(from, to),
  removeFile: (path) => rm(path),
  removeEmptyFolder: (path) => rmdir(path),
  removeTree: (path) => rm(path, { recursive: true, force: true }),
};

async function describe(found: ReturnType<typeof lstat>): Promise<Entry | undefined> {
  try {
    const entry = await found;
    const mode = Number(entry.mode) & 0o777;
    if (entry.isFile()) return { kind: 'file', mode };
    if (entry.isDirectory()) return { kind: 'folder', mode };
    return { kind: entry.isSymbolicLink() ? 'link' : 'other', mode };
  } catch (error) {
    // ENOTDIR: a parent is a file. Who asks about parents finds that out by itself.
    if (isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** An error of the operating system, told from a bug of ours by its code. */
export interface SystemError extends Error {
  code: string;
  path?: string;
  dest?: string;
}

export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}
