/** Plain text in a Markdown line or table cell; nothing in it is markup (CommonMark, "Backslash escapes"). Of one line. */
export function markdownText(text: string): string {
  return text.replace(/[\\`*_[\]<>|~&$]/g, '\\$&').replace(/^(\d*)([-#+=.)])/, '$1\\$2');
}
