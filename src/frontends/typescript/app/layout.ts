/** The layout of the user's files below `src/app/`. */
import { posix } from 'node:path';
import type { ts } from 'ts-morph';
import { runsAsCommon } from './module-format.ts';

export interface Layout {
  /** The folder that `app/` stands for. */
  root: string;
  pathOf: (file: ts.SourceFile) => string;
  placeOf: (path: string) => string;
}

export function layoutOf(names: readonly string[], options: ts.CompilerOptions): Layout {
  const folders = names.map((name) => posix.dirname(name).split('/'));
  const [first = [], ...others] = folders;
  const depth = first.findIndex((part, index) => others.some((folder) => folder[index] !== part));
  const root = first.slice(0, depth === -1 ? undefined : depth).join('/') || '/';
  const places = new Map<ts.SourceFile, string>();
  const placeOf = (path: string): string => `app/${posix.relative(root, path)}`;
  return {
    root,
    placeOf,
    pathOf: (file) => {
      const path = places.get(file) ?? placeOf(file.fileName).replace(...ending(file, options));
      places.set(file, path);
      return path;
    },
  };
}

/** The project's files are ES modules unless their extension says otherwise. */
function ending(file: ts.SourceFile, options: ts.CompilerOptions): [from: RegExp, to: string] {
  return [/\.([jt])s$/, runsAsCommon(file, options) ? '.c$1s' : '.$1s'];
}

export function isJson({ fileName }: ts.SourceFile): boolean {
  return fileName.endsWith('.json');
}
