/** Files that a person has edited, as no server can start with them: taken over like this they would be let through for good. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type GeneratedFile, packagePath } from '../emit/index.ts';
import { findConflict } from './conflict-marks.ts';
import type { Comparison } from './plan.ts';

/** Where a text has a conflict, the line of its marks. */
type Fault = { kind: 'conflict'; line: number } | { kind: 'no-json'; reason: string };

/** What is the matter with the text of a file that may be generated as `contents`. */
function findFault(path: string, text: string, contents?: string): Fault | undefined {
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

/** Whether the file at `place` is whole, as far as that can be told without what is generated. */
export function isWhole(place: string, path: string): boolean {
  return findFault(path, readFileSync(place, 'utf8')) === undefined;
}

/** True when there was something to report. What is only edited, and stops the run anyway, is not judged as JSON. */
export async function reportFaults(
  { path, contents }: GeneratedFile,
  isOwned: boolean,
  comparison: Comparison,
): Promise<boolean> {
  const { root, fs, edits, diagnostics } = comparison;
  const fault = findFault(path, await fs.readText(join(root, path)), contents);
  if (fault?.kind === 'conflict') {
    reportConflict(path, fault.line, isOwned, comparison);
    return true;
  }
  if (fault === undefined || (!isOwned && edits === 'refuse')) return false;
  diagnostics.report('owned-file-broken', { path, reason: fault.reason });
  return true;
}

export function reportConflict(
  path: string,
  line: number,
  isOwned: boolean,
  { root, label = root, diagnostics }: Comparison,
): void {
  const file = posix.join(label.replaceAll('\\', '/'), path);
  const standing = path === packagePath ? 'package' : isOwned ? 'owned' : 'edited';
  diagnostics.report(
    'file-conflict',
    { path: file, line, standing },
    { at: { kind: 'code', file, line, column: 1 } },
  );
}
