/** Extends a hint if edited files are copies of the user's own code. */
export function aboutCopies(files: string, outer: string): string {
  if (!/(?:^|, )src\/app\//.test(files)) return '';
  const config = outer === '' ? 'mcpgen.config.json' : outer;
  return ` Files in src/app/ are copies of your code: edit the sources that ${config} names, and compile again with --force.`;
}
