/** What becomes of the place of a reference that cannot be followed, by what should stand there. */
const fates = {
  schema: 'The schema accepts anything.',
  path: 'The operations behind it are left out.',
  parameter: 'The parameter is left out.',
  mapping: 'Its entry in the mapping is left out.',
  example: 'There is one example less.',
  other: 'What it stands for is left out.',
};

/** The kinds of things a reference can stand for that fare differently without it. */
export type ReferenceTarget = keyof typeof fates;

/** A sentence; for any other word, as `mcpgen explain` has in place of a target, the word. */
export function fateOf(target: ReferenceTarget): string {
  const known: Partial<Record<string, string>> = fates;
  return known[target] ?? target;
}
