import { oneLine } from './one-line.ts';

/**
 * The source as file headers name it: a file's name without its folder, a URL without credentials, query and
 * fragment, or `standard input`. So the same document gives the same bytes wherever it lies.
 */
export function sourceLabel(source: string): string {
  if (source === '-') return 'standard input';
  if (/^https?:\/\//i.test(source) && URL.canParse(source)) {
    const { origin, pathname } = new URL(source);
    return oneLine(`${origin}${pathname}`);
  }
  return oneLine(source.split(/[\\/]/).findLast((part) => part !== '') ?? source);
}
