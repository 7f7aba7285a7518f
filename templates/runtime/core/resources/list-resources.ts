/** `resources/list` where functions list the resources of templates. */
import type { ListedResource } from '../../contract/catalog.ts';
import type { ResourceLister } from '../../definition.ts';
import { INTERNAL_ERROR, ProtocolError } from '../../protocol/protocol-error.ts';
import { messageOf } from '../answer.ts';
import type { Call } from '../call.ts';
import { CallContext } from '../call-context.ts';
import { functionsOf } from '../functions-of.ts';
import type { Project } from '../project.ts';
import { argumentsOf } from './find-resource.ts';

/**
 * The catalog's, then those of each template in its order; of two with one URI the first.
 *
 * @throws {ProtocolError} `-32603` when a function fails: a part would look like the whole
 */
export async function listResources(call: Call): Promise<ListedResource[]> {
  const { project } = call;
  const listers = await (project.parts.listers ??= openListers(project));
  const context = new CallContext(call);
  try {
    const lists = await Promise.all(listers.map((list) => list(context)));
    return unique([...project.catalog.items('resources'), ...lists.flat()]);
  } catch (thrown) {
    throw thrown instanceof ProtocolError ? thrown : new ProtocolError(INTERNAL_ERROR, messageOf(thrown));
  }
}

async function openListers(project: Project): Promise<ResourceLister[]> {
  const [functions, { resourceTemplates }] = await Promise.all([functionsOf(project), project.bindings()]);
  const opened = project.catalog.items('resourceTemplates').flatMap((template) => {
    const { uriTemplate } = template;
    const binding = Object.hasOwn(resourceTemplates, uriTemplate)
      ? resourceTemplates[uriTemplate]
      : undefined;
    if (binding?.list === undefined) return [];
    const isOwn = Object.hasOwn(project.handlers.resourceTemplates ?? {}, uriTemplate);
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
