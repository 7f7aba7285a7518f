/** What the server says it can do: what the project has, and nothing else. */
import type { RevisionFeatures } from '../protocol/revisions.ts';
import type { JsonObject } from '../schema/json-schema.ts';
import type { Project } from './project.ts';

export type Capability = 'tools' | 'resources' | 'prompts' | 'completions' | 'logging';

/** The capabilities whose methods this project answers. */
export async function declaredCapabilities(project: Project): Promise<ReadonlySet<Capability>> {
  return (project.parts.capabilities ??= namesOf(project, await project.hasCompletions()));
}

/** The capabilities as a revision's clients are told them (MCP `ServerCapabilities`). */
export async function capabilitiesFor(project: Project, features: RevisionFeatures): Promise<JsonObject> {
  const declared = await declaredCapabilities(project);
  const known = [...declared].filter((name) => name !== 'completions' || features.completionsCapability);
  return Object.fromEntries(known.map((name) => [name, {}]));
}

function namesOf({ catalog }: Project, completions: boolean): ReadonlySet<Capability> {
  const has: Record<Capability, boolean> = {
    tools: !catalog.isEmpty('tools'),
    resources: !(catalog.isEmpty('resources') && catalog.isEmpty('resourceTemplates')),
    prompts: !catalog.isEmpty('prompts'),
    completions,
    logging: true,
  };
  const names: Capability[] = ['tools', 'resources', 'prompts', 'completions', 'logging'];
  return new Set(names.filter((name) => has[name]));
}
