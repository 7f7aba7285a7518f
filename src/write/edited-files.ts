/** Plans generated files that the user has edited. */
import { getOwnMember } from '../../templates/runtime/contract/json-value.ts';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { type GeneratedFile, type TakenOver, hashContents } from '../emit/index.ts';
import { quoteShellWord } from '../diagnostics/quoting.ts';
import { groupBy, omitUndefined } from '../util/collections.ts';
import { type Conflict, mergeLines } from './diff-lines.ts';
import { findBaseText } from './edit-view.ts';
import { findCopyName } from './file-system.ts';
import { findConflict } from './merged-files.ts';
import type { ConflictedFile, FileChange, PlanContext, Plan } from './write-target.ts';

/** Adds the file to the plan. With `force`, only owned files get here. */
export async function planEditedFile(file: GeneratedFile, context: PlanContext, plan: Plan): Promise<void> {
  const { path, contents } = file;
  const known = getOwnMember(context.lock?.owned ?? {}, path);
  const isSettled = known === hashContents(contents);
  if (context.edits === 'merge' && !isSettled) {
    await mergeEditedFile(file, context, plan);
  } else if (context.edits === 'keep' || isSettled) {
    plan.kept.push(path);
    if (!isSettled) plan.taken.push(path);
    // `--keep` accepts the difference to the output of this run.
    plan.owned[path] = makeTakenOverEntry(contents);
  } else if (known !== undefined) {
    plan.kept.push(path);
    plan.owned[path] = await reportOwnedFileBehind(file, known, context);
  } else {
    plan.edited.push(path);
  }
}

function makeTakenOverEntry(contents: string): TakenOver {
  return { hash: hashContents(contents), base: contents };
}

async function reportOwnedFileBehind(
  file: GeneratedFile,
  known: string,
  context: PlanContext,
): Promise<TakenOver> {
  const base = await findBaseText(file, context);
  context.diagnostics.report('owned-file-behind', {
    path: file.path,
    base: base === undefined ? 'lost' : 'known',
  });
  return { hash: known, ...omitUndefined({ base: base?.text }) };
}

async function mergeEditedFile(file: GeneratedFile, context: PlanContext, plan: Plan): Promise<void> {
  const { path, contents } = file;
  const { root, fs, diagnostics, lock } = context;
  const mine = await fs.readText(join(root, path));
  const base = await findBaseText(file, context);
  if (base === undefined) {
    diagnostics.report('merge-without-base', {
      path,
      state: getOwnMember(lock?.owned ?? {}, path) === undefined ? 'edited' : 'owned',
    });
    plan.edited.push(path);
    return;
  }
  const { text, conflicts } = mergeLines(base.text, mine, contents);
  if (text === undefined) {
    diagnostics.report('merge-conflict', { path, lines: conflicts.map(describeLineRange).join(', ') });
    plan.edited.push(path);
    return;
  }
  plan.owned[path] = makeTakenOverEntry(contents);
  plan.merged.push(path);
  const kept = mine.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
  if (kept === mine) plan.unchanged.push(path);
  else plan.changes.push(await makeMergedChange(file, kept, context));
}

function describeLineRange({ first, last }: Conflict): string {
  return first === last ? String(first) : `${String(first)}-${String(last)}`;
}

/** `line` is that of the marks of a conflict. */
type Fault = { kind: 'conflict'; line: number } | { kind: 'no-json'; reason: string };

/**
 * Finds a fault with which no server can start: once the file was taken over, no later run would report it. Conflict marks are no
 * fault if the generated `contents` have some.
 */
function findFileFault(path: string, text: string, contents?: string): Fault | undefined {
  const line = findConflict(text);
  if (line !== undefined && (contents === undefined || findConflict(contents) === undefined))
    return { kind: 'conflict', line };
  if (!/^src\/generated\/.*\.json$/.test(path)) return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return { kind: 'no-json', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether the file at `place` has no fault, whatever is generated. */
export function hasNoFault(place: string, path: string): boolean {
  return findFileFault(path, readFileSync(place, 'utf8')) === undefined;
}

/**
 * Reports a fault of the file on disk, and returns whether there was one. An edit that stops the run anyway is not parsed as
 * JSON.
 */
export async function reportFileFaults(
  { path, contents }: GeneratedFile,
  isOwned: boolean,
  { root, fs, edits, diagnostics }: PlanContext,
  plan: Plan,
): Promise<boolean> {
  const fault = findFileFault(path, await fs.readText(join(root, path)), contents);
  if (fault?.kind === 'conflict') {
    plan.conflicts.push({ path, line: fault.line, state: isOwned ? 'owned' : 'edited' });
    return true;
  }
  if (fault === undefined || (!isOwned && edits === 'refuse')) return false;
  diagnostics.report('owned-file-broken', { path, reason: fault.reason });
  return true;
}

/** One report for all files with the same way out. */
export function reportConflicts(
  conflicts: readonly ConflictedFile[],
  { root, label = root, diagnostics }: PlanContext,
): void {
  for (const [state, files] of groupBy(conflicts, (each) => each.state)) {
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

/** The change of a file that has text of the user, so that no lock may list it as generated. */
export async function makeMergedChange(
  file: GeneratedFile,
  contents: string,
  context: PlanContext,
): Promise<FileChange> {
  return { ...(await makeFileChange({ ...file, contents }, context, false)), isGenerated: false };
}
