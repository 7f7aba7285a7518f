/** The files that a project is made of, and what `--watch` observes. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';

import { isDocument, isFunctions } from '../config/options/sources.ts';
import { type Provenance, hashBytes, hashContents } from '../emit/index.ts';
import type { Observer } from '../model/observer.ts';
import type { ProjectRun } from './existing-project.ts';

export interface InputRecorder extends Observer {
  files: Set<string>;
}

/** `files` are absolute; missing ones are left out. */
export function makeProvenance({ cwd = '.' }: ProjectRun, dir: string, files: Iterable<string>): Provenance {
  const root = resolve(cwd, dir);
  const hashes = [...files].flatMap((file): [string, string][] => {
    const [path, hash] = [relative(root, file), hashFile(file)];
    // On another drive of Windows, the path is absolute, and means nothing on other machines.
    return hash === undefined || isAbsolute(path) ? [] : [[path.replaceAll(sep, '/'), hash]];
  });
  return {
    inputs: Object.fromEntries(hashes.sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/** Equals `hashContents` of the text; `undefined` if there is no file. */
function hashFile(path: string): string | undefined {
  try {
    // A lock may name a device, whose data never ends.
    if (!statSync(path).isFile()) return undefined;
    const bytes = readFileSync(path);
    if (bytes.includes('\r\n')) return hashContents(bytes.toString('utf8'));
    return hashBytes(bytes);
  } catch {
    return undefined;
  }
}

/** Makes a recorder; `undefined` for functions, which depend on more than their files. */
export function makeRecorder({
  typescript,
  sources,
  observer,
  routeMapFile,
  cwd = '.',
}: ProjectRun): InputRecorder | undefined {
  if (typescript !== undefined || sources?.some(isFunctions) === true) return undefined;
  const files = new Set<string>();
  const recorder: InputRecorder = {
    files,
    file: (path) => {
      files.add(resolve(path));
      observer?.file(path);
    },
    pattern: (folder, find) => observer?.pattern(folder, find),
  };
  const maps = [routeMapFile, ...(sources ?? []).filter(isDocument).map((source) => source.routeMapFile)];
  for (const file of maps) if (file !== undefined) recorder.file(resolve(cwd, file));
  return recorder;
}

/** Observes all files below a folder, including new ones. */
export function observeFolder(folder: string, observer: Observer): void {
  const listAllFiles = (): string[] => {
    if (!existsSync(folder)) return [];
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  };
  for (const file of listAllFiles()) observer.file(file);
  observer.pattern(folder, listAllFiles);
}
