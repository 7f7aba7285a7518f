/** Plans generated files that the user has edited or taken over. */
import { join, posix } from 'node:path';
import { getOwnMember } from '../../templates/runtime/contract/json-value.ts';
import { quoteShellWord } from '../diagnostics/quoting.ts';
import { type GeneratedFile, hashContents } from '../emit/index.ts';
import { groupBy } from '../util/collections.ts';
import { findConflict } from '../util/conflict-markers.ts';
import { findCopyName } from './file-system.ts';
import type { ConflictedFile, FileChange, PlanContext, Plan } from './write-target.ts';

export async function planUserChangedFile(
  file: GeneratedFile,
  context: PlanContext,
  plan: Plan,
): Promise<void> {
  const { path, contents } = file;
  const { edits, diagnostics } = context;
  const originalHash = getOwnMember(context.lock?.owned ?? {}, path);
  const isOwned = originalHash !== undefined;
  if (edits === 'force' && !isOwned) {
    plan.changes.push(await makeFileChange(file, context, true));
    return;
  }
  if (edits !== 'keep' && !isOwned) {
    plan.edited.push(path);
    return;
  }
  if (await reportFileFault(file, context, plan)) return;
  const hash = hashContents(contents);
  plan.kept.push(path);
  if (edits === 'keep' && originalHash !== hash) plan.taken.push(path);
  if (edits !== 'keep' && originalHash !== hash) diagnostics.report('owned-file-behind', { path });
  plan.owned[path] = edits === 'keep' ? hash : (originalHash ?? hash);
}

/**
 * Reports a fault with which the server would not start, in a file that the user owns, and returns whether there is one. No later
 * run compares such a file.
 */
async function reportFileFault(
  { path, contents }: GeneratedFile,
  { root, fs, diagnostics }: PlanContext,
  plan: Plan,
): Promise<boolean> {
  const text = await fs.readText(join(root, path));
  const line = findConflict(text);
  // A generated text may show conflict markers, as an example.
  if (line !== undefined && findConflict(contents) === undefined) {
    plan.conflicts.push({ path, line, state: 'owned' });
    return true;
  }
  if (!/^src\/generated\/.*\.json$/.test(path)) return false;
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    diagnostics.report('owned-file-broken', {
      problem: `${path}, which you own, is not valid JSON (${reason}), so the server would not start`,
      fix: 'Correct it, or delete it and run again to get the generated file.',
    });
    return true;
  }
}

/** One report for all files with the same way out. */
export function reportConflicts(
  conflicts: readonly ConflictedFile[],
  { root, label = root, diagnostics }: PlanContext,
): void {
  for (const [state, files] of groupBy(conflicts, (conflict) => conflict.state)) {
    const places = files.map(({ path, line }) => ({
      file: posix.join(label.replaceAll('\\', '/'), path),
      line,
    }));
    const [first = { file: label, line: 1 }] = places;
    const parameters = {
      count: places.length,
      places: places.map(({ file, line }) => `${file}:${String(line)}`).join(', '),
      files: places.map(({ file }) => quoteShellWord(file)).join(' '),
      state,
    };
    diagnostics.report('file-conflict', parameters, { at: { kind: 'code', ...first, column: 1 } });
  }
}

/** Makes the change of a file. `isUsers`: the existing file is the user's, and is kept as `.orig`. */
export async function makeFileChange(
  { path, contents, ownership, executable = false }: GeneratedFile,
  { root, fs }: PlanContext,
  isUsers: boolean,
): Promise<FileChange> {
  const entry = await fs.look(join(root, path));
  const saveAs = isUsers ? await findCopyName(path, root, fs) : undefined;
  const isGenerated = ownership === 'generated';
  return { path, contents, executable, replaces: entry?.mode, saveAs, isGenerated };
}
