// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * The lists of tools, resources and prompts, and their methods. The catalog stays text until its items are needed:
 * the first `tools/list` is answered by the file's text, without parsing.
 */
import type { Catalog, JsonSchema, ListedTool, ObjectSchema } from '../contract/json-schema.ts';
import type { Guards } from '../contract/guards.ts';
import { fillInHints } from '../contract/json-schema.ts';
import { type Pool, splitOffTextPool, parsePooledJson, expandPoolMarks } from '../contract/json-value.ts';
import type {
  ExtraTool,
  Handlers,
  PromptDefinition,
  ResourceDefinition,
  ServerDefinition,
} from '../definition.ts';
import {
  type Sized,
  cutPage,
  invalidParamsError,
  pageEnd,
  parseCursorParameter,
} from '../protocol/json-rpc.ts';
import {
  type ListName,
  type RevisionFeatures,
  fitItemToRevision,
  listUnknownMembers,
  withoutMembers,
} from '../protocol/revisions.ts';
import { type Call, type Method, RawJson, SharedText } from './call.ts';
import type { ServerInstance } from './server-instance.ts';

type Listed<L extends ListName> = Catalog[L][number];

interface List<T> {
  /** The text of the list in the compiler's layout. Undefined once the list is changed. */
  lines: string | undefined;
  items: T[] | undefined;
  text?: string | undefined;
  /** The texts of the items. A mark of the pool may stand for a part that several items have. */
  texts?: string[] | undefined;
  sizes?: number[] | undefined;
  keys?: string[] | undefined;
}

export class CatalogStore {
  readonly completions: boolean | undefined;
  readonly toolNames: ServerDefinition['toolNames'];
  readonly describes: boolean;
  readonly guards: Guards;
  /** Tools that `--read-only` leaves out. Undefined without it. */
  hidden: Set<string> | undefined;
  /** How often a list has changed since it was read. */
  changes = 0;
  readonly #lists: { [L in ListName]: List<Listed<L>> };
  readonly #pool: Pool | undefined;

  /** @throws {SyntaxError} not JSON; for text in the compiler's layout only on first use */
  constructor(text: string, toolNames?: ServerDefinition['toolNames']) {
    this.toolNames = toolNames;
    const { completions, describes, guards, pool, ...lists } = splitCatalog(text);
    this.#lists = lists;
    this.#pool = pool;
    this.completions = completions;
    this.describes = describes;
    this.guards = guards;
  }

  isEmpty(list: ListName): boolean {
    const { lines, items } = this.#lists[list];
    return items === undefined ? lines === '[]' : items.length === 0;
  }

