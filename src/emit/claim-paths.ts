import type { GeneratedFile } from './generated-file.ts';

/** Returns the files as they are. Throws when a path is unsafe or claimed twice: either is a bug of an emitter. */
export function claimPaths(files: GeneratedFile[]): GeneratedFile[] {
  const claimed = new Set<string>();
  for (const { path } of files) {
    if (!isSafePath(path)) throw new Error(`An emitter made the unsafe path ${JSON.stringify(path)}.`);
    // Windows and macOS compare paths without case.
    const key = path.toLowerCase();
    if (claimed.has(key)) throw new Error(`Two emitters claim the path ${path}.`);
    claimed.add(key);
  }
  return files;
}

/** Whether a path stays inside the project: relative, `/`-separated, without empty, `.` or `..` segments. */
export function isSafePath(path: string): boolean {
  return (
    !/[\\\0:]/.test(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
