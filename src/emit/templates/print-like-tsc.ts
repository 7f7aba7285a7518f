/**
 * Rendered glue, in the layout `tsc` prints: four spaces, no blank lines, a moved value back on its key's line.
 * So `npm run build` in an emitted project changes no byte of `dist/`. For the built-in templates only, whose
 * strings never span lines.
 */
export function printLikeTsc(code: string): string {
  return code
    .replace(/\n{2,}/g, '\n')
    .replace(/^\n/, '')
    .replace(/:\n +(?=['"])/g, ': ')
    .replace(
      /^( *?)( (?=\*))?(?! )/gm,
      (_, indent: string, star: string | undefined) => indent + indent + (star ?? ''),
    );
}
