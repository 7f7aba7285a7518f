import { join } from 'node:path';
import type { FileSystem } from './file-system.ts';

/** `path` (relative to `root`), or with a number if there is such a file, which is the user's. */
export async function freeName(path: string, root: string, fs: FileSystem): Promise<string> {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? path : `${path}.${String(count)}`;
    if ((await fs.look(join(root, name))) === undefined) return name;
  }
}
