import type { Feature } from '../../templates/runtime/feature.ts';
import { ownMember } from '../../templates/runtime/json-rpc.ts';

/** What features of servers bring of this kind, by name. */
export function partsOf<T>(features: readonly Feature[], kind: string): Readonly<Record<string, T>> {
  return Object.assign({}, ...features.map(({ parts }) => ownMember(parts, kind))) as Record<string, T>;
}
