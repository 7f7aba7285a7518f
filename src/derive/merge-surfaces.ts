/** Joins the surfaces of several sources to one server. */
import type { Binding, PromptBinding, Selectable, ToolReference } from '../model/bindings.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { bindingKey } from '../model/operation-key.ts';
import type { Resource, ResourceTemplate, ServerModel, Tool } from '../model/server-model.ts';
import { omitUndefined } from '../util/collections.ts';

export type ServerSurface = Pick<
  ServerModel,
  | 'tools'
  | 'resources'
  | 'resourceTemplates'
  | 'prompts'
  | 'completions'
  | 'codecs'
  | 'started'
  | 'operations'
  | 'deselected'
  | 'upstream'
  | 'mock'
>;

/**
 * Keeps the order of the sources. The result for one source equals its surface. Only an API among several has a name.
 */
export function mergeSurfaces(
  surfaces: readonly ServerSurface[],
): ServerSurface & Pick<ServerModel, 'upstreams' | 'mocks'> {
  const codecs = Object.fromEntries(surfaces.flatMap((surface) => Object.entries(surface.codecs ?? {})));
  const started = surfaces.flatMap((surface) => surface.started ?? []);
  const deselected = surfaces.flatMap((surface) => surface.deselected ?? []);
  const all = surfaces.flatMap(({ operations = {} }) => Object.entries(operations));
  return {
    tools: surfaces.flatMap(({ tools }) => tools),
    resources: surfaces.flatMap(({ resources }) => resources),
    resourceTemplates: surfaces.flatMap(({ resourceTemplates }) => resourceTemplates),
    prompts: surfaces.flatMap(({ prompts }) => prompts),
    completions: surfaces.flatMap(({ completions }) => completions),
    ...(Object.keys(codecs).length === 0 ? {} : { codecs }),
    ...(started.length === 0 ? {} : { started }),
    ...(all.length === 0 ? {} : { operations: Object.fromEntries(all) }),
    ...(deselected.length === 0 ? {} : { deselected }),
    ...mergeApis(surfaces),
  };
}

/** `--read-only`: keeps the tools that say `readOnlyHint`, and drops resources and prompts that call the function of another tool. */
export function keepReadOnlyTools<Surface extends ServerSurface>(
  surface: Surface,
  diagnostics: DiagnosticCollector,
): Surface {
  const isReadOnlyTool = ({ annotations }: Tool): boolean => annotations?.readOnlyHint === true;
  const removed = surface.tools.filter((tool) => !isReadOnlyTool(tool)).length;
  if (removed === 0) return surface;
  const writers = new Set(
    surface.tools.flatMap((tool) =>
      isReadOnlyTool(tool) || tool.binding.kind !== 'function' ? [] : [bindingKey(tool.binding)],
    ),
  );
  const isWithoutWriter = (binding: Binding | ToolReference | PromptBinding): boolean =>
    binding.kind !== 'function' || !writers.has(bindingKey(binding));
  const filtered = keepToolsAndResources(surface, isReadOnlyTool, isWithoutWriter);
  const { tools, resources, resourceTemplates, prompts } = filtered;
  if ([tools, resources, resourceTemplates, prompts].every((items) => items.length === 0))
    diagnostics.report('nothing-selected', { writers: removed });
  else diagnostics.report('writers-left-out', { tools: removed, of: surface.tools.length });
  return filtered;
}

/** Leaves out other tools, and resources that only they read or whose binding is not kept. Selectors of the start may name them. */
export function keepToolsAndResources<Surface extends ServerSurface>(
  surface: Surface,
  isKept: (tool: Tool) => boolean,
  isBindingKept: (binding: Binding | ToolReference | PromptBinding) => boolean = () => true,
): Surface {
  const { tools, resources, resourceTemplates, prompts, completions, deselected = [] } = surface;
  const removed = tools.filter((tool) => !isKept(tool));
  const names = new Set(removed.map(({ name }) => name));
  const readsKeptTool = ({ binding }: Resource | ResourceTemplate): boolean =>
    isBindingKept(binding.do) && (binding.do.kind !== 'tool' || !names.has(binding.do.name));
  const gone = new Set([
    ...resourceTemplates
      .filter((resourceTemplate) => !readsKeptTool(resourceTemplate))
      .map(({ uriTemplate }) => `resource ${uriTemplate}`),
    ...prompts.filter(({ binding }) => !isBindingKept(binding)).map(({ name }) => `prompt ${name}`),
  ]);
  return {
    ...surface,
    tools: tools.filter(({ name }) => !names.has(name)),
    resources: resources.filter(readsKeptTool),
    resourceTemplates: resourceTemplates.filter(readsKeptTool),
    prompts: prompts.filter(({ binding }) => isBindingKept(binding)),
    completions: completions.filter(
      ({ ref }) => !gone.has(ref.kind === 'resource' ? `resource ${ref.uri}` : `prompt ${ref.name}`),
    ),
    deselected: [...deselected, ...removed.map(toSelectable)],
  };
}

function toSelectable({ name, tags, binding }: Tool): Selectable {
  if (binding.kind !== 'http') return { op: [name], tag: tags, path: [], method: [] };
  const { operationId = name, path, method } = binding;
  return { op: [...new Set([name, operationId])], tag: tags, path: [path], method: [method] };
}

function mergeApis(
  surfaces: readonly ServerSurface[],
): Pick<ServerModel, 'upstream' | 'upstreams' | 'mock' | 'mocks'> {
  const upstreams = surfaces.flatMap(({ upstream }) => upstream ?? []);
  const [first] = upstreams;
  if (first === undefined) return {};
  if (first.name === undefined) {
    const mock = surfaces.find((surface) => surface.mock !== undefined)?.mock;
    return { upstream: first, ...omitUndefined({ mock }) };
  }
  const mocks = surfaces.flatMap(({ upstream, mock }) =>
    upstream?.name === undefined || mock === undefined ? [] : [[upstream.name, mock] as const],
  );
  return { upstreams, mocks: Object.fromEntries(mocks) };
}

export function nameApiInBindings(surface: ServerSurface, api: string): ServerSurface {
  const addApiName = <T extends Tool['binding'] | { kind: 'tool' }>(work: T): T =>
    work.kind === 'http' ? { ...work, api } : work;
  const nameResourceApi = <T extends ServerSurface['resources' | 'resourceTemplates'][number]>(
    item: T,
  ): T => ({
    ...item,
    binding: { ...item.binding, do: addApiName(item.binding.do) },
  });
  const { upstream, operations = {} } = surface;
  const unlisted = Object.entries(operations).map(([source, byId]) => [
    source,
    Object.fromEntries(
      Object.entries(byId).map(([id, operation]) => [id, { ...operation, do: addApiName(operation.do) }]),
    ),
  ]);
  return {
    ...surface,
    tools: surface.tools.map((tool) => ({ ...tool, binding: addApiName(tool.binding) })),
    resources: surface.resources.map(nameResourceApi),
    resourceTemplates: surface.resourceTemplates.map(nameResourceApi),
    ...(unlisted.length > 0 && { operations: Object.fromEntries(unlisted) as typeof operations }),
    ...(upstream && { upstream: { name: api, ...upstream } }),
  };
}
