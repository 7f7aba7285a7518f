import { isAbsolute, relative } from 'node:path';
import { visible } from '../diagnostics/render/visible.ts';
import { shownUrl } from '../model/without-credentials.ts';

export { shellWord } from '../diagnostics/code-span.ts';

/** `1 tool`, `12 tools`, `1,223 tools`. */
export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Separates thousands by commas, whatever the locale. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `310ms`, `4.2s`. */
export function shortTime(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)}ms` : `${(milliseconds / 1000).toFixed(1)}s`;
}

/** A path for messages: `/`-separated, with invisible characters escaped. */
export function visiblePath(path: string): string {
  return visible(path.replaceAll('\\', '/'));
}

/** The path of a file that ran, relative to `cwd`; packages keep their names. */
export function runFile(file: string, cwd: string): string {
  return isAbsolute(file) ? relative(cwd, file) : file;
}

/** A source for messages: a path, a URL without its secrets, or `standard input`. */
export function visibleSource(source: string): string {
  return source === '-' ? 'standard input' : visiblePath(shownUrl(source));
}
