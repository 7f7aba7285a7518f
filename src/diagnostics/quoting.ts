/** Quotes a text as a Markdown code span (CommonMark, "Code spans"), which backticks in the text do not end. */
export function quoteAsCodeSpan(text: string): string {
  const runs: readonly string[] = text.match(/`+/g) ?? [];
  let fence = '`';
  while (runs.includes(fence)) fence += '`';
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

export function quoteShellWord(word: string): string {
  return /^[\w./@:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
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
