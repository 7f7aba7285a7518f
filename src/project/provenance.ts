/** The files that a project is made of, and what `--watch` observes. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';

import { isDocument, isFunctions } from '../config/options/sources.ts';
import type { Provenance } from '../emit/index.ts';
import type { Observer } from '../model/observer.ts';
import type { ProjectRun } from './existing-project.ts';

export interface InputRecorder extends Observer {
  files: Set<string>;
}

/** `files` are absolute; missing ones are left out. */
export function makeProvenance({ cwd = '.' }: ProjectRun, dir: string, files: Iterable<string>): Provenance {
  const inputs = [...files]
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
    .map((file) => relative(resolve(cwd, dir), file))
    // On another drive of Windows, the path is absolute, and means nothing on other machines.
    .filter((path) => !isAbsolute(path))
    .map((path) => path.replaceAll(sep, '/'));
  return { inputs: inputs.sort() };
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
    pattern: (find) => observer?.pattern(find),
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
  observer.pattern(listAllFiles);
}
