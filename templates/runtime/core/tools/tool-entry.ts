// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Tools by name with their compiled schemas, and the features that run them, each loaded with the first call that needs it. */
import type { Binding } from '../../contract/bindings.ts';
import type { ListedTool } from '../../contract/catalog.ts';
import type { Handlers, ToolHandler } from '../../definition.ts';
import { invalidParams } from '../../protocol/protocol-error.ts';
import { compileSchema, type Validator } from '../../schema/index.ts';
import { suggest } from '../../contract/suggest.ts';
import type { ToolEntry, ServerInstance } from '../server-instance.ts';
import { withoutFeature } from '../../contract/feature.ts';
import type { BoundUpstream } from '../../upstream-part.ts';
import type { BoundFunctions } from '../../functions-part.ts';

/** @throws {ProtocolError} `-32602`, naming the near miss, when there is no such tool. */
export function findTool(server: ServerInstance, name: string): ToolEntry {
  const tools = server.cache.tools ?? toolsOf(server);
  const tool = tools.get(name);
  if (tool !== undefined) return tool;
  const meant = suggest(name, tools.keys());
  const hint = meant === undefined ? '' : `. Did you mean ${JSON.stringify(meant)}?`;
  throw invalidParams(`Unknown tool: ${name}${hint}`);
}

export function toolsOf({ catalog, handlers, cache }: ServerInstance): ReadonlyMap<string, ToolEntry> {
  return (cache.tools ??= new Map(
    catalog.items('tools').map((listed) => [listed.name, toolParts(listed, handlers)]),
  ));
}

/** The project's own code may override a listed tool, or add an extra tool. */
export function toolParts(listed: ListedTool, { tools = {}, extraTools = [] }: Handlers<object>): ToolEntry {
  const { name } = listed;
  const override: unknown = Object.hasOwn(tools, name) ? Reflect.get(tools, name) : undefined;
  const extra = extraTools.find((tool) => tool.name === name);
  return {
    listed,
    handler: isHandler(override) ? override : extra?.handler,
    prepare: extra?.prepare,
    ...(extra?.scopes === undefined ? {} : { scopes: extra.scopes }),
  };
}

/** The compiler checked it against the tool's own arguments; here any will do. */
function isHandler(value: unknown): value is ToolHandler<Record<string, unknown>> {
  return typeof value === 'function';
}

/** Undefined if the tool has no output schema. */
export function outputValidator(tool: ToolEntry): Validator | undefined {
  const { outputSchema } = tool.listed;
  return outputSchema && (tool.validateOutput ??= compileSchema(outputSchema));
}

export async function loadFunctions(server: ServerInstance): Promise<BoundFunctions> {
  return (server.cache.functions ??= server.readMock === undefined ? openModules(server) : openMock(server));
}

async function openModules({ functions, bindings, report }: ServerInstance): Promise<BoundFunctions> {
  if (functions === undefined) throw new Error('The server has no functions, but a binding names one.');
  const [{ openFunctions }, { codecs }] = await Promise.all([functions.runtime(), bindings()]);
  return openFunctions(functions.modules, codecs, report);
}

async function openMock(server: ServerInstance): Promise<BoundFunctions> {
  const { mockFunctions } = server.features;
  if (mockFunctions === undefined) throw new Error(withoutFeature('mock'));
  return (await mockFunctions()).mockFunctions((tool) => toolsOf(server).get(tool)?.listed.outputSchema);
}

export async function openApis(server: ServerInstance): Promise<BoundUpstream> {
  const { api } = server.features;
  if (api === undefined) throw new Error('The server has no API, but a binding calls one.');
  return (await api()).openUpstream(server);
}

export async function findBinding(server: ServerInstance, name: string): Promise<Binding> {
  const { tools } = await server.bindings();
  const binding = Object.hasOwn(tools, name) ? tools[name]?.do : undefined;
  if (binding === undefined) throw new Error(`No work is bound to the tool ${name}.`);
  return binding;
}
