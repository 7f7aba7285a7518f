/** Writes an emitted project to disk. */
export { listBuiltIfUnchanged } from './built-stamp.ts';
export { readHandlerCode, readHandlers } from './handlers.ts';
export { isSystemError, nodeFileSystem } from './file-system.ts';
export { isJsonFile } from './plan-package.ts';
export { removeTemporaryFiles } from './apply.ts';
export { type LockFile, readLockFile } from './read-lock.ts';
export { writeProject } from './write-project.ts';
export { emptyReport, type FileDiff, type WriteReport, type WriteTarget } from './write-target.ts';
export { isSaved, saveFile, saveFileOrReport } from './save-file.ts';
