import { isAbsolute, join, relative, sep } from 'node:path';

import { isReserved } from '../emit/index.ts';
import type { FileSystem } from './file-system.ts';

export interface Obstacle {
  kind: 'path-in-the-way' | 'path-outside-target';
  path: string;
}

/**
 * Finds out why a file cannot be written at `path` below `root`: a parent is no folder, or a link that leads out of `root` (any
 * link if `links` is false), or something else than a plain file exists at the path.
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
      if (isLast || !links || !(await leadsInsideProject(root, place, fs)))
        return { kind: 'path-outside-target', path: place };
    } else if (entry.kind !== (isLast ? 'file' : 'folder')) {
      return { kind: 'path-in-the-way', path: place };
    }
  }
  return undefined;
}

/** Whether a link leads to a folder inside the project that git and npm do not use. */
async function leadsInsideProject(root: string, link: string, fs: FileSystem): Promise<boolean> {
  if ((await fs.follow(link))?.kind !== 'folder') return false;
  const target = await fs.realPath(link);
  return isBelow(root, target) && !isReserved(relative(root, target).replaceAll(sep, '/'));
}

export function isBelow(folder: string, path: string): boolean {
  const steps = relative(folder, path);
  return steps !== '' && steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps);
}
