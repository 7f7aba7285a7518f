/** Finds declaration files of a project without tsconfig.json. */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { globSync } from 'tinyglobby';
import { emittedFiles } from './emitted-files.ts';

/** Folders of packages and builds. */
const IGNORED = [
  '**/node_modules/**',
  '**/dist/**',
  '**/build/**',
  '**/out/**',
  '**/coverage/**',
  '**/.*/**',
];

/** Searches the folder of the nearest package.json; without one, only the file's own folder. */
export function declarationFiles(file: string): string[] {
  const project = findProject(posix.dirname(file));
  const options = { absolute: true, expandDirectories: false, ignore: IGNORED };
  const found =
    project === undefined
      ? globSync('*.d.{ts,mts,cts}', { ...options, cwd: posix.dirname(file) })
      : globSync('**/*.d.{ts,mts,cts}', { ...options, cwd: project });
  const isEmitted = emittedFiles([]);
  return found
    .map((each) => each.replaceAll('\\', '/'))
    .filter((each) => !isEmitted(each))
    .sort();
}

export function declarationFolder(file: string): string {
  const folder = posix.dirname(file);
  return findProject(folder) ?? folder;
}

function findProject(folder: string): string | undefined {
  if (existsSync(posix.join(folder, 'package.json'))) return folder;
  const parent = posix.dirname(folder);
  return parent === folder ? undefined : findProject(parent);
}
