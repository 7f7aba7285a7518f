import { basename, dirname, join } from 'node:path';
import { nodeFileSystem } from './file-system.ts';
import { freeName } from './free-name.ts';

/** Copies an existing file to `<name>.orig`. */
export async function keepOriginal(path: string, fs = nodeFileSystem): Promise<void> {
  if ((await fs.follow(path))?.kind !== 'file') return;
  const folder = dirname(path);
  await fs.copyFile(path, join(folder, await freeName(`${basename(path)}.orig`, folder, fs)));
}
