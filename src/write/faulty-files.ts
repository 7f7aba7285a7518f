/** Finds edited files with which no server can start: once taken over, they would no longer be reported. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type GeneratedFile, packagePath } from '../emit/index.ts';
import { findConflict } from './conflict-marks.ts';
import type { Comparison } from './write-target.ts';

/** `line` is that of the marks of a conflict. */
type Fault = { kind: 'conflict'; line: number } | { kind: 'no-json'; reason: string };

/** Conflict marks are no fault if the generated `contents` have some. */
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

/** Whether the file at `place` has no fault, whatever is generated. */
export function isWhole(place: string, path: string): boolean {
  return findFault(path, readFileSync(place, 'utf8')) === undefined;
}

/** Whether a fault was reported. An edit that stops the run anyway is not parsed as JSON. */
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
