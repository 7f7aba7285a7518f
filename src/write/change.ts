import { join } from 'node:path';
import type { GeneratedFile } from '../emit/index.ts';
import type { FileSystem } from './file-system.ts';
import { freeName } from './free-name.ts';

/** One file to be put in place. */
export interface Change {
  path: string;
  contents: string;
  /** Permission bits of the file it replaces; absent when it is new. */
  replaces?: number;
  executable: boolean;
  /** Where the replaced file of the user is kept. */
  saveAs?: string;
}

/** `isUsers`: what is there now is a person's, and is kept as `.orig`. */
export async function change(
  { path, contents, executable = false }: GeneratedFile,
  { root, fs }: { root: string; fs: FileSystem },
  isUsers: boolean,
): Promise<Change> {
  const entry = await fs.look(join(root, path));
  return {
    path,
    contents,
    executable,
    ...(entry === undefined ? {} : { replaces: entry.mode }),
    ...(isUsers ? { saveAs: await freeName(`${path}.orig`, root, fs) } : {}),
  };
}
