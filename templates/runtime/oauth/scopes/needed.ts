/** The scopes that requests for one item need: those of the source, and those of the project's own code. */
import type { Bindings } from '../../contract/bindings.ts';
import { isRecord } from '../../protocol/json-rpc.ts';
import type { Call } from '../../core/call.ts';
import type { Project } from '../../core/project.ts';
import { findResource } from '../../core/resources/find-resource.ts';
import { toolsOf } from '../../core/tools/tool-parts.ts';

type Scopes = readonly string[];
type Needs = (call: Call, bindings: Bindings) => Scopes;

const NONE: Scopes = [];

/** By method; all others do nothing for which an item has scopes. */
export const NEEDED: ReadonlyMap<string, Needs> = new Map<string, Needs>([
  ['tools/call', ({ project, params }, bindings) => ofTool(project, bindings, params['name'])],
  ['resources/read', ({ project, params }, bindings) => ofResource(project, bindings, params['uri'])],
  ['resources/subscribe', ({ project, params }, bindings) => ofResource(project, bindings, params['uri'])],
  ['prompts/get', ({ project, params }, bindings) => ofPrompt(project, bindings, params['name'])],
  ['completion/complete', ({ project, params }, bindings) => ofReference(project, bindings, params['ref'])],
  ['subscriptions/listen', ofSubscriptions],
  ...['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel'].map((method): [string, Needs] => [
    method,
    (call) => ofTask(call, call.params['taskId']),
  ]),
  // It shows what the token reaches, whatever that is.
  ['tasks/list', () => NONE],
]);

/** Those of the call that became it. A task of somebody else needs none: it is not there for this caller. */
function ofTask({ project, exchange }: Call, taskId: unknown): Scopes {
  if (typeof taskId !== 'string') return NONE;
  return project.state.tasks?.owned(taskId, exchange.caller?.subject)?.scopes ?? NONE;
}

function ofTool(project: Project, { tools }: Bindings, name: unknown): Scopes {
  if (typeof name !== 'string') return NONE;
  const [bound, more] = [own(tools, name)?.scopes, toolsOf(project).get(name)?.scopes];
  return more === undefined ? (bound ?? NONE) : together(bound, more);
}

function ofResource(project: Project, bindings: Bindings, uri: unknown): Scopes {
  return typeof uri === 'string' ? (findResource(project, bindings, uri)?.scopes ?? NONE) : NONE;
}

function ofPrompt({ handlers }: Project, { prompts }: Bindings, name: unknown): Scopes {
  if (typeof name !== 'string') return NONE;
  return together(own(prompts, name)?.scopes, own(handlers.prompts, name)?.scopes);
}

/** Of the item whose argument is completed: a prompt, or a template by its URI template. */
function ofReference(project: Project, bindings: Bindings, ref: unknown): Scopes {
  if (!isRecord(ref)) return NONE;
  const { type, name, uri } = ref;
  if (type === 'ref/prompt') return ofPrompt(project, bindings, name);
  if (typeof uri !== 'string') return NONE;
  return together(
    own(bindings.resourceTemplates, uri)?.scopes,
    own(project.handlers.resourceTemplates, uri)?.scopes,
    ofResource(project, bindings, uri),
  );
}

function ofSubscriptions(call: Call, bindings: Bindings): Scopes {
  const { project, params } = call;
  const { resourceSubscriptions, taskIds } = isRecord(params['notifications']) ? params['notifications'] : {};
  const most = (given: unknown): unknown[] =>
    Array.isArray(given) ? given.slice(0, project.limits.subscribedResources) : [];
  return together(
    ...most(resourceSubscriptions).map((uri) => ofResource(project, bindings, uri)),
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
