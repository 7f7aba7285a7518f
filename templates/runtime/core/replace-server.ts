// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Replaces the project that answers, when the compiler watches its source. Emitted projects don't have this file. */
import type { ServerEvent } from './session.ts';
import type { CatalogStore } from './catalog-store.ts';
import { type LiveServer, type ServerInstance, closeFunctions } from './server-instance.ts';
import type { ListName } from '../protocol/revisions.ts';

export type ChangedList = Extract<ServerEvent, { kind: 'list-changed' }>['list'];

/** Lists whose change each notification tells. */
const LISTS: Readonly<Record<ChangedList, readonly ListName[]>> = {
  tools: ['tools'],
  resources: ['resources', 'resourceTemplates'],
  prompts: ['prompts'],
};

/**
 * Requests in flight go on with the old project.
 * @param next made with the bus and state of the project that it replaces
 * @returns lists that clients were notified of
 */
export function replaceServer(live: LiveServer, next: ServerInstance): ChangedList[] {
  const replaced = live.current;
  const { catalog: before } = replaced;
  live.current = next;
  void closeFunctions(replaced, true);
  const names = Object.keys(LISTS) as ChangedList[];
  const changed = names.filter((name) => LISTS[name].some((list) => !isSame(list, before, next.catalog)));
  for (const list of changed) next.bus.publishEvent({ kind: 'list-changed', list });
  return changed;
}

function isSame(list: ListName, before: CatalogStore, after: CatalogStore): boolean {
  return before.text(list) === after.text(list);
}
