/** The name that one operation asks for. */
import type { Operation } from '../../model/source-model.ts';
import { cleanName, fitName } from './clean-name.ts';
import { operationKey } from '../operation-key.ts';
import { lockedName } from './locked-name.ts';
import type { NameLock } from '../options.ts';

export interface Candidate {
  operation: Operation;
  key: string;
  /** The name in the source; absent if it has none. */
  wanted: string | undefined;
  /** The name was written by a person or given before, so it has priority over derived names. */
  pinned: boolean;
  base: string;
}

/** `x-mcp.name` › the lock › `operationId` › method + path words; a name of the lock has its prefix. */
export function candidateOf(
  operation: Operation,
  { nameLock, prefix, limit }: { nameLock: NameLock; prefix: string; limit: number },
): Candidate {
  const key = operationKey(operation);
  const given = cleanName(operation.xMcp?.name ?? '');
  const known = cleanName(lockedName(nameLock, key).name ?? '');
  // A name given under another prefix is no longer valid.
  const locked = known.startsWith(prefix) ? known.slice(prefix.length) : '';
  const pinned = given !== '' ? given : locked;
  const wanted = operation.xMcp?.name ?? (locked !== '' ? locked : operation.operationId);
  const base = pinned || cleanName(operation.operationId ?? '') || wordsFrom(operation);
  return {
    operation,
    key,
    wanted: wanted === undefined ? undefined : `${prefix}${wanted}`,
    pinned: pinned !== '',
    base: fitName(`${prefix}${base}`, limit),
  };
}

export function wordsFrom({ method, path }: Operation): string {
  return cleanName(`${method.toLowerCase()}_${path}`) || 'call';
}