  text(list: ListName): string {
    const entry = this.#lists[list];
    const { lines, items } = entry;
    return (entry.text ??= lines === undefined ? JSON.stringify(items) : this.#expandPool(lines));
  }

  /** Whether the list has the word, outside of parts that items share. */
  hasWord(list: ListName, word: string): boolean {
    const { lines } = this.#lists[list];
    return (lines ?? this.text(list)).includes(word);
  }

  count(list: ListName): number {
    return this.#textsOf(list).length;
  }

  size(list: ListName, index: number): number {
    const sizes = (this.#lists[list].sizes ??= []);
    return (sizes[index] ??= Buffer.byteLength(this.#expandPool(this.#textsOf(list)[index] ?? '')));
  }

  textOfRange(list: ListName, from: number, end: number): string {
    return this.#expandPool(`[${this.#textsOf(list).slice(from, end).join(',')}]`);
  }

  /** A list with a pool is never written out whole to be measured. */
  isLongerThan(list: ListName, bytes: number): boolean {
    if (this.#pool === undefined) {
      const text = this.text(list);
      // A character is three bytes of UTF-8 at most.
      return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
    }
    let left = bytes;
    for (let at = 0; at < this.count(list) && left >= 0; at++) left -= this.size(list, at) + 1;
    return left < 0;
  }

  items<L extends ListName>(list: L): readonly Listed<L>[] {
    const entry: List<Listed<L>> = this.#lists[list];
    return (entry.items ??= JSON.parse(this.text(list)) as Listed<L>[]);
  }

  /** The names or URIs of the items. In the compiler's layout no item is parsed. */
  keys(list: ListName): readonly string[] {
    const entry = this.#lists[list];
    return (entry.keys ??=
      entry.lines === undefined
        ? this.items(list).map((item) => String(getItemKey(list, item)))
        : this.#textsOf(list).map((text) => this.#findItemKey(list, text)));
  }

  itemAt<L extends ListName>(list: L, index: number): Listed<L> | undefined {
    const entry: List<Listed<L>> = this.#lists[list];
    if (entry.items !== undefined) return entry.items[index];
    const text = this.#textsOf(list)[index];
    return text === undefined ? undefined : (this.#parseItem(text) as Listed<L>);
  }

  /** For the start only: lists must not change while clients use them. */
  changeItems<L extends ListName>(list: L, change: (items: readonly Listed<L>[]) => Listed<L>[]): void {
    const items = change(this.items(list)).filter(
      (item) => list !== 'tools' || this.#isServedTool(item as ListedTool),
    );
    const entry: List<Listed<L>> = this.#lists[list];
    this.changes += 1;
    Object.assign(entry, { items, lines: undefined, text: undefined, texts: undefined });
    Object.assign(entry, { sizes: undefined, keys: undefined });
  }

  /** In the compiler's layout an item's first line is `{"name":"…",` or `{"uri":"…",`. */
  #findItemKey(list: ListName, item: string): string {
    const line = this.#expandPool(item.slice(0, item.indexOf('\n'))).replace(/,$/, '}');
    const isKey = line.startsWith(`{"${KEYS[list]}":`) && line.endsWith('"}');
    return String(getItemKey(list, isKey ? (JSON.parse(line) as object) : this.#parseItem(item)));
  }

  #parseItem(text: string): object {
    return JSON.parse(this.#expandPool(text)) as object;
  }

  #expandPool(text: string): string {
    return expandPoolMarks(text.replaceAll('\n', ''), this.#pool);
  }

  #textsOf(list: ListName): readonly string[] {
    const entry = this.#lists[list];
    const { lines, items = [] } = entry;
    return (entry.texts ??=
      lines === undefined ? items.map((each) => JSON.stringify(each)) : splitItems(lines));
  }

  /** Leaves out tools that don't say `readOnlyHint`, also those that code adds later. */
  hideWritingTools(): void {
    this.hidden = new Set();
    this.changeItems('tools', (tools) => [...tools]);
  }

  #isServedTool({ name, annotations }: ListedTool): boolean {
    const isServed = this.hidden === undefined || annotations?.readOnlyHint === true;
    if (!isServed) this.hidden?.add(name);
    return isServed;
  }
}

type SplitCatalog = { [L in ListName]: List<Listed<L>> } & {
  completions: boolean | undefined;
  describes: boolean;
  guards: Guards;
  pool: Pool | undefined;
};

const MEMBERS = 'tools resources resourceTemplates prompts completions describes guards'.split(' ');

/**
 * In the compiler's layout (see `Catalog`) each member begins a line with its name, as no item does. Any other layout
 * is parsed.
 */
export function splitCatalog(whole: string): SplitCatalog {
  const { text, pool } = splitOffTextPool(whole);
  const [tools, resources, resourceTemplates, prompts, completions, describes, guards = '{}'] =
    splitMembers(text);
  if ([tools, resources, resourceTemplates, prompts].some((value) => !isPrintedList(value)))
    return parseCatalog(whole);
  const list = (lines: string | undefined) => ({ lines, items: undefined });
  return {
    tools: list(tools),
    resources: list(resources),
    resourceTemplates: list(resourceTemplates),
    prompts: list(prompts),
    completions: completions === undefined ? undefined : completions === 'true',
    describes: describes === 'true',
    guards: JSON.parse(guards) as Guards,
    pool,
  };
}

/** Shorter than `MEMBERS` if a member is not in its place. */
function splitMembers(text: string): string[] {
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

function isPrintedList(value = ''): boolean {
  return value === '[]' || (value.startsWith('[\n{') && value.endsWith('}\n]'));
}

function splitItems(lines: string): string[] {
  if (lines === '[]') return [];
  const items = lines.slice('[\n{\n'.length, -'\n}\n]'.length).split('\n},\n{\n');
  return items.map((item) => `{${item}}`);
}

function parseCatalog(text: string): SplitCatalog {
  const catalog = parsePooledJson(text) as Partial<Catalog>;
  const list = <T>(items: T[] = []) => ({ lines: undefined, items });
  return {
    tools: list(catalog.tools),
    resources: list(catalog.resources),
    resourceTemplates: list(catalog.resourceTemplates),
    prompts: list(catalog.prompts),
    completions: catalog.completions,
    describes: catalog.describes === true,
    guards: catalog.guards ?? {},
    pool: undefined,
  };
}

const KEYS = { tools: 'name', prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate' } as const;

/** Adds own items after the document's. All but tools may replace an item of the document. */
export function addItemsOfHandlers(catalog: CatalogStore, handlers: Handlers<object>): void {
  const { extraTools = [], prompts = {}, resources = {}, resourceTemplates = {} } = handlers;
  for (const tool of extraTools) addOrReplaceItem(catalog, 'tools', toListedTool(tool));
  for (const [name, prompt] of Object.entries(prompts))
    addOrReplaceItem(catalog, 'prompts', toListedPrompt(name, prompt));
  for (const [uri, resource] of Object.entries(resources))
    addOrReplaceItem(catalog, 'resources', toListedResource(uri, resource));
  for (const [uriTemplate, template] of Object.entries(resourceTemplates))
    addOrReplaceItem(catalog, 'resourceTemplates', { uriTemplate, ...omitUnlistedMembers(template) });
}

export function addOrReplaceItem<L extends ListName>(catalog: CatalogStore, list: L, item: Listed<L>): void {
  const key = getItemKey(list, item);
  catalog.changeItems(list, (items) => {
    const at = items.findIndex((each) => getItemKey(list, each) === key);
    return at === -1 ? [...items, item] : items.with(at, item);
  });
}

export function removeItem(catalog: CatalogStore, list: ListName, key: string): boolean {
  const count = catalog.items(list).length;
  catalog.changeItems(list, (items) => items.filter((item) => getItemKey(list, item) !== key));
  return catalog.items(list).length < count;
}

function getItemKey(list: ListName, item: object): unknown {
  return Reflect.get(item, KEYS[list]);
}

const UNLISTED = ['handler', 'prepare', 'read', 'scopes'] as const;

/** Leaves out the members that only the server uses. */
function omitUnlistedMembers<T extends object>(item: T): Omit<T, (typeof UNLISTED)[number]> {
  return withoutMembers(item, UNLISTED) as Omit<T, (typeof UNLISTED)[number]>;
}

/** Hints that are not said are listed as MCP's defaults, since directories refuse a tool without them. */
export function toListedTool(tool: ExtraTool): ListedTool {
  const { inputSchema, outputSchema, annotations = {} } = tool;
  const schemas = { inputSchema: replaceBooleanSchemas(inputSchema), annotations: fillInHints(annotations) };
  if (outputSchema === undefined) return { ...omitUnlistedMembers(tool), ...schemas };
  return { ...omitUnlistedMembers(tool), ...schemas, outputSchema: replaceBooleanSchemas(outputSchema) };
}

export function toListedPrompt(name: string, prompt: PromptDefinition): Listed<'prompts'> {
  return { name, ...omitUnlistedMembers(prompt) };
}

export function toListedResource(uri: string, resource: ResourceDefinition): Listed<'resources'> {
  return { uri, ...omitUnlistedMembers(resource) };
}

/** Replaces boolean schemas by objects: some official clients drop the whole list because of one. */
function replaceBooleanSchemas(schema: ObjectSchema): ObjectSchema {
  const { properties } = schema;
  if (properties === undefined) return schema;
  const entries = Object.entries(properties).map(([name, member]): [string, JsonSchema] => [
    name,
    member === true ? {} : member === false ? { not: {} } : member,
  ]);
  return { ...schema, properties: Object.fromEntries(entries) };
}

/** Lists all items at once, or pages if a page size is set or the list is longer than a page may be. */
export function listMethod(list: ListName): Method {
  return async (call: Call) => {
    const { server, agreement } = call;
    const cursor = parseCursorParameter(call.params);
    if (list === 'resources' && server.functions?.lists === true) return listFromFunctions(call, cursor);
    const isPaged =
      server.pageSize !== undefined || server.catalog.isLongerThan(list, server.limits.pageBytes);
    if (isPaged) return catalogPage(call, list, cursor);
    if (cursor !== undefined) throw invalidParamsError('`cursor` is none that this server gave.');
    const whole = (): string => server.catalog.text(list);
    const text = sharedTextOfList(cachedTexts(server), { list, features: agreement.features, whole });
    return makeListResult(list, text, '}');
  };
}

async function listFromFunctions(call: Call, cursor: string | undefined): Promise<object> {
  const { server, agreement } = call;
  await server.features.uriTemplates?.();
  const items = (await (await server.functions?.runtime())?.listResources(call)) ?? [];
  const size = (index: number): number => Buffer.byteLength(JSON.stringify(items[index]));
  const { from, end, next } = cutPage({ count: items.length, size }, 'resources', server, cursor);
  const known = items
    .slice(from, end)
    .map((item) => fitItemToRevision(item, 'resources', agreement.features));
  return { resources: known, nextCursor: next };
}

function catalogPage(
  { server, agreement: { features } }: Call,
  list: ListName,
  cursor: string | undefined,
): RawJson {
  const { catalog } = server;
  const sized: Sized = { count: catalog.count(list), size: (index) => catalog.size(list, index) };
  const { from, end, next } = cutPage(sized, list, server, cursor);
  // Anyone can make a cursor to any item, so only pages that follow from the first are cached.
  let start = 0;
  while (start < from) start = pageEnd(sized, start, server);
  const texts = start === from ? cachedTexts(server) : new Map<string, SharedText>();
  const whole = (): string => catalog.textOfRange(list, from, end);
  const text = sharedTextOfList(texts, { list, features, place: String(from), whole });
  return makeListResult(list, text, next === undefined ? '}' : `,"nextCursor":${JSON.stringify(next)}}`);
}

function makeListResult(list: ListName, items: SharedText, end: string): RawJson {
  const start = `{"${list}":`;
  return new RawJson(items.isLong ? [start, items, end] : `${start}${items.text}${end}`);
}

interface ListText {
  list: ListName;
  features: RevisionFeatures;
  place?: string;
  whole: () => string;
}

/** Returns the catalog's own text, made once, unless it has a member that the revision doesn't know. */
function sharedTextOfList(
  texts: Map<string, SharedText>,
  { list, features, place = '', whole }: ListText,
): SharedText {
  const unknown = listUnknownMembers(list, features);
  const key = (members: readonly string[]): string => `${list} ${place} ${members.join()}`;
  const known = texts.get(key(unknown));
  if (known !== undefined) return known;
  const all = texts.get(key([])) ?? new SharedText(whole());
  const { text } = all;
  const shared = unknown.some((member) => text.includes(`"${member}"`))
    ? new SharedText(
        JSON.stringify((JSON.parse(text) as object[]).map((item) => fitItemToRevision(item, list, features))),
      )
    : all;
  texts.set(key([]), all).set(key(unknown), shared);
  return shared;
}

function cachedTexts({ cache }: ServerInstance): Map<string, SharedText> {
  return (cache.texts ??= new Map<string, SharedText>());
}
