/** Plans generated files that the user has edited or taken over. */
import { join, posix } from 'node:path';
import { ownMember } from '../../templates/runtime/json-rpc.ts';
import { quoteShellWord } from '../diagnostics/quoting.ts';
import { type GeneratedFile, hashWithoutLayout } from '../emit/index.ts';
import { findConflict } from '../util/conflict-markers.ts';
import { findCopyName } from './file-system.ts';
import type { ConflictedFile, FileChange, PlanContext, Plan } from './write-target.ts';

export async function planUserChangedFile(
  file: GeneratedFile,
  context: PlanContext,
  plan: Plan,
): Promise<void> {
  const { path, contents } = file;
  const { force = false, keep = false, diagnostics } = context;
  const originalHash = ownMember(context.lock?.owned ?? {}, path);
  const isOwned = originalHash !== undefined;
  if (force && !isOwned) {
    plan.changes.push(await makeFileChange(file, context, true));
    return;
  }
  if (!keep && !isOwned) {
    plan.report.edited.push(path);
    return;
  }
  const line = findConflict(await context.fs.readText(join(context.root, path)));
  // A generated text may show conflict markers, as an example.
  if (line !== undefined && findConflict(contents) === undefined) {
    plan.conflicts.push({ path, line });
    return;
  }
  const hash = hashWithoutLayout(contents);
  plan.report.kept.push(path);
  // With both options, `force` counts.
  const isTaken = keep && !force;
  if (isTaken && originalHash !== hash) plan.report.taken.push(path);
  if (!isTaken && originalHash !== hash) diagnostics.report('owned-file-behind', { path });
  plan.owned[path] = isTaken ? hash : (originalHash ?? hash);
}

/** One report for all files. */
export function reportConflicts(
  conflicts: readonly ConflictedFile[],
  { label, diagnostics }: PlanContext,
): void {
  const places = conflicts.map(({ path, line }) => ({
    file: posix.join(label.replaceAll('\\', '/'), path),
    line,
  }));
  const [first] = places;
  if (first === undefined) return;
  const parameters = {
    places: places.map(({ file, line }) => `${file}:${String(line)}`).join(', '),
    files: places.map(({ file }) => quoteShellWord(file)).join(' '),
  };
  diagnostics.report('file-conflict', parameters, { at: { kind: 'code', ...first, column: 1 } });
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
