/** The scopes that requests for one item need: those of the source, and those of the project's own code. */
import type { Bindings } from '../../bindings.ts';
import { isRecord, type Params } from '../../protocol/json-rpc.ts';
import type { Project } from '../../core/project.ts';
import { findResource } from '../../core/resources/find-resource.ts';
import { toolsOf } from '../../core/tools/tool-parts.ts';

type Scopes = readonly string[];
type Needs = (project: Project, bindings: Bindings, params: Params) => Scopes;

const NONE: Scopes = [];

/** By method; all others do nothing for which an item has scopes. */
export const NEEDED: ReadonlyMap<string, Needs> = new Map<string, Needs>([
  ['tools/call', (project, bindings, { name }) => ofTool(project, bindings, name)],
  ['resources/read', (project, bindings, { uri }) => ofResource(project, bindings, uri)],
  ['resources/subscribe', (project, bindings, { uri }) => ofResource(project, bindings, uri)],
  ['prompts/get', (project, bindings, { name }) => ofPrompt(project, bindings, name)],
  ['completion/complete', (project, bindings, { ref }) => ofReference(project, bindings, ref)],
  ['subscriptions/listen', ofSubscriptions],
]);

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

function ofSubscriptions(project: Project, bindings: Bindings, { notifications }: Params): Scopes {
  const uris: unknown = isRecord(notifications) ? notifications['resourceSubscriptions'] : undefined;
  if (!Array.isArray(uris)) return NONE;
  const most = uris.slice(0, project.limits.subscribedResources);
  return together(...most.map((uri: unknown) => ofResource(project, bindings, uri)));
}

/** Each once. */
export function together(...lists: (Scopes | undefined)[]): Scopes {
  const [first = NONE, ...others] = lists.filter((list) => list !== undefined && list.length > 0);
  return others.length === 0 ? first : [...new Set([first, ...others].flatMap((list) => list ?? NONE))];
}

function own<T>(items: Readonly<Record<string, T>> = {}, key: string): T | undefined {
  return Object.hasOwn(items, key) ? items[key] : undefined;
}
