/** Tool annotations: what a client may assume before it asks a person. */
import type { ToolAnnotations } from '../../templates/runtime/contract/catalog.ts';
import type { Operation } from '../model/source-model.ts';
import { wordsOf } from './text/words.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY']);
const harmlessWrites = new Set(['PATCH', 'POST']);
const idempotentWrites = new Set(['PUT', 'DELETE', 'TRACE']);
const destructiveWords = new Set('delete remove purge clear reset revoke cancel terminate'.split(' '));

/**
 * RFC 9110 says which methods are safe and idempotent. A method it does not know is taken as destructive, as
 * MCP does without a hint. `overrides` of the API come first, those of the operation win.
 */
export function deriveAnnotations(operation: Operation, overrides: ToolAnnotations = {}): ToolAnnotations {
  const method = operation.method.toUpperCase();
  const readOnlyHint = safeMethods.has(method);
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && isDestructive(operation, method),
    idempotentHint: readOnlyHint || idempotentWrites.has(method),
    openWorldHint: true,
    ...overrides,
    ...operation.xMcp?.annotations,
  };
}

function isDestructive({ operationId, path }: Operation, method: string): boolean {
  if (method === 'TRACE') return false;
  if (!harmlessWrites.has(method)) return true;
  const words = [...wordsOf(operationId ?? ''), ...wordsOf(path.split('/').at(-1) ?? '')];
  return words.some((word) => destructiveWords.has(word.toLowerCase()));
}
