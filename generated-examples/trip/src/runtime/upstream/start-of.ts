/** The first characters of a text. Half of a surrogate pair is no character, and breaks clients that write UTF-8. */
export function startOf(text: string, most: number): string {
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(most));
  return text.slice(0, isHalf ? most - 1 : most);
}
