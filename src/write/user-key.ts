/**
 * A secret of this user on this machine, in the user's cache folder. Journals and the names of staging folders are
 * signed with it: one that came with a repository has no valid signature.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { env, getuid, platform } from 'node:process';
import { isBelow } from './find-obstacle.ts';
import { nearestTree } from './git.ts';

const FILE = 'journal.key';

/** What a text is signed with for the project in `root` (a real path). `undefined` where there is no key: nothing is signed then. */
export function sign(text: string, root: string): string | undefined {
  const key = readKey(root) ?? makeKey(root);
  return key && signed(text, root, key);
}

/** False as well where there is no key. `length` is of a signature that was cut, in characters. */
export function isSigned(text: string, signature: string, root: string, length = 64): boolean {
  const key = readKey(root);
  if (key === undefined) return false;
  const [wanted, given] = [Buffer.from(signed(text, root, key).slice(0, length)), Buffer.from(signature)];
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

function signed(text: string, root: string, key: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([root, text]))
    .digest('hex');
}

/** Only a plain file that nobody else can read or write. */
function readKey(root: string): string | undefined {
  try {
    const file = join(cacheFolder(), FILE);
    const { mode, uid } = lstatSync(file);
    if (!lstatSync(file).isFile() || isWithRepository(realpathSync(file), root)) return undefined;
    if (platform !== 'win32' && ((mode & 0o077) !== 0 || uid !== getuid?.())) return undefined;
    const key = readFileSync(file, 'utf8');
    return /^[\da-f]{64}$/.test(key) ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Complete or not there at all: of two runs that make it at the same time both have the same one. */
function makeKey(root: string): string | undefined {
  try {
    const folder = cacheFolder();
    if (isWithRepository(folder, root)) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const draft = join(folder, `${FILE}.${randomBytes(4).toString('hex')}`);
    try {
      writeFileSync(draft, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
      linkSync(draft, join(folder, FILE));
    } finally {
      rmSync(draft, { force: true });
    }
  } catch {
    // There is one already, or the folder cannot be written to.
  }
  return readKey(root);
}

/** What lies within the repository may have come with it, unless that is of the whole home folder. */
function isWithRepository(path: string, root: string): boolean {
  const tree = nearestTree(root) ?? root;
  const home = homedir();
  const isOfHome = tree === home || isBelow(tree, home);
  return isBelow(root, path) || (isBelow(tree, path) && !isOfHome);
}

/** Where each system keeps such files of a user; `XDG_CACHE_HOME` counts everywhere. */
function cacheFolder(): string {
  const { XDG_CACHE_HOME: named = '', LOCALAPPDATA: local = '' } = env;
  if (isAbsolute(named)) return join(named, 'mcpgen');
  if (platform === 'win32' && isAbsolute(local)) return join(local, 'mcpgen', 'cache');
  return join(homedir(), platform === 'darwin' ? 'Library/Caches' : '.cache', 'mcpgen');
}
