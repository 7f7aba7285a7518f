/** Texts of a document, made fit for one line, for plain text or for the header of a file. */
import { removeInvisible } from '../model/clean-prose.ts';
import { removeSecretPartsOfUrl } from '../model/without-credentials.ts';

export function toOneLine(text: string): string {
  return removeInvisible(text).replace(/\s+/g, ' ').trim();
}

/** Returns the first `limit` characters at most, cut between words. */
export function shortenToLine(text: string, limit: number): string {
  const line = toOneLine(text);
  if (line.length <= limit) return line;
  const cut = line.slice(0, limit - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}

/** A source for file headers: without folder, credentials and query, so that a document gives the same bytes wherever it is. */
export function formatSources(source: string | string[]): string {
  const labels = [source].flat().map(labelSource);
  const last = labels.pop() ?? '';
  return labels.length === 0 ? last : `${labels.join(', ')} and ${last}`;
}

function labelSource(source: string): string {
  if (source === '-') return 'standard input';
  if (/^https?:\/\//i.test(source)) return toOneLine(removeSecretPartsOfUrl(source));
  return toOneLine(source.split(/[\\/]/).findLast((part) => part !== '') ?? source);
}
