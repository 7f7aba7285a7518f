/** Plain text in a Markdown line or table cell; nothing in it is markup (CommonMark, "Backslash escapes"). Of one line. */
export function markdownText(text: string): string {
  return (
    text
      .replace(/[\\`*_[\]<>|~&$]/g, '\\$&')
      // What sites that are made of Markdown by Liquid or Vue would take for theirs.
      .replace(/(?<=\{)\{|\{(?=[{%])/g, '\\$&')
      .replace(/^(\d*)([-#+=.)])/, '$1\\$2')
  );
}
