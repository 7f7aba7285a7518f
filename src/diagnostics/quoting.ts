/** Quotes a text as a Markdown code span (CommonMark, "Code spans"), which backticks in the text do not end. */
export function quoteAsCodeSpan(text: string): string {
  const runs: readonly string[] = text.match(/`+/g) ?? [];
  let fence = '`';
  while (runs.includes(fence)) fence += '`';
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

/** Double quotes where nothing in them has a meaning in any shell: cmd.exe knows no others. */
export function quoteShellWord(word: string): string {
  if (/^[\w./@:-]+$/.test(word)) return word;
  return /^[\p{L}\d_ ./@:*?=,()[\]{}+#&-]+$/u.test(word) ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Escapes one line of text for Markdown or a table cell (CommonMark, "Backslash escapes"). */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/[\\`*_[\]<>|~&$]/g, '\\$&')
      // Generators of sites would evaluate templates of Liquid or Vue.
      .replace(/(?<=\{)\{|\{(?=[{%])/g, '\\$&')
      .replace(/^(\d*)([-#+=.)])/, '$1\\$2')
  );
}
