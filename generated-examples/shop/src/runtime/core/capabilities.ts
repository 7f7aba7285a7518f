/** What the server says it can do: what the project has, and nothing else. */
import type { RevisionFeatures } from '../protocol/revisions.ts';
import type { JsonObject } from '../schema/json-schema.ts';
import type { Project } from './project.ts';

/** The extension of tasks, as capabilities name it. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

export type Capability =
  'tools' | 'resources' | 'subscriptions' | 'prompts' | 'completions' | 'logging' | 'tasks';

/** The capabilities whose methods this project answers. */
export async function declaredCapabilities(project: Project): Promise<ReadonlySet<Capability>> {
  return (project.parts.capabilities ??= namesOf(project, await project.hasCompletions()));
}

/** The capabilities as a revision's clients are told them (MCP `ServerCapabilities`). */
export async function capabilitiesFor(project: Project, features: RevisionFeatures): Promise<JsonObject> {
  const declared = await declaredCapabilities(project);
  const list = project.changes ? { listChanged: true } : {};
  const subscribe = declared.has('subscriptions') ? { subscribe: true } : {};
  return {
    ...(declared.has('tools') ? { tools: list } : {}),
    ...(declared.has('resources') ? { resources: { ...subscribe, ...list } } : {}),
    ...(declared.has('prompts') ? { prompts: list } : {}),
    ...(declared.has('completions') && features.completionsCapability ? { completions: {} } : {}),
    ...(declared.has('logging') ? { logging: {} } : {}),
    ...(declared.has('tasks') ? tasksOf(features) : {}),
  };
}

function tasksOf({ tasks }: RevisionFeatures): JsonObject {
  switch (tasks) {
    case 'none':
      return {};
    case 'core':
      return { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
    case 'extension':
      return { extensions: { [TASKS_EXTENSION]: {} } };
  }
}

function namesOf({ catalog, handlers, changes }: Project, completions: boolean): ReadonlySet<Capability> {
  const resources = !(catalog.isEmpty('resources') && catalog.isEmpty('resourceTemplates'));
  const has: Record<Capability, boolean> = {
    tools: !catalog.isEmpty('tools'),
    resources,
    subscriptions: resources && changes,
    prompts: !catalog.isEmpty('prompts'),
    completions,
    logging: true,
    tasks: (handlers.extraTools ?? []).some(
      ({ execution }) => (execution?.taskSupport ?? 'forbidden') !== 'forbidden',
    ),
  };
  const names = Object.keys(has) as Capability[];
  return new Set(names.filter((name) => has[name]));
}
