/** Recognises files that mcpgen has written, and its configuration; they are no sources. */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';

const CODE = new Set(['src', 'dist', 'test']);

const LOCK = 'mcpgen.lock';

/** `targets` are projects that may have no lock yet. */
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
