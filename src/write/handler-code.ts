/** The user's handlers as far as a project's features depend on them. */
import { FEATURES } from '../../templates/runtime/features.ts';
import type { HandlerCode } from '../emit/index.ts';
import { transpile } from '../util/transpile.ts';
import { readHandlers } from './built-stamp.ts';
import { type FileSystem, isSystemError, nodeFileSystem } from './file-system.ts';

/** Members and keys that bring a feature. */
const WORDS = FEATURES.flatMap(({ neededBy = [] }) => neededBy).flatMap((need) =>
  'code' in need ? need.code : 'handlers' in need ? need.handlers : [],
);

/** TypeScript loads only if handlers contain one of these words. Writing reports handlers that can't be read. */
export async function readHandlerCode(
  root: string,
  fs: FileSystem = nodeFileSystem,
): Promise<HandlerCode | undefined> {
  try {
    const files = [...(await readHandlers(root, fs)).values()].map((contents) => ({ contents }));
    const mentioning = files.filter(({ contents }) => WORDS.some((word) => contents.includes(word)));
    if (mentioning.length === 0) return { files, members: new Set(), keys: new Set() };
    const lists = await Promise.all(mentioning.map(({ contents }) => transpile(contents, 'handlers.ts')));
    return {
      files,
      members: new Set(lists.flatMap(({ members }) => [...members])),
      keys: new Set(lists.flatMap(({ keys }) => [...keys])),
    };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return undefined;
  }
}
