// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What clients may list and call: the generated items and those of your handlers, as far as the operator lets them. */
import type { MethodCall, Services } from './feature.ts';
import { fitItem, invalidParams, isRecord, ownMember, writeJson } from './json-rpc.ts';
import { JsonText } from './server.ts';
import { type Guards, LIMITS, makeSelection } from './settings.ts';
import {
  type Bindings,
  type CatalogData,
  type Handlers,
  type PromptInfo,
  type ResourceInfo,
  type SchemaObject,
  type ServerHandle,
  type TemplateInfo,
  type ToolInfo,
  UsageError,
} from './types.ts';

export type ListName = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

/** The APIs of models refuse a whole request for one tool with another name (2026-11). */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

export class Catalog {
  readonly tools: Map<string, ToolInfo>;
  readonly resources: Map<string, ResourceInfo>;
  readonly resourceTemplates: Map<string, TemplateInfo>;
  readonly prompts: Map<string, PromptInfo>;
  readonly guards: CatalogData['guards'];
  readonly handlers: Handlers<object>;
  readonly hasCompletions: boolean;
  /** The lists that have items at the start: clients never ask for others. */
  lists: ReadonlySet<ListName> = new Set();
  readonly #bindings: Bindings;
  #guards: Guards = {};
  /** Texts of lists by list, revision and place, kept once written. */
  readonly #texts = new Map<string, JsonText>();

  /** @throws {UsageError} for handlers of what is not there */
  constructor(data: CatalogData, bindings: Bindings, handlers: Handlers<object>) {
    const byKey = <T, K extends keyof T>(items: T[], key: K): Map<string, T> =>
      new Map(items.map((item) => [String(item[key]), item]));
    this.tools = byKey(data.tools, 'name');
    this.resources = byKey(data.resources, 'uri');
    this.resourceTemplates = byKey(data.resourceTemplates, 'uriTemplate');
    this.prompts = byKey(data.prompts, 'name');
    this.guards = data.guards;
    this.#bindings = bindings;
    this.handlers = { ...handlers };
    this.hasCompletions = bindings.completions.length + Object.keys(handlers.completions ?? {}).length > 0;
    const unknown = Object.keys(handlers.tools ?? {}).find((name) => !this.tools.has(name));
    if (unknown !== undefined)
      throw new UsageError(`src/handlers/: there is no tool ${JSON.stringify(unknown)} to replace.`);
    for (const tool of handlers.extraTools ?? []) this.#addTool(tool);
    for (const [name, prompt] of Object.entries(handlers.prompts ?? {}))
      this.prompts.set(name, { ...without(prompt, 'handler'), name });
    for (const [uri, resource] of Object.entries(handlers.resources ?? {}))
      this.resources.set(uri, { ...without(resource, 'read'), uri });
    for (const [uriTemplate, template] of Object.entries(handlers.resourceTemplates ?? {}))
      this.resourceTemplates.set(uriTemplate, { ...without(template, 'read'), uriTemplate });
  }

