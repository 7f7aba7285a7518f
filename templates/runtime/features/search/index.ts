// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The search surface: few tools are listed, and find, describe and call the others. Also the whole of schemas that are listed in part. */
import type { Call, Feature, MethodCall } from '../../feature.ts';
import { INVALID_REQUEST, isRecord, ownMember, RpcError, writeJson } from '../../json-rpc.ts';
import { describeUnknown, errorResult, textOf } from '../../results.ts';
import type { Server } from '../../server.ts';
import { getSetting, makeSelection, readGenerated, type Setting } from '../../settings.ts';
import { callToolByCode } from '../../tools.ts';
import { type Json, type SchemaObject, type ToolInfo, type ToolResult, UsageError } from '../../types.ts';
import { mayCall, readAccess } from '../access.ts';
import { findArgumentPart } from './argument-part.ts';
import { firstSentenceOf, SearchIndex } from './search-index.ts';
import { printAnswer, printArgumentPart, printSignature, shortenTo } from './signature.ts';
import { CALL_TOOLS, describeTool, isSurfaceTool, listSurfaceTools } from './tools.ts';

const SURFACES = ['tools', 'search', 'both'] as const;
type Surface = (typeof SURFACES)[number];

const SETTINGS: readonly Setting[] = [
  {
    flag: 'surface',
    value: SURFACES.join('|'),
    help: 'List all tools, those that search, or both. Over HTTP several by commas, the others at ?surface=…',
  },
  {
    flag: 'pin',
    value: 'selector',
    isRepeatable: true,
    help: 'List these beside those that search: op:, tag:, path:, method:…',
  },
];

/** Characters of a signature: about 1,300 tokens, and a third of that beside results. */
const [WHOLE, BESIDE] = [4_200, 1_200];
const [LINES, DESCRIPTION, SUMMARY] = [8, 700, 110];
const FOUND = 8;
const GROUPS = 20;

export function search({ surface = 'tools' }: { surface?: Surface } = {}): Feature {
  let state: Surfaces | undefined;
  const feature: Feature = {
    name: 'search',
    settings: SETTINGS,
    catalog: {
      select: (_, server) => (state = new Surfaces(server, feature, surface)),
      list: (list, items, call) => (list === 'tools' ? (state?.list(items, call) ?? items) : items),
      find: (kind, name, call) => {
        const item = kind === 'tool' ? state?.tools.find((tool) => tool.name === name) : undefined;
        return item && { item, run: (made) => state?.run(name, made, call) };
      },
    },
    aroundRequest: async (call, next) => {
      state?.surfaceOf(call);
      return next(call.method === 'tools/call' ? (state?.redirect(call) ?? call) : call);
    },
    aroundCall: {
      /** A model that has not seen the schema is shown it with the fault. */
      admit: async (call, next) => {
        const outcome = await next();
        const tool = call.request.server.catalog.tools.get(call.name);
        const isRedirected = call.origin === 'client' && call.name !== call.request.message.params['name'];
        if (outcome.cause !== 'arguments' || !isRedirected || tool === undefined) return outcome;
        const text = `${textOf(outcome.result)}\nIts signature: ${printSignature(tool, WHOLE)}`;
        return { ...outcome, result: errorResult(text) };
      },
    },
  };
  return feature;
}

class Surfaces {
  readonly #server: Server;
  readonly #feature: Feature;
  readonly #surfaces: readonly Surface[];
  readonly #isPinned: (name: string) => boolean;
  /** What clients list in the place of tools whose schemas are too large. */
  readonly #cut = new Map<string, ToolInfo>();
  #index: SearchIndex | undefined;

