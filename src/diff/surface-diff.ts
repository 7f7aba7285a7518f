/** Compares two surfaces, item by item. */
import { type ChangeKind, type Effect, effectOf, type Side } from './change-kinds.ts';
import { compareTools, type ItemChange } from './compare-tools.ts';
import { compareResources, compareTemplates } from './compare-listed.ts';
import { diffOrigins } from './compare-origins.ts';
import { comparePrompts } from './compare-prompts.ts';
import { operationShape } from '../model/operation-shape.ts';
import type { Surface, SurfaceTool } from './surface.ts';
import { definedMembers } from '../util/defined-members.ts';

export type ItemKind = 'server' | 'origin' | 'tool' | 'resource' | 'resource template' | 'prompt';

export interface Change {
  item: ItemKind;
  /** The server's command, an origin, the name of a tool or prompt, or the URI of a resource; of a removed item the old one. */
  name: string;
  /** The old name of a renamed tool or server. */
  was?: string;
  kind: ChangeKind;
  effect: Effect;
  /** Arguments or results. Absent: neither. */
  side?: Side;
  /** The argument or member: `filter.tags[]`. Absent: the item as a whole. */
  at?: string;
  /** A clause without subject: `maximum changed from 100 to 50`. */
  text: string;
}

export interface SurfaceDiff {
  breaking: number;
  compatible: number;
  /** In the order of the new surface; removed items are the last of their kind. */
  changes: Change[];
}

export function diffSurfaces(before: Surface, after: Surface): SurfaceDiff {
  const changes = [
    ...diffItems('server', pairServers(before.command, after.command), () => []),
    ...diffOrigins(before.origins, after.origins),
    ...diffItems('tool', pairTools(before.tools, after.tools), compareTools),
    ...diffItems(
      'resource',
      pairBy(before.resources, after.resources, ({ uri }) => uri),
      compareResources,
    ),
    ...diffItems(
      'resource template',
      pairBy(before.resourceTemplates, after.resourceTemplates, ({ uriTemplate }) => uriTemplate),
      compareTemplates,
    ),
    ...diffItems(
      'prompt',
      pairBy(before.prompts, after.prompts, ({ name }) => name),
      comparePrompts,
    ),
  ];
  const breaking = changes.filter(({ effect }) => effect === 'breaking').length;
  return { breaking, compatible: changes.length - breaking, changes };
}

interface ItemPair<T> {
  name: string;
  was?: string;
  before?: T | undefined;
  after?: T;
}

function diffItems<T>(
  item: ItemKind,
  pairs: readonly ItemPair<T>[],
  compare: (before: T, after: T) => ItemChange[],
): Change[] {
  return pairs.flatMap(({ name, was, before, after }) => {
    const change = (found: ItemChange): Change => ({
      item,
      name,
      ...definedMembers({ was }),
      ...found,
      effect: effectOf(found.kind, found.side),
    });
    if (before === undefined) return [change({ kind: 'added', text: 'added' })];
    if (after === undefined) return [change({ kind: 'removed', text: 'removed' })];
    const renamed: ItemChange[] = was === undefined ? [] : [{ kind: 'renamed', text: `renamed from ${was}` }];
    return [...renamed, ...compare(before, after)].map(change);
  });
}

/** Pairs nothing if one command is unknown. */
function pairServers(before?: string, after?: string): ItemPair<string>[] {
  if (before === undefined || after === undefined || before === after) return [];
  return [{ name: after, was: before, before, after }];
}

/** Pairs by name, and the rest by operation, so that a renamed tool is not reported as removed and added. */
function pairTools(before: readonly SurfaceTool[], after: readonly SurfaceTool[]): ItemPair<SurfaceTool>[] {
  const names = new Set(after.map(({ name }) => name));
  const lost = before.filter(({ name }) => !names.has(name));
  const pairs = pairBy(before, after, ({ name }) => name).map((pair) => {
    const old = pair.before === undefined && pair.after && sameWork(pair.after, lost, after);
    return old ? { ...pair, before: old, was: old.name } : pair;
  });
  const renamed = new Set(pairs.map(({ was }) => was));
  return pairs.filter(({ name, after: now }) => now !== undefined || !renamed.has(name));
}

/** Finds the old tool of the same operation, or else the only one that differs in names of path variables. */
function sameWork(
  { key }: SurfaceTool,
  lost: readonly SurfaceTool[],
  after: readonly SurfaceTool[],
): SurfaceTool | undefined {
  if (key === undefined) return undefined;
  const same = lost.find((tool) => tool.key === key);
  if (same !== undefined) return same;
  const hasShape = (tool: SurfaceTool): boolean =>
    tool.key !== undefined && operationShape(tool.key) === operationShape(key);
  const [old, another] = lost.filter(hasShape);
  return another === undefined && after.filter(hasShape).length === 1 ? old : undefined;
}

function pairBy<T>(before: readonly T[], after: readonly T[], toName: (item: T) => string): ItemPair<T>[] {
  const old = new Map(before.map((item) => [toName(item), item]));
  const now = new Set(after.map(toName));
  return [
    ...after.map((item) => ({ name: toName(item), before: old.get(toName(item)), after: item })),
    ...before.filter((item) => !now.has(toName(item))).map((item) => ({ name: toName(item), before: item })),
  ];
}
