/** The files that paths and globs name. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ts } from 'ts-morph';
import type { DiagnosticCollector } from '../../../diagnostics/collector.ts';

const EXTENSIONS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx'];

/** Absolute paths with `/`, sorted, each once. A pattern that matches nothing is reported. */
export function findFiles(
  patterns: readonly string[],
  cwd: string,
  diagnostics: DiagnosticCollector,
): string[] {
  const found = new Set<string>();
  for (const pattern of patterns) {
    const files = matches(pattern, cwd).filter((file) => !/\.d\.[mc]?ts$/.test(file));
    if (files.length === 0) diagnostics.report('no-source-files', { pattern });
    for (const file of files) found.add(file);
  }
  return [...found].sort();
}

function matches(pattern: string, cwd: string): string[] {
  const path = withSlashes(resolve(cwd, pattern));
  if (existsSync(path)) return statSync(path).isDirectory() ? [] : [path];
  if (!/[*?]/.test(pattern)) return [];
  const base = path.slice(0, path.search(/[*?]/)).replace(/\/[^/]*$/, '') || '/';
  if (!existsSync(base)) return [];
  return ts.sys.readDirectory(base, EXTENSIONS, ['**/node_modules/**'], [path]).map(withSlashes);
}

export function withSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}
