/** `dist/.mcpgen.json` has hashes of the sources and files of `dist/`. As a part of `dist/`, it is not committed. */
import { join } from 'node:path';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import {
  CONFIG_PATH,
  type GeneratedFile,
  hashContents,
  isInManifest,
  isSafePath,
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
  /** Path → hash of other files below `dist/` that `npm run build` has written, as of modules beside the handlers. */
  others?: Record<string, string>;
}

export function addStamp(
  files: readonly GeneratedFile[],
  userTexts: ReadonlyMap<string, string> = new Map(),
  builtBefore: Readonly<Record<string, string>> = {},
): GeneratedFile[] {
  const hashByOwnership = (owner: GeneratedFile['ownership']): [path: string, hash: string][] =>
    files
      .filter(({ ownership }) => ownership === owner)
      .map(({ path, contents }) => [path, hashContents(contents)]);
  const onDisk = [...userTexts].map(([path, text]) => [path, hashContents(text)]);
  const paths = new Set(files.map(({ path }) => path));
  const otherHashes = Object.entries(builtBefore).filter(([path]) => !paths.has(path));
  const stamp: Stamp = {
    lock: parseLock(files.find(({ path }) => path === lockPath)?.contents ?? '')?.hash ?? '',
    files: Object.fromEntries([...hashByOwnership('built'), ...hashByOwnership('once'), ...onDisk]),
    generated: Object.fromEntries(hashByOwnership('generated').filter(([path]) => !isInManifest(path))),
    ...(otherHashes.length > 0 && { others: Object.fromEntries(otherHashes) }),
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
  const stamp = await readStamp(root, fs);
  if (stamp?.lock !== lock) return undefined;
  const handlers = await listHandlers(root, fs);
  if (!handlers.every((path) => Object.hasOwn(stamp.files, path))) return undefined;
  for (const [path, hash] of Object.entries(stamp.files)) {
    const place = join(root, path);
    if ((await fs.look(place))?.kind !== 'file' || hashContents(await fs.readText(place)) !== hash)
      return undefined;
  }
  return { paths: [...Object.keys(stamp.files), stampPath], generated: stamp.generated };
}

/** Path → hash of the files below `dist/` that `npm run build` or mcpgen has written, of those that still exist. */
export async function readBuiltHashes(root: string, fs: FileSystem): Promise<Record<string, string>> {
  const stamp = await readStamp(root, fs);
  const hashes: Record<string, string> = {};
  for (const [path, hash] of Object.entries({ ...stamp?.others, ...stamp?.files }))
    if (isSafePath(path) && path.startsWith('dist/') && (await fs.look(join(root, path))) !== undefined)
      hashes[path] = hash;
  return hashes;
}

async function readStamp(root: string, fs: FileSystem): Promise<Stamp | undefined> {
  const path = join(root, stampPath);
  return parseStamp((await fs.look(path)) && (await fs.readText(path)));
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
  const { lock, files, generated, others = {} } = value;
  return typeof lock === 'string' && [files, generated, others].every(isRecord);
}
