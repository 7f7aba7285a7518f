import { cleanProse } from '../model/clean-prose.ts';

/** Clean text without line breaks and runs of white space: safe in a line comment. */
export function oneLine(text: string): string {
  return cleanProse(text).replace(/\s+/g, ' ').trim();
}

/** The first `limit` characters at most, cut between words. */
export function shorten(text: string, limit: number): string {
  const line = oneLine(text);
  if (line.length <= limit) return line;
  const cut = line.slice(0, limit - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}
