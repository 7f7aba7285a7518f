/** Which listed resource or template a URI belongs to, and what its variables say. */
import type { Bindings, ResourceBinding } from '../../bindings.ts';
import { matchUriTemplate } from '../../uri-template/index.ts';
import type { Project } from '../project.ts';
import { reviveVariables } from './revive-variables.ts';

export interface FoundResource {
  binding: ResourceBinding;
  args: Record<string, unknown>;
}

/** An exact URI first, then the first template in the listed order that makes it. */
export function findResource(project: Project, bindings: Bindings, uri: string): FoundResource | undefined {
  const { catalog } = project;
  const { resources, resourceTemplates } = bindings;
  if (catalog.items('resources').some((resource) => resource.uri === uri)) {
    const binding = Object.hasOwn(resources, uri) ? resources[uri] : undefined;
    if (binding !== undefined) return { binding, args: {} };
  }
  for (const { uriTemplate } of catalog.items('resourceTemplates')) {
    const variables = matchUriTemplate(uriTemplate, uri);
    const binding = Object.hasOwn(resourceTemplates, uriTemplate)
      ? resourceTemplates[uriTemplate]
      : undefined;
    if (variables === undefined || binding === undefined || escapes(variables)) continue;
    return { binding, args: reviveVariables(variables, binding) };
  }
  return undefined;
}

/** A dot segment would lead out of the place that the template describes (RFC 3986, section 5.2.4). */
function escapes(variables: Record<string, string | string[]>): boolean {
  const parts = Object.values(variables).flat();
  return parts.some((value) => value.split(/[/\\]/).some((segment) => segment === '.' || segment === '..'));
}
