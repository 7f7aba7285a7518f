import type { LooseResult } from '../../protocol/content.ts';

/** The result of a tool whose work failed: why, in words a model can act on. */
export function failure(text: string): LooseResult {
  return { content: [{ type: 'text', text }], isError: true };
}
