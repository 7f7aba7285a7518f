/** `resources/list` where functions list the resources of templates. */
import type { ListedResource } from '../../contract/catalog.ts';
import type { ResourceLister } from '../../definition.ts';
import { INTERNAL_ERROR, ProtocolError } from '../../protocol/protocol-error.ts';
import { messageOf } from '../answer.ts';
import type { Call } from '../call.ts';
import { CallContext } from '../call-context.ts';
import { loadFunctions } from '../load-parts.ts';
import type { ServerInstance } from '../server-instance.ts';
import { argumentsOf } from './find-resource.ts';

/**
 * The catalog's, then those of each template in its order; of two with one URI the first.
 *
 * @throws {ProtocolError} `-32603` when a function fails: a part would look like the whole
 */
export async function listResources(call: Call): Promise<ListedResource[]> {
  const { server } = call;
  const listers = await (server.cache.listers ??= openListers(server));
  const context = new CallContext(call);
  try {
    const lists = await Promise.all(listers.map((list) => list(context)));
    return unique([...server.catalog.items('resources'), ...lists.flat()]);
  } catch (thrown) {
    throw thrown instanceof ProtocolError ? thrown : new ProtocolError(INTERNAL_ERROR, messageOf(thrown));
  }
}

async function openListers(server: ServerInstance): Promise<ResourceLister[]> {
  const [functions, { resourceTemplates }] = await Promise.all([loadFunctions(server), server.bindings()]);
  const opened = server.catalog.items('resourceTemplates').flatMap((template) => {
    const { uriTemplate } = template;
    const binding = Object.hasOwn(resourceTemplates, uriTemplate)
      ? resourceTemplates[uriTemplate]
      : undefined;
    if (binding?.list === undefined) return [];
    const isOwn = Object.hasOwn(server.handlers.resourceTemplates ?? {}, uriTemplate);
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
