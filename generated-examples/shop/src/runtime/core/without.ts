/** `value` less the members a revision does not know; `value` itself when it has none of them. */
export function without<T extends object>(value: T, members: readonly string[]): Partial<T> {
  if (!members.some((name) => Object.hasOwn(value, name))) return value;
  const kept = Object.entries(value).filter(([name]) => !members.includes(name));
  return Object.fromEntries(kept) as Partial<T>;
}
