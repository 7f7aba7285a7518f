/** Texts that differ in more lines are one change as a whole: the time for finding the fewest lines grows quadratically. */
const MOST_EDITS = 1_000;

/** A unified diff (POSIX `diff -u`), empty for equal texts. `from` and `to` name the texts. CRLF counts as LF. */
export async function unifiedDiff(before: string, after: string, from: string, to: string): Promise<string> {
  const [old, now] = [before.replaceAll('\r\n', '\n'), after.replaceAll('\r\n', '\n')];
  if (old === now) return '';
  const { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch } = await import('diff');
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY, maxEditLength: MOST_EDITS };
  const patch = createTwoFilesPatch(from, to, old, now, undefined, undefined, options);
  if (patch !== undefined) return patch;
  const [oldLines, newLines] = [prefixLines('-', old), prefixLines('+', now)];
  const lines = [...oldLines, ...newLines];
  const hunk = { oldStart: 1, oldLines: oldLines.length, newStart: 1, newLines: newLines.length, lines };
  return formatPatch({ oldFileName: from, newFileName: to, hunks: [hunk] } as never, FILE_HEADERS_ONLY);
}

function prefixLines(mark: string, text: string): string[] {
  return text.split(/\n(?=[^])/).map((line) => `${mark}${line.replace(/\n$/, '')}`);
}
