export interface Tool {
  name: string;
  inputSchema: object;
  outputSchema?: object;
}

/** Names of tools, in order. */
export function compareLists(
  before: readonly Tool[],
  after: readonly Tool[],
): Record<'lost' | 'added' | 'changed' | 'same', string[]>;
