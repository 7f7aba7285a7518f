/** Decides which file an edit of a tool goes to. */
import type { Tool } from '../../model/server-model.ts';
import type { CompiledServer } from '../workspace.ts';

/**
 * Whether an overlay can change it: the server has one document alone, and the operation is in that document. Else the table
 * `tools` of the surface file takes the edit.
 */
export function canEditInOverlay(
  tool: Pick<Tool, 'origin'>,
  { report: { parts = [] } }: CompiledServer,
): boolean {
  const [only, other] = parts;
  if (only === undefined || other !== undefined) return false;
  const { origin } = only.source;
  return origin.kind === 'document' && tool.origin.kind === 'document' && tool.origin.file === origin.file;
}
