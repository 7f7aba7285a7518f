/** What a hint adds where files that were edited are copies of a person's own code; `''` where none is. */
export function aboutCopies(files: string, outer: string): string {
  if (!/(?:^|, )src\/app\//.test(files)) return '';
  const config = outer === '' ? 'mcpgen.config.json' : outer;
  return ` What stands below src/app/ is a copy of your code: make the change where the code stands, in the sources that ${config} names, and compile again with --force.`;
}
