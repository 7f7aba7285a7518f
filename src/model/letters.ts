export function isAscii(text: string): boolean {
  return /^[\u0000-\u007f]*$/.test(text);
}

/**
 * A text's letters and digits in lower case, runs of anything else replaced by `between`: what is left when two
 * texts are compared by what they say.
 */
export function lettersOf(text: string, between = ''): string {
  const lower = text.toLowerCase();
  // Unicode properties are slow to test, and most texts don't need them.
  return isAscii(lower) ? lower.replace(/[^a-z0-9]+/g, between) : lower.replace(/[^\p{L}\p{N}]+/gu, between);
}
