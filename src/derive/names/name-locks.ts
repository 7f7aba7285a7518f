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
    listOperationKeys(part).reduce(
      (sum, key) => sum + (Object.hasOwn(locks.get(part) ?? {}, key) ? 1 : 0),
      0,
    );
  const [owner] = documents.toSorted((one, other) => countLockedKeys(other) - countLockedKeys(one));
  return new Map(
    documents.map((part) => {
      const api = apis.get(part)?.name ?? deriveApiName(part);
      const partLock = moveLockKeys(part, selectApiLock(api, nameLock));
      return [part, { ...(part === owner ? locks.get(part) : {}), ...partLock }];
    }),
  );
}

function moveLockKeys(part: Part, lock: NameLock): NameLock {
  return moveKeysByPathShape(part, moveKeysByOperationId(part, lock));
}

function moveKeysByOperationId({ source }: Part, lock: NameLock): NameLock {
  const operations = source.capabilities.filter((capability) => capability.kind === 'operation');
  const { gone } = compareLockKeys(operations.map(operationKey), lock);
  const old = groupBy(gone, (key) => readLockedName(lock, key).operationId);
  const now = groupBy(operations, ({ operationId }) => operationId);
  const moves = [...now].flatMap(([id, [operation, second]]): [string, string][] => {
    const [from, another] = (id !== undefined && old.get(id)) || [];
    if (operation === undefined || from === undefined || (second ?? another) !== undefined) return [];
    const key = operationKey(operation);
    return Object.hasOwn(lock, key) ? [] : [[from, key]];
  });
  return renameLockKeys(lock, new Map(moves));
}

/** Follows renamed path variables: exactly one removed and one new operation have the same path shape. */
function moveKeysByPathShape(part: Part, lock: NameLock): NameLock {
  const { gone, born } = compareLockKeys(listOperationKeys(part), lock);
  const old = groupBy(gone, keyWithoutVariableNames);
  const moves = [...groupBy(born, keyWithoutVariableNames)].flatMap(
    ([shape, [key, second]]): [string, string][] => {
      const [from, another] = old.get(shape) ?? [];
      return key === undefined || from === undefined || (second ?? another) !== undefined
        ? []
        : [[from, key]];
    },
  );
  return renameLockKeys(lock, new Map(moves));
}

function compareLockKeys(keys: readonly string[], lock: NameLock): { gone: string[]; born: string[] } {
  const keySet = new Set(keys);
  return {
    gone: Object.keys(lock).filter((key) => !keySet.has(key)),
    born: keys.filter((key) => !Object.hasOwn(lock, key)),
  };
}

function renameLockKeys(lock: NameLock, moves: ReadonlyMap<string, string>): NameLock {
  return Object.fromEntries(Object.entries(lock).map(([key, locked]) => [moves.get(key) ?? key, locked]));
}

function listOperationKeys({ source }: Part): string[] {
  return source.capabilities.flatMap((capability) =>
    capability.kind === 'operation' ? [operationKey(capability)] : [],
  );
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
