/** The scopes that requests for one item need: those of the source, and those of the project's own code. */
import type { Bindings } from '../contract/bindings.ts';
import { isRecord } from '../contract/json-value.ts';
import { isScopeToken } from '../contract/token-syntax.ts';
import type { Call, RunScoped } from '../core/call.ts';
import { findResource } from '../core/resources/find-resource.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import { toolsOf } from '../core/tools/tool-entry.ts';
import type { Handlers } from '../definition.ts';
import { ScopeError } from '../protocol/protocol-error.ts';
import type { GuardOptions } from '../transports/http/guard.ts';

type Scopes = readonly string[];
type Needs = (call: Call, bindings: Bindings) => Scopes;

const NONE: Scopes = [];

/** By method; all others do nothing for which an item has scopes. */
const NEEDED: ReadonlyMap<string, Needs> = new Map<string, Needs>([
  ['tools/call', ({ server, params }, bindings) => ofTool(server, bindings, params['name'])],
  ['resources/read', ({ server, params }, bindings) => ofResource(server, bindings, params['uri'])],
  ['resources/subscribe', ({ server, params }, bindings) => ofResource(server, bindings, params['uri'])],
  ['prompts/get', ({ server, params }, bindings) => ofPrompt(server, bindings, params['name'])],
  ['completion/complete', ({ server, params }, bindings) => ofReference(server, bindings, params['ref'])],
  ['subscriptions/listen', ofSubscriptions],
  ...['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel'].map((method): [string, Needs] => [
    method,
    (call) => ofTask(call, call.params['taskId']),
  ]),
  // It shows what the token reaches, whatever that is.
  ['tasks/list', () => NONE],
]);

/** Those of the call that became it. A task of somebody else needs none: it is not there for this caller. */
function ofTask({ server, context }: Call, taskId: unknown): Scopes {
  if (typeof taskId !== 'string') return NONE;
  return server.state.tasks?.owned(taskId, context.caller?.subject)?.scopes ?? NONE;
}

function ofTool(server: ServerInstance, { tools }: Bindings, name: unknown): Scopes {
  if (typeof name !== 'string') return NONE;
  const [bound, more] = [own(tools, name)?.scopes, toolsOf(server).get(name)?.scopes];
  return more === undefined ? (bound ?? NONE) : together(bound, more);
}

function ofResource(server: ServerInstance, bindings: Bindings, uri: unknown): Scopes {
  return typeof uri === 'string' ? (findResource(server, bindings, uri)?.scopes ?? NONE) : NONE;
}

function ofPrompt({ handlers }: ServerInstance, { prompts }: Bindings, name: unknown): Scopes {
  if (typeof name !== 'string') return NONE;
  return together(own(prompts, name)?.scopes, own(handlers.prompts, name)?.scopes);
}

/** Of the item whose argument is completed: a prompt, or a template by its URI template. */
function ofReference(server: ServerInstance, bindings: Bindings, ref: unknown): Scopes {
  if (!isRecord(ref)) return NONE;
  const { type, name, uri } = ref;
  if (type === 'ref/prompt') return ofPrompt(server, bindings, name);
  if (typeof uri !== 'string') return NONE;
  return together(
    own(bindings.resourceTemplates, uri)?.scopes,
    own(server.handlers.resourceTemplates, uri)?.scopes,
    ofResource(server, bindings, uri),
  );
}

function ofSubscriptions(call: Call, bindings: Bindings): Scopes {
  const { server, params } = call;
  const { resourceSubscriptions, taskIds } = isRecord(params['notifications']) ? params['notifications'] : {};
  const most = (given: unknown): unknown[] =>
    Array.isArray(given) ? given.slice(0, server.limits.subscribedResources) : [];
  return together(
    ...most(resourceSubscriptions).map((uri) => ofResource(server, bindings, uri)),
    ...most(taskIds).map((id) => ofTask(call, id)),
  );
}

/** Each once. */
export function together(...lists: (Scopes | undefined)[]): Scopes {
  const [first = NONE, ...others] = lists.filter((list) => list !== undefined && list.length > 0);
  return others.length === 0 ? first : [...new Set([first, ...others].flatMap((list) => list ?? NONE))];
}

function own<T>(items: Readonly<Record<string, T>> = {}, key: string): T | undefined {
  return Object.hasOwn(items, key) ? items[key] : undefined;
}

/** Runs a method for a caller whose token reaches as far as the request does. */

/** @throws {ScopeError} before anything of the method is done: it names all scopes of the call */
export const runScoped: RunScoped = async (call, method, run) => {
  const needs = NEEDED.get(method);
  const needed = needs?.(call, await call.server.bindings());
  demand(call, needed ?? NONE);
  if (needed !== undefined) {
    call.context.needs?.(needed);
    call.reach = { needed, covers: (scopes) => covers(call, scopes) };
  }
  return run(call);
};

/** With the scopes that every request needs. */
function demand(call: Call, needed: readonly string[]): void {
  const { scopes = [] } = call.server.auth ?? {};
  if (covers(call, scopes) && covers(call, needed)) return;
  throw new ScopeError(together(scopes, needed));
}

function covers({ server, context }: Call, scopes: readonly string[]): boolean {
  return grants(context.caller?.auth.scopes ?? [], scopes, server.auth?.implies);
}

/** The scopes that clients are told of, before they have a token (MCP, "Scope Selection Strategy"). */

/** A header of more is refused by proxies, and by the clients that read it. */
const MOST_CHARACTERS = 2_000;

type Known = Pick<GuardOptions, 'definition' | 'scopes'>;

/** All that a client may ask for: `scopes_supported`. `offline_access` is between clients and issuers: nothing here needs it. */
export function offeredScopes({ definition, scopes }: Known): readonly string[] {
  return together(definition.scopes, scopes).filter((scope) => scope !== 'offline_access');
}

/**
 * What a client without a token should ask for: what every request needs, where that is said. Else what is offered, which
 * is what a client takes that is told of none; none where there are too many, since the metadata have them.
 */
export function firstScopes(known: Known): readonly string[] {
  const { scopes = [] } = known.definition;
  const offered = offeredScopes(known).filter(isScopeToken);
  if (scopes.length > 0) return offered.filter((scope) => scopes.includes(scope));
  return offered.join(' ').length > MOST_CHARACTERS ? [] : offered;
}

/** Granted scopes: the token's own, and those that they imply. */

/** Scope → narrower ones. What these imply counts too. */
type Implied = Readonly<Record<string, readonly string[]>>;

export function grants(
  granted: readonly string[],
  needed: readonly string[],
  implied: Implied = {},
): boolean {
  if (needed.every((scope) => granted.includes(scope))) return true;
  const all = new Set(granted);
  // A set that grows while it is walked: each scope is looked at once, also where two imply each other.
  for (const scope of all)
    for (const narrower of Object.hasOwn(implied, scope) ? (implied[scope] ?? []) : []) all.add(narrower);
  return needed.every((scope) => all.has(scope));
}

/** Every scope that some item needs, in the order listed. */
export function allScopes(bindings: Bindings, handlers: Handlers<object>): readonly string[] {
  const { tools, resources, resourceTemplates, prompts } = bindings;
  const bound = [tools, resources, resourceTemplates, prompts].flatMap((items) => Object.values(items));
  const { extraTools = [], prompts: own = {}, resources: read = {}, resourceTemplates: made = {} } = handlers;
  const others = [...extraTools, ...[own, read, made].flatMap((items) => Object.values(items))];
  return together(...[...bound, ...others].map(({ scopes }) => scopes));
}
