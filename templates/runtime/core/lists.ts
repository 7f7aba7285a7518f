// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `tools/list`, `resources/list`, `resources/templates/list`, `prompts/list`. */
import { invalidParams } from '../protocol/protocol-error.ts';
import { type RevisionFeatures, without } from '../protocol/revisions.ts';
import { RawJson, SharedText } from './answer.ts';
import type { Call, Method } from './call.ts';
import type { ListName } from './catalog-store.ts';
import type { ServerInstance } from './server-instance.ts';

/** The object that each list is made of, by the revisions' table. */
const SHAPES = {
  tools: 'tool',
  resources: 'resource',
  resourceTemplates: 'resourceTemplate',
  prompts: 'prompt',
} as const;

/** Answers with all items at once, or by pages when a page size is set. */
export function listMethod(list: ListName): Method {
  return async (call: Call) => {
    const { server, agreement } = call;
    const cursor = readCursorParameter(call);
    if (list === 'resources' && server.functions?.lists === true) return listedByFunctions(call, cursor);
    if (server.pageSize !== undefined) return catalogPage(call, list, server.pageSize, cursor);
    // One page lists everything, so no cursor was ever given out.
    if (cursor !== undefined) throw invalidParams('`cursor` is none that this server gave.');
    const { catalog } = server;
    const whole = (): string => catalog.text(list);
    const text = sharedText(cachedTexts(server), { list, features: agreement.features, whole });
    return listResult(list, text, '}');
  };
}

function readCursorParameter({ params: { cursor } }: Call): string | undefined {
  if (typeof cursor === 'string') return cursor;
  if (cursor === undefined) return undefined;
  throw invalidParams('`cursor` must be a string.');
}

async function listedByFunctions(call: Call, cursor: string | undefined): Promise<object> {
  const { server, agreement } = call;
  await server.features.uriTemplates?.();
  const { listResources } = await import('./resources/find-resource.ts');
  const items = await listResources(call);
  const page = await cutPage(items, 'resources', server.pageSize ?? Infinity, cursor);
  const known = page.items.map((item) => forRevision(item, 'resources', agreement.features));
  return { resources: known, nextCursor: page.next };
}

async function catalogPage(
  { server, agreement: { features } }: Call,
  list: ListName,
  pageSize: number,
  cursor: string | undefined,
): Promise<RawJson> {
  const { from, items, next } = await cutPage<object>(server.catalog.items(list), list, pageSize, cursor);
  // Anyone can make a cursor to any item, so only pages that a first one leads to are kept.
  const texts = from % pageSize === 0 ? cachedTexts(server) : new Map<string, SharedText>();
  const text = sharedText(texts, { list, features, place: String(from), whole: () => JSON.stringify(items) });
  return listResult(list, text, next === undefined ? '}' : `,"nextCursor":${JSON.stringify(next)}}`);
}

function listResult(list: ListName, items: SharedText, end: string): RawJson {
  const start = `{"${list}":`;
  return new RawJson(items.isLong ? [start, items, end] : `${start}${items.text}${end}`);
}

interface Page<T> {
  from: number;
  items: readonly T[];
  /** The cursor to what follows. */
  next: string | undefined;
}

async function cutPage<T>(
  all: readonly T[],
  list: ListName,
  pageSize: number,
  cursor: string | undefined,
): Promise<Page<T>> {
  const { readCursor, writeCursor } = await import('./cursor.ts');
  const from = cursor === undefined ? 0 : readCursor(cursor, list, all.length);
  const end = from + pageSize;
  const next = end < all.length ? writeCursor(list, end, all.length) : undefined;
  return { from, items: all.slice(from, end), next };
}

interface ListText {
  list: ListName;
  features: RevisionFeatures;
  /** The page; absent: all items. */
  place?: string;
  /** Writes the text with all members. */
  whole: () => string;
}

/** The list for a revision: the catalog's own text if it has no member unknown to the revision. Each text is made once. */
function sharedText(
  texts: Map<string, SharedText>,
  { list, features, place = '', whole }: ListText,
): SharedText {
  const unknown = unknownIn(list, features);
  const key = (members: readonly string[]): string => `${list} ${place} ${members.join()}`;
  const known = texts.get(key(unknown));
  if (known !== undefined) return known;
  const all = texts.get(key([])) ?? new SharedText(whole());
  const { text } = all;
  const shared = unknown.some((member) => text.includes(`"${member}"`))
    ? new SharedText(textFor(JSON.parse(text) as object[], list, features))
    : all;
  texts.set(key([]), all).set(key(unknown), shared);
  return shared;
}

function textFor(items: readonly object[], list: ListName, features: RevisionFeatures): string {
  return JSON.stringify(items.map((item) => forRevision(item, list, features)));
}

function cachedTexts({ cache }: ServerInstance): Map<string, SharedText> {
  return (cache.texts ??= new Map<string, SharedText>());
}

function unknownIn(list: ListName, { unknownMembers }: RevisionFeatures): readonly string[] {
  const nested = list === 'prompts' ? unknownMembers.promptArgument : unknownMembers.annotations;
  return [...unknownMembers[SHAPES[list]], ...nested];
}

function forRevision(item: object, list: ListName, { unknownMembers }: RevisionFeatures): object {
  const known: { arguments?: object[]; annotations?: object } = without(item, unknownMembers[SHAPES[list]]);
  if (known.arguments !== undefined) {
    return {
      ...known,
      arguments: known.arguments.map((each) => without(each, unknownMembers.promptArgument)),
    };
  }
  if (known.annotations === undefined) return known;
  return { ...known, annotations: without(known.annotations, unknownMembers.annotations) };
}
