/** The scopes that requests for one item need: those of the source, and those of the project's own code. */
import { isRecord } from '../../contract/json-value.ts';
import type { Bindings } from '../../contract/bindings.ts';
import type { Call } from '../../core/call.ts';
import type { ServerInstance } from '../../core/server-instance.ts';
import { findResource } from '../../core/resources/find-resource.ts';
import { toolsOf } from '../../core/tools/tool-entry.ts';

type Scopes = readonly string[];
type Needs = (call: Call, bindings: Bindings) => Scopes;

const NONE: Scopes = [];

/** By method; all others do nothing for which an item has scopes. */
export const NEEDED: ReadonlyMap<string, Needs> = new Map<string, Needs>([
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
