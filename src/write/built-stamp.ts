/** `dist/.mcpgen.json` has hashes of the sources and files of `dist/`. As a part of `dist/`, it is not committed. */
import { join } from 'node:path';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import {
  CONFIG_PATH,
  type GeneratedFile,
  hashContents,
  isInManifest,
  lockPath,
  parseLock,
} from '../emit/index.ts';
import { type FileSystem, listFiles, nodeFileSystem } from './file-system.ts';

export const stampPath = 'dist/.mcpgen.json';

interface Stamp {
  /** The hash in the lock, without the files that the user has taken over. */
  lock: string;
  /** Path → hash of built files and of the user's: handlers, and a configuration. */
  files: Record<string, string>;
  /** Path → hash of the bytes of generated files, of which the lock has only hashes of their tokens. */
  generated: Record<string, string>;
}

export function addStamp(
  files: readonly GeneratedFile[],
  own: ReadonlyMap<string, string> = new Map(),
): GeneratedFile[] {
  const hashByOwnership = (wanted: GeneratedFile['ownership']): [path: string, hash: string][] =>
    files
      .filter(({ ownership }) => ownership === wanted)
      .map(({ path, contents }) => [path, hashContents(contents)]);
  const onDisk = [...own].map(([path, text]) => [path, hashContents(text)]);
  const stamp: Stamp = {
    lock: parseLock(files.find(({ path }) => path === lockPath)?.contents ?? '')?.hash ?? '',
    files: Object.fromEntries([...hashByOwnership('built'), ...hashByOwnership('once'), ...onDisk]),
    generated: Object.fromEntries(hashByOwnership('generated').filter(([path]) => !isInManifest(path))),
  };
  const file: GeneratedFile = { path: stampPath, contents: `${JSON.stringify(stamp)}\n`, ownership: 'built' };
  return files.flatMap((each) => (each.path === lockPath ? [file, each] : [each]));
}

/** The files in `dist/` and `src/handlers/`, unless one has changed since the project with the hash `lock` was built. */
export async function listBuiltIfUnchanged(
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

/** The user's modules, from which `dist/handlers/` is built. */
export async function listHandlers(root: string, fs: FileSystem): Promise<string[]> {
  const files = await listFiles('src/handlers', root, fs);
  return files.filter((path) => /(?<!\.d)\.ts$/.test(path));
}

export async function readHandlers(root: string, fs: FileSystem): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of await listHandlers(root, fs)) texts.set(path, await fs.readText(join(root, path)));
  return texts;
}

/** `readHandlers`, and other files on disk that mcpgen writes once. */
export async function readUserFiles(
  files: readonly GeneratedFile[],
  root: string,
  fs: FileSystem,
): Promise<Map<string, string>> {
  const texts = await readHandlers(root, fs);
  for (const { path } of files.filter(({ ownership }) => ownership === 'once'))
    // The configuration is saved with this run's settings after it is read here.
    if (path !== CONFIG_PATH && (await fs.follow(join(root, path))) !== undefined)
      texts.set(path, await fs.readText(join(root, path)));
  return texts;
}

function parseStamp(text = ''): Stamp | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isStamp(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isStamp(value: unknown): value is Stamp {
  if (!isRecord(value)) return false;
  return typeof value['lock'] === 'string' && isRecord(value['files']) && isRecord(value['generated']);
}
