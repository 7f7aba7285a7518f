// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Resources that functions list. */
import type { Call, MethodCall } from '../../feature.ts';
import { INTERNAL_ERROR, isRecord, ownMember, RpcError } from '../../json-rpc.ts';
import { type ExpandTemplate, matchTemplate, type MatchTemplate, toArguments } from '../../resources.ts';
import { describeThrown } from '../../results.ts';
import type { Server } from '../../server.ts';
import type { ResourceInfo, TemplateInfo } from '../../types.ts';
import type { FunctionBinding } from './binding.ts';
import { callFunction, rename, requireInput } from './call.ts';
import { decode, UnfitArguments } from './decode.ts';
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
      const faults = uri === undefined ? undefined : findFaults(server, uri, template);
      if (uri !== undefined && faults?.length === 0) return toListed(uri, item, template);
      const reason = faults === undefined ? '' : `: ${faults.join(', ')}`;
      server.report(`${uri ?? JSON.stringify(item)} was listed, but ${name} does not read it${reason}.`);
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

/** Why reading a URI would be refused. Undefined: the template does not match. */
function findFaults(
  server: Server,
  uri: string,
  { uriTemplate }: TemplateInfo,
): readonly string[] | undefined {
  const { bindings, catalog } = server;
  const [match = matchTemplate] = Object.values(server.parts<MatchTemplate>('templates'));
  const variables = match(uriTemplate, uri);
  const resource = ownMember(bindings.resourceTemplates, uriTemplate);
  if (variables === undefined || resource === undefined) return undefined;
  // The person's own code reads it, whatever the types.
  const isReplaced = ownMember(catalog.handlers.resourceTemplates, uriTemplate) !== undefined;
  if (isReplaced || resource.do.kind !== 'function') return [];
  const binding = resource.do as FunctionBinding;
  try {
    const args = toArguments(variables, resource);
    requireInput(binding, args);
    decode(rename(args, binding.properties), binding.argumentCodec, bindings.codecs);
    return [];
  } catch (thrown) {
    if (thrown instanceof UnfitArguments) return thrown.faults;
    throw thrown;
  }
}

const INHERITED = ['mimeType', 'annotations', 'icons'];
const LISTED = ['name', 'title', 'description', 'size', ...INHERITED];

/** Media type, annotations and icons are those of the template, unless the item has its own. */
function toListed(uri: string, item: unknown, template: TemplateInfo): ResourceInfo {
  const pick = (from: unknown, names: readonly string[]): object =>
    Object.fromEntries(Object.entries(isRecord(from) ? from : {}).filter(([name]) => names.includes(name)));
  return { uri, name: uri, ...pick(template, INHERITED), ...pick(item, LISTED) };
}
