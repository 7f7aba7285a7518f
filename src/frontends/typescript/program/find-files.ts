import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { globSync, isDynamicPattern } from 'tinyglobby';

import { DiagnosticCollector } from '../../../diagnostics/collector.ts';
import type { Observer } from '../../../model/observer.ts';
import { findAbove } from '../../../util/find-above.ts';
import { ITEM_TAGS } from '../tags/tag-registry.ts';

const EXTENSIONS = new Set(['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx']);

interface SearchOptions {
  cwd: string;
  target?: string | undefined;
}

/**
 * Returns sorted absolute paths; `!` excludes. Emitted files are skipped, since a glob would read the copies in a
 * project; so are tests without tags.
 */
export function findFiles(
  patterns: readonly string[],
  { cwd, target }: SearchOptions,
  diagnostics: DiagnosticCollector,
): string[] {
  const found = new Set<string>();
  const isEmitted = createEmittedFileCheck(target === undefined ? [] : [resolve(cwd, target)]);
  const isExcluded = createExclusionTest(patterns, cwd);
  for (const pattern of patterns.filter((pattern) => !isExclusion(pattern))) {
    const { files, isGlob } = findMatches(pattern, cwd);
    const isUntaggedTest = (file: string): boolean =>
      isGlob && TEST.test(file) && !TAGGED.test(readFileSync(file, 'utf8'));
    const sources = files.filter((file) => !isEmitted(file) && !isUntaggedTest(file));
    const namedFiles = isGlob ? sources : files;
    if (namedFiles.every(isExcluded)) diagnostics.report('no-source-files', { pattern });
    for (const file of sources) if (!isExcluded(file)) found.add(file);
  }
  if (found.size === 0 && !diagnostics.hasErrors)
    diagnostics.report('no-source-files', { pattern: patterns[0] ?? '' });
  return [...found].sort();
}

export function observeFiles(patterns: readonly string[], options: SearchOptions, observer: Observer): void {
  const findCurrentFiles = (): string[] => findFiles(patterns, options, new DiagnosticCollector());
  for (const file of findCurrentFiles()) observer.file(file);
  observer.pattern(findCurrentFiles);
}

function isExclusion(pattern: string): boolean {
  return pattern.startsWith('!') && !pattern.startsWith('!(');
}

/** Exclusions apply to files and to folders above them. */
function createExclusionTest(patterns: readonly string[], cwd: string): (file: string) => boolean {
  const gone = patterns.filter(isExclusion).map((pattern) => pattern.slice(1));
  const files = new Set(gone.flatMap((pattern) => findMatches(pattern, cwd).files));
  const folders = gone.map((pattern) => `${toPosixPath(resolve(cwd, pattern))}/`);
  return (file) => files.has(file) || folders.some((folder) => file.startsWith(folder));
}

function findMatches(pattern: string, cwd: string): { files: string[]; isGlob: boolean } {
  const { base, rest } = splitPattern(pattern, cwd);
  const isGlob = isDynamicPattern(rest);
  const options = { cwd: base, absolute: true, expandDirectories: false, ignore: ['**/node_modules/**'] };
  const all = isGlob ? globSync(rest, options) : statSync(base).isFile() ? [base] : [];
  const files = all.map(toPosixPath).filter((file) => !/\.d\.[mc]?ts$/.test(file));
  return { files: isGlob ? files.filter((file) => EXTENSIONS.has(posix.extname(file))) : files, isGlob };
}

/** Splits a pattern at its first part that does not exist, so that `app/[id]` may be a literal name. */
function splitPattern(pattern: string, cwd: string): { base: string; rest: string } {
  const parts = toPosixPath(resolve(cwd, pattern)).split('/');
  const ends = parts.map((_, index) => parts.slice(0, index + 1).join('/') || '/');
  const gone = ends.findIndex((path) => !existsSync(path));
  if (gone === -1) return { base: ends.at(-1) ?? cwd, rest: '' };
  return { base: ends[gone - 1] ?? '/', rest: parts.slice(gone).join('/') };
}

export function toPosixPath(path: string): string {
  return path.replaceAll('\\', '/');
}

const CODE = new Set(['src', 'dist', 'test']);

const LOCK = 'mcpgen.lock';

/** Files that mcpgen has written, and its configuration, are no sources. `targets` may have no lock yet. */
function createEmittedFileCheck(targets: readonly string[]): (file: string) => boolean {
  const targetFolders = new Map(targets.map((folder) => [toPosixPath(folder), true]));
  const isEmittedProject = (folder: string): boolean => {
    const answer = targetFolders.get(folder) ?? existsSync(posix.join(folder, LOCK));
    targetFolders.set(folder, answer);
    return answer;
  };
  const isInEmittedProject = (path: string): boolean => {
    const folder = posix.dirname(path);
    if (folder === path) return false;
    return (CODE.has(posix.basename(path)) && isEmittedProject(folder)) || isInEmittedProject(folder);
  };
  return (file) => /\/mcpgen\.config\.[a-z]+$/.test(file) || isInEmittedProject(posix.dirname(file));
}

const TEST = /\/__tests__\/|\.(?:test|spec)\.[mc]?[jt]sx?$/;

const TAGGED = new RegExp(`@(?:${ITEM_TAGS.join('|')})\\b`);

/** Finds the nearest folder with a package.json. */
export function findFolderWithManifest(from: string): string | undefined {
  return findAbove(from, (folder) => (existsSync(posix.join(folder, 'package.json')) ? folder : undefined));
}
