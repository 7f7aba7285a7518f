/** Another project takes the place of the one that answers. For the compiler's watching; emitted projects have no such file. */
import type { ServerEvent } from './session.ts';
import type { CatalogStore, ListName } from './catalog-store.ts';
import type { LiveServer, ServerInstance } from './server-instance.ts';

export type ChangedList = Extract<ServerEvent, { kind: 'list-changed' }>['list'];

/** What a client lists anew when it is told of a change. */
const LISTS: Readonly<Record<ChangedList, readonly ListName[]>> = {
  tools: ['tools'],
  resources: ['resources', 'resourceTemplates'],
  prompts: ['prompts'],
};

/**
 * What has begun goes on with the old project. Clients are told of the lists that have become others, and of nothing
 * where none has.
 *
 * @param next made with the bus and the state of the project that it replaces
 * @returns what clients were told of
 */
export function replaceServer(live: LiveServer, next: ServerInstance): ChangedList[] {
  const { catalog: before } = live.current;
  live.current = next;
  const names = Object.keys(LISTS) as ChangedList[];
  const changed = names.filter((name) => LISTS[name].some((list) => !isSame(list, before, next.catalog)));
  for (const list of changed) next.bus.publish({ kind: 'list-changed', list });
  return changed;
}

function isSame(list: ListName, before: CatalogStore, after: CatalogStore): boolean {
  return before.text(list) === after.text(list);
}
