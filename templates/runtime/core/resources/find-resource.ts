// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Resources: the item that a URI belongs to, lists that functions make, and subscriptions of sessions. */
import type { Bindings, ResourceBinding } from '../../contract/bindings.ts';
import type { ResourceDefinition } from '../../definition.ts';
import { matchTemplate } from '../../uri-template/plain-template.ts';
import type { ServerInstance } from '../server-instance.ts';
import { reviveTexts } from '../revive-texts.ts';
import { ProtocolError, INTERNAL_ERROR, invalidParams } from '../../protocol/protocol-error.ts';
import type { Call, Method } from '../call.ts';
import type { ListedResource } from '../../contract/catalog.ts';
import { messageOf } from '../answer.ts';
import { CallContext } from '../call-context.ts';
import { loadFunctions } from '../tools/tool-entry.ts';
import type { Session } from '../session.ts';
import type { ResourceLister } from '../../functions-part.ts';

/** A document's resource, or one of the project's own. */
export type FoundResource = { scopes: readonly string[] } & (
  | { kind: 'bound'; binding: ResourceBinding; args: Record<string, unknown> }
  | { kind: 'own'; own: OwnResource; variables: Record<string, string> }
);

type OwnResource = Pick<ResourceDefinition, 'read' | 'mimeType' | 'scopes'>;

/** An exact URI first, then the first template in the listed order that makes it. */
export function findResource(
  server: ServerInstance,
  bindings: Bindings,
  uri: string,
): FoundResource | undefined {
  const { catalog, handlers } = server;
  const { resources, resourceTemplates } = bindings;
  if (catalog.items('resources').some((resource) => resource.uri === uri)) {
    const own = ownMember(handlers.resources, uri);
    const binding = ownMember(resources, uri);
    const scopes = joinScopes(binding, own);
    if (own !== undefined) return { kind: 'own', own, variables: {}, scopes };
    if (binding !== undefined) return { kind: 'bound', binding, args: {}, scopes };
  }
  for (const { uriTemplate } of catalog.items('resourceTemplates')) {
    const variables = matchVariables(uriTemplate, uri);
    if (variables === undefined) continue;
    const own = ownMember(handlers.resourceTemplates, uriTemplate);
    const binding = ownMember(resourceTemplates, uriTemplate);
    const scopes = joinScopes(binding, own);
    if (own !== undefined) return { kind: 'own', own, variables: asTexts(variables), scopes };
    if (binding !== undefined)
      return { kind: 'bound', binding, args: reviveVariables(variables, binding), scopes };
  }
  return undefined;
}

/** The arguments of a template's binding for a URI; undefined if the template doesn't match. */
export function argumentsOf(
  uriTemplate: string,
  uri: string,
  binding: ResourceBinding,
): Record<string, unknown> | undefined {
  const variables = matchVariables(uriTemplate, uri);
  return variables && reviveVariables(variables, binding);
}

function matchVariables(uriTemplate: string, uri: string): Record<string, string | string[]> | undefined {
  const variables = matchTemplate(uriTemplate, uri);
  return variables === undefined || escapes(variables) ? undefined : variables;
}

/** The project's own code may need more scopes than the item that it replaces, not fewer. */
function joinScopes(
  bound: Pick<ResourceBinding, 'scopes'> = {},
  own: Pick<OwnResource, 'scopes'> = {},
): string[] {
  return [...(bound.scopes ?? []), ...(own.scopes ?? [])];
}

function ownMember<T>(items: Readonly<Record<string, T>> = {}, key: string): T | undefined {
  return Object.hasOwn(items, key) ? items[key] : undefined;
}

function asTexts(variables: Readonly<Record<string, string | string[]>>): Record<string, string> {
  const texts = Object.entries(variables).map(([name, value]) => [name, [value].flat().join(',')]);
  return Object.fromEntries(texts) as Record<string, string>;
}

/**
 * A dot segment would lead out of the place that the template describes (RFC 3986, section 5.2.4); servers of Java
 * find one in `..;x` too.
 */
