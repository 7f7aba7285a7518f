/** Which files of a folder can be mcpgen's: a lock comes with its repository, and may list any. */
import { templateNames } from './views/template-views.ts';

/** Folders in which everything is generated. */
const FOLDERS = ['src/generated/', 'src/runtime/', 'src/app/'];

const FILES: ReadonlySet<string> = new Set<string>([...templateNames, 'test/wire.json']);

/** A name has at most so many UTF-16 code units, on every file system that Node runs on. */
const LONGEST_NAME = 255;

/** Whether a project can have a generated file of this name. */
export function canEmit(path: string): boolean {
  return !isReserved(path) && (FILES.has(path) || FOLDERS.some((folder) => path.startsWith(folder)));
}

/**
 * Whether a path leads to or into `.git` or `node_modules`, in any spelling that a file system takes for one: NTFS drops dots
 * and spaces at the end of a name and has short names (`GIT~1`, `GI7D29~1`), HFS+ ignores invisible characters.
 * A name that is longer than any file system takes counts too: it can't be of a project, and normalising it takes its length squared.
 */
export function isReserved(path: string): boolean {
  return path.split(/[/\\]/).some((segment) => {
    if (segment.length > LONGEST_NAME) return true;
    const name = segment
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .replace(/[. ]+$/, '')
      .toUpperCase();
    return (
      // On Windows, dots and spaces alone name this folder, or the one above.
      (name === '' && segment !== '') ||
      name === '.GIT' ||
      name === 'NODE_MODULES' ||
      /^(?:GIT|GI[\dA-F]{4}|NODE_M|NO[\dA-F]{4})~\d+$/.test(name)
    );
  });
}
