/** Text without line breaks, control characters and runs of white space: safe in a line comment. */
export function oneLine(text: string): string {
  return text
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g, ' ')
    .trim();
}

/** The first `limit` characters at most, cut between words. */
export function shorten(text: string, limit: number): string {
  const line = oneLine(text);
  if (line.length <= limit) return line;
  const cut = line.slice(0, limit - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}
