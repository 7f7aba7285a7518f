// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Resources that functions list. */
import type { Call, MethodCall } from '../../feature.ts';
import { INTERNAL_ERROR, isRecord, ownMember, RpcError } from '../../json-rpc.ts';
import { type ExpandTemplate, matchTemplate, type MatchTemplate } from '../resources.ts';
import { describeThrown } from '../../results.ts';
import type { Server } from '../../server.ts';
import type { ResourceInfo, TemplateInfo } from '../../types.ts';
import type { FunctionBinding } from './binding.ts';
import { callFunction } from './call.ts';
import type { Program } from './instances.ts';

export function listTemplates({
  catalog,
  bindings,
}: Server): { template: TemplateInfo; list: FunctionBinding }[] {
  return [...catalog.resourceTemplates.values()].flatMap((template) => {
    const list = ownMember(bindings.resourceTemplates, template.uriTemplate)?.list;
    return list === undefined ? [] : [{ template, list }];
  });
}

export async function listResources(program: Program, method: MethodCall): Promise<ResourceInfo[]> {
  const { server, work } = method;
  const lists = listTemplates(server).map(async ({ template, list }) => {
    const { uriTemplate: name } = template;
    const call: Call = { kind: 'resource', name, args: {}, origin: 'client', request: method, work };
    const items = await callFunction(program, { ...call, name: 'The list' }, list, {}).catch(
      (thrown: unknown) => {
        throw thrown instanceof RpcError ? thrown : new RpcError(INTERNAL_ERROR, describeThrown(thrown));
      },
    );
    if (!Array.isArray(items)) throw new RpcError(INTERNAL_ERROR, `What lists ${name} returned no list.`);
    return items.flatMap((item: unknown) => {
      const uri = uriOf(item, name, server);
      const [match = matchTemplate] = Object.values(server.parts<MatchTemplate>('templates'));
      if (uri !== undefined && match(name, uri) !== undefined) return toListed(uri, item, template);
      server.report(`${uri ?? JSON.stringify(item)} was listed, but ${name} does not read it.`);
      return [];
    });
  });
  return (await Promise.all(lists)).flat();
}

function uriOf(item: unknown, template: string, server: Server): string | undefined {
  if (typeof item === 'string') return item;
  const { uri, variables } = isRecord(item) ? item : {};
  if (typeof uri === 'string') return uri;
  if (!isRecord(variables)) return undefined;
  const expandPlain: ExpandTemplate = (text, values) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')));
  const [expand = expandPlain] = Object.values(server.parts<ExpandTemplate>('expansions'));
  return expand(template, variables);
}

const INHERITED = ['mimeType', 'annotations', 'icons'];
const LISTED = ['name', 'title', 'description', 'size', ...INHERITED];

/** Media type, annotations and icons are those of the template, unless the item has its own. */
function toListed(uri: string, item: unknown, template: TemplateInfo): ResourceInfo {
  const pick = (from: unknown, names: readonly string[]): object =>
    Object.fromEntries(Object.entries(isRecord(from) ? from : {}).filter(([name]) => names.includes(name)));
  return { uri, name: uri, ...pick(template, INHERITED), ...pick(item, LISTED) };
}
