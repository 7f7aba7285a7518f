/** Generated files that a person has edited. */
import { join } from 'node:path';
import { type GeneratedFile, hashContents } from '../emit/index.ts';
import { change } from './change.ts';
import { findBase } from './find-base.ts';
import { type Conflict, mergeLines } from './lines/merge-lines.ts';
import type { Comparison, Plan } from './plan.ts';

/** Adds to the plan what becomes of the file; with `force` only one that is owned comes here. */
export async function settleEdited(file: GeneratedFile, comparison: Comparison, plan: Plan): Promise<void> {
  const { path, contents } = file;
  const hash = hashContents(contents);
  const known = comparison.lock?.owned?.[path];
  const isBehind = known !== undefined && known !== hash;
  if (comparison.edits === 'merge' && (known === undefined || isBehind)) {
    await merge(file, comparison, plan);
  } else if (known !== undefined || comparison.edits === 'keep') {
    plan.kept.push(path);
    if (comparison.edits === 'keep' && (known === undefined || isBehind)) plan.taken.push(path);
    // Who keeps a file once more has seen what is generated now.
    plan.owned[path] = comparison.edits === 'keep' ? hash : (known ?? hash);
    if (isBehind && comparison.edits !== 'keep') comparison.diagnostics.report('owned-file-behind', { path });
  } else {
    plan.edited.push(path);
  }
}

/** What the person's text was made from, by its hash. */
export function baseHash(path: string, { lock }: Pick<Comparison, 'lock'>): string {
  return lock?.owned?.[path] ?? lock?.files[path] ?? '';
}

async function merge(file: GeneratedFile, comparison: Comparison, plan: Plan): Promise<void> {
  const { path, contents } = file;
  const { root, fs, diagnostics } = comparison;
  const mine = await fs.readText(join(root, path));
  const base = await findBase(file, baseHash(path, comparison), root);
  if (base === undefined) {
    diagnostics.report('merge-without-base', { path });
    plan.edited.push(path);
    return;
  }
  const { text, conflicts } = mergeLines(base.text, mine, contents);
  if (text === undefined) {
    diagnostics.report('merge-conflict', { path, lines: conflicts.map(nameLines).join(', ') });
    plan.edited.push(path);
    return;
  }
  plan.owned[path] = hashContents(contents);
  plan.merged.push(path);
  const kept = mine.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
  if (kept === mine) plan.unchanged.push(path);
  else plan.changes.push(await change({ ...file, contents: kept }, comparison, false));
}

function nameLines({ first, last }: Conflict): string {
  return first === last ? String(first) : `${String(first)}-${String(last)}`;
}
