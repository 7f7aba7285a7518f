/** Finds the files of skills below a folder. */
import { type Dirent, existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { findAbove } from '../../util/find-above.ts';

export interface FoundFile {
  /** The path below the folder of skills, with `/`. */
  path: string;
  absolute: string;
  bytes: number;
}

export interface FoundSkills {
  files: FoundFile[];
  refused: { path: string; problem: string }[];
}

/** A folder with more entries is no folder of skills. */
const MOST_ENTRIES = 20_000;
const DEEPEST = 16;

/** Finds files in the order of their paths. A link is followed to a file of the same folder only. */
export function findSkillFiles(folder: string): FoundSkills {
  const skills: FoundSkills = { files: [], refused: [] };
  const root = realpathSync(folder);
  const open = [''];
  let entriesLeft = MOST_ENTRIES;
  for (let inside = open.pop(); inside !== undefined; inside = open.pop()) {
    for (const entry of readdirSync(join(root, inside), { withFileTypes: true })) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      const absolute = join(root, path);
      const problem =
        (entriesLeft -= 1) < 0 ? 'the folder has too many files' : findEntryProblem(entry, absolute, root);
      if (problem !== undefined) skills.refused.push({ path, problem });
      else if (!entry.isDirectory()) skills.files.push({ path, absolute, bytes: statSync(absolute).size });
      else if (path.split('/').length < DEEPEST) open.push(path);
      else skills.refused.push({ path, problem: 'it is too deep inside other folders' });
      if (entriesLeft < 0) return skills;
    }
  }
  const byPath = (one: { path: string }, other: { path: string }): number => (one.path < other.path ? -1 : 1);
  return { files: skills.files.sort(byPath), refused: skills.refused.sort(byPath) };
}

function findEntryProblem(entry: Dirent, absolute: string, root: string): string | undefined {
  if (entry.name.startsWith('.')) return 'its name begins with a dot';
  if (!entry.isDirectory() && /\.orig(?:\.\d+)?$/.test(entry.name))
    return 'it is the copy of a file that was overwritten';
  if (entry.isDirectory() || entry.isFile()) return undefined;
  if (!entry.isSymbolicLink()) return 'it is no regular file';
  try {
    const target = realpathSync(absolute);
    if (!target.startsWith(`${root}${sep}`)) return 'it is a link to a place outside of the folder';
    return statSync(target).isFile() ? undefined : 'it is a link to a folder';
  } catch {
    return 'it is a link to nothing';
  }
}

/** Whether the path is a folder itself. A link is refused, since a repository could point it at a private folder. */
export function isFolderWithoutLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The folders `skills` that belong to files and globs of functions: beside them, or beside their package.json. */
export function listSkillFoldersBesideCode(patterns: readonly string[], cwd: string): string[] {
  return patterns.flatMap((pattern) => {
    const fixed = pattern.split(/[*?{[(!]/, 1)[0] ?? '';
    const start = resolve(cwd, fixed.replace(/[^/\\]*$/, '') || '.');
    const home = findAbove(start, (folder) =>
      existsSync(join(folder, 'package.json')) ? folder : undefined,
    );
    return [start, home ?? []].flat().map((folder) => join(folder, 'skills'));
  });
}
