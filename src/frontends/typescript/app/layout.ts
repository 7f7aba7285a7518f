/** Where the user's files stand in the project: below `src/app/`, laid out as they are. */
import { posix } from 'node:path';
import { ts } from 'ts-morph';

export interface Layout {
  /** The folder that `app/` stands for. */
  root: string;
  /** `app/weather.ts`, relative to the project's `src/`. */
  pathOf: (file: ts.SourceFile) => string;
}

export function layoutOf(files: readonly ts.SourceFile[], options: ts.CompilerOptions): Layout {
  const folders = files.map(({ fileName }) => posix.dirname(fileName).split('/'));
  const [first = [], ...others] = folders;
  const depth = first.findIndex((part, index) => others.some((folder) => folder[index] !== part));
  const root = first.slice(0, depth === -1 ? undefined : depth).join('/');
  return {
    root: root || '/',
    pathOf: (file) => `app/${posix.relative(root || '/', file.fileName)}`.replace(...ending(file, options)),
  };
}

/** What only a CommonJS module may say. */
const COMMON = /\b(?:require\s*\(|module\.exports\b|exports\.|__dirname\b|__filename\b)|^\s*export\s*=/m;

/** The project's files are ES modules, unless their names say that they are not. */
function ending(file: ts.SourceFile, { module }: ts.CompilerOptions): [from: RegExp, to: string] {
  const isCommon = (file.impliedNodeFormat ?? module) === ts.ModuleKind.CommonJS && COMMON.test(file.text);
  return [/\.([jt])s$/, isCommon && !file.isDeclarationFile ? '.c$1s' : '.$1s'];
}
