export function isAscii(text: string): boolean {
  return /^[\u0000-\u007f]*$/.test(text);
}

/** Letters and digits in lower case, other runs replaced by `between`: for comparing the words of two texts. */
export function lettersOf(text: string, between = ''): string {
  const lower = text.toLowerCase();
  // Unicode properties are slow, and most texts are ASCII.
  return isAscii(lower) ? lower.replace(/[^a-z0-9]+/g, between) : lower.replace(/[^\p{L}\p{N}]+/gu, between);
}
