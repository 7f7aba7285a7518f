/**
 * `dist/.mcpgen.json`: what `dist/` was built from, and what it held then. It goes with `dist/`: it is in no version control,
 * and `npm run clean` removes it.
 */
import { join } from 'node:path';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { type GeneratedFile, hashContents, isListed, lockPath, parseLock } from '../emit/index.ts';
import { type FileSystem, listFiles, nodeFileSystem } from './file-system.ts';

export const stampPath = 'dist/.mcpgen.json';

interface Stamp {
  /** The hash in the lock, before a person took files over. */
  lock: string;
  /** Path → hash of what is built, and of the user's files: the handlers it was built from, and a configuration. */
  files: Record<string, string>;
  /** Path → hash of the bytes of each generated file that the lock lists: the lock has the hashes of their tokens. */
  generated: Record<string, string>;
}

/** `files` with the stamp before the lock. `own` are the user's files on disk; a new project has the emitted ones alone. */
export function withStamp(
  files: readonly GeneratedFile[],
  own: ReadonlyMap<string, string> = new Map(),
): GeneratedFile[] {
  const emitted = files
    .filter(({ ownership }) => ownership === 'once')
    .map(({ path, contents }) => [path, contents]);
  const built = files
    .filter(({ ownership }) => ownership === 'built')
    .map(({ path, contents }) => [path, contents]);
  const sources = new Map<string, string>([...emitted, ...own].map(([path = '', text = '']) => [path, text]));
  const hashes = [...built, ...sources].map(([path = '', text = '']) => [path, hashContents(text)]);
  const locked = files.filter(({ path, ownership }) => ownership === 'generated' && !isListed(path));
  const stamp: Stamp = {
    lock: lockIn(files),
    files: Object.fromEntries(hashes),
    generated: Object.fromEntries(locked.map(({ path, contents }) => [path, hashContents(contents)])),
  };
  const file: GeneratedFile = { path: stampPath, contents: `${JSON.stringify(stamp)}\n`, ownership: 'built' };
  return files.flatMap((each) => (each.path === lockPath ? [file, each] : [each]));
}

function lockIn(files: readonly GeneratedFile[]): string {
  return parseLock(files.find(({ path }) => path === lockPath)?.contents ?? '')?.hash ?? '';
}

/**
 * The files in `dist/` and `src/handlers/`, when they are what they were as a project with the lock's hash `lock` was
 * built; else `undefined`.
 */
export async function readBuilt(
  root: string,
  lock: string,
  fs: FileSystem = nodeFileSystem,
): Promise<(Pick<Stamp, 'generated'> & { paths: string[] }) | undefined> {
  const stamp = parseStamp(
    (await fs.look(join(root, stampPath))) && (await fs.readText(join(root, stampPath))),
  );
  if (stamp?.lock !== lock) return undefined;
  const there = [...(await listFiles('dist/runtime', root, fs)), ...(await listHandlers(root, fs))];
  if (!there.every((path) => Object.hasOwn(stamp.files, path))) return undefined;
  for (const [path, hash] of Object.entries(stamp.files)) {
    const place = join(root, path);
    if ((await fs.look(place))?.kind !== 'file' || hashContents(await fs.readText(place)) !== hash)
      return undefined;
  }
  return { paths: [...Object.keys(stamp.files), stampPath], generated: stamp.generated };
}

/** Modules of the user that `dist/handlers/` is built from. */
export async function listHandlers(root: string, fs: FileSystem): Promise<string[]> {
  const files = await listFiles('src/handlers', root, fs);
  return files.filter((path) => /(?<!\.d)\.ts$/.test(path));
}

/** Path → text. */
export async function readHandlers(root: string, fs: FileSystem): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of await listHandlers(root, fs)) texts.set(path, await fs.readText(join(root, path)));
  return texts;
}

/** `readHandlers`, and other files on disk that mcpgen writes once. */
export async function readOwnFiles(
  files: readonly GeneratedFile[],
  root: string,
  fs: FileSystem,
): Promise<Map<string, string>> {
  const texts = await readHandlers(root, fs);
  for (const { path } of files.filter(({ ownership }) => ownership === 'once'))
    if ((await fs.follow(join(root, path))) !== undefined)
      texts.set(path, await fs.readText(join(root, path)));
  return texts;
}

function parseStamp(text: string | undefined): Stamp | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isStamp(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isStamp(value: unknown): value is Stamp {
  if (typeof value !== 'object' || value === null || !('lock' in value) || !('files' in value)) return false;
  if (!('generated' in value) || !isRecord(value.generated)) return false;
  return typeof value.lock === 'string' && isRecord(value.files);
}
