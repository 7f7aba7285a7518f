import { posix, relative } from 'node:path';
import { appendInlineMap } from '../util/inline-map.ts';
import type { EmitOptions } from './emit-options.ts';
import type { GeneratedFile } from './generated-file.ts';

/** Emits the user's code, and its build; of linked code only the build. */
export function emitApp({
  app,
  link = false,
  root,
}: Pick<EmitOptions, 'app' | 'link' | 'root'>): GeneratedFile[] {
  if (app === undefined) return [];
  return app.files.flatMap(({ path, origin, contents, built }): GeneratedFile[] => {
    const copied: GeneratedFile[] = link ? [] : [{ path, contents, ownership: 'generated' }];
    if (built === undefined) return copied;
    const way = link && root !== undefined ? relative(root, origin) : path;
    const source = posix.relative(posix.dirname(built.path), way.replaceAll('\\', '/'));
    const code = appendInlineMap(built.contents, built.map, source);
    return [...copied, { path: built.path, contents: code, ownership: 'built' }];
  });
}