function escapes(variables: Record<string, string | string[]>): boolean {
  const parts = Object.values(variables).flat();
  return parts.some((value) => value.split(/[/\\]/).some((segment) => /^\.{1,2}(?:$|;)/.test(segment)));
}

/**
 * The variables of a URI are texts; the arguments they stand for may be numbers, booleans or lists. A text that is no
 * number or boolean stays a text, for validation to refuse.
 */
function reviveVariables(
  variables: Readonly<Record<string, string | string[]>>,
  { variables: renamed = {}, schemas = {} }: Pick<ResourceBinding, 'variables' | 'schemas'>,
): Record<string, unknown> {
  const entries = Object.entries(variables).map(([name, value]) => {
    const argument = ownMember(renamed, name) ?? name;
    return [argument, reviveTexts(value, ownMember(schemas, argument))];
  });
  return Object.fromEntries(entries);
}

/** The error for a missing resource, by the code of the revision. */
export function unknownResource({ agreement }: Pick<Call, 'agreement'>, uri: string): ProtocolError {
  return new ProtocolError(agreement.features.unknownResource, `Resource not found: ${uri}`, 'work', { uri });
}

/**
 * Lists the catalog's resources, then those that functions list for each template; of two with one URI the first.
 *
 * @throws {ProtocolError} `-32603` when a function fails: a part would look like the whole
 */
export async function listResources(call: Call): Promise<ListedResource[]> {
  const { server } = call;
  const listers = await (server.cache.listers ??= openListers(server));
  const context = new CallContext(call);
  try {
    const lists = await Promise.all(listers.map((list) => list(context)));
    return unique([...server.catalog.items('resources'), ...lists.flat()]);
  } catch (thrown) {
    throw thrown instanceof ProtocolError ? thrown : new ProtocolError(INTERNAL_ERROR, messageOf(thrown));
  }
}

async function openListers(server: ServerInstance): Promise<ResourceLister[]> {
  const [functions, { resourceTemplates }] = await Promise.all([loadFunctions(server), server.bindings()]);
  const opened = server.catalog.items('resourceTemplates').flatMap((template) => {
    const { uriTemplate } = template;
    const binding = Object.hasOwn(resourceTemplates, uriTemplate)
      ? resourceTemplates[uriTemplate]
      : undefined;
    if (binding?.list === undefined) return [];
    const isOwn = Object.hasOwn(server.handlers.resourceTemplates ?? {}, uriTemplate);
    const reads = {
      argumentsOf: (uri: string) => argumentsOf(uriTemplate, uri, binding),
      ...(isOwn || binding.do.kind !== 'function' ? {} : { by: binding.do }),
    };
    return [functions.list(binding.list, template, reads)];
  });
  return Promise.all(opened);
}

function unique(resources: readonly ListedResource[]): ListedResource[] {
  const byUri = new Map<string, ListedResource>();
  for (const resource of resources) if (!byUri.has(resource.uri)) byUri.set(resource.uri, resource);
  return [...byUri.values()];
}

export const subscribe: Method = async (call: Call) => {
  const { server, session } = call;
  const uri = readUri(call);
  const subscriptions = requireSubscriptions(session);
  if (subscriptions.has(uri)) return {};
  if (findResource(server, await server.bindings(), uri) === undefined) throw unknownResource(call, uri);
  if (subscriptions.size >= server.limits.subscribedResources) {
    const words = `This session has ${server.limits.subscribedResources} subscriptions already. Unsubscribe from some.`;
    throw new ProtocolError(INTERNAL_ERROR, words);
  }
  subscriptions.add(uri);
  call.session?.needs(call.reach?.needed ?? []);
  return {};
};

/** Succeeds without a subscription, too: it may have ended by itself. */
export const unsubscribe: Method = async (call: Call) => {
  requireSubscriptions(call.session).delete(readUri(call));
  return {};
};

function readUri({ params }: Call): string {
  const { uri } = params;
  if (typeof uri !== 'string') throw invalidParams('`uri` must be a string.');
  return uri;
}

function requireSubscriptions(session: Session | undefined): Set<string> {
  if (session === undefined) throw new Error('Only a session can subscribe.');
  return session.subscriptions;
}
