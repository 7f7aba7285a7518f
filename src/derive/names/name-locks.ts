/** Assigns names in the lock to operations, even after documents were added or removed. */
import { operationKey, keyWithoutVariableNames } from '../../model/operation-key.ts';
import { groupBy } from '../../util/collections.ts';
import type { LockedName, NameLock } from '../options.ts';
import { type Part, isFromDocument, deriveApiName } from './api-names.ts';

/**
 * Splits the lock by document. Keys begin with the API's name if the lock was written for several documents. Other
 * keys belong to the document that has most of these operations, or to the first of equals.
 */
export function splitNameLock(
  parts: readonly Part[],
  nameLock: NameLock = {},
  apis: ReadonlyMap<Part, { name: string }>,
): ReadonlyMap<Part, NameLock> {
  const documents = parts.filter(({ source }) => isFromDocument(source));
  const locks = new Map(documents.map((part) => [part, moveLockKeys(part, nameLock)]));
  const countLockedKeys = (part: Part): number =>
    [...mapOperationIds(part).keys()].filter((key) => Object.hasOwn(locks.get(part) ?? {}, key)).length;
  const [owner] = documents.toSorted((one, other) => countLockedKeys(other) - countLockedKeys(one));
  return new Map(
    documents.map((part) => {
      const api = apis.get(part)?.name ?? deriveApiName(part);
      const partLock = moveLockKeys(part, selectApiLock(api, nameLock));
      return [part, { ...(part === owner ? locks.get(part) : {}), ...partLock }];
    }),
  );
}

/** Names follow operations to another path by their operationId, and to other names of path variables. */
function moveLockKeys(part: Part, lock: NameLock): NameLock {
  const movedById = moveKeys(part, lock, (_, operationId) => operationId);
  return moveKeys(part, movedById, keyWithoutVariableNames);
}

/** Moves the name of a removed operation to a new one, if exactly one of each has the same identity. */
function moveKeys(
  part: Part,
  lock: NameLock,
  identify: (key: string, operationId: string | undefined) => string | undefined,
): NameLock {
  const ids = mapOperationIds(part);
  const removed = groupBy(
    Object.keys(lock).filter((key) => !ids.has(key)),
    (key) => identify(key, readLockedName(lock, key).operationId),
  );
  const added = groupBy(
    [...ids.keys()].filter((key) => !Object.hasOwn(lock, key)),
    (key) => identify(key, ids.get(key)),
  );
  const moves = new Map<string, string>();
  for (const [identity, [to = '', secondTo]] of added) {
    const [from, secondFrom] = removed.get(identity) ?? [];
    if (identity !== undefined && from !== undefined && (secondFrom ?? secondTo) === undefined)
      moves.set(from, to);
  }
  return Object.fromEntries(Object.entries(lock).map(([key, locked]) => [moves.get(key) ?? key, locked]));
}

function mapOperationIds({ source }: Part): Map<string, string | undefined> {
  const operations = source.capabilities.filter((capability) => capability.kind === 'operation');
  return new Map(operations.map((operation) => [operationKey(operation), operation.operationId]));
}

function selectApiLock(api: string, nameLock: NameLock): NameLock {
  const start = `${api} `;
  const ownEntries = Object.entries(nameLock).filter(([key]) => key.startsWith(start));
  return Object.fromEntries(ownEntries.map(([key, name]) => [key.slice(start.length), name]));
}

export function readLockedName(lock: NameLock, key: string): Partial<LockedName> {
  const locked = Object.hasOwn(lock, key) ? lock[key] : undefined;
  return typeof locked === 'string' ? { name: locked } : (locked ?? {});
}
