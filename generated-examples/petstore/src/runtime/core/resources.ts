// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `resources/read`, lists that functions make, and subscriptions of sessions. */
import type { Binding, Bindings, ResourceBinding } from '../contract/bindings.ts';
import { getOwnMember } from '../contract/json-value.ts';
import type { ResourceDefinition } from '../definition.ts';
import {
  type ContentBlock,
  type LooseResult,
  type ResourceContents,
  fitContentsToRevision,
  isResourceContents,
} from './handler-result.ts';
import { INTERNAL_ERROR, ProtocolError, invalidParamsError } from '../protocol/json-rpc.ts';
import { matchTemplate } from '../contract/patterns.ts';
import { convertTextsBySchema } from '../schema/compile-schema.ts';
import { type Call, type Method, toProtocolError } from './call.ts';
import { CallContext } from './call-context.ts';
import {
  checkArguments,
  requireToolBinding,
  loadUpstream,
  repairCallArguments,
  requireFunctions,
  runHandler,
  getToolEntries,
} from './call-tool.ts';
import type { ServerInstance } from './server-instance.ts';

type Own = Extract<FoundResource, { kind: 'own' }>;
type Bound = Extract<FoundResource, { kind: 'bound' }>;

export const readResource: Method = async (call: Call) => {
  const uri = getUriParameter(call);
  const found = findResource(call.server, await call.server.bindings(), uri);
  const contents =
    found === undefined ? await readSkillContents(call, uri) : await readFoundResource(call, found, uri);
  if (contents === undefined) throw resourceNotFoundError(call, uri);
  return { contents: contents.map((each) => fitContentsToRevision(each, call.agreement.features)) };
};

async function readFoundResource(
  call: Call,
  found: FoundResource,
  uri: string,
): Promise<ResourceContents[] | undefined> {
  return found.kind === 'own' ? readByOwnCode(call, found, uri) : readByBinding(call, found, uri);
}

/** A skill answers only for a URI that neither the project's own code nor the API has. */
async function readSkillContents({ server }: Call, uri: string): Promise<ResourceContents[] | undefined> {
  if (!uri.startsWith('skill://') || server.features.skills === undefined) return undefined;
  const file = (await server.features.skills()).readSkillFile(server, uri);
  return file && [file];
}

async function readByOwnCode(
  call: Call,
  { own, variables }: Pick<Own, 'own' | 'variables'>,
  uri: string,
): Promise<ResourceContents[] | undefined> {
  try {
    const answer: unknown = await own.read(uri, variables, new CallContext(call));
    return handlerAnswerToContents(answer, uri, own.mimeType);
  } catch (thrown) {
    throw toProtocolError(thrown, { uri });
  }
}

async function readByBinding(
  call: Call,
  { args, binding }: Bound,
  uri: string,
): Promise<ResourceContents[] | undefined> {
  if (binding.do.kind !== 'tool') return runBinding(call, binding.do, args, uri);
  const { server } = call;
  const { name } = binding.do;
  // A deselected tool is not listed; its binding is still this resource's.
  const tool = getToolEntries(server).findToolEntry(name);
  const first = tool === undefined ? { args } : checkArguments(tool, args);
  const checked =
    tool !== undefined && 'reason' in first ? await repairCallArguments(server, tool, args, first) : first;
  if ('reason' in checked) throw invalidParamsError(checked.reason, { uri });
  if (tool?.handler !== undefined)
    return toolResultToContents(await runHandler(call, tool, checked.args), uri);
  return runBinding(call, await requireToolBinding(server, name), checked.args, uri, name);
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
    const upstream = await (server.cache.upstream ??= loadUpstream(server));
    return upstream.readResource(call, uri, { binding, args, tool });
  }
  const read = await (await requireFunctions(server)).bindReader(call, binding, args);
  return readByOwnCode(call, { own: { read, mimeType: binding.result?.mimeType }, variables: {} }, uri);
}

function toolResultToContents(
  { content, structuredContent, isError }: LooseResult,
  uri: string,
): ResourceContents[] {
  if (isError === true) {
    const words = content.flatMap((block) => (block.type === 'text' ? block.text : []));
    const reason = words.join('\n') || 'The resource cannot be read.';
    throw new ProtocolError(INTERNAL_ERROR, reason, 'work', { uri });
  }
  const mimeType = structuredContent === undefined ? 'text/plain' : 'application/json';
  return content.map((block) => blockToContents(block, uri, mimeType));
}

function blockToContents(block: ContentBlock, uri: string, mimeType: string): ResourceContents {
  switch (block.type) {
    case 'text':
      return { uri, mimeType, text: block.text };
    case 'image':
    case 'audio':
      return { uri, mimeType: block.mimeType, blob: block.data };
    case 'resource':
      return { ...block.resource, uri };
    case 'resource_link':
      return { uri, mimeType: 'text/uri-list', text: block.uri };
  }
}

/** Undefined if there is no such resource. @throws {Error} if `answer` is of no allowed type */
function handlerAnswerToContents(
  answer: unknown,
  uri: string,
  mimeType: string | undefined,
): ResourceContents[] | undefined {
  if (answer === undefined) return undefined;
  if (typeof answer === 'string') return [{ uri, mimeType: mimeType ?? 'text/plain', text: answer }];
  if (answer instanceof Uint8Array) return [toBlobContents(answer, uri, mimeType)];
  const contents: unknown[] = [answer].flat();
  if (contents.length === 0) return undefined;
  if (contents.every(isResourceContents)) return contents;
  throw new Error(`What was read at ${uri} is no text, no bytes and no resource contents.`);
}

