/** Plans generated files that the user has edited. */
import { join } from 'node:path';
import { type GeneratedFile, hashContents, type TakenOver } from '../emit/index.ts';
import { definedMembers } from '../util/defined-members.ts';
import { change } from './change.ts';
import { findBase } from './find-base.ts';
import { type Conflict, mergeLines } from './lines/merge-lines.ts';
import type { Comparison, Plan } from './write-target.ts';

/** Adds the file to the plan. With `force`, only owned files get here. */
export async function settleEdited(file: GeneratedFile, comparison: Comparison, plan: Plan): Promise<void> {
  const { path, contents } = file;
  const known = comparison.lock?.owned?.[path];
  const isSettled = known === hashContents(contents);
  if (comparison.edits === 'merge' && !isSettled) {
    await merge(file, comparison, plan);
  } else if (comparison.edits === 'keep' || isSettled) {
    plan.kept.push(path);
    if (!isSettled) plan.taken.push(path);
    // `--keep` accepts the difference to the output of this run.
    plan.owned[path] = takenOver(contents);
  } else if (known !== undefined) {
    plan.kept.push(path);
    plan.owned[path] = await leftBehind(file, known, comparison);
  } else {
    plan.edited.push(path);
  }
}

function takenOver(contents: string): TakenOver {
  return { hash: hashContents(contents), base: contents };
}

/** Reports an owned file whose output has changed since the hash `known`. */
async function leftBehind(file: GeneratedFile, known: string, comparison: Comparison): Promise<TakenOver> {
  const base = await findBase(file, comparison);
  comparison.diagnostics.report('owned-file-behind', {
    path: file.path,
    base: base === undefined ? 'lost' : 'known',
  });
  return { hash: known, ...definedMembers({ base: base?.text }) };
}

async function merge(file: GeneratedFile, comparison: Comparison, plan: Plan): Promise<void> {
  const { path, contents } = file;
  const { root, fs, diagnostics, lock } = comparison;
  const mine = await fs.readText(join(root, path));
  const base = await findBase(file, comparison);
  if (base === undefined) {
    diagnostics.report('merge-without-base', {
      path,
      standing: lock?.owned?.[path] === undefined ? 'edited' : 'owned',
    });
    plan.edited.push(path);
    return;
  }
  const { text, conflicts } = mergeLines(base.text, mine, contents);
  if (text === undefined) {
    diagnostics.report('merge-conflict', { path, lines: conflicts.map(nameLines).join(', ') });
    plan.edited.push(path);
    return;
  }
  plan.owned[path] = takenOver(contents);
  plan.merged.push(path);
  const kept = mine.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
  if (kept === mine) plan.unchanged.push(path);
  else plan.changes.push(await change({ ...file, contents: kept }, comparison, false));
}

function nameLines({ first, last }: Conflict): string {
  return first === last ? String(first) : `${String(first)}-${String(last)}`;
}
