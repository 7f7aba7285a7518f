/** A text without the quotes that stand around all of it. */
export function unquoted(text: string): string {
  const [, straight, curly] = /^(?:"([^"]+)"|“([^“”]+)”)$/.exec(text) ?? [];
  return straight ?? curly ?? text;
}
