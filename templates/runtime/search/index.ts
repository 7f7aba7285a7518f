// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The search surface: few tools are listed, and the others are found, described and called by these. */
import {
  type ListedTool,
  SURFACE_TOOLS,
  type SurfaceName,
  escapePointerToken,
} from '../contract/json-schema.ts';
import { suggestNearest } from '../contract/feature.ts';
import { isRecord, getOwnMember, writeJson } from '../contract/json-value.ts';
import { DESCRIBE_TOOL, firstSentenceOf } from '../contract/search-index.ts';
import { splitWords, stemWord, stemsOf } from '../contract/search-words.ts';
import { type Call, type ClientRequest, unknownNameError } from '../core/call.ts';
import { hasBoundInputSchemas, callNamedTool, loadInputSchema, getToolEntries } from '../core/call-tool.ts';
import { CatalogStore } from '../core/catalog-store.ts';
import { type LooseResult, errorResult } from '../core/handler-result.ts';
import type { SearchSurface, ServerInstance, ToolEntry } from '../core/server-instance.ts';
import { findArgumentPart } from './argument-part.ts';
import { SearchIndex } from './open-index.ts';
import { rankTools } from './rank.ts';
import { countFitting, printAnswer, printArgumentPart, printSignature, shortenTo } from './signature.ts';
import {
  CALL_TOOLS,
  USUALLY_FOUND,
  accessOfCallTool,
  mayCall,
  readAccess,
  makeSurfaceTools,
} from './tools.ts';

/** Characters of a signature: about 1,300 tokens, and a third of that beside a search's results. */
const WHOLE = 4_200;
const BESIDE = 1_200;
const MOST_LINES = 8;
const MOST_DESCRIPTION = 700;
const MOST_SUMMARY = 110;

/** @param surfaces those that may be asked for; the first is the default @param text the compiler's index @param pins listed beside the compiler's */
export function openSurface(
  server: ServerInstance,
  surfaces: readonly SurfaceName[],
  text: string,
  pins: readonly string[] = [],
): SearchSurface {
  return new Surface(server, surfaces, text, pins);
}

interface OpenIndex {
  changes: number;
  index: SearchIndex;
  names: string[];
  /** Names by their letters, since models write them in another case. */
  spelt: Map<string, string>;
}

class Surface implements SearchSurface {
  readonly surfaces: readonly SurfaceName[];
  readonly #server: ServerInstance;
  readonly #text: string;
  readonly #pins: readonly string[];
  readonly #views = new Map<SurfaceName, { changes: number; view: ServerInstance }>();
  #compiled: SearchIndex | undefined;
  #entries: ReadonlyMap<string, ToolEntry> | undefined;
  #open: OpenIndex | undefined;

  constructor(
    server: ServerInstance,
    surfaces: readonly SurfaceName[],
    text: string,
    pins: readonly string[],
  ) {
    this.#server = server;
    this.#pins = pins;
    this.surfaces = surfaces;
    this.#text = text;
  }

