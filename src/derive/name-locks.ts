/** Which of the names that were given before are whose, also where documents have come or gone since. */
import { isDocument, nameOf, type Part } from './api-names.ts';
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
  const count = (part: Part): number =>
    keysOf(part).reduce((sum, key) => sum + (Object.hasOwn(nameLock, key) ? 1 : 0), 0);
  const [owner] = documents.toSorted((one, other) => count(other) - count(one));
  return new Map(
    documents.map((part) => {
      const api = apis.get(part)?.name ?? nameOf(part);
      return [part, { ...(part === owner ? nameLock : {}), ...ofApi(api, nameLock) }];
    }),
  );
}

function keysOf({ source }: Part): string[] {
  return source.capabilities.flatMap((each) => (each.kind === 'operation' ? [operationKey(each)] : []));
}

function ofApi(api: string, nameLock: NameLock): NameLock {
  const start = `${api} `;
  const own = Object.entries(nameLock).filter(([key]) => key.startsWith(start));
  return Object.fromEntries(own.map(([key, name]) => [key.slice(start.length), name]));
}
