/**
 * A glob as a test of a whole text: `*` stands for anything within a segment, `**` for anything. Every other
 * character, braces too, is itself, since paths are full of `{parameters}`.
 */
export function globTest(glob: string): (text: string) => boolean {
  const source = glob
    .split(/(\*+)/)
    .map((part) => (part.startsWith('*') ? (part === '*' ? '[^/]*' : '.*') : escaped(part)))
    .join('');
  const pattern = new RegExp(`^${source}$`, 's');
  return (text) => pattern.test(text);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
