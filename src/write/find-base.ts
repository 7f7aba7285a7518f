/** Finds the text that mcpgen wrote before the user edited it, by the hash of it in the lock. */
import { baseIn, type GeneratedFile, isHashOf, type Lock, lockedFiles } from '../emit/index.ts';
import { git, textAt } from './git.ts';

export interface Base {
  text: string;
  from: 'generated' | 'lock' | { commit: string };
}

/** Most commits of a file that are read. */
const MOST_COMMITS = 20;

/** `undefined` if neither this run, the lock nor git's history has the text. */
export async function findBase(
  { path, contents }: GeneratedFile,
  { lock, root }: { lock: Lock | undefined; root: string },
): Promise<Base | undefined> {
  const hash = lock?.owned?.[path] ?? (lock && lockedFiles(lock)[path]) ?? '';
  if (isHashOf(hash, path, contents)) return { text: contents, from: 'generated' };
  const locked = lock === undefined ? undefined : baseIn(lock, path, hash);
  if (locked !== undefined) return { text: locked, from: 'lock' };
  const commits = await git(root, ['rev-list', `--max-count=${String(MOST_COMMITS)}`, 'HEAD', '--', path]);
  for (const commit of commits?.split('\n').filter((line) => line !== '') ?? []) {
    const text = await textAt(root, commit, path);
    if (text !== undefined && isHashOf(hash, path, text)) return { text, from: { commit } };
  }
  return undefined;
}
