/** Compares two surfaces, item by item. */
import { type CredentialOrigins, REQUESTS, isHeadersVariable } from '../model/credential-origins.ts';
import { keyWithoutVariableNames } from '../model/operation-key.ts';
import type { ListedResourceTemplate } from '../model/listed-items.ts';
import { omitUndefined } from '../util/collections.ts';
import { type ChangeKind, type Effect, type Side, type Texts, findEffect } from './change-kinds.ts';
import { comparePrompts, compareResources, compareTool, listAddedVariables } from './compare-items.ts';
import type { ItemChange } from './compare-items.ts';
import type { Surface, SurfaceTool } from './surface.ts';

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
  /** Of a title or description that changed. */
  texts?: Texts;
}

export interface Growth {
  before: number;
  after: number;
}

export interface SurfaceDiff {
  breaking: number;
  compatible: number;
  /** Estimated tokens of `tools/list`. Absent: as many on both sides. */
  tokens?: Growth;
  /** If a side has a search surface: the tokens of all tools. Absent if both sides have as many. */
  allTokens?: Growth;
  /** In the order of the new surface; removed items are the last of their kind. */
  changes: Change[];
}

export function diffSurfaces(before: Surface, after: Surface): SurfaceDiff {
  const changes = [
    ...compareItems('server', pairRenamedCommands(before.command, after.command), () => []),
    ...compareSurfaceKinds(before, after),
    ...compareOrigins(before.origins, after.origins),
    ...compareItems('tool', pairTools(before.tools, after.tools), (old, now) => [
      ...(before.surface === 'search' && after.surface === 'search' ? comparePins(old, now) : []),
      ...compareTool(old, now),
    ]),
    ...compareItems(
      'resource',
      pairByName(before.resources, after.resources, ({ uri }) => uri),
      compareResources,
    ),
    ...compareItems(
      'resource template',
      pairTemplates(before.resourceTemplates, after.resourceTemplates),
      compareResources,
    ),
    ...compareItems(
      'prompt',
      pairByName(before.prompts, after.prompts, ({ name }) => name),
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

function compareItems<T>(
  item: ItemKind,
  pairs: readonly ItemPair<T>[],
  compare: (before: T, after: T) => ItemChange[],
): Change[] {
  return pairs.flatMap(({ name, was, before, after }) => {
    const makeChange = (itemChange: ItemChange): Change => ({
      item,
      name,
      ...omitUndefined({ was }),
      ...itemChange,
      effect: findEffect(itemChange.kind, itemChange.side),
    });
    if (before === undefined) return [makeChange({ kind: 'added', text: 'added' })];
    if (after === undefined) return [makeChange({ kind: 'removed', text: 'removed' })];
    const renamed: ItemChange[] = was === undefined ? [] : [{ kind: 'renamed', text: `renamed from ${was}` }];
    return [...renamed, ...compare(before, after)].map(makeChange);
  });
}

/** Compares the kinds of surface (`tools`, `search`): after a change a client finds none of the tools that it knew. */
function compareSurfaceKinds(before: Surface, after: Surface): Change[] {
  const [was = 'tools', now = 'tools'] = [before.surface, after.surface];
  if (was === now) return [];
  const name = after.command ?? before.command ?? '';
  const text = `surface changed from ${was} to ${now}`;
  return [{ item: 'server', name, kind: 'surface-changed', effect: findEffect('surface-changed'), text }];
}

/** A search surface lists pinned tools alone, so one that is pinned no more is gone from the list. */
function comparePins({ pin: was = false }: SurfaceTool, { pin: is = false }: SurfaceTool): ItemChange[] {
  if (was === is) return [];
  return [is ? { kind: 'pinned', text: 'pinned' } : { kind: 'no-longer-pinned', text: 'no longer pinned' }];
}

/** Pairs nothing if one command is unknown. */
function pairRenamedCommands(before?: string, after?: string): ItemPair<string>[] {
  if (before === undefined || after === undefined || before === after) return [];
  return [{ name: after, was: before, before, after }];
}

/** Pairs by name, and the rest by operation, so that a renamed tool is not reported as removed and added. */
function pairTools(before: readonly SurfaceTool[], after: readonly SurfaceTool[]): ItemPair<SurfaceTool>[] {
  const names = new Set(after.map(({ name }) => name));
  const lost = before.filter(({ name }) => !names.has(name));
  const pairs = pairByName(before, after, ({ name }) => name).map((pair) => {
    const old = pair.before === undefined && pair.after && findSameOperation(pair.after, lost, after);
    return old ? { ...pair, before: old, was: old.name } : pair;
  });
  const renamed = new Set(pairs.map(({ was }) => was));
  return pairs.filter(({ name, after: now }) => now !== undefined || !renamed.has(name));
}

/** Finds the old tool of the same operation, or else the only one that differs in names of path variables. */
function findSameOperation(
  { key }: SurfaceTool,
  lost: readonly SurfaceTool[],
  after: readonly SurfaceTool[],
): SurfaceTool | undefined {
  if (key === undefined) return undefined;
  const same = lost.find((tool) => tool.key === key);
  if (same !== undefined) return same;
  const hasSamePathShape = (tool: SurfaceTool): boolean =>
    tool.key !== undefined && keyWithoutVariableNames(tool.key) === keyWithoutVariableNames(key);
  const [old, another] = lost.filter(hasSamePathShape);
  return another === undefined && after.filter(hasSamePathShape).length === 1 ? old : undefined;
}

/** Pairs by URI, and the rest with a template that fits the same URIs, since it has more variables of the query alone. */
function pairTemplates(
  before: readonly ListedResourceTemplate[],
  after: readonly ListedResourceTemplate[],
): ItemPair<ListedResourceTemplate>[] {
  const names = after.map(({ uriTemplate }) => uriTemplate);
  return pairByName(before, after, ({ uriTemplate }) =>
    names.includes(uriTemplate)
      ? uriTemplate
      : (names.find((name) => listAddedVariables(uriTemplate, name) !== undefined) ?? uriTemplate),
  );
}

function pairByName<T>(
  before: readonly T[],
  after: readonly T[],
  toName: (item: T) => string,
): ItemPair<T>[] {
  const old = new Map(before.map((item) => [toName(item), item]));
  const now = new Set(after.map(toName));
  return [
    ...after.map((item) => ({ name: toName(item), before: old.get(toName(item)), after: item })),
    ...before.filter((item) => !now.has(toName(item))).map((item) => ({ name: toName(item), before: item })),
  ];
}

/** Compares the origins of requests and credentials. A new origin can break an operator's setup, like a renamed tool a client. */
function compareOrigins(
  before: CredentialOrigins | undefined,
  after: CredentialOrigins | undefined,
): Change[] {
  if (before === undefined || after === undefined) return [];
  const [was, now] = [credentialsByOrigin(before), credentialsByOrigin(after)];
  const added = [...now].flatMap(([name, credentials]): Change[] => {
    const oldCredentials = was.get(name);
    if (oldCredentials === undefined)
      return [makeOriginChange(name, 'origin-added', `added${describeCredentials(credentials)}`)];
    // Only a known credential is reported: it may be meant for its other origins only.
    const moved = credentials.filter(
      (credential) => !oldCredentials.includes(credential) && Object.hasOwn(before, credential),
    );
    return moved.length === 0 ? [] : [makeOriginChange(name, 'origin-added', `gets ${moved.join(', ')} too`)];
  });
  const removed = [...was]
    .filter(([name]) => !now.has(name))
    .map(([name, credentials]) =>
      makeOriginChange(name, 'origin-removed', `removed${describeCredentials(credentials)}`),
    );
  return [...added, ...removed];
}

function credentialsByOrigin(sentTo: CredentialOrigins): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [credential, origins] of Object.entries(sentTo))
    for (const origin of origins)
      found.set(origin, [
        ...(found.get(origin) ?? []),
        ...(credential === REQUESTS || isHeadersVariable(credential) ? [] : [credential]),
      ]);
  return found;
}

function describeCredentials(credentials: readonly string[]): string {
  return credentials.length === 0 ? '' : `, for ${credentials.join(', ')}`;
}

function makeOriginChange(name: string, kind: Change['kind'], text: string): Change {
  return { item: 'origin', name, kind, effect: findEffect(kind), text };
}
