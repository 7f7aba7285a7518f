/** The operations of the writer, as an interface so that tests can make each of them fail. */
import {
  type Stats,
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { platform as currentPlatform } from 'node:process';

import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { removeTemporaryEnding } from './temporary-files.ts';

/** Paths are absolute. */
export interface FileSystem {
  /** The entry at a path, without following links; `undefined` if there is none. */
  look: (path: string) => Promise<Entry | undefined>;
  /** Looks as `look` does, but follows links. */
  follow: (path: string) => Promise<Entry | undefined>;
  readText: (path: string) => Promise<string>;
  readFolder: (path: string) => Promise<string[]>;
  realPath: (path: string) => Promise<string>;
  writeText: (path: string, contents: string) => Promise<void>;
  copyFile: (from: string, to: string) => Promise<void>;
  changeMode: (path: string, mode: number) => Promise<void>;
  /** The parent must exist. */
  makeFolder: (path: string) => Promise<void>;
  /** Replaces a file at `to`. */
  rename: (from: string, to: string) => Promise<void>;
  removeFile: (path: string) => Promise<void>;
  /** Fails if the folder is not empty. */
  removeEmptyFolder: (path: string) => Promise<void>;
}

interface Entry {
  kind: 'file' | 'folder' | 'link' | 'other';
  mode: number;
}

/** Calls synchronous functions: for hundreds of small files, the thread pool costs more than the operations. */
export const nodeFileSystem: FileSystem = {
  look: async (path) => entryOfStat(() => lstatSync(path)),
  follow: async (path) => entryOfStat(() => statSync(path)),
  readText: async (path) => readFileSync(path, 'utf8'),
  readFolder: async (path) => readdirSync(path).sort(),
  realPath: async (path) => realpathSync.native(path),
  writeText: async (path, contents) => writeFileSync(path, contents, { flag: 'wx' }),
  copyFile: async (from, to) => copyFileSync(from, to),
  changeMode: async (path, mode) => chmodSync(path, mode),
  makeFolder: async (path) => void mkdirSync(path),
  rename: async (from, to) => renameFile(from, to),
  removeFile: async (path) => rmSync(path),
  removeEmptyFolder: async (path) => rmdirSync(path),
};

/** Replaces a file at `to`. On Windows, a virus scanner or an indexer may hold one of both open for a moment. */
export function renameFile(
  from: string,
  to: string,
  rename: (from: string, to: string) => void = renameSync,
  platform: NodeJS.Platform = currentPlatform,
): void {
  for (let pauseMs = 10; ; pauseMs *= 2) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      const isHeld =
        platform === 'win32' && isSystemError(error) && /^E(?:PERM|ACCES|BUSY)$/.test(error.code);
      if (!isHeld || pauseMs > 1000) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

/** The plain files below a folder of `root`, as paths from `root`, sorted; links are neither followed nor listed. */
export async function listFiles(folder: string, root: string, fs: FileSystem): Promise<string[]> {
  if ((await fs.look(join(root, folder)))?.kind !== 'folder') return [];
  const files: string[] = [];
  for (const name of await fs.readFolder(join(root, folder))) {
    const path = `${folder}/${name}`;
    const kind = (await fs.look(join(root, path)))?.kind;
    if (kind === 'folder') files.push(...(await listFiles(path, root, fs)));
    else if (kind === 'file') files.push(path);
  }
  return files;
}

function entryOfStat(stat: () => Stats): Entry | undefined {
  try {
    const entry = stat();
    const mode = entry.mode & 0o777;
    if (entry.isFile()) return { kind: 'file', mode };
    if (entry.isDirectory()) return { kind: 'folder', mode };
    return { kind: entry.isSymbolicLink() ? 'link' : 'other', mode };
  } catch (error) {
    // ENOTDIR: a parent is a file, which the check of the parent reports.
    if (isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  }
}

interface SystemError extends Error {
  code: string;
  path?: string | undefined;
  dest?: string | undefined;
}

export class PathInTheWay extends Error {
  override readonly name = 'PathInTheWay';
  readonly path: string;

  constructor(path: string) {
    super(`${path} is not a folder`);
    this.path = path;
  }
}

export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/** `<path>.orig`, or with a number if there are others; `undefined` if one of these is a copy of the file already. */
export async function findCopyName(path: string, root: string, fs: FileSystem): Promise<string | undefined> {
  const text = await fs.readText(join(root, path));
  for (let count = 1; ; count += 1) {
    const name = `${path}.orig${count === 1 ? '' : `.${String(count)}`}`;
    const entry = await fs.look(join(root, name));
    if (entry === undefined) return name;
    // Different bytes that are not UTF-8 are read as the same replacement characters.
    if (entry.kind === 'file' && !text.includes('\uFFFD') && (await fs.readText(join(root, name))) === text)
      return undefined;
  }
}

/** Reports an error of the operating system as a diagnostic. Other errors are bugs, and are thrown again. */
export function reportSystemError(error: unknown, fallback: string, diagnostics: DiagnosticCollector): void {
  if (error instanceof PathInTheWay) return diagnostics.report('path-in-the-way', { path: error.path });
  if (isSystemError(error) && ['EEXIST', 'EISDIR', 'ENOTDIR', 'ENOTEMPTY'].includes(error.code))
    diagnostics.report('path-in-the-way', { path: placeOfError(error) || fallback });
  else diagnostics.report('file-inaccessible', { reason: describeSystemError(error, fallback) });
}

/** `README.md (EIO: i/o error)`. Other errors are bugs, and are thrown again. */
export function describeSystemError(error: unknown, fallback: string): string {
  if (!isSystemError(error)) throw error;
  return `${placeOfError(error) || fallback} (${error.message.replace(/, .*$/, '')})`;
}

function placeOfError({ dest, path }: SystemError): string {
  return removeTemporaryEnding(dest ?? path ?? '');
}
