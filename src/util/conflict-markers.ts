/** Conflict markers that git leaves in a text. */

/** Number of the line, from 1, where the first complete conflict begins. */
export function findConflict(text: string): number | undefined {
  let begin: number | undefined;
  let isParted = false;
  for (const [index, line] of text.replaceAll('\r\n', '\n').split('\n').entries()) {
    if (line.startsWith('<<<<<<< ')) [begin, isParted] = [index + 1, false];
    else if (line === '=======') isParted = begin !== undefined;
    else if (line.startsWith('>>>>>>> ') && isParted) return begin;
  }
  return undefined;
}

/** Both sides of a text, without the common ancestor that the style `diff3` shows; equal for a text without conflicts. */
export function splitConflict(text: string): [ours: string, theirs: string] {
  const [ours, theirs]: [string[], string[]] = [[], []];
  let part: 'both' | 'ours' | 'ancestor' | 'theirs' = 'both';
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    if (line.startsWith('<<<<<<< ')) part = 'ours';
    else if (part === 'ours' && line.startsWith('||||||| ')) part = 'ancestor';
    else if (part !== 'both' && line === '=======') part = 'theirs';
    else if (part === 'theirs' && line.startsWith('>>>>>>> ')) part = 'both';
    else {
      if (part === 'both' || part === 'ours') ours.push(line);
      if (part === 'both' || part === 'theirs') theirs.push(line);
    }
  }
  return [ours.join('\n'), theirs.join('\n')];
}
