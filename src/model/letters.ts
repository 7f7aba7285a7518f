export function isAscii(text: string): boolean {
  return /^[\u0000-\u007f]*$/.test(text);
}

/**
 * Converts to lower case and replaces each run of other characters than letters and digits by `between`, to compare
 * the words of two texts.
 */
export function normalizeLetters(text: string, between = ''): string {
  const lower = text.toLowerCase();
  // Unicode properties are slow, and most texts are ASCII.
  return isAscii(lower) ? lower.replace(/[^a-z0-9]+/g, between) : lower.replace(/[^\p{L}\p{N}]+/gu, between);
}