  #addTool(tool: NonNullable<Handlers['extraTools']>[number]): void {
    const { handler, ...info } = tool;
    const place = `src/handlers/: the tool ${JSON.stringify(info.name)}`;
    if (!TOOL_NAME.test(info.name))
      throw new UsageError(`${place} must have a name of 1 to 64 of A–Z, a–z, 0–9, "_" and "-".`);
    if (this.tools.has(info.name))
      throw new UsageError(`${place} exists already: clients would see only one.`);
    if (typeof handler !== 'function') throw new UsageError(`${place}: \`handler\` must be a function.`);
    if (!isRecord(info.inputSchema) || info.inputSchema.type !== 'object')
      throw new UsageError(`${place}: \`inputSchema\` must have \`type: 'object'\` at the top.`);
    this.tools.set(info.name, toListedTool(info));
  }

  /** Leaves out what the operator does not serve. @throws {UsageError} for selectors that match nothing */
  restrict(guards: Guards): void {
    this.#guards = guards;
    const { selectors = [], isLenient = false } = guards;
    const isSelected = makeSelection(selectors, isLenient, this.#bindings, [...this.tools.keys()]);
    for (const [name, tool] of this.tools)
      if (!isSelected(name, ownMember(this.#bindings.tools, name)) || !this.#mayServe(tool))
        this.tools.delete(name);
    for (const list of ['resources', 'resourceTemplates'] as const)
      for (const [uri, { name }] of this[list]) {
        const binding = ownMember(this.#bindings[list], uri);
        const tool = binding?.do.kind === 'tool' ? String(binding.do['name']) : undefined;
        const isKept = tool === undefined ? isSelected(name, binding) : this.tools.has(tool);
        if (!isKept) this[list].delete(uri);
      }
    this.lists = new Set(LISTS.filter((list) => this[list].size > 0));
  }

  #mayServe({ annotations }: ToolInfo): boolean {
    return this.#guards.readOnly !== true || annotations?.readOnlyHint === true;
  }

  get isReadOnly(): boolean {
    return this.#guards.readOnly === true;
  }

  /** The arguments of a tool that headers repeat (`x-mcp-header`); only members that `properties` alone lead to. */
  mirroredArguments(tool: string): { header: string; path: string[] }[] {
    const walk = (schema: unknown, path: string[]): { header: string; path: string[] }[] => {
      const { properties } = isRecord(schema) ? (schema as SchemaObject) : {};
      return Object.entries(properties ?? {}).flatMap(([name, property]) => {
        const header = isRecord(property) ? property['x-mcp-header'] : undefined;
        const inner = walk(property, [...path, name]);
        return typeof header === 'string'
          ? [{ header: `Mcp-Param-${header}`, path: [...path, name] }, ...inner]
          : inner;
      });
    };
    return walk(this.tools.get(tool)?.inputSchema, []);
  }

  /** One page of a list. Clients close a connection at a message of 10 MiB. @param pageSize most items of a page */
  page(list: ListName, revision: string, cursor: unknown, pageSize: number): JsonText {
    const key = `${list} ${revision} ${String(cursor)}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const page = makePage(list, [...this[list].values()], revision, cursor, pageSize);
    if (this.#texts.size < MOST_TEXTS) this.#texts.set(key, page);
    return page;
  }

  /** For `started`: changes the lists, and tells clients. */
  handle(bus: Services['bus']): ServerHandle {
    const change = (list: 'tools' | 'resources' | 'prompts'): void => {
      this.#texts.clear();
      bus.publish({ kind: 'list', list });
    };
    const mustHave = (list: 'tools' | 'resources' | 'prompts'): void => {
      if (this.lists.has(list)) return;
      throw new UsageError(
        `The server had no ${list} when it started, so its clients would not look. Give it one in src/handlers/, and others can be added.`,
      );
    };
    const { handlers } = this;
    return {
      resourceUpdated: (uri) => bus.publish({ kind: 'resource', uri }),
      resourcesChanged: () => change('resources'),
      addTool: (tool) => {
        mustHave('tools');
        this.#addTool(tool);
        handlers.extraTools = [...(handlers.extraTools ?? []), tool];
        if (!this.#mayServe(tool)) this.tools.delete(tool.name);
        change('tools');
      },
      removeTool: (name) => {
        handlers.extraTools = handlers.extraTools?.filter((tool) => tool.name !== name) ?? [];
        return this.tools.delete(name) && (change('tools'), true);
      },
      addPrompt: (name, prompt) => {
        mustHave('prompts');
        handlers.prompts = { ...handlers.prompts, [name]: prompt };
        this.prompts.set(name, { ...without(prompt, 'handler'), name });
        change('prompts');
      },
      removePrompt: (name) => this.prompts.delete(name) && (change('prompts'), true),
      addResource: (uri, resource) => {
        mustHave('resources');
        handlers.resources = { ...handlers.resources, [uri]: resource };
        this.resources.set(uri, { ...without(resource, 'read'), uri });
        change('resources');
      },
      removeResource: (uri) => this.resources.delete(uri) && (change('resources'), true),
    };
  }
}

/** Adds the hints that follow from those that are said: a client that is told nothing takes a tool for a destructive one. */
function toListedTool(info: ToolInfo): ToolInfo {
  const { readOnlyHint: reads = false, ...said } = info.annotations ?? {};
  const readOnlyHint = reads && said.destructiveHint !== true;
  const implied = {
    readOnlyHint,
    destructiveHint: !readOnlyHint,
    idempotentHint: readOnlyHint,
    openWorldHint: true,
  };
  return {
    ...info,
    annotations: { ...implied, ...said },
    inputSchema: withoutBooleans(info.inputSchema),
    ...(info.outputSchema && { outputSchema: withoutBooleans(info.outputSchema) }),
  };
}

/** Clients refuse a list with a boolean where they expect the schema of a property. */
function withoutBooleans(schema: SchemaObject): SchemaObject {
  const { properties } = schema;
  if (properties === undefined) return schema;
  const objects = Object.entries(properties).map(([name, property]): [string, SchemaObject] => [
    name,
    property === true ? {} : property === false ? { not: {} } : property,
  ]);
  return { ...schema, properties: Object.fromEntries(objects) };
}

/** What clients are shown of a definition: not its code. */
function without<T extends object, K extends keyof T>(definition: T, code: K): Omit<T, K> {
  const shown = { ...definition };
  Reflect.deleteProperty(shown, code);
  return shown;
}

const LISTS: readonly ListName[] = ['tools', 'resources', 'resourceTemplates', 'prompts'];
const MOST_TEXTS = 100;

export function listMethod(list: ListName) {
  return (call: MethodCall): object => {
    const { server, agreement, params } = call;
    const { catalog, features } = server;
    const { pageSize } = server.settings;
    const { revision } = agreement;
    const { cursor } = params;
    const guests = features.flatMap((feature) => feature.catalog?.list ?? []);
    if (guests.length === 0) return catalog.page(list, revision, cursor, pageSize);
    const shown = guests.reduce<readonly object[]>(
      (items, guest) => guest(list, items, call),
      [...catalog[list].values()],
    );
    return makePage(list, shown, revision, cursor, pageSize);
  };
}

/** A cursor is the same on every node and after restarts; it names its list and the list's length. */
function makePage(
  list: ListName,
  items: readonly object[],
  revision: string,
  cursor: unknown,
  pageSize: number,
): JsonText {
  const cursorAt = (offset: number): string =>
    Buffer.from(`${list} ${offset} of ${items.length}`).toString('base64url');
  let start = 0;
  if (cursor !== undefined) {
    if (typeof cursor !== 'string') throw invalidParams('`cursor` must be a string.');
    start = Number(/ (\d+) of /.exec(Buffer.from(cursor, 'base64url').toString())?.[1]);
    if (!(start > 0) || cursorAt(start) !== cursor)
      throw invalidParams('`cursor` is none that this server gave for this list.');
  }
  const texts: string[] = [];
  // With brackets and commas.
  let bytes = 1;
  for (const item of items.slice(start, start + pageSize)) {
    const text = writeJson(fitItem(list, item, revision));
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > LIMITS.pageBytes && texts.length > 0) break;
    texts.push(text);
  }
  const end = start + texts.length;
  const next = end < items.length ? `,"nextCursor":"${cursorAt(end)}"` : '';
  return new JsonText(`{"${list}":[${texts.join(',')}]${next}}`);
}
