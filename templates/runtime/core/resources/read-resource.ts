// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `resources/read`: a listed URI, or one that a listed template makes. */
import type { Binding } from '../../contract/bindings.ts';
import type { ResourceContents } from '../../protocol/content.ts';
import { INTERNAL_ERROR, invalidParams, ProtocolError } from '../../protocol/protocol-error.ts';
import { messageOf } from '../answer.ts';
import type { Call, Method } from '../call.ts';
import { CallContext } from '../call-context.ts';
import { findBinding, loadFunctions, openApis, toolsOf } from '../tools/tool-entry.ts';
import { knownContents, toContents, ownContents } from '../handler-result.ts';
import { checkArguments, runTool } from '../tools/call-tool.ts';
import { findResource, type FoundResource, unknownResource } from './find-resource.ts';

type Own = Extract<FoundResource, { kind: 'own' }>;
type Bound = Extract<FoundResource, { kind: 'bound' }>;

export const readResource: Method = async (call: Call) => {
  const { uri } = call.params;
  if (typeof uri !== 'string') throw invalidParams('`uri` must be a string.');
  const found = findResource(call.server, await call.server.bindings(), uri);
  const contents =
    found && (found.kind === 'own' ? await byReader(call, found, uri) : await byBinding(call, found, uri));
  if (contents === undefined) throw unknownResource(call, uri);
  return { contents: contents.map((each) => knownContents(each, call.agreement.features)) };
};

/** Undefined if there is no such resource. */
async function byReader(
  call: Call,
  { own, variables }: Pick<Own, 'own' | 'variables'>,
  uri: string,
): Promise<ResourceContents[] | undefined> {
  try {
    const answer: unknown = await own.read(uri, variables, new CallContext(call));
    return ownContents(answer, uri, own.mimeType);
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    throw new ProtocolError(INTERNAL_ERROR, messageOf(thrown), 'work', { uri });
  }
}

/** Undefined if there is no such resource. */
async function byBinding(
  call: Call,
  { args, binding }: Bound,
  uri: string,
): Promise<ResourceContents[] | undefined> {
  if (binding.do.kind !== 'tool') return runBinding(call, binding.do, args, uri);
  const { server } = call;
  const { name } = binding.do;
  // Undefined when the tool has been deselected; its binding is still this resource's.
  const tool = toolsOf(server).get(name);
  const checked = tool === undefined ? { args } : checkArguments(tool, args);
  if ('reason' in checked) throw invalidParams(checked.reason, { uri });
  if (tool?.handler !== undefined) return toContents(await runTool(call, tool, checked.args), uri);
  return runBinding(call, await findBinding(server, name), checked.args, uri, name);
}

async function runBinding(
  call: Call,
  binding: Binding,
  args: Record<string, unknown>,
  uri: string,
  tool?: string,
): Promise<ResourceContents[] | undefined> {
  const { server } = call;
  if (binding.kind === 'http') {
    const upstream = await (server.cache.upstream ??= openApis(server));
    return upstream.resource(call, uri, { binding, args, tool });
  }
  const read = await (await loadFunctions(server)).resource(binding, args);
  const { mimeType } = binding.result ?? {};
  return byReader(call, { own: { read, ...(mimeType && { mimeType }) }, variables: {} }, uri);
}
