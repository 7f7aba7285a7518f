// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What clients may list and call: the generated items and those of your handlers, as far as the operator lets them. */
import type { MethodCall, ServerDefinition } from './feature.ts';
import { fit, invalidParams, ownMember, writeJson } from './json-rpc.ts';
import { describeThrown } from './results.ts';
import { type Guards, LIMITS, makeSelection } from './settings.ts';
import { type Bindings, type CatalogData, type ExtraTool, type Handlers, UsageError } from './types.ts';
import type { PromptInfo, ResourceInfo, TemplateInfo, ToolInfo } from './types.ts';
import { compileSchema } from './validate.ts';

export const LISTS = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;
export type ListName = (typeof LISTS)[number];

/** The APIs of models refuse a whole request for one tool with another name (2026-11). */
const TOOL_NAMES = {
  models: { form: /^[A-Za-z0-9_-]{1,64}$/, words: '1 to 64 of A–Z, a–z, 0–9, "_" and "-"' },
  spec: { form: /^[A-Za-z0-9_./-]{1,128}$/, words: '1 to 128 of A–Z, a–z, 0–9, "_", "-", "." and "/"' },
};

export class Catalog {
  readonly tools = new Map<string, ToolInfo>();
  readonly resources = new Map<string, ResourceInfo>();
  readonly resourceTemplates = new Map<string, TemplateInfo>();
  readonly prompts = new Map<string, PromptInfo>();
  readonly handlers: Handlers<object>;
  /** The lists that have items at the start: clients never ask for others. */
  lists: ReadonlySet<ListName> = new Set();
  readonly #bindings: Bindings;
  readonly #toolName: (typeof TOOL_NAMES)['spec'];
  isReadOnly = false;
  isSelected: ReturnType<typeof makeSelection> = () => true;
  #isServed: (tool: ToolInfo) => boolean = () => true;

  /** @throws {UsageError} for handlers of what is not there */
  constructor(
    data: CatalogData,
    bindings: Bindings,
    { handlers = {}, toolNames }: Pick<ServerDefinition, 'handlers' | 'toolNames'>,
  ) {
    this.#toolName = TOOL_NAMES[toolNames ?? 'models'];
    for (const tool of data.tools) this.tools.set(tool.name, tool);
    for (const resource of data.resources) this.resources.set(resource.uri, resource);
    for (const template of data.resourceTemplates) this.resourceTemplates.set(template.uriTemplate, template);
    for (const prompt of data.prompts) this.prompts.set(prompt.name, prompt);
    this.#bindings = bindings;
    this.handlers = { ...handlers };
    const stranger = Object.keys(handlers.tools ?? {}).find((name) => !this.tools.has(name));
    if (stranger !== undefined)
      throw new UsageError(`src/handlers/: there is no tool ${JSON.stringify(stranger)} to replace.`);
    for (const tool of handlers.extraTools ?? []) this.addTool(tool);
  }

  /** Lists a tool of the handlers, unless the operator does not serve it. @throws {UsageError} for one that clients would refuse */
  addTool(tool: ExtraTool): void {
    const { name, inputSchema, outputSchema, annotations } = tool;
    const refuse = (reason: string): UsageError =>
      new UsageError(`src/handlers/: the tool ${JSON.stringify(name)} ${reason}.`);
    if (!this.#toolName.form.test(name)) throw refuse(`must have a name of ${this.#toolName.words}`);
    if (this.tools.has(name)) throw refuse('exists already: clients would see only one');
    // Clients drop the whole list otherwise.
    if (inputSchema.type !== 'object' || (outputSchema ?? inputSchema).type !== 'object')
      throw refuse("must have `type: 'object'` at the top of its `inputSchema` and `outputSchema`");
    for (const schema of [inputSchema, outputSchema ?? true])
      try {
        compileSchema(schema);
      } catch (thrown) {
        throw refuse(`can't be checked: ${describeThrown(thrown).replace(/\.$/, '')}`);
      }
    // Without hints a client takes a tool for a destructive one.
    const { readOnlyHint: reads = false, ...hints } = annotations ?? {};
    const readOnlyHint = reads && hints.destructiveHint !== true;
    const implied = { readOnlyHint, destructiveHint: !readOnlyHint, idempotentHint: readOnlyHint };
    const listed = { ...tool, annotations: { ...implied, openWorldHint: true, ...hints } };
    if (this.#isServed(listed)) this.tools.set(name, listed);
  }

  /** Leaves out what the operator does not serve. @throws {UsageError} for selectors that match nothing */
  restrict(guards: Guards): void {
    const { readOnly } = guards;
    this.isReadOnly = readOnly;
    this.isSelected = makeSelection(guards, this.#bindings, [...this.tools.keys()]);
    this.#isServed = ({ name, annotations }) =>
      this.isSelected(name, ownMember(this.#bindings.tools, name)) &&
      (!readOnly || annotations?.readOnlyHint === true);
    for (const [name, tool] of this.tools) if (!this.#isServed(tool)) this.tools.delete(name);
  }
}

export async function listItems(list: ListName, call: MethodCall): Promise<object> {
  const { catalog, features } = call.server;
  let items: readonly object[] = [...catalog[list].values()];
  for (const feature of features) items = (await feature.catalog?.list?.(list, items, call)) ?? items;
  return cutPage(list, items, call);
}

/** A cursor is the same on every node and after restarts; it names its list and the list's length. */
export function cutPage(
  member: string,
  items: readonly object[],
  { server, agreement, params: { cursor } }: MethodCall,
  list = member,
): object {
  const cursorAt = (offset: number): string =>
    Buffer.from(`${list} ${offset} of ${items.length}`).toString('base64url');
  let start = 0;
  if (cursor !== undefined) {
    const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
    start = Number(/ (\d+) of \d+$/.exec(text)?.[1]);
    if (!(start > 0) || cursorAt(start) !== cursor)
      throw invalidParams('`cursor` must be one that this server gave for this list.');
  }
  const page: object[] = [];
  // With brackets and commas.
  let bytes = 1;
  for (const item of items.slice(start, start + server.settings.pageSize)) {
    const fitted = fit(member, item, agreement.revision);
    bytes += Buffer.byteLength(writeJson(fitted)) + 1;
    // Clients close a connection at a message of 10 MiB.
    if (bytes > LIMITS.pageBytes && page.length > 0) break;
    page.push(fitted);
  }
  const end = start + page.length;
  return { [member]: page, ...(end < items.length && { nextCursor: cursorAt(end) }) };
}
