/**
 * A secret key in the user's cache folder, which signs journals and the names of staging folders: those that come with a
 * repository have no valid signature.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { env, getuid, platform } from 'node:process';
import { isBelow } from './find-obstacle.ts';
import { findWorkTree } from './find-program.ts';

const FILE = 'journal.key';

/** Signs a text for the project in `root` (a real path). `undefined` without a key. */
export function signForProject(text: string, root: string): string | undefined {
  const key = readUserKey(root) ?? createUserKey(root);
  return key && signText(text, root, key);
}

/** False without a key. `length` is the number of characters of a shortened signature. */
export function isSigned(text: string, signature: string, root: string, length = 64): boolean {
  const key = readUserKey(root);
  if (key === undefined) return false;
  const [wanted, given] = [Buffer.from(signText(text, root, key).slice(0, length)), Buffer.from(signature)];
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

function signText(text: string, root: string, key: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([root, text]))
    .digest('hex');
}

/** Reads the user's key; only from a plain file that no other user can read or write. */
function readUserKey(root: string): string | undefined {
  try {
    const file = join(userCacheFolder(), FILE);
    const { mode, uid } = lstatSync(file);
    if (!lstatSync(file).isFile() || mayComeWithRepository(realpathSync(file), root)) return undefined;
    if (platform !== 'win32' && ((mode & 0o077) !== 0 || uid !== getuid?.())) return undefined;
    const key = readFileSync(file, 'utf8');
    return /^[\da-f]{64}$/.test(key) ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the key atomically, so that two runs at the same time get the same one. */
function createUserKey(root: string): string | undefined {
  try {
    const folder = userCacheFolder();
    if (mayComeWithRepository(folder, root)) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const draft = join(folder, `${FILE}.${randomBytes(4).toString('hex')}`);
    try {
      writeFileSync(draft, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
      linkSync(draft, join(folder, FILE));
    } finally {
      rmSync(draft, { force: true });
    }
  } catch {
    // The key exists, or the folder is not writable.
  }
  return readUserKey(root);
}

/** A path within the repository may have come with it, unless the repository contains the home folder. */
function mayComeWithRepository(path: string, root: string): boolean {
  const tree = findWorkTree(root) ?? root;
  const home = homedir();
  const isOfHome = tree === home || isBelow(tree, home);
  return isBelow(root, path) || (isBelow(tree, path) && !isOfHome);
}

/** The cache folder of each system; `XDG_CACHE_HOME` applies to all. */
function userCacheFolder(): string {
  const { XDG_CACHE_HOME: named = '', LOCALAPPDATA: local = '' } = env;
  if (isAbsolute(named)) return join(named, 'mcpgen');
  if (platform === 'win32' && isAbsolute(local)) return join(local, 'mcpgen', 'cache');
  return join(homedir(), platform === 'darwin' ? 'Library/Caches' : '.cache', 'mcpgen');
}
