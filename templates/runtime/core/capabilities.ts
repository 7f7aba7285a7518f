// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Capabilities: the server declares those that the project has. */
import type { RevisionFeatures } from '../protocol/revisions.ts';
import type { JsonObject } from '../contract/json-schema.ts';
import type { ListName } from './catalog-store.ts';
import type { ServerInstance } from './server-instance.ts';

/** The extension of tasks, as capabilities name it. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

export type Capability =
  'tools' | 'resources' | 'subscriptions' | 'prompts' | 'completions' | 'logging' | 'tasks';

/** The capabilities whose methods this project answers. */
export async function declaredCapabilities(server: ServerInstance): Promise<ReadonlySet<Capability>> {
  return (server.cache.capabilities ??= listCapabilities(server, await server.hasCompletions()));
}

/** MCP's `ServerCapabilities`, for clients of a revision. */
export async function capabilitiesFor(
  server: ServerInstance,
  features: RevisionFeatures,
): Promise<JsonObject> {
  const declared = await declaredCapabilities(server);
  const list = server.changes ? { listChanged: true } : {};
  const subscribe = declared.has('subscriptions') ? { subscribe: true } : {};
  return {
    ...(declared.has('tools') ? { tools: list } : {}),
    ...(declared.has('resources') ? { resources: { ...subscribe, ...list } } : {}),
    ...(declared.has('prompts') ? { prompts: list } : {}),
    ...(declared.has('completions') && features.completionsCapability ? { completions: {} } : {}),
    ...(declared.has('logging') ? { logging: {} } : {}),
    ...(declared.has('tasks') ? taskCapabilities(features) : {}),
  };
}

function taskCapabilities({ tasks }: RevisionFeatures): JsonObject {
  switch (tasks) {
    case 'none':
      return {};
    case 'core':
      return { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
    case 'extension':
      return { extensions: { [TASKS_EXTENSION]: {} } };
  }
}

function listCapabilities(
  { catalog, features, tellsUpdates, isReplaceable }: ServerInstance,
  completions: boolean,
): ReadonlySet<Capability> {
  // A client that saw no capability would not look for it in the project that replaces this one.
  const has = (...lists: ListName[]): boolean =>
    isReplaceable || lists.some((list) => !catalog.isEmpty(list));
  const resources = has('resources', 'resourceTemplates');
  const all: Record<Capability, boolean> = {
    tools: has('tools'),
    resources,
    subscriptions: resources && tellsUpdates,
    prompts: has('prompts'),
    completions: completions || isReplaceable,
    logging: true,
    tasks: features.tasks !== undefined && hasTasks(catalog),
  };
  const names = Object.keys(all) as Capability[];
  return new Set(names.filter((name) => all[name]));
}

/** The list is parsed only if the word is in its text. */
function hasTasks(catalog: ServerInstance['catalog']): boolean {
  if (!catalog.text('tools').includes('"taskSupport"')) return false;
  return catalog
    .items('tools')
    .some(({ execution }) => (execution?.taskSupport ?? 'forbidden') !== 'forbidden');
}
