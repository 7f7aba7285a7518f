import type { Origin } from './origin.ts';
import type { Operation } from './source-model.ts';

/** Where the operationId stands; the operation, when it has none. */
export function operationIdOrigin({
  origin,
  operationId,
}: Pick<Operation, 'origin' | 'operationId'>): Origin {
  if (operationId === undefined || origin.kind !== 'document') return origin;
  return { ...origin, pointer: `${origin.pointer}/operationId` };
}
