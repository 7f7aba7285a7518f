// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Finds the scopes that requests need: an item has those of its source, and those of the project's own code. */
import type { Bindings } from '../contract/bindings.ts';
import { isRecord } from '../contract/json-value.ts';
import { isScopeToken } from '../contract/http-syntax.ts';
import type { Call, RunScoped } from '../core/call.ts';
import { findResource } from '../core/resources.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import { getToolEntries } from '../core/call-tool.ts';
import type { Handlers } from '../definition.ts';
import { ScopeError } from '../protocol/json-rpc.ts';
import type { GuardOptions } from '../feature-loaders.ts';

type Scopes = readonly string[];
type Needs = (call: Call, bindings: Bindings) => Scopes | Promise<Scopes>;

const NONE: Scopes = [];

const NEEDED: ReadonlyMap<string, Needs> = new Map<string, Needs>([
  ['tools/call', ({ server, params }, bindings) => toolScopes(server, bindings, params['name'])],
  ...['resources/read', 'resources/subscribe'].map((method): [string, Needs] => [
    method,
    ({ server, params }, bindings) => resourceScopes(server, bindings, params['uri']),
  ]),
  ['prompts/get', ({ server, params }, bindings) => promptScopes(server, bindings, params['name'])],
  [
    'completion/complete',
    ({ server, params }, bindings) => completionReferenceScopes(server, bindings, params['ref']),
  ],
  ['subscriptions/listen', subscriptionScopes],
  ...['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel'].map((method): [string, Needs] => [
    method,
    (call) => taskScopes(call, call.params['taskId']),
  ]),
  // The list shows only the tasks that the token's scopes allow.
  ['tasks/list', () => NONE],
]);

/** Another caller's task needs no scopes, since it is not found. */
async function taskScopes({ server, context }: Call, taskId: unknown): Promise<Scopes> {
  if (typeof taskId !== 'string') return NONE;
  const tasks = await server.features.tasks?.();
  return (await tasks?.findOwnTask(server, taskId, context.caller?.subject))?.scopes ?? NONE;
}

function toolScopes(server: ServerInstance, bindings: Bindings, name: unknown): Scopes {
  if (typeof name !== 'string') return NONE;
  const bound = ownMember(bindings.tools, name) ?? findOperation(bindings, name);
  const more = getToolEntries(server).findToolEntry(name)?.scopes;
  return more === undefined ? (bound?.scopes ?? NONE) : joinScopes(bound?.scopes, more);
}

function findOperation({ operations }: Bindings, name: string) {
  const [source = '', operationId = ''] = name.split(/\.(.*)/s);
  return ownMember(ownMember(operations, source), operationId);
}

function resourceScopes(server: ServerInstance, bindings: Bindings, uri: unknown): Scopes {
  return typeof uri === 'string' ? (findResource(server, bindings, uri)?.scopes ?? NONE) : NONE;
}

function promptScopes({ handlers }: ServerInstance, { prompts }: Bindings, name: unknown): Scopes {
  if (typeof name !== 'string') return NONE;
  return joinScopes(ownMember(prompts, name)?.scopes, ownMember(handlers.prompts, name)?.scopes);
}

function completionReferenceScopes(server: ServerInstance, bindings: Bindings, ref: unknown): Scopes {
  if (!isRecord(ref)) return NONE;
  const { type, name, uri } = ref;
  if (type === 'ref/prompt') return promptScopes(server, bindings, name);
  if (typeof uri !== 'string') return NONE;
  return joinScopes(
    ownMember(bindings.resourceTemplates, uri)?.scopes,
    ownMember(server.handlers.resourceTemplates, uri)?.scopes,
    resourceScopes(server, bindings, uri),
  );
}

