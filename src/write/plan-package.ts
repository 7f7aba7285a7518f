/** Plans `package.json`, which is generated, and to which the user adds scripts and dependencies. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import type { GeneratedFile } from '../emit/index.ts';
import { change } from './change.ts';
import { findConflict } from './conflict-marks.ts';
import { reportConflict } from './faulty-files.ts';
import { findBase } from './find-base.ts';
import { type JsonObject, mergeKeys } from './merge-keys.ts';
import { listNames } from './list-names.ts';
import type { Comparison, Plan } from './write-target.ts';

/** Adds the merge of the user's file and the generated one to the plan. `force` overwrites a file that is not JSON. */
export async function planPackage(file: GeneratedFile, comparison: Comparison, plan: Plan): Promise<void> {
  const { root, fs, diagnostics } = comparison;
  const place = join(root, file.path);
  const text = await fs.readText(place);
  const [mine, theirs] = [parse(text), parse(file.contents)];
  if (mine === undefined && comparison.edits === 'force') {
    plan.changes.push(await change(file, comparison, true));
    return;
  }
  const line = mine === undefined ? findConflict(text) : undefined;
  if (line !== undefined) {
    reportConflict(file.path, line, false, comparison);
    return;
  }
  if (mine === undefined || theirs === undefined) {
    diagnostics.report('package-not-merged', { file: place });
    return;
  }
  const { value, kept } = mergeKeys(await readBase(file, comparison), mine, theirs);
  if (kept.length > 0) diagnostics.report('package-keys-kept', { file: place, keys: listNames(kept) });
  if (isDeepStrictEqual(value, mine)) {
    plan.unchanged.push(file.path);
    return;
  }
  const indent = /^\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const contents = `${JSON.stringify(value, undefined, indent)}\n`;
  plan.changes.push(await change({ ...file, contents }, comparison, false));
}

/** Locks of format 1 have no base; without one, all of the user's members stay. */
async function readBase(file: GeneratedFile, comparison: Comparison): Promise<JsonObject> {
  const locked = comparison.lock?.package;
  if (locked !== undefined) return locked;
  const base = await findBase(file, comparison);
  return (base === undefined ? undefined : parse(base.text)) ?? {};
}

export function isJsonFile(place: string): boolean {
  return parse(readFileSync(place, 'utf8')) !== undefined;
}

function parse(text: string): JsonObject | undefined {
  try {
    // npm accepts the byte order mark that some Windows editors write.
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
