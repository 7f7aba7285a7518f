/**
 * Generated files that version control has merged, with marks or without: two branches have generated the project, each from
 * other sources. No person has written what stands there, so it is no edit.
 */
import {
  hashContents,
  isHashOf,
  type Lock,
  lockedFiles,
  lockPath,
  manifestPath,
  parseLock,
  withManifestText,
} from '../emit/index.ts';
import { linesOfSides } from './conflict-marks.ts';
import { git, textAt } from './git.ts';

/** What git calls the other side while a merge, a rebase or a cherry-pick waits for a person. */
const UNFINISHED = ['MERGE_HEAD', 'REBASE_HEAD', 'CHERRY_PICK_HEAD'];

interface Side {
  commit: string;
  files: Lock['files'];
}

interface Merge {
  sides: Side[];
  /** It was committed, and nothing since. */
  isDone: boolean;
}

/** How a file came about: as one of the branches has generated it, by a merge of both, or otherwise. */
type Making = 'generated' | 'merged' | 'unknown';

export type MakingOf = (path: string, text: string) => Promise<Making>;

/** Judges the texts of one project. Git is asked when the first text is given. */
export function mergeJudge(root: string): MakingOf {
  let merge: Promise<Merge | undefined> | undefined;
  return async (path, text) => {
    const found = await (merge ??= findMerge(root));
    return found === undefined ? 'unknown' : judge(path, text, found, root);
  };
}

async function findMerge(root: string): Promise<Merge | undefined> {
  for (const other of UNFINISHED) {
    if (await isCommit(root, other)) return readMerge(root, ['HEAD', other], false);
  }
  return (await isCommit(root, 'HEAD^2')) ? readMerge(root, ['HEAD^1', 'HEAD^2'], true) : undefined;
}

async function isCommit(root: string, name: string): Promise<boolean> {
  return (await git(root, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`])) !== undefined;
}

async function readMerge(root: string, commits: string[], isDone: boolean): Promise<Merge | undefined> {
  const sides: Side[] = [];
  for (const commit of commits) {
    const lock = parseLock((await textAt(root, commit, lockPath)) ?? '');
    if (lock === undefined) return undefined;
    const manifest = await textAt(root, commit, manifestPath);
    sides.push({ commit, files: lockedFiles(withManifestText(lock, manifest)) });
  }
  return { sides, isDone };
}

/**
 * A merge of two generated texts has no line that neither of them has. Where a side has a person's edits in it, nothing is
 * said; nor where git had nothing to merge, since both are the same.
 */
async function judge(path: string, text: string, { sides, isDone }: Merge, root: string): Promise<Making> {
  if (sides.some(({ files }) => isHashOf(files[path], path, text))) return 'generated';
  if (isDone && hashContents((await textAt(root, 'HEAD', path)) ?? '') !== hashContents(text))
    return 'unknown';
  const lines = new Set<string>();
  for (const { commit, files } of sides) {
    const made = await textAt(root, commit, path);
    if (files[path] === undefined ? (made ?? '') !== '' : !isHashOf(files[path], path, made ?? ''))
      return 'unknown';
    for (const line of (made ?? '').replaceAll('\r\n', '\n').split('\n')) lines.add(line);
  }
  const [one, other] = sides.map(({ files }) => files[path]);
  return one !== other && linesOfSides(text).every((line) => lines.has(line)) ? 'merged' : 'unknown';
}