  /** @throws {UsageError} for flags that can't be used, and tools of the project's own code with reserved names */
  constructor(server: Server, feature: Feature, preset: Surface) {
    const { catalog, bindings, flags, env } = server;
    this.#server = server;
    this.#feature = feature;
    this.#surfaces = readSurfaces(getSetting(flags, env, 'surface', '').value ?? preset, flags['transport']);
    const { schemas } = bindings as { schemas?: SchemaObject['properties'] };
    for (const [name, tool] of catalog.tools) {
      if (isSurfaceTool(name))
        throw new UsageError(
          `The tool ${name} needs another name: the server's own tools search and call others.`,
        );
      const { input } = (ownMember(bindings.tools, name) ?? {}) as { input?: SchemaObject };
      if (input === undefined) continue;
      const own = input['$defs'] as object | undefined;
      this.#cut.set(name, tool);
      catalog.tools.set(name, {
        ...tool,
        inputSchema: { ...input, $defs: own ? { ...schemas, ...own } : schemas },
      });
    }
    const pins = (flags['pin'] ?? []) as string[];
    if (pins.length > 0 && !this.#surfaces.includes('search'))
      throw new UsageError('--pin goes with --surface search: other surfaces list all tools.');
    const names = [...catalog.tools.keys()];
    const selections = pins.map((pin) =>
      makeSelection({ include: [pin], exclude: [], isLenient: false }, bindings, names),
    );
    this.#isPinned = (name) =>
      this.#open().pinned.includes(name) ||
      selections.some((isSelected) => isSelected(name, ownMember(bindings.tools, name)));
  }

  /** Those of the server itself: one describes what is listed in part, where no tool searches. */
  get tools(): readonly ToolInfo[] {
    const { catalog, definition } = this.#server;
    if (this.#surfaces.every((surface) => surface === 'tools'))
      return this.#cut.size > 0 ? [describeTool] : [];
    const { title = definition.info.name } = definition.info;
    const hasTasks = [...catalog.tools.values()].some((tool) => 'execution' in tool);
    const all = listSurfaceTools(title, catalog.tools.size, hasTasks);
    return catalog.isReadOnly ? all.filter(({ annotations }) => annotations?.readOnlyHint === true) : all;
  }

  /** @throws {RpcError} for one that the operator does not serve */
  surfaceOf({ exchange }: MethodCall): Surface {
    const [first = 'tools'] = this.#surfaces;
    const query = exchange.request?.url?.split('?', 2)[1];
    const name = query === undefined ? null : new URLSearchParams(query).get('surface');
    if (name === null) return first;
    const named = this.#surfaces.find((surface) => surface === name);
    if (named !== undefined) return named;
    const message = `There is no surface of that name here, but ${this.#surfaces.join(', ')}.`;
    throw new RpcError(INVALID_REQUEST, message, { status: 404 });
  }

  list(items: readonly object[], call: MethodCall): readonly object[] {
    const surface = this.surfaceOf(call);
    const listed = (items as ToolInfo[]).map((tool) => this.#cut.get(tool.name) ?? tool);
    if (surface === 'tools')
      return listed.some(({ name }) => this.#cut.has(name)) ? [...listed, describeTool] : listed;
    const others = surface === 'both' ? listed : listed.filter(({ name }) => this.#isPinned(name));
    return [...this.tools, ...others];
  }

  /** The tools that exist for the caller. */
  async #visible(call: MethodCall): Promise<Map<string, ToolInfo>> {
    let items: readonly object[] = [...this.#server.catalog.tools.values()];
    for (const feature of this.#server.features)
      if (feature !== this.#feature) items = (await feature.catalog?.list?.('tools', items, call)) ?? items;
    return new Map(
      (items as ToolInfo[])
        .map(({ name }) => [name, this.#server.catalog.tools.get(name)])
        .filter((entry): entry is [string, ToolInfo] => entry[1] !== undefined),
    );
  }

  #open(): SearchIndex {
    const { catalog, bindings, definition } = this.#server;
    type Data = ConstructorParameters<typeof SearchIndex>[0];
    const index = (this.#index ??= new SearchIndex(readGenerated(definition, 'search.json') as Data));
    const known = new Set(index.tools.map(({ name }) => name));
    for (const [name, tool] of catalog.tools)
      if (!known.has(name)) {
        const { do: binding, tags } = ownMember(bindings.tools, name) ?? {};
        index.add({ ...tool, binding, tags });
      }
    return index;
  }

  /** A call through a tool of the surface becomes that of the tool: it takes the same road, under its own name. */
  redirect(call: MethodCall): MethodCall {
    const { params } = call;
    const access = this.tools.some(({ name }) => name === params['name']) && accessOf(params['name']);
    const { arguments: args } = params;
    if (!access || !isRecord(args) || Object.keys(args).some((key) => key !== 'name' && key !== 'arguments'))
      return call;
    const tool = this.#server.catalog.tools.get(String(args['name']));
    const inner = readArguments(args['arguments'], this.#server.settings.repairs);
    if (tool === undefined || inner === undefined || !mayCall(access, readAccess(tool))) return call;
    return { ...call, params: { ...params, name: tool.name, arguments: inner } };
  }

  async run(name: string, call: Call, request: MethodCall): Promise<ToolResult> {
    const { args } = call;
    if (name === 'search_tools')
      return this.#search(String(args['query']), Number(args['limit'] ?? FOUND), request);
    const target = String(args['name']);
    if (name !== 'describe_tool' && isSurfaceTool(target))
      return errorResult(`Call ${target} by its own name.`);
    const tools = await this.#visible(request);
    const tool = tools.get(target);
    if (tool === undefined) {
      const words = describeUnknown('tool', target, tools.keys()).replace(/(?<!\?)$/, '.');
      const way = this.tools.length > 1 ? ' search_tools finds tools.' : '';
      return errorResult(words + way);
    }
    if (name === 'describe_tool') return this.#describe(tool, args['path']);
    const own = accessOf(name);
    const access = readAccess(tool);
    if (own !== undefined && mayCall(own, access)) {
      const inner = args['arguments'];
      return callToolByCode(call, target, isRecord(inner) ? inner : {});
    }
    const effect = access === 'write' ? 'adds or changes something' : 'may change or delete something';
    return errorResult(
      `${target} was not called, since it ${effect} and ${name} does not. Call it by ${CALL_TOOLS[access]}.`,
    );
  }

  /** The tool of that very name comes first, however its words are joined. */
  async #search(query: string, limit: number, request: MethodCall): Promise<ToolResult> {
    const index = this.#open();
    const visible = await this.#visible(request);
    const letters = lettersOf(query);
    const named = [...visible.keys()].filter((name) => lettersOf(name) === letters);
    const first = visible.has(query.trim()) ? [query.trim()] : named.slice(0, 1);
    const names = new Set([...first, ...index.rank(query, limit, (name) => visible.has(name))]);
    const tools = [...names].slice(0, limit).flatMap((name) => visible.get(name) ?? []);
    if (tools.length === 0) {
      const hint =
        'No tool has these words. Ask by words of the API: a verb and a noun, or the name of a group.';
      const groups = index.groups.slice(0, GROUPS).map(([name, count]) => `${name} (${count})`);
      const names = [...visible.keys()].slice(0, FOUND);
      return structured({ tools: [], hint, ...(groups.length > 0 ? { groups } : { names }) });
    }
    const rows = tools.map((tool, at) => ({
      name: tool.name,
      access: readAccess(tool),
      summary: shortenTo(summaryOf(tool).replace(/\s+/g, ' '), SUMMARY),
      ...(at === 0 && { signature: printSignature(tool, BESIDE) }),
    }));
    return structured({ tools: rows });
  }

  #describe(tool: ToolInfo, path: unknown): ToolResult {
    if (typeof path === 'string' && !/^\/?$/.test(path)) {
      const part = findArgumentPart(tool.inputSchema, path);
      if (typeof part === 'string') return errorResult(part);
      return plain(`${tool.name} ${path}: ${printArgumentPart(part, tool.inputSchema, WHOLE)}`);
    }
    const access = readAccess(tool);
    const hasCallTools = this.tools.some(({ name }) => name === CALL_TOOLS[access]);
    const lines = (tool.description ?? '').split('\n').flatMap((line) => line.trim() || []);
    const description = shortenTo(lines.slice(0, LINES).join('\n'), DESCRIPTION);
    const answer = printAnswer(tool, WHOLE / 8);
    return plain(
      [
        `${tool.name}: ${access}; call it by ${hasCallTools ? CALL_TOOLS[access] : 'its own name'}`,
        ...(description === '' ? [] : [description]),
        ...(answer === undefined ? [] : [`Answer: ${answer}`]),
        printSignature(tool, WHOLE),
      ].join('\n'),
    );
  }
}

function readSurfaces(text: string, transport: unknown): Surface[] {
  const surfaces = text.split(',').map((part) => {
    const surface = SURFACES.find((name) => name === part.trim());
    if (surface !== undefined) return surface;
    throw new UsageError(
      `--surface must be ${SURFACES.join(', ')}, or several of them by commas, not ${text}.`,
    );
  });
  if (surfaces.length > 1 && transport !== 'http')
    throw new UsageError(
      '--surface names several surfaces over HTTP only: add --transport http, or name one.',
    );
  return surfaces;
}

function accessOf(name: unknown): ReturnType<typeof readAccess> | undefined {
  return (Object.keys(CALL_TOOLS) as ReturnType<typeof readAccess>[]).find(
    (access) => CALL_TOOLS[access] === name,
  );
}

/** Models write objects as text, and null for none. Undefined: the schema refuses them. */
function readArguments(value: unknown, repairs: boolean): object | undefined {
  if (value === undefined || (repairs && value === null)) return {};
  if (!repairs || typeof value !== 'string') return isRecord(value) ? value : undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const lettersOf = (name: string): string => name.toLowerCase().replace(/[\s\-_.]/g, '');

/** A title that repeats the name says nothing. */
function summaryOf({ name, title, description = '' }: ToolInfo): string {
  const isRepeated = title === undefined || lettersOf(title) === lettersOf(name);
  return firstSentenceOf(isRepeated ? { description } : { title, description });
}

function plain(text: string): ToolResult {
  return { content: [{ type: 'text', text }] };
}

/** The text is the same JSON, a tool on each line. */
function structured(value: Record<string, Json>): ToolResult {
  const text = writeJson(value).replaceAll('},{"name":', '},\n{"name":');
  return { content: [{ type: 'text', text }], structuredContent: value };
}
