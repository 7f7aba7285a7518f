/** Writes an emitted project to disk. */
export { listHandlers, readHandlerCode } from './handlers.ts';
export { isSystemError, nodeFileSystem } from './file-system.ts';
export { type LockFile, readLockFile } from './read-lock.ts';
export { writeProject } from './write-project.ts';
export { type FileDiff, type WriteReport, type WriteTarget } from './write-target.ts';
export { isSaved, saveFile, saveFileOrReport } from './save-file.ts';