async function subscriptionScopes(call: Call, bindings: Bindings): Promise<Scopes> {
  const { server, params } = call;
  const { resourceSubscriptions, taskIds } = isRecord(params['notifications']) ? params['notifications'] : {};
  const takeUpToLimit = (given: unknown): unknown[] =>
    Array.isArray(given) ? given.slice(0, server.limits.subscribedResources) : [];
  return joinScopes(
    ...takeUpToLimit(resourceSubscriptions).map((uri) => resourceScopes(server, bindings, uri)),
    ...(await Promise.all(takeUpToLimit(taskIds).map(async (id) => taskScopes(call, id)))),
  );
}

export function joinScopes(...lists: (Scopes | undefined)[]): Scopes {
  const [first = NONE, ...others] = lists.filter((list) => list !== undefined && list.length > 0);
  return others.length === 0 ? first : [...new Set([first, ...others].flatMap((list) => list ?? NONE))];
}

function ownMember<T>(items: Readonly<Record<string, T>> = {}, key: string): T | undefined {
  return Object.hasOwn(items, key) ? items[key] : undefined;
}

/** @throws {ScopeError} before the method begins, with all scopes of the call */
export const runWithScopeCheck: RunScoped = async (call, method, run) => {
  const needs = NEEDED.get(method);
  const needed = await needs?.(call, await call.server.bindings());
  requireScopes(call, needed ?? NONE);
  if (needed !== undefined) {
    call.context.needs?.(needed);
    call.reach = { needed, covers: (scopes) => coversScopes(call, scopes) };
  }
  return run(call);
};

function requireScopes(call: Call, needed: readonly string[]): void {
  const { scopes = [] } = call.server.auth ?? {};
  if (coversScopes(call, scopes) && coversScopes(call, needed)) return;
  throw new ScopeError(joinScopes(scopes, needed));
}

function coversScopes({ server, context }: Call, scopes: readonly string[]): boolean {
  return grantsScopes(context.caller?.auth.scopes ?? [], scopes, server.auth?.implies);
}

/** Proxies and clients refuse longer headers. */
const MOST_CHARACTERS = 2_000;

type Known = Pick<GuardOptions, 'definition' | 'scopes'>;

/** `offline_access` concerns only clients and issuers. */
export function listSupportedScopes({ definition, scopes }: Known): readonly string[] {
  return joinScopes(definition.scopes, scopes).filter((scope) => scope !== 'offline_access');
}

/**
 * A client should request first the scopes that every request needs (MCP, "Scope Selection Strategy"), else all that
 * are offered, or none if these are too long for a header, since the metadata lists them.
 */
export function listInitialScopes(known: Known): readonly string[] {
  const { scopes = [] } = known.definition;
  const offered = listSupportedScopes(known).filter(isScopeToken);
  if (scopes.length > 0) return offered.filter((scope) => scopes.includes(scope));
  return offered.join(' ').length > MOST_CHARACTERS ? [] : offered;
}

/** Scope → narrower scopes, which may imply others. */
type Implied = Readonly<Record<string, readonly string[]>>;

export function grantsScopes(
  granted: readonly string[],
  needed: readonly string[],
  implied: Implied = {},
): boolean {
  if (needed.every((scope) => granted.includes(scope))) return true;
  const all = new Set(granted);
  // The loop also visits scopes that it adds, each once, even if two imply each other.
  for (const scope of all)
    for (const narrower of Object.hasOwn(implied, scope) ? (implied[scope] ?? []) : []) all.add(narrower);
  return needed.every((scope) => all.has(scope));
}

export function allScopes(bindings: Bindings, handlers: Handlers<object>): readonly string[] {
  const { tools, resources, resourceTemplates, prompts } = bindings;
  const bound = [tools, resources, resourceTemplates, prompts].flatMap((items) => Object.values(items));
  const { extraTools = [], prompts: own = {}, resources: read = {}, resourceTemplates: made = {} } = handlers;
  const unlisted = Object.values(bindings.operations ?? {}).flatMap((items) => Object.values(items));
  const others = [...extraTools, ...[own, read, made].flatMap((items) => Object.values(items))];
  return joinScopes(...[...bound, ...unlisted, ...others].map(({ scopes }) => scopes));
}
