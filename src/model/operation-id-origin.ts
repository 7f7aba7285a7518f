import type { Origin } from './origin.ts';
import type { Operation } from './source-model.ts';

/** The operation's origin if it has no operationId. */
export function operationIdOrigin({
  origin,
  operationId,
}: Pick<Operation, 'origin' | 'operationId'>): Origin {
  if (operationId === undefined || origin.kind !== 'document') return origin;
  return { ...origin, pointer: `${origin.pointer}/operationId` };
}
