/** Where the user's files stand in the project: below `src/app/`, laid out as they are. */
import { posix } from 'node:path';
import type { ts } from 'ts-morph';

export interface Layout {
  /** `app/weather.ts`, relative to the project's `src/`. */
  pathOf: (file: ts.SourceFile) => string;
}

export function layoutOf(files: readonly ts.SourceFile[]): Layout {
  const folders = files.map(({ fileName }) => posix.dirname(fileName).split('/'));
  const [first = [], ...others] = folders;
  const depth = first.findIndex((part, index) => others.some((folder) => folder[index] !== part));
  const root = first.slice(0, depth === -1 ? undefined : depth).join('/');
  return { pathOf: ({ fileName }) => `app/${posix.relative(root || '/', fileName)}` };
}
