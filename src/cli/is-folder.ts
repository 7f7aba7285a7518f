import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';

/** Whether a source is a folder: a project, and no document. */
export async function isFolder(source: string, cwd: string): Promise<boolean> {
  if (source === '-' || /^https?:\/\//i.test(source)) return false;
  return stat(resolve(cwd, source)).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}
