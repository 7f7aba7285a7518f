/** `dist/.mcpgen.json` has hashes of the files of `dist/` and of what they are built from. As a part of `dist/`, it is not committed. */
import { join } from 'node:path';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import {
  CONFIG_PATH,
  type GeneratedFile,
  type Lock,
  hashContents,
  isSafePath,
  lockPath,
  parseLock,
} from '../emit/index.ts';
import { tryParseJson } from '../util/try-parse-json.ts';
import { type FileSystem, nodeFileSystem } from './file-system.ts';
import { listHandlers, readHandlers } from './handlers.ts';

export const stampPath = 'dist/.mcpgen.json';

/** `npm run build` writes it too, without `lock`. */
interface Stamp {
  /** Hash of the files that the lock lists. */
  lock: string;
  /** Path → hash of built files and of the user's: handlers, and others that mcpgen writes once. */
  files: Record<string, string>;
  /** Path → hash of other files below `dist/` that were built before. */
  others?: Record<string, string>;
}

export function addStamp(
  files: readonly GeneratedFile[],
  userTexts: ReadonlyMap<string, string> = new Map(),
  builtBefore: Readonly<Record<string, string>> = {},
): GeneratedFile[] {
  const texts = files.flatMap(({ path, contents, ownership }): [string, string][] =>
    ownership === 'generated' ? [] : [[path, contents]],
  );
  const hashes = Object.fromEntries(
    [...texts, ...userTexts].map(([path, text]) => [path, hashContents(text)]),
  );
  const lock = parseLock(files.find(({ path }) => path === lockPath)?.contents ?? '');
  const stamp: Stamp = {
    lock: lock === undefined ? '' : hashLockedFiles(lock),
    files: hashes,
    others: Object.fromEntries(Object.entries(builtBefore).filter(([path]) => !Object.hasOwn(hashes, path))),
  };
  const file: GeneratedFile = { path: stampPath, contents: `${JSON.stringify(stamp)}\n`, ownership: 'built' };
  return files.flatMap((each) => (each.path === lockPath ? [file, each] : [each]));
}

/** What a run removes is known after the stamp is made. */
export function forgetRemoved(contents: string, removed: readonly string[]): string {
  const stamp = JSON.parse(contents) as Stamp;
  for (const path of removed) Reflect.deleteProperty(stamp.others ?? {}, path);
  return `${JSON.stringify(stamp)}\n`;
}

function hashLockedFiles({ files }: Lock): string {
  return hashContents(JSON.stringify(files));
}

/** The files in `dist/` and `src/handlers/`, unless one has changed since the project of the lock was built. */
export async function listBuiltIfUnchanged(
  root: string,
  lock: Lock,
  fs: FileSystem = nodeFileSystem,
): Promise<string[] | undefined> {
  const stamp = await readStamp(root, fs);
  if (stamp?.lock !== hashLockedFiles(lock)) return undefined;
  const handlers = await listHandlers(root, fs);
  if (!handlers.every((path) => Object.hasOwn(stamp.files, path))) return undefined;
  for (const [path, hash] of Object.entries(stamp.files))
    if (!(await hasHash(join(root, path), hash, fs))) return undefined;
  return [...Object.keys(stamp.files), stampPath];
}

/** Path → hash of the files below `dist/` that are as `npm run build` or mcpgen has written them. */
export async function readBuiltHashes(root: string, fs: FileSystem): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  const { others = {}, files = {} } = (await readStamp(root, fs)) ?? {};
  for (const [path, hash] of Object.entries({ ...others, ...files }))
    if (isSafePath(path) && path.startsWith('dist/') && (await hasHash(join(root, path), hash, fs)))
      hashes[path] = hash;
  return hashes;
}

async function hasHash(file: string, hash: string, fs: FileSystem): Promise<boolean> {
  return (await fs.look(file))?.kind === 'file' && hashContents(await fs.readText(file)) === hash;
}

async function readStamp(root: string, fs: FileSystem): Promise<Stamp | undefined> {
  const path = join(root, stampPath);
  const stamp = (await fs.look(path)) && tryParseJson(await fs.readText(path));
  return isStamp(stamp) ? stamp : undefined;
}

function isStamp(value: unknown): value is Stamp {
  return isRecord(value) && typeof value['lock'] === 'string' && isRecord(value['files']);
}

/** Texts of the handlers, and of other files on disk that mcpgen writes once. */
export async function readUserFiles(
  files: readonly GeneratedFile[],
  root: string,
  fs: FileSystem,
): Promise<Map<string, string>> {
  const texts = await readHandlers(root, fs);
  for (const { path, ownership } of files)
    // The configuration is saved with this run's settings after it is read here.
    if (ownership === 'once' && path !== CONFIG_PATH && (await fs.follow(join(root, path))) !== undefined)
      texts.set(path, await fs.readText(join(root, path)));
  return texts;
}
