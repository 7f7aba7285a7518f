/** Whether Node will find what a built module imports. Nothing is loaded: handlers are not ours to run. */
import { builtinModules } from 'node:module';
import { dirname, join, posix } from 'node:path';
import type { GeneratedFile } from '../emit/index.ts';
import type { FileSystem } from './file-system.ts';

export interface ModulePlaces {
  /** By path: what the project will hold. */
  built: ReadonlyMap<string, GeneratedFile>;
  root: string;
  fs: FileSystem;
}

/** `from` is the importing module, below `dist/`. What no file can answer (`#imports`, URLs) passes. */
export async function isImportable(specifier: string, from: string, places: ModulePlaces): Promise<boolean> {
  if (/^\.{1,2}\//.test(specifier)) return isFile(posix.join(posix.dirname(from), specifier), places);
  if (/^(#|\/|[a-z]+:)/i.test(specifier)) return true;
  if (builtinModules.includes(specifier)) return true;
  const [first = '', second = ''] = specifier.split('/');
  const name = first.startsWith('@') ? `${first}/${second}` : first;
  return isInstalled(name, places.root, places.fs);
}

/** Of the built runtime only what will be there counts: the rest is removed. */
async function isFile(path: string, { built, root, fs }: ModulePlaces): Promise<boolean> {
  if (built.has(path)) return true;
  if (path.startsWith('dist/runtime/')) return false;
  return (await fs.follow(join(root, path)))?.kind === 'file';
}

/** In the project or in a folder above it, as Node looks for packages. */
async function isInstalled(name: string, folder: string, fs: FileSystem): Promise<boolean> {
  if ((await fs.follow(join(folder, 'node_modules', name)))?.kind === 'folder') return true;
  const parent = dirname(folder);
  return parent !== folder && isInstalled(name, parent, fs);
}
