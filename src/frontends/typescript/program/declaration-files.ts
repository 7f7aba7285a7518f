/** Declaration files of a project that has no tsconfig.json to name them. */
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

/** All in the folder of the nearest package.json, sorted; without one, those in the folder of the file alone. */
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

/** Where they are looked for. */
export function declarationFolder(file: string): string {
  const folder = posix.dirname(file);
  return findProject(folder) ?? folder;
}

function findProject(folder: string): string | undefined {
  if (existsSync(posix.join(folder, 'package.json'))) return folder;
  const parent = posix.dirname(folder);
  return parent === folder ? undefined : findProject(parent);
}
