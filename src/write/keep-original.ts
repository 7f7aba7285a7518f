import { basename, dirname, join } from 'node:path';
import { nodeFileSystem } from './file-system.ts';
import { freeName } from './free-name.ts';

/** Copies a file that is about to be overwritten to `<name>.orig`; returns the copy's path, undefined where there is no such file. */
export async function keepOriginal(path: string, fs = nodeFileSystem): Promise<string | undefined> {
  if ((await fs.follow(path))?.kind !== 'file') return undefined;
  const folder = dirname(path);
  const copy = join(folder, await freeName(`${basename(path)}.orig`, folder, fs));
  await fs.copyFile(path, copy);
  return copy;
}
