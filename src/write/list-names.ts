/** `a, b, c and 4 more` */
export function listNames(names: readonly string[], limit = 10): string {
  const more = names.length - limit;
  return `${names.slice(0, limit).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}
