/** Finds out whether Node will resolve the imports of a built module, without running the user's code. */
import { builtinModules } from 'node:module';
import { dirname, join, posix } from 'node:path';
import type { GeneratedFile } from '../emit/index.ts';
import type { FileSystem } from './file-system.ts';

export interface ModulePlaces {
  /** The files that the project will have, by path. */
  built: ReadonlyMap<string, GeneratedFile>;
  root: string;
  fs: FileSystem;
}

/** `from` is the importing module, below `dist/`. `#imports` and URLs pass unchecked. */
export async function isImportable(specifier: string, from: string, places: ModulePlaces): Promise<boolean> {
  if (/^\.{1,2}\//.test(specifier)) return isFile(posix.join(posix.dirname(from), specifier), places);
  if (/^(#|\/|[a-z]+:)/i.test(specifier)) return true;
  if (builtinModules.includes(specifier)) return true;
  const [first = '', second = ''] = specifier.split('/');
  const name = first.startsWith('@') ? `${first}/${second}` : first;
  return isInstalled(name, places.root, places.fs);
}

/** Files of the built runtime count only if they are built now, since others are removed. */
async function isFile(path: string, { built, root, fs }: ModulePlaces): Promise<boolean> {
  if (built.has(path)) return true;
  if (path.startsWith('dist/runtime/')) return false;
  return (await fs.follow(join(root, path)))?.kind === 'file';
}

/** Searches the project and the folders above it, as Node does. */
async function isInstalled(name: string, folder: string, fs: FileSystem): Promise<boolean> {
  if ((await fs.follow(join(folder, 'node_modules', name)))?.kind === 'folder') return true;
  const parent = dirname(folder);
  return parent !== folder && isInstalled(name, parent, fs);
}
