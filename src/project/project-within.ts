import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { lockPath } from '../emit/index.ts';

/** Reports a new project within another one, which was hardly meant. `dir` is relative to `cwd`. */
export function reportWithin(dir: string, cwd: string, diagnostics: DiagnosticCollector): void {
  const target = resolve(cwd, dir);
  if (existsSync(join(target, lockPath))) return;
  const outer = foldersAbove(target).find((folder) => existsSync(join(folder, lockPath)));
  if (outer === undefined) return;
  diagnostics.report('project-within', { dir, outer: relative(resolve(cwd), outer) || '.' });
}

/** Parents, the nearest first. */
function foldersAbove(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...foldersAbove(parent)];
}
