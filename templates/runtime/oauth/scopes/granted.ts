/** What the scopes of a token stand for: themselves, and those that they imply. */

/** Scope → narrower ones. What these imply counts too. */
export type Implied = Readonly<Record<string, readonly string[]>>;

export function grants(
  granted: readonly string[],
  needed: readonly string[],
  implied: Implied = {},
): boolean {
  if (needed.every((scope) => granted.includes(scope))) return true;
  const all = new Set(granted);
  // A set that grows while it is walked: each scope is looked at once, also where two imply each other.
  for (const scope of all)
    for (const narrower of Object.hasOwn(implied, scope) ? (implied[scope] ?? []) : []) all.add(narrower);
  return needed.every((scope) => all.has(scope));
}
