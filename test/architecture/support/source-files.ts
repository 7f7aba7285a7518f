import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** Every `.ts` file below the folders, relative to the repository's root, sorted. */
export function sourceFiles(folders: string[]): string[] {
  return folders
    .flatMap((folder) => readdirSync(join(repositoryRoot, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(repositoryRoot, join(entry.parentPath, entry.name)))
    .sort();
}
