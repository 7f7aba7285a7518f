/** Which files mcpgen has written, or is configured by: they are no sources. */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';

/** Folders of a project that hold code. */
const CODE = new Set(['src', 'dist', 'test']);

/** A folder that has it is a project. */
const LOCK = 'mcpgen.lock';

/** `targets` are folders of projects that may have no lock yet. Paths are absolute, with `/`. */
export function emittedFiles(targets: readonly string[]): (file: string) => boolean {
  const known = new Map(targets.map((folder) => [folder.replaceAll('\\', '/'), true]));
  const isProject = (folder: string): boolean => {
    const answer = known.get(folder) ?? existsSync(posix.join(folder, LOCK));
    known.set(folder, answer);
    return answer;
  };
  const isInProject = (path: string): boolean => {
    const folder = posix.dirname(path);
    if (folder === path) return false;
    return (CODE.has(posix.basename(path)) && isProject(folder)) || isInProject(folder);
  };
  return (file) => /\/mcpgen\.config\.[a-z]+$/.test(file) || isInProject(posix.dirname(file));
}
