import { join } from 'node:path';
import type { FileSystem } from './file-system.ts';

/** `path` (from `root`), or with a number when an earlier run has left one: that is the user's too. */
export async function freeName(path: string, root: string, fs: FileSystem): Promise<string> {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? path : `${path}.${String(count)}`;
    if ((await fs.look(join(root, name))) === undefined) return name;
  }
}
