export function unquoted(text: string): string {
  const [, straight, curly] = /^(?:"([^"]+)"|“([^“”]+)”)$/.exec(text) ?? [];
  return straight ?? curly ?? text;
}
