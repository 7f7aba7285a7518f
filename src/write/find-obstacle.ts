import { join, relative, isAbsolute, sep } from 'node:path';
import { isReserved } from '../emit/index.ts';
import type { FileSystem } from './file-system.ts';

export interface Obstacle {
  kind: 'path-in-the-way' | 'path-outside-target';
  path: string;
}

/**
 * Whether a file can be put at `path` below `root` without leaving it: each folder on the way is one (or a link that
 * stays inside, unless `links` is false), and what is at the path itself is a plain file or nothing.
 */
export async function findObstacle(
  root: string,
  path: string,
  fs: FileSystem,
  { links = true }: { links?: boolean | undefined } = {},
): Promise<Obstacle | undefined> {
  const names = path.split('/');
  let place = root;
  for (const [index, name] of names.entries()) {
    place = join(place, name);
    const entry = await fs.look(place);
    if (entry === undefined) return undefined;
    const isLast = index === names.length - 1;
    if (entry.kind === 'link') {
      if (isLast || !links || !(await staysInside(root, place, fs)))
        return { kind: 'path-outside-target', path: place };
    } else if (entry.kind !== (isLast ? 'file' : 'folder')) {
      return { kind: 'path-in-the-way', path: place };
    }
  }
  return undefined;
}

/** A link to a folder inside the project. One that leads nowhere, to a file, or to what git or npm keeps there, does not stay. */
async function staysInside(root: string, link: string, fs: FileSystem): Promise<boolean> {
  if ((await fs.follow(link))?.kind !== 'folder') return false;
  const target = await fs.realPath(link);
  return isBelow(root, target) && !isReserved(relative(root, target).replaceAll(sep, '/'));
}

export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
