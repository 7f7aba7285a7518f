import { shownUrl } from '../model/without-credentials.ts';
import { oneLine } from './one-line.ts';

/**
 * The source as file headers name it: a file's name without its folder, a URL without credentials, query and
 * fragment, or `standard input`; several with `and`. So the same document gives the same bytes wherever it lies.
 */
export function sourceLabel(source: string | string[]): string {
  const labels = [source].flat().map(labelOf);
  const last = labels.pop() ?? '';
  return labels.length === 0 ? last : `${labels.join(', ')} and ${last}`;
}

function labelOf(source: string): string {
  if (source === '-') return 'standard input';
  if (/^https?:\/\//i.test(source)) return oneLine(shownUrl(source));
  return oneLine(source.split(/[\\/]/).findLast((part) => part !== '') ?? source);
}
