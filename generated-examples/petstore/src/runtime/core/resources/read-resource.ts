/** `resources/read`: a listed URI, or one that a listed template makes. */
import type { Binding, FunctionBinding, HttpBinding } from '../../contract/bindings.ts';
import type { ResourceContents } from '../../protocol/content.ts';
import { INTERNAL_ERROR, invalidParams, ProtocolError } from '../../protocol/protocol-error.ts';
import { messageOf } from '../answer.ts';
import type { Call, Method } from '../call.ts';
import { CallContext } from '../call-context.ts';
import { loadFunctions, loadUpstream, toolsOf } from '../tools/tool-entry.ts';
import { knownContents, toContents, ownContents } from '../handler-result.ts';
import type { ToolEntry } from '../server-instance.ts';
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

/** Undefined when there is none. */
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

/** Undefined when there is none. */
async function byBinding(
  call: Call,
  { args, binding }: Bound,
  uri: string,
): Promise<ResourceContents[] | undefined> {
  if (binding.do.kind === 'function') return byFunction(call, binding.do, args, uri);
  if (binding.do.kind === 'http') return request(call, binding.do, args, uri);
  const { server } = call;
  const { name } = binding.do;
  // Undefined when the tool has been deselected; its work is still this resource's.
  const tool = toolsOf(server).get(name);
  const checked = tool === undefined ? { ok: true as const, args } : checkArguments(tool, args);
  if ('reason' in checked) throw invalidParams(checked.reason, { uri });
  if (tool?.handler !== undefined) return byHandler(call, tool, checked.args, uri);
  const work = await workOf(call, binding.do);
  if (work.kind === 'function') return byFunction(call, work, checked.args, uri);
  return request(call, work, checked.args, uri, name);
}

async function byFunction(
  call: Call,
  binding: FunctionBinding,
  args: Record<string, unknown>,
  uri: string,
): Promise<ResourceContents[] | undefined> {
  const read = await (await loadFunctions(call.server)).resource(binding, args);
  return byReader(call, { own: { read, ...typeOf(binding) }, variables: {} }, uri);
}

function typeOf({ result: { mimeType } = {} }: FunctionBinding): { mimeType?: string } {
  return mimeType === undefined ? {} : { mimeType };
}

async function workOf({ server }: Call, { name }: { name: string }): Promise<Binding> {
  const { tools } = await server.bindings();
  const work = Object.hasOwn(tools, name) ? tools[name]?.do : undefined;
  if (work === undefined) throw new Error(`No work is bound to the tool ${name}.`);
  return work;
}

async function byHandler(
  call: Call,
  tool: ToolEntry,
  args: Record<string, unknown>,
  uri: string,
): Promise<ResourceContents[]> {
  return toContents(await runTool(call.server, tool, args, new CallContext(call)), uri);
}

async function request(
  call: Call,
  binding: HttpBinding,
  args: Record<string, unknown>,
  uri: string,
  tool?: string,
): Promise<ResourceContents[]> {
  return (await loadUpstream(call.server)).resource(call, uri, { binding, args, tool });
}
