/** Shows edited files: their edits, and the changes that mcpgen would make. */
import { getOwnMember } from '../../templates/runtime/contract/json-value.ts';
import { join } from 'node:path';

import {
  type GeneratedFile,
  type Lock,
  readBaseText,
  isHashOf,
  lockPath,
  allFileHashes,
} from '../emit/index.ts';
import { unifiedDiff } from './diff-lines.ts';
import { tryGit, readFileAtCommit } from './git.ts';
import type { PlanContext, EditView, FileDiff, Plan } from './write-target.ts';

export async function makeEditViews(
  files: GeneratedFile[],
  { edited }: Pick<Plan, 'edited'>,
  context: PlanContext,
): Promise<EditView[]> {
  const { root, fs } = context;
  const views: EditView[] = [];
  for (const file of files.filter(({ path }) => edited.includes(path))) {
    const base = await findBaseText(file, context);
    views.push(makeEditView(file, await fs.readText(join(root, file.path)), base));
  }
  return views;
}

function makeEditView({ path, contents }: GeneratedFile, mine: string, base: Base | undefined): EditView {
  const names = {
    generated: `${path} (as it was generated)`,
    mine: `${path} (edited)`,
    now: `${path} (generated now)`,
  };
  if (base === undefined) {
    return { path, base: 'unknown', edits: '', changes: unifiedDiff(mine, contents, names.mine, names.now) };
  }
  const edits = unifiedDiff(base.text, mine, names.generated, names.mine);
  const changes = unifiedDiff(base.text, contents, names.generated, names.now);
  if (typeof base.from === 'string') return { path, base: base.from, edits, changes };
  return { path, base: 'git', commit: base.from.commit, edits, changes };
}

interface Base {
  text: string;
  from: 'generated' | 'lock' | { commit: string };
}

/** Most commits of a file that are read. */
const MOST_COMMITS = 20;

/**
 * Finds the text that mcpgen wrote before the user edited it, by its hash in the lock. `undefined` if neither this run, the lock
 * nor git's history has the text.
 */
export async function findBaseText(
  { path, contents }: GeneratedFile,
  { lock, root }: { lock: Lock | undefined; root: string },
): Promise<Base | undefined> {
  const hash =
    getOwnMember(lock?.owned ?? {}, path) ?? (lock && getOwnMember(allFileHashes(lock), path)) ?? '';
  if (isHashOf(hash, path, contents)) return { text: contents, from: 'generated' };
  const locked = lock === undefined ? undefined : readBaseText(lock, path, hash);
  if (locked !== undefined) return { text: locked, from: 'lock' };
  const commits = await tryGit(root, ['rev-list', `--max-count=${String(MOST_COMMITS)}`, 'HEAD', '--', path]);
  for (const commit of commits?.split('\n').filter((line) => line !== '') ?? []) {
    const text = await readFileAtCommit(root, commit, path);
    if (text !== undefined && isHashOf(hash, path, text)) return { text, from: { commit } };
  }
  return undefined;
}

/** Unified diffs from the files on disk to the generated ones, for `git apply`; without obsolete and missing files, and the lock. */
export async function makeFileDiffs(
  files: GeneratedFile[],
  { changes, edited, foreign }: Plan,
  { root, fs }: PlanContext,
): Promise<FileDiff[]> {
  const unwritten = files.filter(({ path }) => edited.includes(path) || foreign.includes(path));
  const diffs: FileDiff[] = [];
  for (const { path, contents } of [...changes, ...unwritten]) {
    const place = join(root, path);
    if (path === lockPath || (await fs.look(place)) === undefined) continue;
    const diff = unifiedDiff(await fs.readText(place), contents, `a/${path}`, `b/${path}`);
    if (diff !== '') diffs.push({ path, diff });
  }
  return diffs;
}
