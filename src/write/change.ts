import { join } from 'node:path';
import type { GeneratedFile } from '../emit/index.ts';
import { freeName } from './free-name.ts';
import type { Change, Comparison } from './write-target.ts';

/** Makes the change of a file. `isUsers`: the existing file is the user's, and is kept as `.orig`. */
export async function change(
  { path, contents, executable = false }: GeneratedFile,
  { root, fs }: Comparison,
  isUsers: boolean,
): Promise<Change> {
  const entry = await fs.look(join(root, path));
  const saveAs = isUsers ? await freeName(`${path}.orig`, root, fs) : undefined;
  return { path, contents, executable, replaces: entry?.mode, saveAs };
}
