// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * The lists of tools, resources and prompts, and the methods that clients list them by. The catalog stays text until
 * its items are needed: the first `tools/list` is answered with the file's own text, so a thousand tools cost no
 * parsing and no second copy.
 */
import { createHash } from 'node:crypto';

import type { Catalog, JsonSchema, ListedTool, ObjectSchema } from '../contract/json-schema.ts';
import type {
  ExtraTool,
  Handlers,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
} from '../definition.ts';
import { invalidParams } from '../protocol/json-rpc.ts';
import { type RevisionFeatures, without } from '../protocol/revisions.ts';
import { type Call, type Method, RawJson, SharedText } from './call.ts';
import type { ServerInstance } from './server-instance.ts';

export type ListName = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

type Listed<L extends ListName> = Catalog[L][number];

/** One list: its JSON text, or its items, or both once both were needed. */
interface List<T> {
  text: string | undefined;
  items: T[] | undefined;
}

export class CatalogStore {
  /** Whether the bindings have completions; undefined when the catalog doesn't say. */
  readonly completions: boolean | undefined;
  readonly #lists: { [L in ListName]: List<Listed<L>> };

  /** @throws {SyntaxError} when `text` is not JSON, which for a well laid out text is found on first use only. */
  constructor(text: string) {
    const { completions, ...lists } = splitCatalog(text);
    this.#lists = lists;
    this.completions = completions;
  }

  isEmpty(list: ListName): boolean {
    const { text, items } = this.#lists[list];
    return items === undefined ? text === '[]' : items.length === 0;
  }

  /** The list as JSON text, on one line. */
  text(list: ListName): string {
    const entry = this.#lists[list];
    return (entry.text ??= JSON.stringify(entry.items));
  }

  items<L extends ListName>(list: L): readonly Listed<L>[] {
    return this.#itemsOf(list);
  }

  /** Replaces the list by the result of `change`. Only for the start: lists must not change while clients use them. */
  change<L extends ListName>(list: L, change: (items: Listed<L>[]) => Listed<L>[]): void {
    const entry: List<Listed<L>> = this.#lists[list];
    entry.items = change(this.#itemsOf(list));
    entry.text = undefined;
  }

  #itemsOf<L extends ListName>(list: L): Listed<L>[] {
    const entry: List<Listed<L>> = this.#lists[list];
    return (entry.items ??= JSON.parse(entry.text ?? '[]') as Listed<L>[]);
  }
}

/** A list as text, without line breaks, or as items where the text had to be parsed. */
type SplitCatalog = {
  [L in 'tools' | 'resources' | 'resourceTemplates' | 'prompts']: {
    text: string | undefined;
    items: Catalog[L] | undefined;
  };
} & { completions: boolean | undefined };

/** The members in the compiler's order. */
const MEMBERS = ['tools', 'resources', 'resourceTemplates', 'prompts', 'completions'] as const;

/**
 * Splits the text of a catalog. In the layout that the compiler writes (see `Catalog`), each member begins a line with its name, and no item has a member
 * of such a name. Any other layout is parsed.
 */
export function splitCatalog(text: string): SplitCatalog {
  const values = cutMembers(text);
  const [tools, resources, resourceTemplates, prompts, completions] = values;
  if ([tools, resources, resourceTemplates, prompts].some((value) => !isList(value)))
    return parseCatalog(text);
  const list = (value: string | undefined) => ({ text: value?.replaceAll('\n', ''), items: undefined });
  return {
    tools: list(tools),
    resources: list(resources),
    resourceTemplates: list(resourceTemplates),
    prompts: list(prompts),
    completions: completions === undefined ? undefined : completions === 'true',
  };
}

/** The text of each member's value; shorter than `MEMBERS` where one is not found in its place. */
function cutMembers(text: string): string[] {
  const starts: number[] = [];
  const ends: number[] = [];
  let from = text.startsWith('{\n"tools":') ? 1 : text.length;
  for (const name of MEMBERS) {
    const head = `\n"${name}":`;
    const at = text.indexOf(head, from);
    if (at === -1) break;
    ends.push(at - 1);
    starts.push((from = at + head.length));
  }
  ends.push(text.lastIndexOf('\n}'));
  return starts.map((start, index) => text.slice(start, ends[index + 1]));
}

function isList(value: string | undefined): boolean {
  return value === '[]' || (value !== undefined && value.startsWith('[\n{') && value.endsWith('}\n]'));
}

function parseCatalog(text: string): SplitCatalog {
  const catalog: Partial<Catalog> = JSON.parse(text);
  const list = <T>(items: T[] = []) => ({ text: undefined, items });
  return {
    tools: list(catalog.tools),
    resources: list(catalog.resources),
    resourceTemplates: list(catalog.resourceTemplates),
    prompts: list(catalog.prompts),
    completions: catalog.completions,
  };
}

// The project's own tools, prompts and resources, as clients can list them.

/** The member that identifies an item. */
const KEYS = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
} as const satisfies Record<ListName, string>;