  /** Where all tools are listed, the one that describes them is needed for schemas that are cut. */
  get entries(): ReadonlyMap<string, ToolEntry> {
    const isSearched = this.surfaces.some((name) => name !== 'tools');
    return (this.#entries ??= new Map(
      (isSearched ? this.#listedSurfaceTools() : [DESCRIBE_TOOL]).map((listed) => [
        listed.name,
        this.#surfaceToolEntry(listed),
      ]),
    ));
  }

  get #items(): readonly ListedTool[] {
    const items = this.#server.catalog.items('tools');
    return this.#server.catalog.describes ? items.filter(({ name }) => !SURFACE_TOOLS.includes(name)) : items;
  }

  get #index(): SearchIndex {
    return (this.#compiled ??= new SearchIndex(this.#text));
  }

  serverForSurface(name: SurfaceName = this.surfaces[0] ?? 'tools'): ServerInstance {
    if (name === 'tools') return this.#server;
    const { catalog } = this.#server;
    const { changes } = catalog;
    const known = this.#views.get(name);
    if (known?.changes === changes) return known.view;
    const pinned = new Set([...this.#index.head.pinned, ...this.#pins]);
    // Parsing the whole catalog takes long.
    const all = name === 'both' || pinned.size > 0 ? this.#items : [];
    const others = name === 'both' ? all : all.filter((tool) => pinned.has(tool.name));
    const listed = new CatalogStore(JSON.stringify({ tools: [...this.#listedSurfaceTools(), ...others] }));
    const view = { ...this.#server, catalog: listed, cache: {} };
    this.#views.set(name, { changes, view });
    return view;
  }

  redirectCall(request: ClientRequest): ClientRequest {
    const { params } = request;
    const by = accessOfCallTool(params['name']);
    const target =
      by === undefined ? undefined : parseCallTarget(params['arguments'], this.#server.repairs !== false);
    if (by === undefined || !this.entries.has(CALL_TOOLS[by])) return request;
    if (target === undefined || this.entries.has(target.name)) return request;
    const tool = getToolEntries(this.#server).findToolEntry(target.name);
    if (tool === undefined || !mayCall(by, readAccess(tool.listed))) return request;
    return { ...request, params: { ...params, name: target.name, arguments: target.args }, sent: params };
  }

  explainRefusal(tool: ToolEntry, reason: string): string {
    return `${reason}\nIts signature: ${printSignature(withWholeInput(tool), WHOLE)}`;
  }

  #listedSurfaceTools() {
    const { info, catalog } = this.#server;
    const tasks = this.#server.features.tasks !== undefined && catalog.hasWord('tools', '"taskSupport"');
    const count = catalog.changes === 0 ? this.#index.known : this.#items.length;
    const all = makeSurfaceTools(info.title ?? info.name, count, tasks);
    const isReadOnly = catalog.hidden !== undefined;
    return isReadOnly ? all.filter(({ annotations }) => annotations?.readOnlyHint === true) : all;
  }

  #surfaceToolEntry(listed: ToolEntry['listed']): ToolEntry {
    const by = accessOfCallTool(listed.name);
    const works = { search_tools: this.#searchTools, describe_tool: this.#describeTool };
    const work = getOwnMember(works, listed.name) ?? this.#createCallToolHandler(by ?? 'read');
    return { listed, handler: undefined, prepare: undefined, scopes: undefined, work: work.bind(this) };
  }

  /** The tools that exist for the caller: not those that its token has no scopes for. */
  async #createExistsTest(call: Call): Promise<(name: string) => boolean> {
    const { reach, server } = call;
    const tools = getToolEntries(server);
    if (reach === undefined) return (name) => tools.has(name);
    const { tools: bound } = await server.bindings();
    return (name) => {
      const tool = tools.findToolEntry(name);
      return (
        tool !== undefined &&
        reach.covers([...(getOwnMember(bound, name)?.scopes ?? []), ...(tool.scopes ?? [])])
      );
    };
  }

  async #searchTools(
    call: Call,
    { query, limit = USUALLY_FOUND }: Record<string, unknown>,
  ): Promise<LooseResult> {
    const question = String(query);
    const exists = await this.#createExistsTest(call);
    const found = this.#findTools(question, Number(limit), exists);
    if (found.length === 0) return structuredResult(this.#suggestNearest(question, exists));
    const [best] = found;
    if (best !== undefined) await this.#loadWholeInput(best);
    const tools = found.map(({ listed, input }, at) => ({
      name: listed.name,
      access: readAccess(listed),
      summary: shortenTo(summarizeTool(listed).replace(/\s+/g, ' '), MOST_SUMMARY),
      signature: at === 0 ? printSignature(withWholeInput({ listed, input }), BESIDE) : undefined,
    }));
    return structuredResult({ tools });
  }

  /** The tool of that very name comes first. */
  #findTools(question: string, most: number, exists: (name: string) => boolean): ToolEntry[] {
    const tools = getToolEntries(this.#server);
    const { index, names, spelt } = this.#openIndex();
    const isThere = (tool: number): boolean => exists(names[tool] ?? '');
    const ranked = rankTools(index, question, most, isThere).map(({ tool }) => names[tool] ?? '');
    const named = [question.trim(), spelt.get(stemmedLettersOf(question)) ?? ''];
    const first = named.filter((name) => exists(name) && !this.entries.has(name));
    return [...new Set([...first, ...ranked])]
      .slice(0, most)
      .flatMap((name) => tools.findToolEntry(name) ?? []);
  }

  /** The answer is never empty: it has the nearest words of the index, and the groups of tools. */
  #suggestNearest(question: string, exists: (name: string) => boolean): object {
    const { index, names } = this.#openIndex();
    const near = stemsOf(question)
      .slice(0, MOST_CORRECTED)
      .flatMap((word) => {
        const candidates = [
          ...index.wordsBeginningWith(word.slice(0, 2), 400),
          ...index.wordsBeginningWith(word.slice(0, 1), 400),
        ];
        return suggestNearest(word, new Set(candidates)) ?? [];
      });
    const groups = index.head.groups.map(([name, tools]) => `${name} (${tools})`);
    const some = names.filter((name) => exists(name)).slice(0, USUALLY_FOUND);
    return {
      tools: [],
      hint: 'No tool has these words. Ask by words of the API: a verb and a noun, or the name of a group.',
      words: [...new Set(near)],
      ...(groups.length > 0 ? { groups: groups.slice(0, MOST_FOUND_GROUPS) } : { names: some }),
    };
  }

  async #describeTool(call: Call, { name, path }: Record<string, unknown>): Promise<LooseResult> {
    const tool = await this.#findTool(call, String(name));
    if ('isError' in tool) return tool;
    await this.#loadWholeInput(tool);
    const listed = withWholeInput(tool);
    if (typeof path === 'string' && !/^\/?$/.test(path)) return describeInputPart(listed, path);
    const access = readAccess(listed);
    const isDirect = this.entries.has(listed.name) || !this.entries.has(CALL_TOOLS[access]);
    const by = isDirect ? 'call it by its own name' : `call it by ${CALL_TOOLS[access]}`;
    const answer = printAnswer(listed, WHOLE / 8);
    const lines = [`${listed.name}: ${access}; ${by}`, ...shortenDescription(listed)];
    if (answer !== undefined) lines.push(`Answer: ${answer}`);
    return textResult([...lines, printSignature(listed, WHOLE)].join('\n'));
  }

  /** Loads the whole input schema, since a part may be listed. */
  async #loadWholeInput(tool: ToolEntry): Promise<void> {
    if (hasBoundInputSchemas(this.#server) && tool.input === undefined)
      await loadInputSchema(this.#server, tool);
  }

  /** Runs if the call was not redirected: it may not be made in this way, or code makes it. */
  #createCallToolHandler(by: 'read' | 'write' | 'destructive') {
    return async function (this: Surface, call: Call, args: Record<string, unknown>): Promise<LooseResult> {
      const { name, arguments: given } = args;
      const tool = await this.#findTool(call, String(name));
      if ('isError' in tool) return tool;
      const access = readAccess(tool.listed);
      if (this.entries.has(tool.listed.name)) return errorResult(`Call ${tool.listed.name} by its own name.`);
      if (mayCall(by, access))
        return (await callNamedTool(call, tool.listed.name, isRecord(given) ? given : {})) as LooseResult;
      const words = access === 'write' ? 'adds or changes something' : 'may change or delete something';
      return errorResult(
        `${tool.listed.name} was not called, since it ${words} and ${CALL_TOOLS[by]} does not. Call it by ${CALL_TOOLS[access]}.`,
      );
    };
  }

  async #findTool(call: Call, name: string): Promise<ToolEntry | (LooseResult & { isError: boolean })> {
    const exists = await this.#createExistsTest(call);
    const tool = exists(name) ? getToolEntries(this.#server).findToolEntry(name) : undefined;
    if (tool !== undefined) return tool;
    const { names } = this.#openIndex();
    const words = unknownNameError('tool', name, names.filter(exists)).message;
    const way = this.entries.has('search_tools') ? ' search_tools finds tools.' : '';
    return { ...errorResult(`${words.replace(/[.]?$/, /\?$/.test(words) ? '' : '.')}${way}`), isError: true };
  }

  /** Opened by the first search, and again when tools have come or gone. */
  #openIndex(): OpenIndex {
    const { catalog } = this.#server;
    const { changes } = catalog;
    if (this.#open?.changes === changes) return this.#open;
    const all = catalog.keys('tools').filter((name) => !catalog.describes || !SURFACE_TOOLS.includes(name));
    const known = this.#index;
    const added = new Set(all.filter((name) => known.toolNumberOf(name) === undefined));
    const own = added.size === 0 ? [] : this.#items.filter(({ name }) => added.has(name));
    const index = own.length === 0 ? known : new SearchIndex(this.#text, own);
    const names: string[] = [];
    for (const name of all)
      names[known.toolNumberOf(name) ?? known.known + own.findIndex((each) => each.name === name)] = name;
    const spelt = new Map(all.map((name) => [stemmedLettersOf(name), name]));
    return (this.#open = { changes, index, names, spelt });
  }
}

function withWholeInput({
  listed,
  input,
}: {
  listed: ListedTool;
  input?: ToolEntry['input'] | undefined;
}): ListedTool {
  return input === undefined ? listed : { ...listed, inputSchema: input };
}

/** Words of a question for which near ones are sought. */
const MOST_CORRECTED = 20;
const MOST_FOUND_GROUPS = 20;

interface Target {
  name: string;
  /** Absent, as in a call by name. */
  args: Record<string, unknown> | undefined;
}

/**
 * Undefined if the arguments do not match the schema of the tool that calls, which then says so. Models write objects
 * as text, and null for none, now and then.
 */
function parseCallTarget(given: unknown, repairs: boolean): Target | undefined {
  if (!isRecord(given) || Object.keys(given).some((key) => key !== 'name' && key !== 'arguments'))
    return undefined;
  const { name, arguments: args } = given;
  const read = repairs && typeof args === 'string' ? parseJsonOrKeep(args) : args;
  if (typeof name !== 'string') return undefined;
  if (read === undefined || (repairs && read === null)) return { name, args: undefined };
  return isRecord(read) ? { name, args: read } : undefined;
}

function parseJsonOrKeep(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

function stemmedLettersOf(name: string): string {
  return splitWords(name).map(stemWord).join('');
}

/** A title that repeats the name says nothing. */
function summarizeTool({ name, title = '', description = '' }: ListedTool): string {
  return stemmedLettersOf(title) === stemmedLettersOf(name)
    ? firstSentenceOf({ description })
    : firstSentenceOf({ title, description });
}

function shortenDescription({ description = '' }: ToolEntry['listed']): string[] {
  const lines = description
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return shortenTo(lines.slice(0, MOST_LINES).join('\n'), MOST_DESCRIPTION)
    .split('\n')
    .filter((line) => line !== '');
}

function describeInputPart({ name, inputSchema }: ToolEntry['listed'], path: string): LooseResult {
  const found = findArgumentPart(inputSchema, path);
  if ('schema' in found)
    return textResult(`${name} ${path}: ${printArgumentPart(found.schema, inputSchema, WHOLE)}`);
  if ('tooDeep' in found)
    return errorResult(
      `${path} of ${name} is too deep to be shown: ${found.tooDeep || '/'} is as far as it can be followed.`,
    );
  const { step } = found;
  const begun = found.known.filter((each) => each.startsWith(step));
  if (begun.length > 1)
    return textResult(`${name} has at ${found.at || '/'}, beginning with ${step}: ${listNames(begun)}`);
  const known = found.known.slice(0, 40).join(', ');
  const meant = begun[0] ?? suggestNearest(step, found.known);
  const hint = meant === undefined ? '' : ` Did you mean ${found.at}/${escapePointerToken(meant)}?`;
  return errorResult(
    `${name} has nothing at ${path}.${hint} ${known === '' ? `${found.at || 'It'} has no members.` : `At ${found.at || '/'}: ${known}.`}`,
  );
}

/** The names that find room, beside the count of the others. */
function listNames(names: readonly string[]): string {
  const end = countFitting(names, WHOLE - 300);
  const rest = end === names.length ? [] : [`${names.length - end} more, which more letters list`];
  return [...names.slice(0, end), ...rest].join(', ');
}

function textResult(words: string): LooseResult {
  return { content: [{ type: 'text', text: words }] };
}

/** The text is the same JSON, a tool on each line. */
function structuredResult(value: object): LooseResult {
  const structuredContent = JSON.parse(writeJson(value)) as NonNullable<LooseResult['structuredContent']>;
  const lines = writeJson(value).replaceAll('},{"name":', '},\n{"name":');
  return { content: [{ type: 'text', text: lines }], structuredContent };
}
