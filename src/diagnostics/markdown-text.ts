/** Escapes one line of text for Markdown or a table cell (CommonMark, "Backslash escapes"). */
export function markdownText(text: string): string {
  return (
    text
      .replace(/[\\`*_[\]<>|~&$]/g, '\\$&')
      // Generators of sites would evaluate templates of Liquid or Vue.
      .replace(/(?<=\{)\{|\{(?=[{%])/g, '\\$&')
      .replace(/^(\d*)([-#+=.)])/, '$1\\$2')
  );
}
