/** Ends compiled code with its source map, which so needs no file of its own. `source` is a URL, which may be relative to the code. */
export function appendInlineMap(code: string, map: string | undefined, source: string): string {
  if (map === undefined) return code;
  const text = JSON.stringify({ ...(JSON.parse(map) as object), sourceRoot: undefined, sources: [source] });
  const newline = code.endsWith('\n') ? '' : '\n';
  return `${code}${newline}//# sourceMappingURL=data:application/json;base64,${Buffer.from(text).toString('base64')}\n`;
}
