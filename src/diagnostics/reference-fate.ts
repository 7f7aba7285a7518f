/** The effects of a reference that cannot be followed, by its target. */
const fates = {
  schema: 'The schema accepts anything.',
  path: 'The operations behind it are left out.',
  parameter: 'The parameter is left out.',
  mapping: 'Its entry in the mapping is left out.',
  example: 'There is one example less.',
  other: 'What it stands for is left out.',
};

export type ReferenceTarget = keyof typeof fates;

/** The effect as a sentence. Placeholders of `mcpgen explain` stay as they are. */
export function fateOf(target: ReferenceTarget): string {
  const known: Partial<Record<string, string>> = fates;
  return known[target] ?? target;
}
