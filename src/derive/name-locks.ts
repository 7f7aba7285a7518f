/** Which of the names that were given before are whose, also where documents have come or gone since. */
import { isDocument, nameOf, type Part } from './api-names.ts';
import { operationShape } from '../model/operation-shape.ts';
import { groupBy } from './group-by.ts';
import { operationKey } from './operation-key.ts';
import type { NameLock } from './options.ts';

/**
 * Of each document the names of its operations. Keys begin with the name of its API where there were several documents.
 * Without one they are of the only document there was: the one that has the most of these operations, of equals the first.
 */
export function nameLocks(
  parts: readonly Part[],
  nameLock: NameLock = {},
  apis: ReadonlyMap<Part, { name: string }>,
): ReadonlyMap<Part, NameLock> {
  const documents = parts.filter(({ source }) => isDocument(source));
  const locks = new Map(documents.map((part) => [part, underKeysOf(part, nameLock)]));
  const count = (part: Part): number =>
    keysOf(part).reduce((sum, key) => sum + (Object.hasOwn(locks.get(part) ?? {}, key) ? 1 : 0), 0);
  const [owner] = documents.toSorted((one, other) => count(other) - count(one));
  return new Map(
    documents.map((part) => {
      const api = apis.get(part)?.name ?? nameOf(part);
      const own = underKeysOf(part, ofApi(api, nameLock));
      return [part, { ...(part === owner ? locks.get(part) : {}), ...own }];
    }),
  );
}

/**
 * A variable of a path may have another name than it had: the only operation of its shape that the lock does not know has the
 * name of the only one of this shape that the document no longer has.
 */
function underKeysOf(part: Part, lock: NameLock): NameLock {
  const keys = keysOf(part);
  const known = new Set(keys);
  const gone = groupBy(
    Object.keys(lock).filter((key) => !known.has(key)),
    operationShape,
  );
  const born = groupBy(
    keys.filter((key) => !Object.hasOwn(lock, key)),
    operationShape,
  );
  const moved = [...born].flatMap(([shape, [key = '', other]]): [string, string][] => {
    const [old, another] = gone.get(shape) ?? [];
    if (old === undefined || another !== undefined || other !== undefined) return [];
    return [[key, lock[old] ?? '']];
  });
  return { ...lock, ...Object.fromEntries(moved) };
}

function keysOf({ source }: Part): string[] {
  return source.capabilities.flatMap((each) => (each.kind === 'operation' ? [operationKey(each)] : []));
}

function ofApi(api: string, nameLock: NameLock): NameLock {
  const start = `${api} `;
  const own = Object.entries(nameLock).filter(([key]) => key.startsWith(start));
  return Object.fromEntries(own.map(([key, name]) => [key.slice(start.length), name]));
}
