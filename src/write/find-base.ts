/** The text that mcpgen wrote before a person edited it. The lock has its hash, so a text is the base or it is not. */
import { baseIn, type GeneratedFile, isHashOf, type Lock, lockedFiles } from '../emit/index.ts';
import { git, textAt } from './git.ts';

export interface Base {
  text: string;
  /** What is generated now, the lock, or a commit of the project's history. */
  from: 'generated' | 'lock' | { commit: string };
}

/** How many commits of a file are looked at. */
const MOST_COMMITS = 20;

/** What the person's text was made from, by its hash. */
function baseHash(path: string, lock: Lock | undefined): string {
  return lock?.owned?.[path] ?? (lock && lockedFiles(lock)[path]) ?? '';
}

/** `undefined` when neither what is generated now nor the lock nor the history of git has it, and where there is no git. */
export async function findBase(
  { path, contents }: GeneratedFile,
  { lock, root }: { lock: Lock | undefined; root: string },
): Promise<Base | undefined> {
  const hash = baseHash(path, lock);
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
