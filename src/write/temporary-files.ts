/**
 * A file is written beside its place, under a name that only mcpgen gives, and then renamed, so that nobody reads half of it. A
 * killed run leaves such files; the next run of the same command removes them.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isReserved } from '../emit/index.ts';

/** Longer names would exceed the 255 characters of a file's name. */
const LONGEST_START = 200;

const ENDING = /\.[0-9a-f]{8}\.mcpgen-tmp$/;

export function makeTemporaryPath(place: string): string {
  return `${startOfTemporaryPath(place)}.${randomUUID().slice(0, 8)}.mcpgen-tmp`;
}

function startOfTemporaryPath(place: string): string {
  return join(dirname(place), basename(place).slice(0, LONGEST_START));
}

/** The place of the file that a temporary path is for: people do not know the temporary one. */
export function removeTemporaryEnding(path: string): string {
  return path.replace(ENDING, '');
}

/** Removes the temporary files of one file. */
export function removeTemporaryFilesOf(place: string): void {
  const start = startOfTemporaryPath(place);
  for (const path of listTemporaryFiles(dirname(place), false))
    if (removeTemporaryEnding(path) === start) rmSync(path, { force: true });
}

/** Lists the temporary files in a folder, or below it. Links are not followed, nor folders of git and npm entered. */
export function listTemporaryFiles(folder: string, below = true): string[] {
  return listEntries(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return below && !isReserved(entry.name) ? listTemporaryFiles(path) : [];
    return entry.isFile() && ENDING.test(entry.name) ? [path] : [];
  });
}

function listEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // The folder does not exist, or is not readable; then this user has written nothing in it.
    return [];
  }
}
