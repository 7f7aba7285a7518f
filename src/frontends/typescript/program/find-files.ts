/** The files that paths and globs name. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ts } from 'ts-morph';
import { DiagnosticCollector } from '../../../diagnostics/collector.ts';
import type { Observer } from '../../../model/observer.ts';
import { emittedFiles } from './emitted-files.ts';
import { isIdleTest } from './idle-tests.ts';

const EXTENSIONS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx'];

export interface SearchOptions {
  /** What patterns are relative to. */
  cwd: string;
  /** Folder of the project that is written, relative to `cwd`. Its files are no sources, whatever it holds by now. */
  target?: string | undefined;
}

/**
 * Absolute paths with `/`, sorted, each once. A pattern that matches nothing is reported. What mcpgen has written is
 * passed over: a glob, or a shell in its place, would make sources of the copies in a project. So are tests without tags.
 */
export function findFiles(
  patterns: readonly string[],
  { cwd, target }: SearchOptions,
  diagnostics: DiagnosticCollector,
): string[] {
  const found = new Set<string>();
  const isEmitted = emittedFiles(target === undefined ? [] : [resolve(cwd, target)]);
  for (const pattern of patterns) {
    const files = matches(pattern, cwd).filter((file) => !/\.d\.[mc]?ts$/.test(file));
    const sources = files.filter((file) => !isEmitted(file) && !(isGlob(pattern) && isIdleTest(file)));
    if (files.length === 0 || (sources.length === 0 && isGlob(pattern)))
      diagnostics.report('no-source-files', { pattern });
    for (const file of sources) found.add(file);
  }
  if (found.size === 0 && !diagnostics.hasErrors)
    diagnostics.report('no-source-files', { pattern: patterns[0] ?? '' });
  return [...found].sort();
}

/** Tells of what was looked for. */
export function observeFiles(patterns: readonly string[], options: SearchOptions, observer: Observer): void {
  const find = (): string[] => findFiles(patterns, options, new DiagnosticCollector());
  for (const file of find()) observer.file(file);
  for (const pattern of patterns) {
    const path = withSlashes(resolve(options.cwd, pattern));
    if (isGlob(pattern)) observer.pattern(baseOf(path), find);
    else observer.file(path);
  }
}

function matches(pattern: string, cwd: string): string[] {
  const path = withSlashes(resolve(cwd, pattern));
  if (existsSync(path)) return statSync(path).isDirectory() ? [] : [path];
  if (!isGlob(pattern)) return [];
  const base = baseOf(path);
  if (!existsSync(base)) return [];
  return ts.sys.readDirectory(base, EXTENSIONS, ['**/node_modules/**'], [path]).map(withSlashes);
}

/** The folder that a glob's files are in or below. */
function baseOf(path: string): string {
  return path.slice(0, path.search(/[*?]/)).replace(/\/[^/]*$/, '') || '/';
}

function isGlob(pattern: string): boolean {
  return /[*?]/.test(pattern);
}

export function withSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}