function toBlobContents(bytes: Uint8Array, uri: string, mimeType: string | undefined): ResourceContents {
  if (mimeType === undefined)
    throw new Error(`What was read at ${uri} is bytes, but no \`mimeType\` is listed.`);
  const { buffer, byteOffset, byteLength } = bytes;
  return { uri, mimeType, blob: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
}

export type FoundResource = { scopes: readonly string[] } & (
  | { kind: 'bound'; binding: ResourceBinding; args: Record<string, unknown> }
  | { kind: 'own'; own: OwnResource; variables: Record<string, string> }
);

type OwnResource = Pick<ResourceDefinition, 'read' | 'scopes'> & { mimeType?: string | undefined };

/** The resource with this URI, else the first listed template that matches. */
export function findResource(
  server: ServerInstance,
  bindings: Bindings,
  uri: string,
): FoundResource | undefined {
  const { catalog, handlers } = server;
  const { resources, resourceTemplates } = bindings;
  if (catalog.items('resources').some((resource) => resource.uri === uri)) {
    const own = getOwnMember(handlers.resources ?? {}, uri);
    const binding = getOwnMember(resources, uri);
    const scopes = joinScopes(binding, own);
    if (own !== undefined) return { kind: 'own', own, variables: {}, scopes };
    if (binding !== undefined) return { kind: 'bound', binding, args: {}, scopes };
  }
  for (const { uriTemplate } of catalog.items('resourceTemplates')) {
    const variables = matchVariables(uriTemplate, uri);
    if (variables === undefined) continue;
    const own = getOwnMember(handlers.resourceTemplates ?? {}, uriTemplate);
    const binding = getOwnMember(resourceTemplates, uriTemplate);
    const scopes = joinScopes(binding, own);
    if (own !== undefined) return { kind: 'own', own, variables: joinVariableValues(variables), scopes };
    if (binding !== undefined)
      return { kind: 'bound', binding, args: variablesToArguments(variables, binding), scopes };
  }
  return undefined;
}

export function matchVariables(
  uriTemplate: string,
  uri: string,
): Record<string, string | string[]> | undefined {
  const variables = matchTemplate(uriTemplate, uri);
  return variables === undefined || hasDotSegment(variables) ? undefined : variables;
}

/** Own code may need more scopes than the item that it replaces, not fewer. */
function joinScopes(
  bound: Pick<ResourceBinding, 'scopes'> = {},
  own: Pick<OwnResource, 'scopes'> = {},
): string[] {
  return [...(bound.scopes ?? []), ...(own.scopes ?? [])];
}

function joinVariableValues(variables: Readonly<Record<string, string | string[]>>): Record<string, string> {
  const texts = Object.entries(variables).map(([name, value]) => [name, [value].flat().join(',')]);
  return Object.fromEntries(texts) as Record<string, string>;
}

/** A dot segment would leave the place that the template describes (RFC 3986, section 5.2.4); Java servers accept `..;x` too. */
function hasDotSegment(variables: Record<string, string | string[]>): boolean {
  const parts = Object.values(variables).flat();
  return parts.some((value) => value.split(/[/\\]/).some((segment) => /^\.{1,2}(?:$|;)/.test(segment)));
}

export function variablesToArguments(
  variables: Readonly<Record<string, string | string[]>>,
  { variables: renamed = {}, schemas = {} }: Pick<ResourceBinding, 'variables' | 'schemas'>,
): Record<string, unknown> {
  const entries = Object.entries(variables).map(([name, value]) => {
    const argument = getOwnMember(renamed, name) ?? name;
    return [argument, convertTextsBySchema(value, getOwnMember(schemas, argument))];
  });
  return Object.fromEntries(entries);
}

export function resourceNotFoundError({ agreement }: Pick<Call, 'agreement'>, uri: string): ProtocolError {
  return new ProtocolError(agreement.features.unknownResource, `Resource not found: ${uri}`, 'work', { uri });
}

export const handleSubscribe: Method = async (call: Call) => {
  const { server } = call;
  const uri = getUriParameter(call);
  const subscriptions = requireSubscriptions(call);
  if (subscriptions.has(uri)) return {};
  if (findResource(server, await server.bindings(), uri) === undefined)
    throw resourceNotFoundError(call, uri);
  if (subscriptions.size >= server.limits.subscribedResources) {
    const words = `This session has ${server.limits.subscribedResources} subscriptions already. Unsubscribe from some.`;
    throw new ProtocolError(INTERNAL_ERROR, words);
  }
  const scopes = call.reach?.needed ?? [];
  await call.session?.save?.({ subscribed: uri, scopes });
  subscriptions.add(uri);
  call.session?.needs(scopes);
  return {};
};

/** Succeeds without a subscription, which may have ended by itself. */
export const handleUnsubscribe: Method = async (call: Call) => {
  const uri = getUriParameter(call);
  if (requireSubscriptions(call).delete(uri)) await call.session?.save?.({ unsubscribed: uri });
  return {};
};

export function getUriParameter({ params }: Call): string {
  const { uri } = params;
  if (typeof uri !== 'string') throw invalidParamsError('`uri` must be a string.');
  return uri;
}

function requireSubscriptions({ session }: Call): Set<string> {
  if (session === undefined) throw new Error('Only a session can subscribe.');
  return session.subscriptions;
}
