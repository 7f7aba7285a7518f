/** `**marks**` that would stand as they are, where nothing of a document is markup. */
export function withoutEmphasis(markdown: string): string {
  return markdown.replace(/(\*\*|__)(?=\S)([^*_\n]+?)\1/g, '$2');
}

/** Markdown as what shows no markup has it: headings and emphasis without their marks, of links the text. */
export function stripMarkdown(markdown: string): string {
  const lines = markdown.replace(/^ {0,3}#{1,6}[ \t]+/gm, '');
  return withoutEmphasis(lines.replace(/!?\[([^[\]\n]+)\]\([^()\s]*\)/g, '$1'));
}