/** Lists the project's own items after the document's. All but tools may replace a listed item. */
export function addOwnItems(catalog: CatalogStore, handlers: Handlers<object>): void {
  const { extraTools = [], prompts = {}, resources = {}, resourceTemplates = {} } = handlers;
  for (const tool of extraTools) putItem(catalog, 'tools', toListedTool(tool));
  for (const [name, prompt] of Object.entries(prompts))
    putItem(catalog, 'prompts', toListedPrompt(name, prompt));
  for (const [uri, resource] of Object.entries(resources))
    putItem(catalog, 'resources', toListedResource(uri, resource));
  for (const [uriTemplate, template] of Object.entries(resourceTemplates))
    putItem(catalog, 'resourceTemplates', toListedTemplate(uriTemplate, template));
}

/** Replaces the item with the same key, or appends `item`. */
export function putItem<L extends ListName>(catalog: CatalogStore, list: L, item: Listed<L>): void {
  const key = keyOf(list, item);
  catalog.change(list, (items) => {
    const at = items.findIndex((each) => keyOf(list, each) === key);
    return at === -1 ? [...items, item] : items.with(at, item);
  });
}

/** Removes an item. Returns whether it was listed. */
export function removeItem(catalog: CatalogStore, list: ListName, key: string): boolean {
  const isIt = (item: object): boolean => keyOf(list, item) === key;
  if (!catalog.items(list).some(isIt)) return false;
  catalog.change(list, (items) => items.filter((item) => !isIt(item)));
  return true;
}

function keyOf(list: ListName, item: object): unknown {
  return Reflect.get(item, KEYS[list]);
}

export function toListedTool(tool: ExtraTool): ListedTool {
  const { handler, prepare, scopes, inputSchema, outputSchema, ...listed } = tool;
  void [handler, prepare, scopes];
  return {
    ...listed,
    inputSchema: withoutBooleans(inputSchema),
    ...(outputSchema === undefined ? {} : { outputSchema: withoutBooleans(outputSchema) }),
  };
}

export function toListedPrompt(
  name: string,
  { handler, scopes, ...listed }: PromptDefinition,
): Listed<'prompts'> {
  void [handler, scopes];
  return { name, ...listed };
}

export function toListedResource(
  uri: string,
  { read, scopes, ...listed }: ResourceDefinition,
): Listed<'resources'> {
  void [read, scopes];
  return { uri, ...listed };
}

function toListedTemplate(
  uriTemplate: string,
  { read, scopes, ...listed }: ResourceTemplateDefinition,
): Listed<'resourceTemplates'> {
  void [read, scopes];
  return { uriTemplate, ...listed };
}

/** Replaces `true` and `false` by equivalent objects: official clients drop the whole list over a boolean there. */
function withoutBooleans(schema: ObjectSchema): ObjectSchema {
  const { properties } = schema;
  if (properties === undefined) return schema;
  const entries = Object.entries(properties).map(([name, member]): [string, JsonSchema] => [
    name,
    member === true ? {} : member === false ? { not: {} } : member,
  ]);
  return { ...schema, properties: Object.fromEntries(entries) };
}

/** The object that each list is made of, by the revisions' table. */
const SHAPES = {
  tools: 'tool',
  resources: 'resource',
  resourceTemplates: 'resourceTemplate',
  prompts: 'prompt',
} as const;

/**
 * Makes the method that lists tools, resources, templates or prompts: all items at once, or by pages when a page size
 * is set.
 */
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
  const { listResources } = await import('./resources.ts');
  const items = await listResources(call);
  const page = cutPage(items, 'resources', server.pageSize ?? Infinity, cursor);
  const known = page.items.map((item) => forRevision(item, 'resources', agreement.features));
  return { resources: known, nextCursor: page.next };
}

function catalogPage(
  { server, agreement: { features } }: Call,
  list: ListName,
  pageSize: number,
  cursor: string | undefined,
): RawJson {
  const { from, items, next } = cutPage<object>(server.catalog.items(list), list, pageSize, cursor);
  // Only pages that follow from the first one are cached, since anyone can make a cursor to any item.
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
  /** The cursor to the next page. */
  next: string | undefined;
}

function cutPage<T>(
  all: readonly T[],
  list: ListName,
  pageSize: number,
  cursor: string | undefined,
): Page<T> {
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

/**
 * Makes a cursor to the items from `offset` on. Cursors are opaque, and the same for the same list on every instance
 * and after every restart. The check in them is not a secret; it distinguishes a cursor of this list from one of
 * another list, or of another version.
 */
export function writeCursor(list: string, offset: number, total: number): string {
  return Buffer.from(`${offset}.${hashPlace(list, offset, total)}`).toString('base64url');
}

/** @throws {ProtocolError} `-32602` when `cursor` is none that `writeCursor` gives for this list. */
export function readCursor(cursor: string, list: string, total: number): number {
  const offset = Number.parseInt(Buffer.from(cursor, 'base64url').toString(), 10);
  const isOurs = offset > 0 && offset < total && writeCursor(list, offset, total) === cursor;
  if (!isOurs) throw invalidParams('`cursor` is none that this server gave for this list.');
  return offset;
}

function hashPlace(list: string, offset: number, total: number): string {
  return createHash('sha256').update(`${list} ${offset} ${total}`).digest('base64url').slice(0, 16);
}
