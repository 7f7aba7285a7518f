/** Number of the line, from 1, where the first complete conflict of git in a text begins. */
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

/** The lines of a text with those of both sides of each conflict, without the common ancestor that `diff3` style shows. */
export function linesOfSides(text: string): string[] {
  const lines: string[] = [];
  let isBefore = false;
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    if (line.startsWith('||||||| ')) isBefore = true;
    else if (line === '=======') isBefore = false;
    else if (!isBefore && !/^(?:<{7}|>{7}) /.test(line)) lines.push(line);
  }
  return lines;
}
