/** Texts of a document, made fit for one line, for plain text or for the header of a file. */
import { removeInvisible } from '../model/clean-prose.ts';
import { removeSecretPartsOfUrl } from '../model/without-credentials.ts';

/** Prints the MIT licence, without a year, which it does not need. */
export function mitLicense(holder: string): string {
  return `MIT License

Copyright (c) ${toOneLine(holder)}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH
THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;
}

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
